"""What chapter 4 says of prior knowledge, tested in both readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from holdfast.reproduce.ben_brahim._prior_runs import E5_PAIRS, READINGS, Result, chosen
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED, Claim

E5, E6 = "4.2.3", "4.3.2"
LEVEL = 0.05
# Stabilities nearer than this are called the same.
NEAR = 0.05
# How far a stability that is told in words may be off.
ABOUT = 0.1

ByMethod = Mapping[tuple[str, str], Result]


@dataclass(frozen=True)
class _Finding:
    source: str
    text: str
    holds: bool
    evidence: str
    printed: str = ""


def claims(results: Sequence[Result]) -> list[Claim]:
    """The statements that can be tested in direction: they hold, or in one of the readings only, or not at all."""
    sets = [data for data, method in chosen(results, next(iter(READINGS))) if method == "SS-l2AROM"]
    if not sets:
        return []
    columns = {reading: _findings(chosen(results, reading), sets) for reading in READINGS}
    found = []
    for row in zip(*columns.values(), strict=True):
        n_held = sum(one.holds for one in row)
        verdict = HOLDS if n_held == len(row) else IN_PART if n_held else FAILS
        evidence = ". ".join(
            f"{reading.capitalize()}: {one.evidence}" for reading, one in zip(columns, row, strict=True)
        )
        found.append(Claim(row[0].source, row[0].text, verdict, evidence, row[0].printed))
    return [*found, *_told_in_words(chosen(results, next(iter(READINGS))))]


def _findings(by: ByMethod, sets: Sequence[str]) -> list[_Finding]:
    return [*_on_extensions(by, sets), *_on_l2arom(by, sets)]


def _on_extensions(by: ByMethod, sets: Sequence[str]) -> list[_Finding]:
    found = []
    for pk, plain in E5_PAIRS:
        gains = {data: _gains(by[data, pk], by[data, plain]) for data in sets}
        told = f"gain {'; '.join(f'{data} {_listed(gains[data])}' for data in sets)}"
        first = [next(iter(gains[data].values())) for data in sets]
        last = [next(reversed(gains[data].values())) for data in sets]
        if pk == "PK-Relief":
            largest = max(abs(gain) for data in sets for gain in gains[data].values())
            found.append(_Finding(E5, f"{pk} is about as stable as {plain} (within {NEAR})", largest <= NEAR, told))
            continue
        found.append(_Finding(E5, f"{pk} is more stable than {plain} with 10 features", min(first) > NEAR, told))
        found.append(
            _Finding(
                E5,
                f"the gain of {pk} shrinks as N grows",
                all(later < sooner for sooner, later in zip(first, last, strict=True)),
                ", ".join(
                    f"{data} {sooner:+.3f} to {later:+.3f}"
                    for data, sooner, later in zip(sets, first, last, strict=True)
                ),
            )
        )
    tests = [
        by[data, pk].against(by[data, plain], size)
        for data in sets
        for pk, plain in E5_PAIRS
        for size in by[data, pk].is_right
    ]
    n_different = sum(test.p_value < LEVEL for test in tests)
    found.append(
        _Finding(
            E5,
            "the prior changes accuracy significantly in few cells",
            n_different <= 0.1 * len(tests),
            f"p < {LEVEL} in {n_different} of {len(tests)}",
            "2 of 60 on DLBCL and Lung",
        )
    )
    return found


def _on_l2arom(by: ByMethod, sets: Sequence[str]) -> list[_Finding]:
    found = []
    for other in ("PS-l2-AROM", "SVM-RFE"):
        gains = {data: _gains(by[data, "SS-l2AROM"], by[data, other]) for data in sets}
        n_more = sum(gain > 0 for data in sets for gain in gains[data].values())
        n_all = sum(map(len, gains.values()))
        found.append(
            _Finding(
                E6,
                f"SS-l2AROM is more stable than {other} in almost all cells",
                n_more >= 0.9 * n_all,
                f"in {n_more} of {n_all}; gain " + "; ".join(f"{data} {_listed(gains[data])}" for data in sets),
            )
        )
    size = max(by[sets[0], "SS-l2AROM"].is_right)
    for one in ("SS-l2AROM", "PS-l2-AROM"):
        tests = {data: by[data, one].against(by[data, "SVM-RFE"], size) for data in sets}
        found.append(
            _Finding(
                E6,
                f"{one} is more accurate than SVM-RFE at N = {size}",
                all(test.better == "a" for test in tests.values()),
                ", ".join(
                    f"{data} {by[data, one].accuracy(size):.3f} and {by[data, 'SVM-RFE'].accuracy(size):.3f} "
                    f"(p = {test.p_value:.2f})"
                    for data, test in tests.items()
                ),
            )
        )
    traces = {data: by[data, "SS-l2AROM"].traces for data in sets}
    found.append(
        _Finding(
            E6,
            f"SS-l2AROM comes to rest in every fold within ten rounds (N = {size})",
            all(trace[-1] == 1 and len(trace) <= 10 for rows in traces.values() for trace in rows),
            ", ".join(f"{data} {min(map(len, rows))} to {max(map(len, rows))} rounds" for data, rows in traces.items()),
        )
    )
    return found


def _told_in_words(by: ByMethod) -> list[Claim]:
    """Stabilities with 10 features that stand in the text only."""
    found = []
    for data, said in (("Lung", {"PK-RFE": 0.95, "SVM-RFE": 0.68}), ("Bladder", {"PK-mRMR": 1.0, "mRMR": 0.3})):
        ours = {method: by[data, method].stability(10) for method in said if (data, method) in by}
        n_near = sum(abs(ours[method] - said[method]) <= ABOUT for method in ours)
        if len(ours) == len(said):
            verdict = HOLDS if n_near == len(said) else IN_PART if n_near else FAILS
        else:
            verdict = NOT_TESTED
        found.append(
            Claim(
                E5,
                f"with 10 features on {data} " + " and ".join(f"{method} has {said[method]}" for method in said),
                verdict,
                ", ".join(f"{method} {value:.3f}" for method, value in ours.items()) or "not run",
                "in the text, about",
            )
        )
    return found


def _gains(one: Result, other: Result) -> dict[int, float]:
    return {size: one.stability(size) - other.stability(size) for size in sorted(one.subsets) if size in other.subsets}


def _listed(gains: Mapping[int, float]) -> str:
    some = [gains[size] for size in (10, 50, 100) if size in gains] or list(gains.values())
    return f"{', '.join(f'{gain:+.2f}' for gain in some)} (mean {np.mean(list(gains.values())):+.2f})"
