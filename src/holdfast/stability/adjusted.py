"""Stability that counts similar features as agreement (Sechidis, Papangelou, Nogueira, Weatherall and Brown 2019)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from holdfast.stability._runs import as_runs
from holdfast.stability.correlated import Similarity

Array = npt.NDArray[Any]


def nogueira_adjusted(runs: Any, similarity: Any) -> float:
    """How far repeated selections agree beyond chance, where a similar feature counts as partly the same.

    Use it when runs swap features of one correlated group and ``nogueira`` calls that unstable. With no two features
    alike it equals ``nogueira``. Range: up to 1, reached by identical selections; negative below chance. Chance level:
    0 for runs of one size. Undefined: NaN if no run chooses anything, if every run chooses everything, or if all
    features are alike in full.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the column numbers that each run chose.
    similarity : Similarity, sparse matrix or array-like of shape (n_features, n_features)
        How alike features are, symmetric, 1 for a feature and itself; ``similarity(X)`` makes it from data.

    Returns
    -------
    stability : float
        1 for identical selections, about 0 for random ones.

    Examples
    --------
    >>> swapped = [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0]]
    >>> alike = [[1, 0.9, 0, 0], [0.9, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    >>> round(nogueira_adjusted(swapped, alike), 3)
    0.895
    """
    total, matrix = _checked(similarity)
    given = as_runs(runs, total)
    given.require_places("similarity")
    n_runs, mean_size = len(given.chosen), float(given.sizes.mean())
    if mean_size in (0, total):
        return float("nan")
    used = np.flatnonzero(given.chosen.any(axis=0))
    if isinstance(matrix, Similarity):
        among, whole = matrix.among(used), matrix.total
    else:
        among, whole = matrix[used][:, used], float(matrix.sum())
    # Identical runs deviate by exactly nothing, and so have exactly 1.
    deviations = given.chosen[:, used] - given.counts[used] / n_runs
    spread = float((deviations * (among @ deviations.T).T).sum()) / (n_runs - 1)
    return float(_beyond_chance(spread, mean_size, total, whole))


def adjusted_without_each(chosen: Array, among: Array, total: int, whole: float) -> Array:
    """The index of all runs but one, for each run, from the similarities among the columns of ``chosen``."""
    if total < 2:
        return np.full(len(chosen), np.nan)
    chosen = chosen.astype(np.float64)
    gram = chosen @ (among @ chosen.T)
    own, sizes, n_runs = np.diag(gram), chosen.sum(axis=1), len(chosen) - 1
    mean_size = (sizes.sum() - sizes) / n_runs
    rest = gram.sum() - gram.sum(axis=0) - gram.sum(axis=1) + own
    without: Array = _beyond_chance((own.sum() - own - rest / n_runs) / (n_runs - 1), mean_size, total, whole)
    return without


def _beyond_chance(spread: Any, mean_size: Any, total: int, whole: float) -> Any:
    """The index from the spread of the runs around their mean."""
    share = mean_size / total
    alone = share * (1.0 - share)
    together = (mean_size**2 - mean_size) / (total**2 - total) - share**2
    by_chance = alone * total + together * (whole - total)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(by_chance > 1e-12 * alone * total, 1.0 - spread / np.asarray(by_chance), np.nan)


def _checked(similarity: Any) -> tuple[int, Any]:
    """Number of features, and a similarity that can be used."""
    if isinstance(similarity, Similarity):
        return similarity.n_features, similarity
    matrix = sparse.csr_matrix(similarity, dtype=np.float64) if sparse.issparse(similarity) else np.asarray(similarity)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] < 2:
        raise ValueError(f"similarity has the shape {matrix.shape}; it must have a row and a column for each feature.")
    values: Any = matrix.data if sparse.issparse(matrix) else matrix
    if values.dtype.kind not in "biuf" or not np.isfinite(values).all():
        raise ValueError("similarity has values that are missing, infinite or no numbers.")
    if not np.allclose(matrix.diagonal(), 1.0):
        raise ValueError("similarity must be 1 for every feature and itself, on the diagonal.")
    if abs(matrix - matrix.T).max() > 1e-9:
        raise ValueError("similarity is not symmetric: it must be the same in both directions.")
    return int(matrix.shape[0]), matrix
