"""Rules that count, add or take the middle of ranks and weights (Ben Brahim 2015, sections 3.2.2.3 and 3.3.2).

Sums are taken over sorted values, so that the order of the lists cannot change a last digit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.search.ties import tie_groups
from holdfast.stability.lists import Lists

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Aggregated:
    """What a rule thinks of every feature of some lists.

    Parameters
    ----------
    scores : ndarray of shape (n_listed,)
        One per feature of the lists, in the units of the rule.
    smaller_is_better : bool
        Whether a smaller score goes first.
    second : ndarray of shape (n_listed,)
        Decides between features of equal score; larger goes first.
    is_kept : ndarray of shape (n_listed,), dtype=bool
        Which features may be chosen at all.
    extra : mapping
        What else the rule found, under names that end in "_"; the last axis of an array runs over the features.

    Examples
    --------
    >>> import numpy as np
    >>> every = np.array([True, True, True])
    >>> Aggregated(np.array([4.0, 6.0, 4.0]), True, np.array([0.8, 0.9, 0.8]), every).levels.tolist()
    [0, 1, 0]
    """

    scores: Array
    smaller_is_better: bool
    second: Array
    is_kept: Array
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def levels(self) -> Array:
        """Place of each feature from 0; those that neither score nor second tell apart share it."""
        scores = -self.scores if self.smaller_is_better else self.scores
        return -in_turn(self.is_kept.astype(float), scores, self.second).astype(np.int64)


def in_turn(*keys: Array) -> Array:
    """One number per feature, the larger the better, that orders by the first key, then by the second, and so on."""
    groups = np.stack([tie_groups(key.astype(float)) for key in keys], axis=1)
    _, place = np.unique(groups, axis=0, return_inverse=True)
    return -place.reshape(len(groups)).astype(float)


def added(values: Array) -> Array:
    """Sum over the lists, the same bits in whatever order they come."""
    total: Array = np.sort(values, axis=0).sum(axis=0)
    return total


def has_complete_ranks(lists: Lists) -> bool:
    """Whether features that a list does not hold still have ranks of their own in it."""
    return bool((lists.ranks[~lists.is_listed] != lists.list_size + 1).any())


def mean_weight(lists: Lists) -> Array:
    """Mean weight of every feature."""
    return added(lists.weights) / lists.n_lists


def rank_sum(lists: Lists) -> Array:
    """Sum of the ranks of every feature."""
    return added(lists.ranks)


def _all_of(lists: Lists) -> Array:
    return np.ones(len(lists.features), dtype=bool)


def wma(lists: Lists) -> Aggregated:
    """Weighted mean: the mean weight."""
    return Aggregated(mean_weight(lists), False, -rank_sum(lists).astype(float), _all_of(lists))


def cla(lists: Lists) -> Aggregated:
    """Complete linear: the sum of ranks."""
    return Aggregated(rank_sum(lists).astype(float), True, mean_weight(lists), _all_of(lists))


def wra(lists: Lists) -> Aggregated:
    """Weights over ranks: the sum of weights over the sum of ranks."""
    return Aggregated(added(lists.weights) / rank_sum(lists), False, mean_weight(lists), _all_of(lists))


def ofa(lists: Lists) -> Aggregated:
    """Occurrence frequency: the number of lists that hold a feature."""
    return Aggregated(lists.is_listed.sum(axis=0).astype(float), False, mean_weight(lists), _all_of(lists))


def intersection(lists: Lists) -> Aggregated:
    """Only features that all lists hold, by the sum of their ranks."""
    in_all = np.asarray(lists.is_listed.all(axis=0))
    return Aggregated(in_all.astype(float), False, in_turn(-rank_sum(lists), mean_weight(lists)), in_all)


def borda(lists: Lists) -> Aggregated:
    """Points: as many from each list as there are places behind the feature's own."""
    most = lists.n_features if has_complete_ranks(lists) else lists.list_size + 1
    return Aggregated(added(most - lists.ranks).astype(float), False, mean_weight(lists), _all_of(lists))


def median(lists: Lists) -> Aggregated:
    """Median of the ranks, then their sum."""
    second = in_turn(-rank_sum(lists), mean_weight(lists))
    return Aggregated(np.median(lists.ranks, axis=0), True, second, _all_of(lists))


def exponential(lists: Lists) -> Aggregated:
    """Points that fall off exponentially with the rank (Haury et al. 2011)."""
    points = np.exp(-lists.ranks / max(lists.list_size, 1))
    return Aggregated(added(points), False, mean_weight(lists), _all_of(lists))


def caa(lists: Lists) -> Aggregated:
    """Classification accuracy: the sum of the accuracies of the lists that hold a feature (Eq. 3.11)."""
    accuracy = 1.0 - required_errors(lists, "caa")
    return Aggregated(added(lists.is_listed * accuracy[:, None]), False, mean_weight(lists), _all_of(lists))


def required_errors(lists: Lists, rule: str) -> Array:
    """The error of a classifier on each list, or a refusal that says what is missing."""
    if lists.errors is None:
        raise ValueError(
            f"The rule {rule!r} weighs lists by the error of a classifier on each, and there are no errors. "
            "Pass errors=…, one from 0 to 1 for each list, or use a rule that needs none, such as 'cla'."
        )
    errors = np.asarray(lists.errors, dtype=float)
    if errors.shape != (lists.n_lists,) or not ((errors >= 0) & (errors <= 1)).all():
        raise ValueError(
            f"errors={errors.tolist()} cannot be used: give one number from 0 to 1 for each of {lists.n_lists} list(s)."
        )
    return errors
