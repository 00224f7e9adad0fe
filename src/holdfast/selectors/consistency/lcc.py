"""LCC (Shin and Xu 2009; Pino Angulo 2019, §2.2.3.2) and SUPER-LCC (Shin et al. 2015; ibid., §2.2.3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from holdfast._parameters import Rule, one_of
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.removal import Removal
from holdfast.selectors._base import COUNT_SHARE_OR_NONE
from holdfast.selectors.consistency._base import DELTA, DELTA_MODE, MEASURE, ConsistencySelector, Limit


class LCC(ConsistencySelector):
    """Take away, least relevant first, each feature without which the class is still determined well enough.

    Use it for a short list that tells the classes apart as a whole, pairs and triples included that tell nothing one by
    one. No feature of the list can go without breaking the limit. Both searches give the same list:
    ``"binary"`` (SUPER-LCC) finds each feature to keep by halving, ``"linear"`` asks for one after the other.

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
    search : {"binary", "linear"}, default="binary"
        How the features to keep are found.
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
    >>> from holdfast import LCC
    >>> X = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
    >>> LCC(discretizer=None).fit(X, [0, 1, 1, 0, 0, 0]).indices_
    array([0, 1])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "delta": DELTA,
        "delta_mode": DELTA_MODE,
        "search": one_of("binary", "linear"),
        "measure": MEASURE,
        "discretizer": DISCRETIZER,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        delta: float = 0.01,
        delta_mode: str = "relative",
        search: str = "binary",
        measure: Any = "bayesian-risk",
        discretizer: Any = "mdl",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.delta = delta
        self.delta_mode = delta_mode
        self.search = search
        self.measure = measure
        self.discretizer = discretizer

    def _search(self, subsets: Any, limit: Limit) -> Removal:
        search = subsets.binary if self.search == "binary" else subsets.linear
        found: Removal = search(limit.value)
        return found
