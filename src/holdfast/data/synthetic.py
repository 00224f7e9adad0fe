"""Data with a known truth; the columns are always shuffled, so that no method gains from their order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdfast._random import generator
from holdfast.data._wording import counted

RandomState = int | np.random.Generator | np.random.RandomState | None


@dataclass(frozen=True, eq=False)
class Synthetic:
    """A generated data set and the truth about it.

    Use it to see whether a method finds what is there; names and positions give nothing away.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The values.
    y : ndarray of shape (n_samples,)
        The labels.
    feature_names : ndarray of shape (n_features,)
        f1, f2 … by position after the shuffle.
    relevant : ndarray of int
        Columns that carry the label, in ascending order.
    redundant : ndarray of int
        Columns that repeat a relevant one, in ascending order.
    groups : ndarray of shape (n_features,)
        Columns with the same number belong together (a block, a feature and its copies, a pair, the markers
        of a class); -1 stands alone.
    description : str
        What was generated.
    origin : ndarray of shape (n_features,)
        Place of each column before the shuffle, which is the same feature in every draw: values of several draws are
        comparable once those of column j have gone to place ``origin[j]``.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> made = copies(n_features=30, n_relevant=2, n_copies=3, random_state=0)
    >>> made.X.shape, len(made.relevant), len(made.redundant)
    ((100, 30), 2, 6)
    """

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    feature_names: NDArray[np.str_]
    relevant: NDArray[np.int64]
    redundant: NDArray[np.int64]
    groups: NDArray[np.int64]
    description: str
    origin: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"Synthetic({self.X.shape[0]} x {self.X.shape[1]}, {self.description})"


def blocks(
    n_samples: int = 100,
    n_features: int = 1000,
    *,
    block_size: int = 10,
    n_relevant: int = 50,
    correlation: float = 0.8,
    shift: float = 0.5,
    random_state: RandomState = None,
) -> Synthetic:
    """Two classes, features correlated in blocks, the first blocks relevant (Han 2012, section 6.1).

    Use it for stability: in a block every feature is as good as the next, so samples decide who is picked.
    Even and odd samples come from normal distributions with means of plus and minus `shift` on the relevant
    features; the label, 1 or -1, is the sign of the mean of the relevant features, so classes are linearly
    separable and their sizes vary.

    Parameters
    ----------
    n_samples : int, default=100
        Rows.
    n_features : int, default=1000
        Columns.
    block_size : int, default=10
        Features in a block; the last block may be smaller.
    n_relevant : int, default=50
        Features that make up the label; they fill the first blocks.
    correlation : float, default=0.8
        Between two features of a block, within a component; from 0 to 1.
    shift : float, default=0.5
        Mean of a relevant feature in the first component.
    random_state : int, Generator, RandomState or None, default=None
        A whole number gives the same data every time.

    Returns
    -------
    made : Synthetic
        With no redundant features, since all relevant ones enter the label alike; `groups` are the blocks.

    Examples
    --------
    >>> from holdfast.data import blocks
    >>> blocks(n_samples=50, random_state=0).relevant.shape
    (50,)
    """
    _at_least(2, n_samples=n_samples)
    _at_least(1, block_size=block_size, n_relevant=n_relevant)
    _fits(n_relevant, n_features, f"n_relevant={n_relevant}")
    if not 0 <= correlation <= 1:
        raise ValueError(f"correlation={correlation}. Pass a number from 0 to 1.")
    rng = generator(random_state)
    groups = np.arange(n_features) // block_size
    shared = rng.standard_normal((n_samples, groups[-1] + 1))[:, groups]
    X = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * rng.standard_normal((n_samples, n_features))
    component = np.where(np.arange(n_samples) % 2 == 0, 1.0, -1.0)
    X[:, :n_relevant] += shift * component[:, None]
    y = np.where(X[:, :n_relevant].mean(axis=1) > 0, 1, -1)
    description = f"{n_relevant} relevant features in blocks of {block_size} with correlation {correlation}"
    return _shuffled(rng, X, y, np.arange(n_relevant), np.arange(0), groups, description)


def copies(
    n_samples: int = 100,
    n_features: int = 1000,
    *,
    n_relevant: int = 10,
    n_copies: int = 5,
    noise: float = 0.1,
    shift: float = 1.0,
    random_state: RandomState = None,
) -> Synthetic:
    """Independent relevant features, each with copies, among noise.

    Use it to see whether a method spends its picks on copies of what it already has.

    Parameters
    ----------
    n_samples : int, default=100
        Rows; the two classes take turns.
    n_features : int, default=1000
        Columns.
    n_relevant : int, default=10
        Independent features whose mean differs between the classes.
    n_copies : int, default=5
        Copies of each of them.
    noise : float, default=0.1
        Standard deviation of what is added to a copy; 0 for exact copies. Within a class a feature has 1.
    shift : float, default=1.0
        Difference of the class means of a relevant feature.
    random_state : int, Generator, RandomState or None, default=None
        A whole number gives the same data every time.

    Returns
    -------
    made : Synthetic
        `redundant` are the copies, and `groups` a relevant feature with its copies.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> copies(random_state=0).description
    '10 relevant features with 5 copies each (noise 0.1)'
    """
    _at_least(2, n_samples=n_samples)
    _at_least(1, n_relevant=n_relevant)
    _at_least(0, n_copies=n_copies, noise=noise)
    n_informed = n_relevant * (1 + n_copies)
    _fits(n_informed, n_features, f"n_relevant={n_relevant} with n_copies={n_copies} each")
    rng = generator(random_state)
    y = np.arange(n_samples) % 2
    X = rng.standard_normal((n_samples, n_features))
    X[:, :n_relevant] += shift * (y[:, None] - 0.5)
    original = np.tile(np.arange(n_relevant), n_copies)
    X[:, n_relevant:n_informed] = X[:, original] + noise * X[:, n_relevant:n_informed]
    groups = np.full(n_features, -1)
    groups[:n_informed] = np.tile(np.arange(n_relevant), 1 + n_copies)
    description = f"{n_relevant} relevant features with {n_copies} copies each (noise {noise})"
    return _shuffled(rng, X, y, np.arange(n_relevant), np.arange(n_relevant, n_informed), groups, description)


def xor_pair(
    n_samples: int = 100,
    n_features: int = 1000,
    *,
    n_weak: int = 5,
    weak_shift: float = 0.5,
    distance: float = 2.0,
    spread: float = 0.5,
    random_state: RandomState = None,
) -> Synthetic:
    """Two features that tell the class only together, a few weak ones, and noise.

    Use it to see whether a method sees interactions: each of the pair alone has the same distribution in both
    classes, while the signs of the two together give the label.

    Parameters
    ----------
    n_samples : int, default=100
        Rows; the four corners of the pair, and so the classes, take turns.
    n_features : int, default=1000
        Columns.
    n_weak : int, default=5
        Features with a small effect of their own.
    weak_shift : float, default=0.5
        Difference of the class means of a weak feature, in standard deviations.
    distance : float, default=2.0
        Between the low and the high centre of a feature of the pair.
    spread : float, default=0.5
        Standard deviation around the centres.
    random_state : int, Generator, RandomState or None, default=None
        A whole number gives the same data every time.

    Returns
    -------
    made : Synthetic
        `relevant` are the pair (group 0) and the weak features (alone).

    Examples
    --------
    >>> from holdfast.data import xor_pair
    >>> made = xor_pair(random_state=0)
    >>> first, second = (made.groups == 0).nonzero()[0]
    >>> float((made.X[:, first] * made.X[:, second] * (1 - 2 * made.y) > 0).mean()) > 0.9
    True
    """
    _at_least(4, n_samples=n_samples)
    _at_least(0, n_weak=n_weak, distance=distance, spread=spread)
    _fits(2 + n_weak, n_features, f"a pair and n_weak={n_weak}")
    rng = generator(random_state)
    corner = np.arange(n_samples) % 4
    high = np.column_stack([corner % 2, corner // 2])
    y = high[:, 0] ^ high[:, 1]
    X = rng.standard_normal((n_samples, n_features))
    X[:, :2] = distance * (high - 0.5) + spread * X[:, :2]
    X[:, 2 : 2 + n_weak] += weak_shift * (y[:, None] - 0.5)
    groups = np.where(np.arange(n_features) < 2, 0, -1)
    description = f"an interacting pair and {counted(n_weak, 'weak feature')}"
    return _shuffled(rng, X, y, np.arange(2 + n_weak), np.arange(0), groups, description)


def many_classes(
    n_classes: int = 5,
    n_samples: int = 100,
    n_features: int = 1000,
    *,
    n_markers: int = 5,
    shift: float = 1.5,
    random_state: RandomState = None,
) -> Synthetic:
    """Several classes, each marked by features of its own, among noise.

    Use it to see whether a method serves all classes or only those that are easy to tell apart.

    Parameters
    ----------
    n_classes : int, default=5
        Classes; they take turns, so their sizes differ by one at most.
    n_samples : int, default=100
        Rows.
    n_features : int, default=1000
        Columns.
    n_markers : int, default=5
        Features for each class whose mean is higher in it.
    shift : float, default=1.5
        How much higher, in standard deviations.
    random_state : int, Generator, RandomState or None, default=None
        A whole number gives the same data every time.

    Returns
    -------
    made : Synthetic
        `groups` is the class that a column marks.

    Examples
    --------
    >>> from holdfast.data import many_classes
    >>> sorted(set(many_classes(3, random_state=0).y.tolist()))
    [0, 1, 2]
    """
    _at_least(2, n_classes=n_classes)
    _at_least(n_classes, n_samples=n_samples)
    _at_least(1, n_markers=n_markers)
    n_relevant = n_classes * n_markers
    _fits(n_relevant, n_features, f"n_classes={n_classes} with n_markers={n_markers} each")
    rng = generator(random_state)
    y = np.arange(n_samples) % n_classes
    groups = np.full(n_features, -1)
    groups[:n_relevant] = np.arange(n_relevant) // n_markers
    X = rng.standard_normal((n_samples, n_features)) + shift * (y[:, None] == groups)
    description = f"{n_classes} classes with {counted(n_markers, 'marker')} each"
    return _shuffled(rng, X, y, np.arange(n_relevant), np.arange(0), groups, description)


def _shuffled(
    rng: np.random.Generator,
    X: NDArray[np.float64],
    y: NDArray[np.int64],
    relevant: NDArray[np.int64],
    redundant: NDArray[np.int64],
    groups: NDArray[np.int64],
    description: str,
) -> Synthetic:
    if len(np.unique(y)) < 2:
        raise ValueError(
            f"All {len(y)} samples fell into one class. Raise n_samples, lower shift, or take another random_state."
        )
    order = rng.permutation(X.shape[1])
    place = np.argsort(order)
    names = np.array([f"f{j}" for j in range(1, X.shape[1] + 1)])
    return Synthetic(
        np.ascontiguousarray(X[:, order]),
        y.astype(np.int64),
        names,
        np.sort(place[relevant]),
        np.sort(place[redundant]),
        groups[order],
        description,
        order,
    )


def _at_least(lowest: int, **parameters: float) -> None:
    for name, value in parameters.items():
        if not value >= lowest:
            raise ValueError(f"{name}={value}. Pass at least {lowest}.")


def _fits(n_needed: int, n_features: int, what: str) -> None:
    if n_needed > n_features:
        raise ValueError(f"{what} needs {n_needed} features, but n_features={n_features}. Raise it to {n_needed}.")
