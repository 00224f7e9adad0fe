"""The stopping rules themselves, by name and with options (Michel 2018, chapters 6 to 9).

A removal is judged as an addition is: by what the set is worth after it and before it; only the permutation tests turn
round, since there the feature goes that says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, inf, log, nan, sqrt
from typing import Any, ClassVar

import numpy.typing as npt

from holdfast._parameters import Rule, nearest, nothing, one_of, real_number, value_of, whole_number, yes_or_no
from holdfast._progress import report
from holdfast.kernels.lazy import TIE
from holdfast.search.stopping import Asking, Step, StopRule, Verdict

Array = npt.NDArray[Any]
# Permutations looked at before a decision is tried; no number of jobs changes it, so that none changes a p-value.
BATCH = 10


@dataclass(frozen=True, repr=False)
class ClassicStop(StopRule):
    """Stop when the score falls, or as soon as it does not rise.

    Use it as the rule of ordinary wrappers (CW). On wide data a score may stay at its top for hundreds of features;
    then ``strict_decrease=False`` stops at the first feature that brings nothing.

    Parameters
    ----------
    strict_decrease : bool, default=True
        Whether only a lower score stops; False also for an equal one.

    Examples
    --------
    >>> ClassicStop(strict_decrease=False)
    ClassicStop(strict_decrease=False)
    """

    strict_decrease: bool = True

    name: ClassVar[str] = "cw"
    allowed: ClassVar[Mapping[str, Rule]] = {"strict_decrease": yes_or_no()}

    def judge(self, step: Step, ask: Asking) -> Verdict:
        """Whether the score has not fallen, or has risen."""
        gap = _gap(step.score, -inf if step.is_first else step.previous)
        return Verdict(gap >= -TIE if self.strict_decrease else gap > TIE, gap)


@dataclass(frozen=True, repr=False)
class MarginStop(StopRule):
    """Stop when the score falls by more than a margin (WM).

    Use it where scores go up and down by chance.

    Parameters
    ----------
    margin : float, default=0.01
        Fall that is let pass; 0.01 is a percentage point of accuracy.

    Examples
    --------
    >>> MarginStop(0.005)
    MarginStop(margin=0.005)
    """

    margin: float = 0.01

    name: ClassVar[str] = "wm"
    allowed: ClassVar[Mapping[str, Rule]] = {"margin": real_number(at_least=0.0)}

    def bound(self, n_samples: int) -> float:
        """What a gap has to exceed: a fall by the margin."""
        return -self.margin

    def judge(self, step: Step, ask: Asking) -> Verdict:
        """Whether the score has not fallen by more than the margin."""
        gap = _gap(step.score, -inf if step.is_first else step.previous)
        return Verdict(gap >= -self.margin - TIE, gap)


@dataclass(frozen=True, repr=False)
class HoeffdingStop(StopRule):
    """Stop when a gap between two scores is no larger than Hoeffding's bound.

    Use it to go on only as long as a step is better than chance would let it look. With few samples the bound is wide:
    0.12 for 100 samples, so that hardly a step passes; ``epsilon=0`` asks for any gap at all.

    Parameters
    ----------
    compares : {"previous", "runner-up", "permuted"}, default="previous"
        Gap between the set and the set before (H2S), the second best candidate (H), or a copy of the set whose samples
        were permuted (HP).
    delta : float, default=0.05
        Risk of taking a difference for real that is not.
    value_range : float, default=1.0
        Range of the scores.
    n_observations : int or None, default=None
        Number of observations; None for the number of samples.
    epsilon : float or None, default=None
        The bound itself, in place of Hoeffding's.
    start : float or None, default=None
        Score to compare the first feature with; None for what the criterion says of no features.
    permute : {"subset", "last"}, default="subset"
        Whether all features of the permuted copy are permuted together, or the last only.

    Examples
    --------
    >>> round(HoeffdingStop().bound(100), 6)
    0.122387
    """

    compares: str = "previous"
    delta: float = 0.05
    value_range: float = 1.0
    n_observations: int | None = None
    epsilon: float | None = None
    start: float | None = None
    permute: str = "subset"

    allowed: ClassVar[Mapping[str, Rule]] = {
        "compares": one_of("previous", "runner-up", "permuted"),
        "delta": real_number(above=0.0, below=1.0),
        "value_range": real_number(above=0.0),
        "n_observations": whole_number(at_least=1) | nothing(),
        "epsilon": real_number(at_least=0.0) | nothing(),
        "start": real_number() | nothing(),
        "permute": one_of("subset", "last"),
    }

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name in the literature."""
        return {"previous": "h2s", "runner-up": "h", "permuted": "hp"}[self.compares]

    @property
    def asks(self) -> bool:  # type: ignore[override]
        """Whether samples are needed."""
        return self.compares == "permuted"

    def bound(self, n_samples: int) -> float:
        """Half-width of the bound."""
        if self.epsilon is not None:
            return float(self.epsilon)
        return hoeffding_bound(self.n_observations or n_samples, self.delta, self.value_range)

    def judge(self, step: Step, ask: Asking) -> Verdict:
        """Whether the gap exceeds the bound."""
        gap = _gap(step.score, self._other(step, ask))
        n_observations = self.n_observations or ask.n_samples
        p_value = hoeffding_p_value(gap, n_observations, self.value_range)
        return Verdict(gap > self.bound(ask.n_samples) + TIE, gap, p_value, n_permutations=int(self.asks))

    def _other(self, step: Step, ask: Asking) -> float:
        if self.compares == "runner-up":
            return step.runner_up
        if self.compares == "previous":
            return self.start if step.is_first and self.start is not None else step.previous
        return float((ask.permuted_set if self.permute == "subset" else ask.permuted_feature)(0, 1)[0])


