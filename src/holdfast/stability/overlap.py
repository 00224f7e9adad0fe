"""Overlap of selections that counts correlated features as shared: POGR and nPOGR.

Zhang et al. 2009; Han 2012, eqs 5.6 to 5.8.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import gammaln

from holdfast._random import generator
from holdfast.stability._pairs import as_sparse, mean_over_pairs, shared_features
from holdfast.stability._runs import Runs, as_runs

Array = npt.NDArray[Any]

_SUBSETS_AT_ONCE = 256
_DENSE_SHARE = 1 / 16


def pogr(runs: Any, pairs: Any) -> float:
    """Share of a run's features that another run holds, or holds a correlated one of.

    Use it when the same signal can be picked by one of several correlated features. It is the mean over all ordered
    pairs of runs, and without correlated pairs it equals ``percentage_overlap``. Range: from 0 to 1; 1 for identical
    selections. Chance level: above 0, and higher the more pairs are correlated; ``npogr`` corrects for it. Never
    undefined: two empty selections count as identical, an empty one and another as different.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the column numbers that each run chose.
    pairs : sparse matrix or array-like of shape (n_features, n_features), dtype=bool
        Which features are significantly correlated, as from ``correlated_pairs``.

    Returns
    -------
    stability : float
        Mean over all ordered pairs of runs.

    Examples
    --------
    >>> import numpy as np
    >>> pairs = np.zeros((6, 6), dtype=bool)
    >>> pairs[[0, 3, 1, 4], [3, 0, 4, 1]] = True
    >>> pogr([{0, 1, 2}, {2, 3, 4}], pairs)
    1.0
    """
    return mean_over_pairs(overlap_of_pairs(*matched(runs, pairs)))


def npogr(
    runs: Any,
    pairs: Any,
    *,
    expectation: str = "exact",
    n_random_subsets: int = 10_000,
    random_state: Any = 0,
) -> float:
    """Share of a run's features that another run holds, or holds a correlated one of, beyond chance.

    Use it to compare selections of several sizes, or on several tables. It is the mean over all ordered pairs of runs,
    and without correlated pairs and with one size it equals ``kuncheva``. Range: up to 1, reached by identical
    selections; below 0 for less than chance, without a fixed lower end. Chance level: 0. Undefined: NaN if any run is
    empty, or so large that every feature is sure to be covered.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the column numbers that each run chose.
    pairs : sparse matrix or array-like of shape (n_features, n_features), dtype=bool
        Which features are significantly correlated, as from ``correlated_pairs``.
    expectation : str, default="exact"
        Chance overlap in closed form ("exact"), or estimated from random subsets ("simulated") as in the literature.
    n_random_subsets : int, default=10000
        Random subsets for each size, if simulated.
    random_state : int, Generator or None, default=0
        Seed of the random subsets.

    Returns
    -------
    stability : float
        Mean over all ordered pairs of runs.

    Examples
    --------
    >>> import numpy as np
    >>> pairs = np.zeros((6, 6), dtype=bool)
    >>> pairs[[0, 3, 1, 4], [3, 0, 4, 1]] = True
    >>> round(npogr([{0, 1, 2}, {0, 3, 5}], pairs), 6)
    -0.666667
    """
    given, linked = matched(runs, pairs)
    if expectation not in ("exact", "simulated"):
        raise ValueError(f"expectation={expectation!r} is not known. Pass 'exact' or 'simulated'.")
    if expectation == "exact":
        return mean_over_pairs(overlap_beyond_chance(given, linked))
    sizes = np.unique(given.sizes)
    return mean_over_pairs(
        overlap_beyond_chance(given, linked, _simulated_cover(linked, sizes, n_random_subsets, random_state))
    )


def symmetric_npogr(
    runs: Any,
    pairs: Any,
    *,
    expectation: str = "exact",
    n_random_subsets: int = 10_000,
    random_state: Any = 0,
) -> float:
    """The same as ``npogr`` for runs of one size, for which both directions of a pair are averaged.

    Use it to reproduce Han's dissertation; it refuses runs of different sizes, which ``npogr`` takes. Range, chance
    level and where it is undefined: as for ``npogr``.

    Parameters
    ----------
    runs : array-like of shape (n_runs, n_features), list of lists, list of fitted selectors, or Frequency
        Zeros and ones with one run per row; or the column numbers that each run chose.
    pairs : sparse matrix or array-like of shape (n_features, n_features), dtype=bool
        Which features are significantly correlated, as from ``correlated_pairs``.
    expectation : str, default="exact"
        Chance overlap in closed form ("exact"), or estimated from random subsets ("simulated") as in the literature.
    n_random_subsets : int, default=10000
        Random subsets, if simulated.
    random_state : int, Generator or None, default=0
        Seed of the random subsets.

    Returns
    -------
    stability : float
        Mean over all pairs of runs.

    Examples
    --------
    >>> import numpy as np
    >>> pairs = np.zeros((6, 6), dtype=bool)
    >>> pairs[[0, 3, 1, 4], [3, 0, 4, 1]] = True
    >>> symmetric_npogr([{0, 1, 2}, {2, 3, 4}], pairs)
    1.0
    """
    sizes = matched(runs, pairs)[0].sizes
    if sizes.min() < sizes.max():
        raise ValueError(
            f"symmetric_npogr compares selections of one size, but these runs chose from {sizes.min()} to "
            f"{sizes.max()} features. Use npogr, which takes runs of different sizes."
        )
    # With one size both directions have one denominator, so their mean over all ordered pairs is the symmetric form.
    return npogr(
        runs,
        pairs,
        expectation=expectation,
        n_random_subsets=n_random_subsets,
        random_state=random_state,
    )


def overlap_of_pairs(given: Runs, linked: Any) -> Array:
    """Row i, column j: share of the features of run i that run j holds, or holds a correlated one of."""
    covered, sizes = _covered(given, linked), given.sizes[:, None].astype(np.float64)
    both_empty = ((sizes == 0) & (sizes.T == 0)).astype(np.float64)
    share: Array = np.divide(covered, sizes, out=both_empty, where=sizes > 0)
    return share


def overlap_beyond_chance(given: Runs, linked: Any, reach: Array | None = None) -> Array:
    """The same beyond chance; ``reach`` is what random subsets of each size cover, by default in closed form."""
    sizes, place = np.unique(given.sizes, return_inverse=True)
    if reach is None:
        reach = np.array([_expected_cover(linked, size) for size in sizes])
    own = given.sizes[:, None].astype(np.float64)
    # A random subset of this size overlaps with as much of a run as with any other set of features of that size.
    by_chance = own * (reach / linked.shape[0])[place][None, :]
    room = own - by_chance
    beyond: Array = np.full(by_chance.shape, np.nan)
    is_defined = room > 1e-12 * own
    np.divide(_covered(given, linked) - by_chance, room, out=beyond, where=is_defined)
    return beyond


def matched(runs: Any, pairs: Any) -> tuple[Runs, Any]:
    """Runs and a symmetric sparse matrix over the same columns, without pairs of a feature with itself."""
    linked = sparse.csr_matrix(pairs, dtype=bool, copy=True)
    if linked.shape[0] != linked.shape[1]:
        raise ValueError(f"pairs has the shape {linked.shape}; it must have a row and a column for each feature.")
    linked.setdiag(False)
    linked.eliminate_zeros()
    if (linked != linked.T).nnz:
        raise ValueError("pairs is not symmetric: two features are correlated with each other, or not at all.")
    given = as_runs(runs, linked.shape[0])
    given.require_places("pairs")
    return given, linked


def _covered(given: Runs, linked: Any) -> Array:
    """Row i, column j: how many features of run i run j holds, or holds a correlated one of."""
    is_used = given.chosen.any(axis=0)
    chosen = given.chosen[:, is_used]
    held = as_sparse(chosen)
    reach = held + held @ linked[is_used][:, is_used].astype(np.float64)
    if held.nnz > _DENSE_SHARE * chosen.size:
        return shared_features(chosen, reach.toarray() > 0)
    reach.data[:] = 1.0
    covered: Array = (held @ reach.T).toarray()
    return covered


def _expected_cover(linked: Any, size: int) -> float:
    """Expected number of features that a random subset of this size holds, or holds a correlated one of."""
    n_features = linked.shape[0]
    n_partners, n_such = np.unique(np.diff(linked.indptr), return_counts=True)
    # A feature is missed if neither it nor any of its partners is drawn.
    n_others = n_features - 1 - n_partners
    can_miss = n_others >= size
    others = n_others[can_miss]
    log_ways = gammaln(n_features + 1) - gammaln(n_features - size + 1)
    log_miss = gammaln(others + 1) - gammaln(others - size + 1) - log_ways
    return float(n_features - n_such[can_miss] @ np.exp(log_miss))


def _simulated_cover(linked: Any, sizes: Array, n_subsets: int, random_state: Any) -> Array:
    """The same from random subsets."""
    if n_subsets < 1:
        raise ValueError(f"n_random_subsets={n_subsets} gives nothing to average. Pass at least 1, such as 10000.")
    rng, n_features = generator(random_state), linked.shape[0]
    linked = linked.astype(np.int32)
    reach = np.zeros(len(sizes))
    for place, size in enumerate(sizes):
        for start in range(0, n_subsets, _SUBSETS_AT_ONCE):
            n_drawn = min(_SUBSETS_AT_ONCE, n_subsets - start)
            drawn = [rng.choice(n_features, size, replace=False, shuffle=False) for _ in range(n_drawn)]
            starts = np.arange(n_drawn + 1) * size
            columns = np.concatenate([*drawn, np.zeros(0, dtype=np.int64)])
            subsets = sparse.csr_matrix((np.ones(len(columns), np.int32), columns, starts), (n_drawn, n_features))
            reach[place] += (subsets + subsets @ linked).nnz
    return reach / n_subsets
