"""Discrete tables for consistency search: sparse ones like Dorothea, and ones of the sizes the literature measured."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SEED = 31
SIGNALS = ("clear", "weak", "scarce")
DENSITY, SCARCE, SPREAD = 0.009, 0.0005, 1.5
N_INFORMATIVE = 300
CORRELATION = 0.6
NOISE_SHARE = 0.25
MANY_SAMPLES = 2_000
FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[2] / "shared" / "data"))


def sparse_table(n_samples: int, n_features: int, n_rare: int, signal: str) -> tuple[np.ndarray, np.ndarray]:
    """Mostly zeros, as in Dorothea: most features are set in a few samples, some in a hundred; columns shuffled.

    Of the informative features a "clear" one is set in a third of the rare class and hardly elsewhere; a "weak" one is
    only two to four times as frequent there. "scarce" is weak, and most features are set in no sample or in one, so
    that thousands tie.
    """
    rng = np.random.default_rng([SEED, n_samples, n_features, SIGNALS.index(signal)])
    y = np.zeros(n_samples, dtype=np.int64)
    y[rng.permutation(n_samples)[:n_rare]] = 1
    frequency = rng.lognormal(0.0, SPREAD, n_features)
    frequency *= (SCARCE if signal == "scarce" else DENSITY) / frequency.mean()
    frequency = np.minimum(frequency, 0.3)
    in_rare = frequency.copy()
    n_informative = min(N_INFORMATIVE, n_features // 4)
    if signal == "clear":
        in_rare[:n_informative] = rng.uniform(0.15, 0.6, n_informative)
    else:
        in_rare[:n_informative] = np.minimum(in_rare[:n_informative] * rng.uniform(2.0, 4.0, n_informative), 0.6)
    columns = rng.permutation(n_features)
    frequency, in_rare = frequency[columns], in_rare[columns]
    X = np.empty((n_samples, n_features), dtype=np.uint8)
    for row, label in zip(X, y, strict=True):
        row[:] = rng.random(n_features, dtype=np.float32) < (in_rare if label else frequency)
    return X, y


@dataclass(frozen=True)
class Size:
    """A table of Pino Angulo 2019, Table 3.1, how many levels its features have here, and the seconds of Table 3.2."""

    name: str
    n_samples: int
    n_features: int
    n_classes: int
    n_levels: int
    seconds: tuple[float, float, float, float]  # SDCC, ASDCC, FSDCC, LCC at delta = 0.01


SIXTEEN = (
    Size("Dermatology", 366, 34, 6, 4, (0.175, 0.091, 0.092, 0.153)),
    Size("Arrhythmia", 452, 279, 16, 2, (43.83, 0.532, 0.504, 0.398)),
    Size("Kr-vs-Kp", 3196, 36, 2, 2, (2.246, 0.747, 0.721, 0.247)),
    Size("Pendigits", 10992, 16, 10, 8, (3.044, 1.928, 1.708, 0.700)),
    Size("Mushroom", 8124, 22, 2, 6, (1.066, 0.228, 0.225, 0.276)),
    Size("Optidigits", 5620, 64, 10, 5, (14.04, 1.268, 1.239, 0.921)),
    Size("Nursery", 12960, 8, 5, 16, (0.536, 0.613, 0.534, 1.057)),
    Size("Waveform", 5000, 40, 3, 4, (6.557, 0.930, 0.971, 0.632)),
    Size("Spectrometer", 531, 100, 48, 3, (3.495, 0.877, 0.674, 0.596)),
    Size("Mfeat-Factor", 2000, 216, 10, 5, (107.2, 1.448, 1.586, 1.388)),
    Size("Mfeat-Fourier", 2000, 76, 10, 4, (6.638, 0.929, 0.927, 0.729)),
    Size("Mfeat-Karhunen", 2000, 64, 10, 5, (5.054, 0.691, 0.694, 0.665)),
    Size("Mfeat-Pixel", 2000, 240, 10, 4, (140.3, 1.468, 1.399, 0.976)),
    Size("Mfeat-Zernike", 2000, 47, 10, 5, (2.119, 0.500, 0.506, 0.521)),
    Size("Segment", 2310, 19, 7, 6, (0.444, 0.206, 0.215, 0.130)),
    Size("Semeion", 1593, 256, 10, 2, (127.6, 1.452, 1.420, 0.787)),
)


def blocked_table(size: Size) -> tuple[np.ndarray, np.ndarray]:
    """Features that share factors, block by block, cut into levels at places of their own; one in four is noise.

    In large tables one sample in a hundred has the levels of another, but a class of its own.
    """
    n, p = size.n_samples, size.n_features
    rng = np.random.default_rng([SEED, n, p])
    shares = rng.dirichlet(np.full(size.n_classes, 5.0))
    drawn = rng.choice(size.n_classes, n - 2 * size.n_classes, p=shares)
    y = np.concatenate([np.arange(size.n_classes).repeat(2), drawn])
    n_factors = max(3, p // 6)
    centres = rng.normal(0.0, 1.0, (size.n_classes, n_factors))
    factors = (centres[y] + rng.standard_normal((n, n_factors)))[:, np.arange(p) % n_factors]
    factors[:, rng.random(p) < NOISE_SHARE] = 0.0
    X = np.sqrt(CORRELATION) * factors + np.sqrt(1 - CORRELATION) * rng.standard_normal((n, p))
    levels = np.empty((n, p), dtype=np.uint8)
    for f in range(p):
        cuts = np.quantile(X[:, f], np.sort(rng.uniform(0.05, 0.95, size.n_levels - 1)))
        levels[:, f] = np.searchsorted(cuts, X[:, f])
    n_contradicting = n // 100 if n > MANY_SAMPLES else 0
    levels[n - n_contradicting :] = levels[rng.choice(n - n_contradicting, n_contradicting)]
    rows = rng.permutation(n)
    return levels[rows], y[rows]


def real_table(name: str) -> tuple[np.ndarray, np.ndarray] | None:
    """A table of the folder ``HOLDFAST_DATA`` without features that have missing values; None if it is not there."""
    path = FOLDER / f"{name}.npz"
    if not path.exists():
        return None
    with np.load(path) as data:
        X, y = data["X"], data["y"]
    return X[:, ~np.isnan(X).any(axis=0)], y
