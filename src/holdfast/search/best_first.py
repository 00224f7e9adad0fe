"""Best-first search over subsets, as Weka's BestFirst walks forward for CFS.

The most promising subset seen is expanded by every single feature; ``max_stale`` expansions in a row that bring nothing
better by more than 1e-5 end the search. As in Weka the list of subsets to expand holds ``max_stale`` of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.search.forward import Path
from holdfast.search.ties import Precedence

Array = npt.NDArray[Any]
_BETTER = 1e-5


def best_first(
    relevance: Array, share: Callable[[int], Array], precedence: Precedence, n_select: int, max_stale: int
) -> tuple[Path, int, int]:
    """Best subset by CFS merit, how many subsets were given a merit, and how many pairs were measured.

    ``share`` gives what every feature shares with one; each is asked once.
    """
    is_usable = np.isfinite(relevance)
    shared_with: dict[int, Array] = {}
    merit_of: dict[tuple[int, ...], float] = {(): 0.0}
    # Subsets are kept in order of inclusion; the list is sorted by merit, older entries first among equals.
    to_expand: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    n_subsets = 0
    best: tuple[float, tuple[int, ...]] = (0.0, ())
    n_stale = 0
    while n_stale < max_stale and to_expand:
        _, subset = to_expand.pop(0)
        improved = False
        if len(subset) < n_select:
            for f in subset:
                if f not in shared_with:
                    shared_with[f] = share(f)
            merits = _merits_with(subset, relevance, shared_with)
            merits[~is_usable] = -np.inf
            merits[list(subset)] = -np.inf
            n_open = int(np.isfinite(merits).sum())
            n_subsets += n_open
            # Only the first few can enter the list: it is no longer than max_stale.
            for f in precedence.sort(merits, min(max_stale, n_open)) if n_open else []:
                child = (*subset, int(f))
                merit_of[child] = float(merits[f])
                _insert(to_expand, (float(merits[f]), child), max_stale)
                if merits[f] - best[0] > _BETTER:
                    best = (float(merits[f]), child)
                    improved = True
        n_stale = 0 if improved else n_stale + 1
    chosen = np.array(best[1], dtype=np.int64)
    path_merits = np.array([merit_of[best[1][: i + 1]] for i in range(len(best[1]))])
    return Path(chosen, path_merits), n_subsets, len(shared_with) * (len(relevance) - 1)


def _merits_with(subset: tuple[int, ...], relevance: Array, shared_with: dict[int, Array]) -> Array:
    """CFS merit of the subset joined by each feature."""
    total = np.zeros(len(relevance))
    within = 0.0
    for i, f in enumerate(subset):
        total += shared_with[f]
        within += sum(shared_with[g][f] for g in subset[:i])
    size = len(subset) + 1
    merits: Array = (relevance[list(subset)].sum() + relevance) / np.sqrt(size + 2.0 * (within + total))
    return merits


def _insert(to_expand: list[tuple[float, tuple[int, ...]]], entry: tuple[float, tuple[int, ...]], longest: int) -> None:
    """Insert behind all entries of at least the same merit, and drop what no longer fits."""
    position = 0
    while position < len(to_expand) and to_expand[position][0] >= entry[0]:
        position += 1
    to_expand.insert(position, entry)
    del to_expand[longest:]
