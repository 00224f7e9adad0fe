"""Stability selection: keep what is chosen again and again (Meinshausen and Bühlmann 2010; Shah and Samworth 2013)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from holdfast._parameters import Rule, jobs, nothing, one_of, real_number, seed, whole_number
from holdfast._progress import report
from holdfast.search.ties import Precedence
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Evaluations, Found, Problem, ranking_by
from holdfast.stability._doubt import doubt_about, drawn_for, smallest_class
from holdfast.stability._draw import PERTURB
from holdfast.stability._members import RepeatedSelector, names_for_ties
from holdfast.stability._repeat import SELECTOR, label_of, last_of, size_parameter, supports
from holdfast.stability.bounds import BOUNDS, expected_false, list_size_for, threshold_for

Array = npt.NDArray[Any]

_THRESHOLD = 0.75
_BOUND_OF = {"complementary-pairs": "r-concave", "half-samples": "meinshausen-buhlmann"}
# Two standard errors of a normal distribution.
_Z = 1.959963984540054


class StabilitySelector(RepeatedSelector):
    """Repeat a selection on halves of the samples and keep the features that are chosen often.

    Use it for a list with a bound on how many false features to expect, around any selector. Two of threshold, list
    size and largest number of false features are chosen, the third follows.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        None keeps every feature at or above the threshold; a number keeps the most frequent ones instead, fewer if the
        runs chose fewer.
    selector : str, estimator or Pipeline, default="mrmr+"
        A method's name, a selector, or a Pipeline that ends in one.
    threshold : float or None, default=None
        Share of the runs that must choose a feature. None is what ``max_false`` asks for, or else 0.75.
    list_size : int, float or None, default=None
        How many features each run chooses, or which share of them. None is what ``max_false`` and a threshold ask
        for, or else ``n_features_to_select``, or else the selector's own number.
    max_false : float or None, default=None
        Largest expected number of false features: those that a run takes no more often than chance would.
    bound : str or None, default=None
        What the bound on false features assumes: "worst-case", "unimodal" or "r-concave" for complementary pairs,
        "meinshausen-buhlmann" for half-samples; see ``expected_false``. None is the sharpest of the perturbation.
    perturb : str, splitter, function or list, default="complementary-pairs"
        What each run sees: "complementary-pairs" or "half-samples", for which there are bounds; "subsample",
        "bootstrap", "folds", "leave-one-out", "feature-noise"; a splitter; a function of (target, n_runs,
        random_state); lists of rows.
    n_runs : int, default=100
        Runs in all, two for each pair.
    random_state : int, Generator or None, default=0
        Seed of the draws; run i depends on it and on i only.
    n_jobs : int or None, default=None
        Parallel threads; no result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, the most frequent first.
    scores_ : ndarray of shape (n_features,)
        The same as ``frequency_``.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal frequencies share a rank.
    frequency_ : ndarray of shape (n_features,)
        Share of the runs that chose each feature.
    threshold_ : float
        The threshold that was used; with a number of features to keep, the frequency of the last one.
    expected_false_ : float
        Upper bound on the expected number of false features among the chosen ones; NaN where there is none, as for a
        number of features to keep, whose threshold depends on the data.
    list_size_ : float
        How many features a run chose on average.
    stability_ : float
        How far the runs agree beyond chance (Nogueira), 1 for identical lists.
    stability_interval_ : tuple of float
        95 % interval of it, made for independent runs: that of complementary pairs is wider than need be (by about 40 %
        in a simulation).
    near_misses_ : ndarray
        Columns below the cut, the most frequent first, whose frequency might lie at the threshold: its 95 % interval
        (Wilson), taking runs as independent, reaches it.

    Examples
    --------
    >>> from holdfast import StabilitySelector
    >>> from holdfast.data import copies
    >>> made = copies(n_features=40, n_relevant=3, n_copies=0, shift=2.0, random_state=0)
    >>> found = StabilitySelector(selector="t-test", list_size=4, n_runs=50).fit(made.X, made.y)
    >>> sorted(found.indices_) == sorted(made.relevant), found.expected_false_ < 1
    (True, True)
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "selector": SELECTOR,
        "threshold": real_number(above=0.0, at_most=1.0) | nothing(),
        "list_size": COUNT_SHARE_OR_NONE,
        "max_false": real_number(above=0.0) | nothing(),
        "bound": one_of(*BOUNDS) | nothing(),
        "perturb": PERTURB,
        "n_runs": whole_number(at_least=2),
        "random_state": seed(),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        selector: Any = "mrmr+",
        threshold: float | None = None,
        list_size: int | float | None = None,
        max_false: float | None = None,
        bound: str | None = None,
        perturb: Any = "complementary-pairs",
        n_runs: int = 100,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.selector = selector
        self.threshold = threshold
        self.list_size = list_size
        self.max_false = max_false
        self.bound = bound
        self.perturb = perturb
        self.n_runs = n_runs
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def _score_means(self) -> str:
        return "share of the runs that chose the feature"

    @property
    def _notes(self) -> list[str]:
        kept = (
            f"Kept: what at least {100 * self.threshold_:.0f} % of the runs chose, {self.list_size_:.3g} features each"
        )
        if np.isnan(self.expected_false_):
            return [f"{kept}.", *super()._notes]
        bounded = f"{kept}; at most {self.expected_false_:.2g} false ones are to be expected ({self._bound} bound)."
        return [bounded, *super()._notes]

    @property
    def _details(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold_,
            "list_size": self.list_size_,
            "expected_false": self.expected_false_,
            "near_misses": self.near_misses_.tolist(),
        }

    @property
    def runs_(self) -> Array:
        """Which features each run chose (runs × features)."""
        check_is_fitted(self)
        runs: Array = np.unpackbits(self._packed_runs, axis=1, count=self.n_features_in_).astype(bool)
        return runs

    def _choose(self, problem: Problem) -> Found:
        n_features = problem.n_features
        threshold, list_size = self._settle(n_features)
        (member,) = self.fitting_members(n_features, list_size)
        drawn = drawn_for(self.perturb, problem, self.n_runs, self.random_state, self._groups)
        tick = partial(_report, len(drawn))
        X, y = self.samples(problem)
        tie_names = names_for_ties(problem)
        runs = supports(member, X, y, drawn, tie_names=tie_names, n_jobs=self.n_jobs, tick=tick)
        extra = doubt_about([np.flatnonzero(run) for run in runs], n_features)
        frequency = extra["frequency_"]
        precedence = Precedence(problem, problem.target, frequency, problem.names)
        if self.n_features_to_select is not None:
            ever = np.flatnonzero(frequency)
            n_select = min(self._n_select(n_features), len(ever))
            chosen = precedence.sort_some(ever, frequency[ever], n_select) if n_select else ever
            threshold = float(frequency[chosen[-1]]) if n_select else 1.0
        else:
            chosen = _in_order(np.flatnonzero(frequency >= threshold - 1e-9), frequency, precedence)
        near = np.setdiff1d(_near(frequency, threshold, len(drawn)), chosen)
        size = float(runs.sum(axis=1).mean())
        extra |= {
            "threshold_": threshold,
            "list_size_": size,
            "expected_false_": self._expected_false(n_features, size, threshold, len(drawn)),
            "_smallest_class": smallest_class(problem, drawn),
            "near_misses_": _in_order(near, frequency, precedence),
            "_packed_runs": np.packbits(runs, axis=1),
        }
        evaluations = Evaluations(relevance=n_features * len(drawn))
        return Found(chosen, frequency, ranking_by(frequency, chosen), evaluations, precedence.n_ties, extra)

    def _why_nothing(self) -> str:
        return (
            f"the most frequent is in {100 * self.frequency_.max():.0f} % of the runs, and "
            f"{100 * self.threshold_:.0f} % are asked for. Lower threshold=, let runs choose more (list_size=), or "
            "take a more stable selector."
        )

    def _settle(self, n_features: int) -> tuple[float, int | float | None]:
        """The threshold and the list size, one of which may follow from the number of false features."""
        if self.threshold is not None and self.n_features_to_select is not None:
            raise ValueError(
                f"n_features_to_select={self.n_features_to_select} keeps the most frequent features, and "
                f"threshold={self.threshold} all that are frequent enough. Leave one of them None."
            )
        if self.bound is not None and self._bound is None:
            raise ValueError(
                f"bound={self.bound!r} holds for perturb='complementary-pairs' or 'half-samples', not for "
                f"{self.perturb!r}. Leave it out, or take one of these."
            )
        if self.max_false is None:
            return (_THRESHOLD if self.threshold is None else self.threshold), self.list_size
        if self.threshold is not None and self.list_size is not None:
            raise ValueError(
                f"threshold={self.threshold}, list_size={self.list_size} and max_false={self.max_false} are all given, "
                "but any two of them determine the third. Leave one of them None."
            )
        if self.n_features_to_select is not None:
            raise ValueError(
                f"n_features_to_select={self.n_features_to_select} says how many features to keep, and "
                f"max_false={self.max_false} how many false ones to allow. Leave one of them None."
            )
        bound = self._bound
        if bound is None:
            raise ValueError(
                f"max_false={self.max_false} needs a bound on false features, which there is for "
                f"perturb='complementary-pairs' or 'half-samples', not for {self.perturb!r}."
            )
        if self.threshold is not None:
            size: int = list_size_for(n_features, self.threshold, self.max_false, n_runs=self.n_runs, bound=bound)
            return self.threshold, size
        size = self._own_list_size(n_features)
        return threshold_for(n_features, size, self.max_false, n_runs=self.n_runs, bound=bound), size

    def _own_list_size(self, n_features: int) -> int:
        """How many features a run will choose."""
        (member,) = self.fitting_members(n_features)
        name = size_parameter(member)
        own = None if name is None else getattr(last_of(member), name)
        if own is None or isinstance(own, str):
            raise ValueError(
                f"max_false={self.max_false} leads to a threshold if it is known how many features a run keeps, which "
                f"{label_of(member)} does not say. Pass a selector of a fixed number of features, such as 'f-test'."
            )
        return int(own) if own >= 1 else max(1, round(float(own) * n_features))

    @property
    def _bound(self) -> str | None:
        """The bound that goes with the perturbation, if any does."""
        allowed = _BOUND_OF.get(self.perturb) if isinstance(self.perturb, str) else None
        if allowed is None or self.bound is None:
            return allowed
        if self.perturb == "half-samples" and self.bound != allowed:
            raise ValueError(
                f"bound={self.bound!r} holds for complementary pairs only. Take perturb='complementary-pairs', or "
                "bound='meinshausen-buhlmann'."
            )
        return self.bound

    def _expected_false(self, n_features: int, size: float, threshold: float, n_runs: int) -> float:
        bound = self._bound
        is_fixed = self.n_features_to_select is None
        if bound is None or not is_fixed or size == 0 or (threshold <= 0.5 and bound != "r-concave"):
            return float("nan")
        return expected_false(n_features, size, threshold, n_runs=n_runs, bound=bound)


def _report(total: int, done: int) -> None:
    report("Runs", done, total)


def _in_order(features: Array, frequency: Array, precedence: Precedence) -> Array:
    """Some features, the most frequent first, ties settled."""
    return precedence.sort_some(features, frequency[features], len(features)) if len(features) else features


def _near(frequency: Array, threshold: float, n_runs: int) -> Array:
    """Features whose interval (Wilson) reaches the threshold."""
    middle = (frequency + _Z**2 / (2 * n_runs)) / (1 + _Z**2 / n_runs)
    reach = _Z * np.sqrt(frequency * (1 - frequency) / n_runs + _Z**2 / (4 * n_runs**2)) / (1 + _Z**2 / n_runs)
    return np.flatnonzero((middle + reach >= threshold) & (frequency > 0))
