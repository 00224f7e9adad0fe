"""From several lists of features to one (Ben Brahim 2015, sections 3.2.2.3 and 3.3; Kolde et al. 2012)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._parameters import nearest
from holdfast.stability import _rules
from holdfast.stability._genetic import gaa
from holdfast.stability._given import lists_of
from holdfast.stability._reliability import raa
from holdfast.stability._robust import rra
from holdfast.stability._rules import Aggregated
from holdfast.stability.lists import Lists

__all__ = ["RULES", "Aggregated", "Aggregation", "aggregate", "combine", "score_means"]

Array = npt.NDArray[Any]

# What each rule does, and what its scores say.
_TABLE: dict[str, tuple[Callable[..., Aggregated], str]] = {
    "wma": (_rules.wma, "mean weight over all lists"),
    "cla": (_rules.cla, "sum of the ranks in all lists, smaller is better"),
    "wra": (_rules.wra, "sum of the weights over the sum of the ranks in all lists"),
    "rra": (rra, "bound on the chance of such ranks in random lists, smaller is better"),
    "gaa-spearman": (partial(gaa, distance="spearman"), "place in the list nearest to all lists, smaller is better"),
    "gaa-kendall": (partial(gaa, distance="kendall"), "place in the list nearest to all lists, smaller is better"),
    "ofa": (_rules.ofa, "number of lists that hold the feature"),
    "intersection": (_rules.intersection, "1 for a feature that all lists hold"),
    "caa": (_rules.caa, "sum of the accuracies of the lists that hold the feature"),
    "raa": (raa, "sum of the weights in all lists, each times its reliability"),
    "borda": (_rules.borda, "sum of the points in all lists"),
    "median": (_rules.median, "median rank in all lists, smaller is better"),
    "exponential": (_rules.exponential, "sum of exp(-rank / list size) over all lists"),
}
RULES = tuple(_TABLE)


def score_means(rule: str) -> str:
    """What a score of a rule says."""
    return _TABLE[rule][1]


def combine(lists: Lists, rule: str, *, random_state: Any = 0, **options: Any) -> Aggregated:
    """Score every feature of some lists by a rule.

    Use it where ranks and weights are in hand; ``aggregate`` takes plain lists.

    Parameters
    ----------
    lists : Lists
        Ranks and weights.
    rule : str
        One of ``RULES``.
    random_state : int, Generator or None, default=0
        Seed of the genetic search; the other rules draw nothing.
    **options
        Settings of the rule. "raa": ``n_samples``, ``beta``, ``rel_norm``, ``over_lists``. "gaa-spearman" and
        "gaa-kendall": ``population``, ``crossover``, ``mutation``, ``patience``, ``max_generations``.

    Returns
    -------
    aggregated : Aggregated
        Scores, what decides between equal ones, and what else the rule found.

    Examples
    --------
    >>> import numpy as np
    >>> ranks = np.array([[1, 2, 3], [2, 1, 3]])
    >>> lists = Lists(np.array([4, 7, 9]), ranks, 1.0 / ranks, ranks < 3, list_size=2, n_features=20)
    >>> combine(lists, "cla").scores.tolist()
    [3.0, 3.0, 6.0]
    """
    function = _function(rule)
    takes = [name for name, p in signature(function).parameters.items() if p.kind is Parameter.KEYWORD_ONLY]
    takes = [name for name in takes if name != "distance"]
    if "random_state" in takes:
        takes.remove("random_state")
        function = partial(function, random_state=random_state)
    for name in options:
        if name not in takes:
            offer = f"It takes {', '.join(takes)}." if takes else "It takes none."
            raise TypeError(f"The rule {rule!r} has no option {name!r}. {offer}")
    if len(lists.features) == 0:
        return Aggregated(np.empty(0), False, np.empty(0), np.empty(0, dtype=bool))
    return function(lists, **options)


def _function(rule: str) -> Callable[..., Aggregated]:
    if not isinstance(rule, str):
        raise TypeError(f"A rule is named by a text such as 'cla', but {rule!r} came.")
    if rule not in _TABLE:
        near = nearest(rule, RULES)
        offer = f"Did you mean {near[0]!r}? " if near else ""
        raise ValueError(f"There is no rule called {rule!r}. {offer}The rules are {', '.join(map(repr, RULES))}.")
    return _TABLE[rule][0]


@dataclass(frozen=True)
class Aggregation:
    """One list made of several.

    Parameters
    ----------
    features : tuple
        Names or column numbers, best first.
    scores : ndarray of shape (n_listed,)
        What the rule thinks of each, in the same order.
    rule : str
        The rule that was used.
    smaller_is_better : bool
        Whether a smaller score goes first.
    extra : mapping
        What else the rule found; the last axis of an array runs over the features, in the same order.

    Examples
    --------
    >>> found = aggregate([["TP53", "MYC"], ["TP53", "EGFR"]], rule="rra", n_features=1000)
    >>> found.features
    ('TP53', 'EGFR', 'MYC')
    >>> found.extra["p_values_"].round(6).tolist()
    [2e-06, 0.007743, 0.007743]
    """

    features: tuple[Any, ...]
    scores: Array
    rule: str
    smaller_is_better: bool
    extra: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.features)


def aggregate(
    lists: Any,
    rule: str = "cla",
    *,
    n_features: int | None = None,
    weights: Any = None,
    errors: Any = None,
    list_size: int | None = None,
    random_state: Any = 0,
    **options: Any,
) -> Aggregation:
    """Make one list of features out of several.

    Use it with lists in hand: of several methods, of bootstraps, or from papers. ``EnsembleSelector`` makes the lists
    itself. Features that neither the score nor the rule's second criterion tells apart go by name or number.

    Parameters
    ----------
    lists : sequence
        Each a list of names or column numbers, best first, a mapping of names (or numbers) to weights from 0 to 1,
        or a fitted selector.
    rule : str, default="cla"
        "wma", "cla", "wra", "rra", "gaa-spearman", "gaa-kendall", "ofa", "intersection", "caa", "raa", "borda",
        "median" or "exponential".
    n_features : int or None, default=None
        Number of features that the lists were chosen from, which "rra" needs; None for that of the fitted selectors,
        or of the different features in all lists.
    weights : sequence of sequences or None, default=None
        Weight from 0 to 1 of each feature of each list. None for those of a mapping, or for equal steps from 1 at the
        first place to one step above 0 at the last place of the longest list.
    errors : array-like of shape (n_lists,) or None, default=None
        Share of samples that a classifier on the features of each list gets wrong; "caa" and "raa" need it.
    list_size : int or None, default=None
        So many features of each list count; None for all.
    random_state : int, Generator or None, default=0
        Seed of the genetic search.
    **options
        Settings of the rule, as in ``combine``.

    Returns
    -------
    aggregation : Aggregation
        With ``features``, best first, and their ``scores``.

    Examples
    --------
    >>> found = aggregate([["a", "b", "c"], ["b", "a", "d"], ["a", "d", "b"]])
    >>> found.features
    ('a', 'b', 'd', 'c')
    >>> found.scores.tolist()
    [4.0, 6.0, 9.0, 11.0]
    """
    _function(rule)
    ranked, labels = lists_of(lists, n_features=n_features, weights=weights, errors=errors, list_size=list_size)
    found = combine(ranked, rule, random_state=random_state, **options)
    order = np.argsort(found.levels, kind="stable")
    order = order[found.is_kept[order]]
    extra = {name: value[..., order] if np.ndim(value) else value for name, value in found.extra.items()}
    return Aggregation(
        tuple(labels[place] for place in order), found.scores[order], rule, found.smaller_is_better, extra
    )
