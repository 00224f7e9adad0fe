"""What both chapters ask: whether weighing samples steadies SVM-RFE, and whether it is the weights that do.

SVM-RFE (C = 1), IW SVM-RFE with weights that sum to 1 (as published) or of mean 1, and the control: SVM-RFE with C / n
and no weights. All keep floor(0.9 n) features a round, on features divided by their range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.plan import FAILS, HOLDS, Claim
from holdfast.reproduce.verdicts import all_of, on_all
from holdfast.selectors.linear import SVMRFE
from holdfast.stability import InstanceWeightedSelector, kuncheva, nogueira_interval

Array = npt.NDArray[Any]

SEED = 0
SIGNATURE = 50
PLAIN, ENSEMBLE, WEIGHTED, MEAN, CONTROL = "SVM-RFE", "En SVM-RFE", "IW SVM-RFE", "mean-1 IW", "C / n"
_SCALES = {WEIGHTED: "sum", MEAN: "mean", CONTROL: "uniform"}
ABOUT_ARMS = (
    "SVM-RFE with C = 1 on features divided by their range, floor(0.9 n) features kept a round. **IW SVM-RFE** has "
    "weights that sum to 1, which gives the published numbers and makes the cost of an error about C / n; **mean-1 "
    "IW** has weights of mean 1; **C / n** is the control, SVM-RFE with C = 1 / n and no weights. What the control has "
    "as well is no effect of weighing samples, but of a smaller C."
)


def svm_rfe(arm: str, n_features_to_select: int, *, keep_path: bool = False) -> Any:
    """One of the arms."""
    plain = SVMRFE(n_features_to_select, keep_path=keep_path)
    if arm == PLAIN:
        return plain
    return InstanceWeightedSelector(n_features_to_select, selector=plain, weight_scale=_SCALES[arm])


@dataclass(frozen=True)
class Value:
    """A mean over runs, and its standard error by the scatter between them."""

    value: float
    se: float

    def __format__(self, spec: str) -> str:
        if not np.isfinite(self.value):
            return "–"
        if not np.isfinite(self.se):
            return f"{self.value:{spec}}"
        return f"{self.value:{spec}} ± {2 * self.se:{spec}}"


def mean_of(values: Sequence[float] | Array) -> Value:
    """The mean of runs that are independent."""
    return Value(float(np.mean(values)), standard_error(values))


def standard_error(values: Sequence[float] | Array) -> float:
    """Of the mean of runs that are independent."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def ki(runs: Array) -> Value:
    """Kuncheva's index; with subsets of one size Nogueira's measure, whose error is known, is the same."""
    return Value(kuncheva(runs), nogueira_interval(runs).std_error)


def clearly_less(one: Value, other: Value) -> bool:
    """Whether the difference is more than two standard errors."""
    return other.value - one.value > 2 * float(np.hypot(one.se, other.se))


@dataclass(frozen=True)
class Tested:
    """A claim and whether it holds; if it is about weights, ``cases`` say in each case of which arms it is true."""

    claim: Claim
    cases: Sequence[Mapping[str, bool]] = ()


def on_weights(
    source: str, text: str, test: Callable[[str], bool], say: Callable[[str], str], arms: Sequence[str]
) -> Tested:
    """A claim that IW SVM-RFE has something, told for all arms; the control and weights of mean 1 are tested too."""
    case = {arm: test(arm) for arm in (WEIGHTED, MEAN, CONTROL)}
    also = [arm for arm in (CONTROL, MEAN) if case[arm]]
    evidence = "; ".join(f"{arm} {say(arm)}" for arm in arms)
    if case[WEIGHTED]:
        evidence += f". So it is for {' and for '.join(also)}" if also else f". Not so for {CONTROL}"
    return Tested(Claim(source, text, HOLDS if case[WEIGHTED] else FAILS, evidence), [case])


def not_on_weights(source: str, text: str, holds: Iterable[bool], evidence: str) -> Tested:
    """A claim that is not about weights, by whether each thing that it says is true."""
    return Tested(Claim(source, text, on_all(holds), evidence))


def with_conclusion(tested: Sequence[Tested], source: str) -> list[Claim]:
    """All claims, and whether weights are what makes those on weights hold: not where the control has the same."""
    held = [case for one in tested for case in one.cases if case[WEIGHTED]]
    claims = [one.claim for one in tested]
    if not held:
        return claims
    n_control, n_mean = (sum(case[arm] for case in held) for arm in (CONTROL, MEAN))
    claims.append(
        Claim(
            source,
            "it is the weights of the samples that do this",
            all_of(len(held) - n_control, len(held)),
            f"what is said of weights holds for {WEIGHTED} in {len(held)} cases, and in {n_control} of them for "
            f"{CONTROL} without weights too; with weights of mean 1, where C stays as it is, in {n_mean}",
        )
    )
    return claims
