"""SDCC (Shin and Xu 2009) and its corrected, fast and accurate forms (Pino Angulo 2019, §2.2.3.3, 3.2, 3.3, 3.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from holdfast._parameters import Rule, one_of, real_number, seed
from holdfast._random import generator
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.removal import Removal
from holdfast.selectors._base import COUNT_SHARE_OR_NONE
from holdfast.selectors.consistency._base import DELTA, DELTA_MODE, MEASURE, ConsistencySelector, Limit


class SDCC(ConsistencySelector):
    """Take away, round by round, the feature that is missed least, while the class stays determined well enough.

    Use it for shorter lists than ``LCC``'s at the same limit. ``"original"`` takes the first of the features that are
    missed least in an order drawn at random, so other seeds give other lists; ``"corrected"`` the least relevant
    of them; ``"fast"`` (FSDCC) gives the same list from a fraction of the evaluations. ``"accurate"`` (ASDCC) weighs
    what is lost against relevance, and lies between ``"fast"`` and ``LCC``.

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
    variant : {"original", "corrected", "fast", "accurate"}, default="fast"
        What is taken away when several features are missed least.
    alpha : float, default=0.75
        Weight of the relevance in the ``"accurate"`` variant: 0 gives the fast variant, 1 gives ``LCC``.
    measure : {"bayesian-risk", "conditional-entropy", "binary"} or callable, default="bayesian-risk"
        What the limit is on. A function of the levels of a subset, of shape (n_samples, n_features), and of the class
        is asked for every subset; it must never fall as features go.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mdl"
        How values become levels; None for data that is discrete already.
    order : {"random", "table"}, default="random"
        In which order the ``"original"`` variant looks at features: drawn, or as the columns stand, which makes the
        list depend on how the table is arranged.
    random_state : int, Generator or None, default=0
        Seed of the order that is drawn.

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
    >>> from holdfast import SDCC
    >>> X = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
    >>> SDCC(discretizer=None).fit(X, [0, 1, 1, 0, 0, 0]).indices_
    array([0, 1])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "delta": DELTA,
        "delta_mode": DELTA_MODE,
        "variant": one_of("original", "corrected", "fast", "accurate"),
        "alpha": real_number(at_least=0.0, at_most=1.0),
        "measure": MEASURE,
        "discretizer": DISCRETIZER,
        "order": one_of("random", "table"),
        "random_state": seed(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        delta: float = 0.01,
        delta_mode: str = "relative",
        variant: str = "fast",
        alpha: float = 0.75,
        measure: Any = "bayesian-risk",
        discretizer: Any = "mdl",
        order: str = "random",
        random_state: Any = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.delta = delta
        self.delta_mode = delta_mode
        self.variant = variant
        self.alpha = alpha
        self.measure = measure
        self.discretizer = discretizer
        self.order = order
        self.random_state = random_state

    def _search(self, subsets: Any, limit: Limit) -> Removal:
        found: Removal
        if self.variant in ("fast", "accurate"):
            found = subsets.lazy(limit.value, limit.delta, self.alpha if self.variant == "accurate" else 0.0)
        elif self.variant == "corrected":
            found = subsets.steepest(limit.value)
        elif self.order == "table":
            found = subsets.steepest(limit.value, subsets.places_in_table())
        else:
            found = subsets.steepest(limit.value, generator(self.random_state).permutation(subsets.n_features))
        return found
