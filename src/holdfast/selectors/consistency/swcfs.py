"""SWCFS, consistency search in a sliding window (Pino Angulo 2019, §3.5–3.6, Eq. 3.3–3.5, Algorithm 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from holdfast._parameters import Rule, real_number
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.removal import Removal
from holdfast.selectors._base import COUNT_SHARE_OR_NONE
from holdfast.selectors.consistency._base import DELTA, DELTA_MODE, MEASURE, ConsistencySelector, Limit


class SWCFS(ConsistencySelector):
    """Drop the bulk of the least relevant features at once, then the one that is missed least among few candidates.

    Use it between ``LCC``, which looks at one feature at a time, and ``SDCC``, which looks at all: candidates are the
    features up to a relevance that rises round by round. Also called SWSDCC.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them: the most relevant of those kept. None keeps them all.
    delta : float, default=0.01
        How much may stay undecided: by default, the share of samples outside the majority class of those that agree
        with them in every chosen feature.
    delta_mode : {"relative", "absolute"}, default="relative"
        Whether ``delta`` comes on top of what all features leave undecided together, or stands for itself; then
        it may be too small for the data, which is an error that names the smallest possible.
    alpha : float, default=0.5
        Weight of the relevance against what is lost, when the feature to go is chosen.
    window : float, default=0.5
        How far up the range of relevance the first candidates reach; 1 for all features at once.
    growth : float, default=1.0
        How far the window opens each round, in mean distances between neighbouring relevances.
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
        ``subset`` counts the risks asked for, as the literature does: that of all features is not counted, and those
        that follow from others without looking at the data are.

    Examples
    --------
    >>> from holdfast import SWCFS
    >>> X = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
    >>> SWCFS(discretizer=None).fit(X, [0, 1, 1, 0, 0, 0]).indices_
    array([0, 1])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "delta": DELTA,
        "delta_mode": DELTA_MODE,
        "alpha": real_number(at_least=0.0, at_most=1.0),
        "window": real_number(above=0.0, at_most=1.0),
        "growth": real_number(above=0.0),
        "measure": MEASURE,
        "discretizer": DISCRETIZER,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        delta: float = 0.01,
        delta_mode: str = "relative",
        alpha: float = 0.5,
        window: float = 0.5,
        growth: float = 1.0,
        measure: Any = "bayesian-risk",
        discretizer: Any = "mdl",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.delta = delta
        self.delta_mode = delta_mode
        self.alpha = alpha
        self.window = window
        self.growth = growth
        self.measure = measure
        self.discretizer = discretizer

    def _search(self, subsets: Any, limit: Limit) -> Removal:
        found: Removal = subsets.windowed(limit.value, limit.delta, self.alpha, self.window, self.growth)
        return found
