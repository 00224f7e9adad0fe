"""Searches over whole lists of features by the error of a classifier (Ben Brahim 2015, Algorithms 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._progress import report

Array = npt.NDArray[Any]
Errors = Callable[[list[Array]], Array]


@dataclass(frozen=True)
class Pass:
    """One round of a backward search: what was there, the error to beat, and how many lists went.

    Parameters
    ----------
    n_lists : int
        Lists at the start of the round.
    n_features : int
        Features in them.
    error : float
        What the error without a list was compared with.
    n_removed : int
        Lists without which the error was smaller.
    """

    n_lists: int
    n_features: int
    error: float
    n_removed: int


@dataclass(frozen=True)
class Backward:
    """Lists that stayed, the error without each list when it was last judged, and the rounds."""

    kept: Array
    errors: Array
    passes: tuple[Pass, ...]


def backward_by_lists(lists: Sequence[Array] | Array, errors: Errors, *, recompute: bool = False) -> Backward:
    """Take away all lists without which the error is smaller, until there are none (Algorithm 1).

    The error to beat is the smallest found so far, as printed, or with ``recompute`` that of the features left. A list
    is never taken away if nothing would be left; if all should go, only the one whose absence helps most does.
    """
    kept = np.arange(len(lists))
    together = _union(lists, kept)
    reference = float(errors([together])[0])
    last_errors = np.full(len(lists), np.nan)
    passes: list[Pass] = []
    while True:
        report(f"Round {len(passes) + 1}, {len(kept)} lists left", 0)
        without = _errors_without(lists, kept, together, errors)
        last_errors[kept] = without
        is_bad = without < reference
        if is_bad.all():
            is_bad = np.arange(len(kept)) == without.argmin()
        passes.append(Pass(len(kept), len(together), reference, int(is_bad.sum())))
        if not is_bad.any():
            return Backward(kept, last_errors, tuple(passes))
        kept = kept[~is_bad]
        together = _union(lists, kept)
        reference = float(errors([together])[0]) if recompute else float(without.min())


def _union(lists: Sequence[Array] | Array, kept: Array) -> Array:
    return np.unique(np.concatenate([lists[i] for i in kept]))


def _errors_without(lists: Sequence[Array] | Array, kept: Array, together: Array, errors: Errors) -> Array:
    """Error without the features of each list, also those it shares; 1 where no feature is left."""
    rests = [np.setdiff1d(together, lists[i]) for i in kept]
    has_rest = np.array([len(rest) > 0 for rest in rests])
    answer = np.ones(len(rests))
    if has_rest.any():
        answer[has_rest] = errors([rest for rest in rests if len(rest)])
    return answer


def cooperate(
    lists: Array,
    weights: Array,
    errors: Array,
    is_good: Array,
    is_bad: Array,
    least_error: float,
    sort: Callable[[Array, Array, int], Array],
    n_preselected: int | None = None,
) -> tuple[Array, Array]:
    """Features that lists not bad agree on, without those of bad lists but with all of good ones (Algorithm 2).

    Also gives the score of each: its weights in lists that are not bad, each over the error of the list (at least
    ``least_error``). ``sort(features, values, n)`` gives the n features of the largest values.
    """
    in_other, place = np.unique(lists[~is_bad], return_inverse=True)
    shares = weights[~is_bad] / np.maximum(errors[~is_bad], least_error)[:, np.newaxis]
    scores = np.bincount(place.ravel(), shares.ravel(), len(in_other))
    is_chosen = np.ones(len(in_other), dtype=bool)
    if n_preselected is not None and n_preselected < len(in_other):
        is_chosen = np.isin(in_other, sort(in_other, scores, n_preselected))
    is_chosen = is_chosen & ~np.isin(in_other, lists[is_bad]) | np.isin(in_other, lists[is_good])
    return in_other[is_chosen], scores[is_chosen]
