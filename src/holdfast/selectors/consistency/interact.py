"""INTERACT (Zhao and Liu 2007; Pino Angulo 2019, §2.2.3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from holdfast._parameters import Rule
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.removal import Removal
from holdfast.selectors._base import COUNT_SHARE_OR_NONE
from holdfast.selectors.consistency._base import DELTA, MEASURE, ConsistencySelector, Limit


class Interact(ConsistencySelector):
    """Take away, least relevant first, each feature without which the class is hardly less determined.

    Use it to compare with: it looks at each loss alone, so many small losses add up. ``LCC`` limits what is lost in
    all.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them: the most relevant of those kept. None keeps them all.
    delta : float, default=0.0001
        How much the risk may rise with each feature that goes.
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
        The loss allowed to each feature, as given.
    limit_ : float
        The loss allowed to each feature once ``delta_`` is rounded down to whole samples.
    contributions_ : ndarray of shape (n_features,)
        How much ``risk_`` would rise without each chosen feature; NaN for the others.
    n_evaluations_ : Evaluations
        ``subset`` counts the risks asked for, as the literature does: that of all features is not counted, and those
        that follow from others without looking at the data are.

    Examples
    --------
    >>> from holdfast import Interact
    >>> X = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
    >>> Interact(discretizer=None).fit(X, [0, 1, 1, 0, 0, 0]).indices_
    array([0, 1])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "delta": DELTA,
        "measure": MEASURE,
        "discretizer": DISCRETIZER,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        delta: float = 0.0001,
        measure: Any = "bayesian-risk",
        discretizer: Any = "mdl",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.delta = delta
        self.measure = measure
        self.discretizer = discretizer

    def _limit(self, subsets: Any, parameter: str = "delta") -> Limit:
        return Limit(self._rounded(subsets, parameter), self.delta * subsets.scale, self.delta)

    def _search(self, subsets: Any, limit: Limit) -> Removal:
        found: Removal = subsets.interact(limit.value)
        return found

    @property
    def _allowance(self) -> str:
        return f"each feature that went could add {self.limit_:.4g}{self._rounding}"

    def _why_nothing(self) -> str:
        return (
            f"each of them could go for a rise of at most {self.delta_:.4g} of the {self._measure_words}. Lower delta, "
            "or use 'lcc', which limits what is lost in all."
        )