@dataclass(frozen=True, repr=False)
class _Permuting(StopRule):
    """A test by permutations, given up as soon as its end is certain."""

    n_permutations: int = 50
    level: float = 0.05
    count_ties: bool = True
    correction: bool = False
    complete: bool = False

    asks: ClassVar[bool] = True
    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_permutations": whole_number(at_least=1),
        "level": real_number(above=0.0, below=1.0),
        "count_ties": yes_or_no(),
        "correction": yes_or_no(),
        "complete": yes_or_no(),
    }

    def completed(self) -> StopRule:
        """The same test with every permutation."""
        return replace(self, complete=True)

    def _observed(self, step: Step, ask: Asking, first: int, last: int) -> tuple[float, Array]:
        raise NotImplementedError

    def judge(self, step: Step, ask: Asking) -> Verdict:
        """Whether few enough permuted copies do as well."""
        extra = int(self.correction)
        n_all = self.n_permutations + extra
        n_done = n_hits = 0
        least = most = 1.0
        while n_done < self.n_permutations:
            n_next = min(n_done + BATCH, self.n_permutations)
            observed, others = self._observed(step, ask, n_done, n_next)
            slack = TIE * max(1.0, abs(observed))
            n_hits += int((others >= observed - slack if self.count_ties else others > observed + slack).sum())
            n_done = n_next
            report("Permutations", n_done, self.n_permutations)
            least = (n_hits + extra) / n_all
            most = (n_hits + extra + self.n_permutations - n_done) / n_all
            if not self.complete and (least > self.level + TIE or most <= self.level + TIE):
                break
        p_value = (n_hits + extra) / (n_done + extra)
        tells = most <= self.level + TIE
        return Verdict(not tells if step.is_removal else tells, nan, p_value, least, most, n_done)


@dataclass(frozen=True, repr=False)
class PermutationStop(_Permuting):
    """Stop at the first feature that does no better than copies of it with permuted samples (P).

    Use it with any criterion: the statistic is the score itself, so a cross-validated score brings its own choice of
    neighbours for every copy.

    Parameters
    ----------
    n_permutations : int, default=50
        Permuted copies at most.
    level : float, default=0.05
        Share of copies that may do as well.
    count_ties : bool, default=True
        Whether a copy of equal score does as well.
    correction : bool, default=False
        Whether the feature itself counts as one of the copies, (1 + b) / (1 + m), which makes the test exact.
    complete : bool, default=False
        Whether all copies are looked at, also when the decision is certain before.
    permute : {"last", "subset"}, default="last"
        Whether the last feature is permuted, or all features of the set together.

    Examples
    --------
    >>> PermutationStop(200, level=0.01).n_permutations
    200
    """

    permute: str = "last"

    name: ClassVar[str] = "p"
    allowed: ClassVar[Mapping[str, Rule]] = {**_Permuting.allowed, "permute": one_of("last", "subset")}

    def _observed(self, step: Step, ask: Asking, first: int, last: int) -> tuple[float, Array]:
        if self.permute == "subset":
            return step.score, ask.permuted_set(first, last)
        return step.previous if step.is_removal else step.score, ask.permuted_feature(first, last)


