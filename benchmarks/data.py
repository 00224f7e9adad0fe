"""The common data: block-correlated Gaussian features in shuffled columns, a binary class, codes."""

from pathlib import Path

import numpy as np

BLOCK = 20
CORRELATION = 0.6
INFORMATIVE_SHARE = 0.05
SEED = 20240

SIZES = ((100, 2_000), (100, 10_000), (100, 25_000), (5_000, 1_000))


def wide_table(n_samples: int, n_features: int, seed: int = SEED) -> tuple[np.ndarray, np.ndarray]:
    """Blocks of 20 features that share a factor; one block in twenty also follows the class."""
    rng = np.random.default_rng([seed, n_samples, n_features])
    y = rng.permutation(np.arange(n_samples) % 2)
    n_blocks = -(-n_features // BLOCK)
    factors = rng.standard_normal((n_samples, n_blocks)).repeat(BLOCK, axis=1)[:, :n_features]
    X = np.sqrt(CORRELATION) * factors + np.sqrt(1 - CORRELATION) * rng.standard_normal((n_samples, n_features))
    n_informative = max(BLOCK, int(INFORMATIVE_SHARE * n_blocks) * BLOCK)
    X[:, :n_informative] += np.outer(y - 0.5, rng.uniform(0.2, 1.2, n_informative))
    return X[:, rng.permutation(n_features)], y


def three_levels(X: np.ndarray) -> np.ndarray:
    """Mean ± σ/2 (n - 1 in σ, as ours): 0 below, 1 between, 2 above; what every peer that takes codes gets."""
    centre, half = X.mean(axis=0), X.std(axis=0, ddof=1) / 2
    above = X - centre
    return (above > -half).astype(np.int8) + (above > half)


def save_problem(path: Path, n_samples: int, n_features: int, n_select: int) -> None:
    """Write one problem for the adapters to load."""
    X, y = wide_table(n_samples, n_features)
    np.savez(path, X=X, codes=three_levels(X), y=y, n_select=n_select)
