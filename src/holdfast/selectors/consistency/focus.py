"""FOCUS (Almuallim and Dietterich 1992; Pino Angulo 2019, §2.2.3, Fig. 2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from holdfast._errors import DataError
from holdfast._parameters import Rule, whole_number
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.exhaustive import CalledInTurn, DistinctSubsets, TooManySubsets
from holdfast.search.removal import Removal
from holdfast.selectors._base import COUNT_SHARE_OR_NONE
from holdfast.selectors.consistency._base import DELTA, DELTA_MODE, MEASURE, ConsistencySelector, Limit


class Focus(ConsistencySelector):
    """Try all subsets, of one feature, of two, of three …, and keep the first that determines the class well enough.

    Use it for a shortest list that there can be, when few features are enough or there are few to choose from: no other
    method finds a shorter one. Of several shortest lists it gives the one whose features are more relevant, the first
    counting most. The work grows with the number of subsets, so there is a limit on that.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them: the most relevant of those kept. None keeps them all.
    delta : float, default=0.0
        How much may stay undecided: by default, the share of samples outside the majority class of those that agree
        with them in every chosen feature.
    delta_mode : {"relative", "absolute"}, default="relative"
        Whether ``delta`` comes on top of what all features leave undecided together, or stands for itself; then
        it may be too small for the data, which is an error that names the smallest possible.
    max_subsets : int, default=20_000_000
        No size is begun whose subsets would bring the number of those tried above this; needing to is an error
        that says how far the search came.
    measure : {"bayesian-risk", "conditional-entropy", "binary"} or callable, default="bayesian-risk"
        What the limit is on. A function of the levels of a subset, of shape (n_samples, n_features), and of the class
        is asked for every subset; it must never fall as features go.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mdl"
        How values become levels; None for data that is discrete already.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, most relevant first.
    scores_ : ndarray of shape (n_features,)
        Symmetrical uncertainty of each chosen feature with the class; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        The same for every feature.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in order of relevance; the others share the rank behind.
    risk_ : float
        What the chosen features leave undecided.
    risk_of_all_ : float
        What all features together leave undecided.
    delta_ : float
        The largest risk allowed, ``risk_of_all_`` included.
    limit_ : float
        ``delta_``, rounded down to whole samples where those are counted.
    contributions_ : ndarray of shape (n_features,)
        How much ``risk_`` would rise without each chosen feature; NaN for the others.
    n_evaluations_ : Evaluations
        ``subset`` counts the subsets tried, the empty and the chosen one included. Features with one level, and those
        that split the samples as a more relevant one does, are in none of them (unless ``measure`` is a function).

    Examples
    --------
    >>> from holdfast import Focus
    >>> X = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
    >>> Focus(discretizer=None).fit(X, [0, 1, 1, 0, 0, 0]).indices_
    array([0, 1])
    """

    _counted = DistinctSubsets
    _called = CalledInTurn
    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "delta": DELTA,
        "delta_mode": DELTA_MODE,
        "max_subsets": whole_number(at_least=1),
        "measure": MEASURE,
        "discretizer": DISCRETIZER,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        delta: float = 0.0,
        delta_mode: str = "relative",
        max_subsets: int = 20_000_000,
        measure: Any = "bayesian-risk",
        discretizer: Any = "mdl",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.delta = delta
        self.delta_mode = delta_mode
        self.max_subsets = max_subsets
        self.measure = measure
        self.discretizer = discretizer

    def _search(self, subsets: Any, limit: Limit) -> Removal:
        try:
            found: Removal = subsets.smallest(limit.value, self.max_subsets)
        except TooManySubsets as stop:
            tried = "The empty set"
            if stop.size > 1:
                apart = "" if stop.n_features == subsets.n_features else f", {stop.n_features:,} of which differ"
                tried = (
                    f"Of {subsets.n_features:,} features{apart}, all {stop.n_tried:,} subsets of up to {stop.size - 1}"
                )
            raise DataError(
                f"{tried} will not do: the lowest {self._measure_words} is {subsets.shown(stop.best):.4g}, and up to "
                f"{limit.shown:.4g} is allowed. The {stop.n_next:,} subsets of {stop.size} were not tried, as that "
                f"would exceed max_subsets={self.max_subsets:,}. Pass max_subsets={stop.n_tried + stop.n_next} to try "
                "them, or a larger delta; choose from fewer features, such as the best of 'su'; or use 'fsdcc' or "
                "'super-lcc', which do not try all."
            ) from None
        return found
