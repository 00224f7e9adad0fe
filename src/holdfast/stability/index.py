"""How far repeated selections agree, pair by pair.

Kuncheva 2007 (eq. 1); Lustgarten et al. 2009; Jaccard, Dice and Ochiai as in set comparison; percentage of overlapping
genes (Shi et al. 2005).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.stability._pairs import mean_over_pairs, shared_features
from holdfast.stability._runs import Runs, as_runs

Array = npt.NDArray[Any]


def kuncheva(runs: Any, *, n_features: int | None = None, when_all_chosen: float = 0.0) -> float:
    """Overlap of selections of one size beyond chance, averaged over all pairs of runs.

    Use it when every run picks the same number of features; ``nogueira`` gives the same value then, and takes other
    sizes and gives an interval too. Range: from -1 to 1; 1 for identical selections. Chance level: 0. Undefined: NaN if
    nothing is chosen; all features chosen leave nothing to agree on and give ``when_all_chosen``.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the names or column numbers that each run chose.
    n_features : int or None, default=None
        Number of features to choose from; needed if runs are lists of names or of column numbers.
    when_all_chosen : float, default=0.0
        The value for runs that choose every feature. Kuncheva and Michel take 0, Ben Brahim takes 1.

    Returns
    -------
    stability : float
        Mean over all pairs of runs.

    Examples
    --------
    >>> round(kuncheva([{0, 1, 2}, {0, 1, 3}, {0, 4, 5}], n_features=10), 6)
    0.206349
    """
    given = as_runs(runs, n_features)
    total, size = given.total("kuncheva"), _one_size(given)
    if size == 0:
        return float("nan")
    if size == total:
        return float(when_all_chosen)
    counts, n_runs = given.counts, len(given.chosen)
    # The number of runs that hold a feature tells how many pairs of runs share it.
    n_shared = int((counts * (counts - 1)).sum())
    n_pairs = n_runs * (n_runs - 1)
    return (n_shared * total - n_pairs * size * size) / (n_pairs * size * (total - size))


def jaccard(runs: Any, *, n_features: int | None = None) -> float:
    """Features two runs share out of those that either chose, averaged over all pairs of runs.

    Use it for a plain reading of the overlap. Range: from 0 to 1; 1 for identical selections. Chance level: above 0 and
    growing with the share of features chosen, so do not compare sizes by it. Never undefined: two empty selections
    count as identical, an empty one and another as different.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the names or column numbers that each run chose.
    n_features : int or None, default=None
        Number of features to choose from. It changes nothing but that lists of the columns 0 and 1 are told from
        rows of a matrix.

    Returns
    -------
    stability : float
        Mean over all pairs of runs.

    Examples
    --------
    >>> jaccard([["TP53", "MYC", "KRAS"], ["TP53", "MYC", "EGFR"]])
    0.5
    """
    return _mean("jaccard", runs, n_features)


def dice(runs: Any, *, n_features: int | None = None) -> float:
    """Features two runs share out of the mean size of both, averaged over all pairs of runs.

    Use it where the literature does; ``jaccard`` orders a pair of runs in the same way. Range: from 0 to 1; 1 for
    identical selections. Chance level: above 0 and growing with the share of features chosen. Never undefined: two
    empty selections count as identical, an empty one and another as different.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the names or column numbers that each run chose.
    n_features : int or None, default=None
        Number of features to choose from. It changes nothing but that lists of the columns 0 and 1 are told from
        rows of a matrix.

    Returns
    -------
    stability : float
        Mean over all pairs of runs.

    Examples
    --------
    >>> round(dice([["TP53", "MYC", "KRAS"], ["TP53", "MYC", "EGFR"]]), 6)
    0.666667
    """
    return _mean("dice", runs, n_features)


def ochiai(runs: Any, *, n_features: int | None = None) -> float:
    """Features two runs share out of the geometric mean of their sizes, averaged over all pairs of runs.

    Use it where the literature does; for runs of one size it equals ``dice``. Range: from 0 to 1; 1 for identical
    selections. Chance level: above 0 and growing with the share of features chosen. Never undefined: two empty
    selections count as identical, an empty one and another as different.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the names or column numbers that each run chose.
    n_features : int or None, default=None
        Number of features to choose from. It changes nothing but that lists of the columns 0 and 1 are told from
        rows of a matrix.

    Returns
    -------
    stability : float
        Mean over all pairs of runs.

    Examples
    --------
    >>> ochiai([["TP53"], ["TP53", "MYC", "EGFR", "KRAS"]])
    0.5
    """
    return _mean("ochiai", runs, n_features)


def percentage_overlap(runs: Any, *, n_features: int | None = None) -> float:
    """Share of a run's features that another run holds too, averaged over all ordered pairs of runs.

    This is the percentage of overlapping genes, POG, as a share of 1; for runs of one size it equals ``dice``. Range:
    from 0 to 1; 1 for identical selections. Chance level: the share of features chosen. Never undefined: two empty
    selections count as identical, an empty one and another as different.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the names or column numbers that each run chose.
    n_features : int or None, default=None
        Number of features to choose from. It changes nothing but that lists of the columns 0 and 1 are told from
        rows of a matrix.

    Returns
    -------
    stability : float
        Mean over all ordered pairs of runs.

    Examples
    --------
    >>> percentage_overlap([["TP53"], ["TP53", "MYC"]])
    0.75
    """
    return _mean("percentage_overlap", runs, n_features)


def lustgarten(runs: Any, *, n_features: int | None = None) -> float:
    """Overlap beyond chance in units of what the sizes allow, averaged over all pairs of runs.

    Use it for runs of different sizes where the literature does; prefer ``nogueira``, which is 1 for identical
    selections. Range: from -1 to below 1; identical selections of k features give 1 less the share chosen, as long as
    that is below one half. Chance level: 0. Undefined: NaN if any run chooses nothing or everything.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the names or column numbers that each run chose.
    n_features : int or None, default=None
        Number of features to choose from; needed if runs are lists of names or of column numbers.

    Returns
    -------
    stability : float
        Mean over all pairs of runs.

    Examples
    --------
    >>> round(lustgarten([{0, 1, 2}, {0, 1, 2, 3}], n_features=10), 6)
    0.6
    """
    return _mean("lustgarten", runs, n_features)


def pairwise(runs: Any, *, index: str = "kuncheva", n_features: int | None = None) -> Array:
    """Agreement of every run with every other, for heat maps.

    Use it to see which runs, or which methods, choose alike.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the names or column numbers that each run chose.
    index : str, default="kuncheva"
        "kuncheva", "jaccard", "dice", "ochiai", "percentage_overlap" (row i, column j: share of the features of run i
        that run j holds), "lustgarten" or "nogueira" (of the two runs alone).
    n_features : int or None, default=None
        Number of features to choose from; needed for the indices that are corrected for chance if runs are lists.

    Returns
    -------
    agreement : ndarray of shape (n_runs, n_runs)
        The index of each pair; on the diagonal that of a run with itself.

    Examples
    --------
    >>> pairwise([{0, 1}, {0, 2}, {0, 1}], index="dice")
    array([[1. , 0.5, 1. ],
           [0.5, 1. , 0.5],
           [1. , 0.5, 1. ]])
    """
    if index not in FORMULAS:
        raise ValueError(f"index={index!r} is not known. Pass one of {', '.join(FORMULAS)}.")
    given = as_runs(runs, n_features)
    total = given.total(index) if index in _CORRECTED else 0
    if index == "kuncheva":
        _one_size(given)
    sizes = given.sizes.astype(np.float64)
    agreement: Array = FORMULAS[index](shared_features(given.chosen), sizes[:, None], sizes[None, :], total)
    return agreement


def _mean(index: str, runs: Any, n_features: int | None) -> float:
    return mean_over_pairs(pairwise(runs, index=index, n_features=n_features))


def _one_size(given: Runs) -> int:
    """The size of all runs."""
    sizes = given.sizes
    if sizes.min() < sizes.max():
        raise ValueError(
            f"kuncheva compares selections of one size, but these runs chose from {sizes.min()} to {sizes.max()} "
            "features. Use nogueira, which takes runs of different sizes."
        )
    return int(sizes[0])


def _share(part: Array, whole: Array, otherwise: Array | float = np.nan) -> Array:
    """Quotient, or ``otherwise`` where it is 0/0."""
    filled: Array = np.broadcast_to(np.asarray(otherwise, dtype=np.float64), part.shape).copy()
    np.divide(part, whole, out=filled, where=whole != 0)
    return filled


def _both_empty(a: Array, b: Array) -> Array:
    return np.where(a + b == 0, 1.0, 0.0)


def _kuncheva(shared: Array, a: Array, b: Array, total: int) -> Array:
    agreement = _share(shared * total - a * b, a * (total - b))
    agreement[a * b == float(total) ** 2] = 0.0
    return agreement


def _jaccard(shared: Array, a: Array, b: Array, total: int) -> Array:
    return _share(shared, a + b - shared, 1.0)


def _dice(shared: Array, a: Array, b: Array, total: int) -> Array:
    return _share(2 * shared, a + b, 1.0)


def _ochiai(shared: Array, a: Array, b: Array, total: int) -> Array:
    return _share(shared, np.sqrt(a * b), _both_empty(a, b))


def _percentage_overlap(shared: Array, a: Array, b: Array, total: int) -> Array:
    return _share(shared, a, _both_empty(a, b))


def _lustgarten(shared: Array, a: Array, b: Array, total: int) -> Array:
    span = np.minimum(a, b) - np.maximum(0.0, a + b - total)
    return _share(shared - a * b / total, span)


def _nogueira(shared: Array, a: Array, b: Array, total: int) -> Array:
    either = a + b
    return 1.0 - _share(2.0 * total * (either - 2.0 * shared), either * (2.0 * total - either))


_CORRECTED = ("kuncheva", "lustgarten", "nogueira")
FORMULAS: dict[str, Callable[[Array, Array, Array, int], Array]] = {
    "kuncheva": _kuncheva,
    "jaccard": _jaccard,
    "dice": _dice,
    "ochiai": _ochiai,
    "percentage_overlap": _percentage_overlap,
    "lustgarten": _lustgarten,
    "nogueira": _nogueira,
}