@dataclass(frozen=True, repr=False)
class InformationStop(_Permuting):
    """Stop at the first feature that tells no more about the target than its permuted copies do (MI).

    Use it to test each feature by itself, whatever the criterion of the search is. Features and a measured target are
    binned at equal frequencies.

    Parameters
    ----------
    n_permutations : int, default=50
        Permuted copies at most.
    level : float, default=0.05
        Share of copies that may tell more.
    count_ties : bool, default=False
        Whether a copy of equal information counts too.
    correction : bool, default=False
        Whether the feature itself counts as one of the copies.
    complete : bool, default=False
        Whether all copies are looked at, also when the decision is certain before.
    n_bins : int, default=5
        Bins of equal frequency.

    Examples
    --------
    >>> InformationStop(n_bins=3).level
    0.05
    """

    count_ties: bool = False
    n_bins: int = 5

    name: ClassVar[str] = "mi"
    allowed: ClassVar[Mapping[str, Rule]] = {**_Permuting.allowed, "n_bins": whole_number(at_least=2, at_most=255)}

    def _observed(self, step: Step, ask: Asking, first: int, last: int) -> tuple[float, Array]:
        return ask.information(self.n_bins, first, last)


BY_NAME: dict[str, StopRule] = {
    "none": StopRule(),
    "cw": ClassicStop(),
    "wm": MarginStop(),
    "h": HoeffdingStop("runner-up"),
    "h2s": HoeffdingStop("previous"),
    "hp": HoeffdingStop("permuted"),
    "p": PermutationStop(),
    "mi": InformationStop(),
}


def stop_rule(given: Any) -> StopRule:
    """A rule by name, with options after colons ("h2s:epsilon=0"), or the rule itself."""
    if isinstance(given, StopRule):
        return given
    if not isinstance(given, str):
        raise ValueError(f"stop={given!r} is no rule. Pass one of {', '.join(map(repr, BY_NAME))}, or a rule itself.")
    name, *options = (part.strip() for part in given.split(":"))
    rule = BY_NAME.get(name.lower())
    if rule is None:
        near = nearest(name, BY_NAME, n=1)
        raise ValueError(
            f"stop={given!r}: there is no rule called {name!r}. Choose one of {', '.join(map(repr, BY_NAME))}."
            + (f" Did you mean {near[0]!r}?" if near else "")
        )
    return replace(rule, **_options(given, rule, options)) if options else rule


def _options(given: str, rule: StopRule, options: list[str]) -> dict[str, Any]:
    known = [name for name in rule.allowed if name != "compares"]
    found: dict[str, Any] = {}
    for option in options:
        name, equals, text = (part.strip() for part in option.partition("="))
        if not equals or name not in known:
            takes = f"It takes {', '.join(known)}" if known else "It takes none"
            raise ValueError(
                f"stop={given!r}: {option!r} is no option of {rule.name!r}. {takes}, as in 'h2s:epsilon=0'."
            )
        found[name] = value_of(text)
    return found


def _gap(score: float, other: float) -> float:
    """Difference of two scores; infinite where there is nothing to compare with."""
    return inf if other == -inf else score - other


def hoeffding_bound(n_observations: int, delta: float = 0.05, value_range: float = 1.0) -> float:
    """How far a mean may lie above its expectation by chance: √(R² ln(1/δ) / (2n)).

    Use it to see how large a gap between two scores has to be with so many samples.

    Parameters
    ----------
    n_observations : int
        Number of observations.
    delta : float, default=0.05
        Risk that it lies farther.
    value_range : float, default=1.0
        Range of a single observation.

    Returns
    -------
    bound : float
        Half-width; it falls with the root of the number of observations.

    Examples
    --------
    >>> round(hoeffding_bound(398), 6)
    0.061347
    """
    if n_observations < 1 or not 0 < delta < 1 or not value_range > 0:
        raise ValueError(
            f"n_observations={n_observations}, delta={delta}, value_range={value_range}: there must be one observation "
            "at least, a risk between 0 and 1, and a range above 0."
        )
    return sqrt(value_range**2 * log(1.0 / delta) / (2.0 * n_observations))


def hoeffding_p_value(gap: float, n_observations: int, value_range: float = 1.0) -> float:
    """The smallest risk at which a gap exceeds Hoeffding's bound."""
    return min(1.0, exp(-2.0 * n_observations * max(gap, 0.0) ** 2 / value_range**2))


def permutation_level(alpha: float, n_permutations: int) -> float:
    """Lower end of a confidence band around a level that is estimated from so many permutations (Michel 2018, Eq. 7.1).

    Use it for a cautious threshold; it lies below 0 for fewer than 73 permutations at 0.05.

    Parameters
    ----------
    alpha : float
        The level.
    n_permutations : int
        Permutations drawn.

    Returns
    -------
    level : float
        α - 1.96 √(α(1 - α) / M).

    Examples
    --------
    >>> round(permutation_level(0.05, 1000), 6)
    0.036492
    """
    if n_permutations < 1 or not 0 <= alpha <= 1:
        raise ValueError(
            f"alpha={alpha}, n_permutations={n_permutations}: a level lies between 0 and 1 and needs a permutation."
        )
    return alpha - 1.96 * sqrt(alpha * (1.0 - alpha) / n_permutations)
