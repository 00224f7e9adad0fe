"""The small data sets behind the golden files, drawn from a seed so that no data need be stored.

Values carry at most six decimals, so that writing them as text and reading them back changes nothing. Each
golden file keeps the fingerprint of the data it was made from; compare it before comparing any number.
"""

import hashlib
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class GoldenData:
    """One small table with its classes; X holds the codes 0, 1, 2 in all columns, or in ``codes_in`` alone."""

    name: str
    X: np.ndarray
    y: np.ndarray
    is_discrete: bool
    codes_in: tuple[int, ...] = ()

    @property
    def nominal(self) -> tuple[int, ...]:
        """The columns that hold codes."""
        return tuple(range(self.X.shape[1])) if self.is_discrete else self.codes_in

    @property
    def fingerprint(self) -> str:
        """A hash of shape and values, blind to memory order."""
        digest = hashlib.sha256(repr(self.X.shape).encode())
        digest.update(np.ascontiguousarray(self.X, dtype="<f8").tobytes())
        digest.update(np.ascontiguousarray(self.y, dtype="<i8").tobytes())
        return digest.hexdigest()[:16]


def _classes(rng, sizes):
    return rng.permutation(np.repeat(np.arange(len(sizes)), sizes))


def _shifted(rng, y, n_features, n_informative, shift):
    """Gaussian noise; the first features follow the class, one in three also follows its neighbour."""
    X = rng.standard_normal((len(y), n_features))
    for column in range(n_informative):
        X[:, column] += shift * (0.6 + 0.4 * column / n_informative) * y
    for column in range(1, n_informative, 3):
        X[:, column] = 0.6 * X[:, column - 1] + 0.6 * X[:, column]
    return X


def continuous_two_class():
    """60 x 40; twelve features follow the class, two more hold class 1 in the middle (two cuts)."""
    rng = np.random.default_rng(101)
    y = _classes(rng, (32, 28))
    X = _shifted(rng, y, 40, 12, 1.4)
    for column in (12, 13):
        X[:, column] = np.where(y == 1, 0.7 * X[:, column], X[:, column] + 0.5 * np.sign(X[:, column]))
    return GoldenData("continuous_two_class", np.round(X[:, rng.permutation(40)], 6), y, False)


def continuous_three_class():
    """90 x 30; ten features follow the class, with up to two cuts each."""
    rng = np.random.default_rng(102)
    y = _classes(rng, (40, 30, 20))
    X = _shifted(rng, y, 30, 10, 1.8)
    return GoldenData("continuous_three_class", np.round(X[:, rng.permutation(30)], 6), y, False)


def continuous_ties():
    """70 x 25 with one decimal only: many equal values, where Weka's two MDL encodings part."""
    rng = np.random.default_rng(103)
    y = _classes(rng, (45, 25))
    X = _shifted(rng, y, 25, 12, 0.9)
    return GoldenData("continuous_ties", np.round(X[:, rng.permutation(25)], 1), y, False)


def _codes(rng, y, n_features, n_informative):
    X = rng.integers(0, 3, size=(len(y), n_features))
    for column in range(n_informative):
        follows = rng.random(len(y)) < 0.3 + 0.2 * column / n_informative
        X[follows, column] = (y[follows] + column) % 3
    for column in range(1, n_informative, 3):
        copies = rng.random(len(y)) < 0.7
        X[copies, column] = X[copies, column - 1]
    return X


def discrete():
    """80 x 40 codes 0, 1, 2 with two classes; fifteen features follow the class."""
    rng = np.random.default_rng(104)
    y = _classes(rng, (45, 35))
    X = _codes(rng, y, 40, 15)
    return GoldenData("discrete", X[:, rng.permutation(40)].astype(float), y, True)


def discrete_duplicates():
    """80 x 30 codes with three classes: 20 features, eight exact copies, one recoded copy, one constant."""
    rng = np.random.default_rng(105)
    y = _classes(rng, (30, 28, 22))
    X = _codes(rng, y, 20, 10)
    X = np.column_stack([X, X[:, 2:10], (X[:, 9] + 1) % 3, np.ones(len(y), dtype=int)])
    return GoldenData("discrete_duplicates", X[:, rng.permutation(30)].astype(float), y, True)


ALL = (continuous_two_class, continuous_three_class, continuous_ties, discrete, discrete_duplicates)


def mixed():
    """70 x 24 with three unequal classes: every other column holds codes, the rest keeps distances from tying."""
    rng = np.random.default_rng(106)
    y = _classes(rng, (30, 24, 16))
    X = _shifted(rng, y, 24, 12, 1.2)
    X[:, ::2] = _codes(rng, y, 12, 6)
    return GoldenData("mixed", np.round(X, 6), y, False, tuple(range(0, 24, 2)))


def repeated_samples():
    """60 x 20, two classes: every sample twice, so distances tie in pairs but the tied are the same."""
    rng = np.random.default_rng(107)
    y = _classes(rng, (17, 13))
    order = rng.permutation(np.repeat(np.arange(30), 2))
    return GoldenData("repeated_samples", np.round(_shifted(rng, y, 20, 8, 1.0), 6)[order], y[order], False)


def _apart(seed, sizes):
    """Codes in which no two samples of a class tie for being the third nearest of another; few seeds have this."""
    rng = np.random.default_rng(seed)
    y = _classes(rng, sizes)
    stray = rng.permutation(np.linspace(0.05, 0.95, len(y)))[:, None]
    X = np.where(rng.random((len(y), 100)) < stray, rng.integers(0, 3, size=(len(y), 100)), 0)
    for column in range(30):
        follows = rng.random(len(y)) < 0.3
        X[follows, column] = y[follows]
    return X[:, rng.permutation(100)].astype(float), y


def discrete_apart_two_class():
    """28 x 100 codes whose three nearest neighbours of each class are without ties."""
    return GoldenData("discrete_apart_two_class", *_apart(213775, (16, 12)), True)


def discrete_apart_three_class():
    """28 x 100 codes whose three nearest neighbours of each class are without ties."""
    return GoldenData("discrete_apart_three_class", *_apart(301051, (11, 9, 8)), True)


FOR_NEIGHBOURS = (*ALL, mixed, repeated_samples, discrete_apart_two_class, discrete_apart_three_class)


def discrete_contradicting():
    """90 x 14 codes with two classes, drawn from 36 distinct samples that often come in both classes."""
    rng = np.random.default_rng(108)
    y = _classes(rng, (20, 16))
    X = _codes(rng, y, 14, 6)
    drawn = np.concatenate([np.arange(36), rng.integers(0, 36, size=54)])
    y = np.where(rng.random(90) < 0.15, 1 - y[drawn], y[drawn])
    return GoldenData("discrete_contradicting", X[drawn].astype(float), y, True)


def discrete_many_classes():
    """96 x 16 codes with twelve classes, of which a feature tells three groups apart."""
    rng = np.random.default_rng(109)
    y = _classes(rng, (14, 13, 12, 10, 9, 8, 7, 6, 6, 5, 4, 2))
    X = _codes(rng, y // 4, 16, 8)
    X[:, 8:12] = (y[:, None] // np.array([1, 2, 3, 6]) + (rng.random((96, 4)) < 0.2)) % 3
    return GoldenData("discrete_many_classes", X[:, rng.permutation(16)].astype(float), y, True)


FOR_CONSISTENCY = (*ALL, discrete_contradicting, discrete_many_classes)
