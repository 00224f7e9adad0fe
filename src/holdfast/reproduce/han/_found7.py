"""What both procedures found in chapter 7, and how a claim is tested on every table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdfast.reproduce.han._microarrays import LUNG
from holdfast.reproduce.han._procedures import Crossed, Repeated, crossed, repeated
from holdfast.reproduce.han._weighing import CONTROL, MEAN, WEIGHTED, Tested, Value, mean_of
from holdfast.reproduce.plan import NOT_TESTED, Claim
from holdfast.reproduce.verdicts import on_all, on_most

# Lung once more, with its genes chosen in every training part: that has no nPOGR, no variances, and no arms of ours.
LUNG_INSIDE = "Lung without the leak"


@dataclass(frozen=True)
class Found:
    """Both procedures by table and arm, the tables of which there is everything, and those without a leak beside."""

    repeated: Mapping[tuple[str, str], Repeated]
    crossed: Mapping[tuple[str, str], Crossed]
    sets: Sequence[str]
    without_leak: Sequence[str] = ()

    @classmethod
    def of(cls, parts: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Found:
        """From the results of all parts."""
        splits, runs = repeated(parts, False), crossed(parts, False)
        splits_inside = {
            (LUNG_INSIDE, arm): replace(one, data=LUNG_INSIDE) for (_, arm), one in repeated(parts, True).items()
        }
        runs_inside = {
            (LUNG_INSIDE, arm): replace(one, data=LUNG_INSIDE) for (_, arm), one in crossed(parts, True).items()
        }
        there = {data for data, _ in splits}
        return cls(
            splits | splits_inside,
            runs | runs_inside,
            [name for name in names if name in there],
            [LUNG_INSIDE] if splits_inside else [],
        )

    def ki(self, data: str, arm: str, size: int) -> Value:
        """KI of procedure A, mean over the runs."""
        return mean_of(self.crossed[data, arm].ki[size])

    def variance(self, data: str, arm: str) -> list[Value]:
        """Average variances of the weights, from many features to few."""
        return [mean_of(values) for _, values in sorted(self.crossed[data, arm].variance.items(), reverse=True)]

    def listed(self, data: str, arms: Sequence[str], say: Callable[[str], str]) -> str:
        """Words on the arms that a table has."""
        return ", ".join(f"{arm} {say(arm)}" for arm in arms if (data, arm) in self.repeated)


def on_sets(
    found: Found,
    source: str,
    text: str,
    test: Callable[[str, str], bool],
    say: Callable[[str], str],
    *,
    among: Sequence[str] | None = None,
    but: Sequence[str] = (),
    weighted: str = WEIGHTED,
    has_leak_free: bool = False,
    in_general: bool = False,
    printed: str = "",
) -> Tested:
    """A claim on every table; on IW SVM-RFE it is tested for all arms.

    Parameters
    ----------
    found : Found
        All results.
    source, text : str
        Where it is claimed, and what.
    test : callable
        Whether it is true of a table and an arm.
    say : callable
        The numbers of a table.
    among : sequence of str or None, default=None
        Tables that it speaks of; None for all.
    but : sequence of str, default=()
        Tables named as exceptions: there it must not be true.
    weighted : str, default="IW SVM-RFE"
        The arm that it speaks of.
    has_leak_free : bool, default=False
        Whether Lung without the leak has the same numbers; they are told beside the others and change no verdict.
    in_general : bool, default=False
        Whether it says so of most tables only.
    printed : str, default=""
        Numbers of the print.
    """
    sets = [data for data in found.sets if among is None or data in among]
    if all(data in but for data in sets):
        return Tested(Claim(source, text, NOT_TESTED, "none of the tables that it is said of was run", printed))
    holds = {data: test(data, weighted) != (data in but) for data in sets}
    verdict = (on_most if in_general else on_all)(holds.values())
    evidence = "; ".join(f"{data}{_mark(holds[data], data in but)} {say(data)}" for data in sets)
    usual = [data for data in sets if data not in but]
    cases = [{arm: test(data, arm) for arm in (WEIGHTED, MEAN, CONTROL)} for data in usual if weighted == WEIGHTED]
    n_held = sum(case[WEIGHTED] for case in cases)
    if n_held:
        n_both = sum(case[CONTROL] and case[WEIGHTED] for case in cases)
        evidence += f". For {CONTROL} too on {n_both} of these {n_held}"
    for data in found.without_leak if has_leak_free and LUNG in sets else ():
        evidence += f". {data}{_mark(test(data, weighted), False)} {say(data)}"
    return Tested(Claim(source, text, verdict, evidence, printed), cases)


def _mark(holds: bool, is_exception: bool) -> str:
    if is_exception:
        return " (the exception)" if holds else " (no exception)"
    return "" if holds else " (not so)"
