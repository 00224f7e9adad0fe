"""Tables 4.6 and 4.7: chapter 4 against the figures of others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from holdfast.reproduce.cells import Key, Printed, noise
from holdfast.reproduce.hosseini._cells4 import METHOD, of_three, summed
from holdfast.reproduce.hosseini._results import STEPS, Results
from holdfast.reproduce.hosseini._tables import HOLD_OUT, LEAVE_ONE_OUT, OTHER_DATA, PER_SET
from holdfast.reproduce.hosseini._verdicts import not_the_prints, on_tables
from holdfast.reproduce.plan import Claim
from holdfast.reproduce.verdicts import most_of

Numbers = Mapping[Key, Printed]


def on_literature(found: Results, printed: Numbers, said: Mapping[str, float]) -> list[Claim]:
    """Figures of others are quoted there, not rerun."""
    return [
        *(_on_accuracy(found, printed, step) for step in STEPS),
        *(_on_compactness(found, printed, step) for step in STEPS),
        _by_print(printed, said),
        *(_with_ours(found, printed, step) for step in STEPS),
    ]


def _own(printed: Numbers, table: str, quantity: str) -> dict[str, float]:
    """What the thesis has for its own method, by data set."""
    return {key.data: one.value for key, one in printed.items() if key == Key(table, key.data, METHOD, "", quantity)}


def _of_others(printed: Numbers, table: str, what: str) -> dict[str, list[float]]:
    """Accuracies (``J``) or sizes of others by data set: the best one of each method, or its mean if that is all."""
    best: dict[tuple[str, str], float] = {}
    for kind in ("mean", "best"):
        for key, one in printed.items():
            if key.table == table and key.method != METHOD and key.quantity == f"{kind} {what}":
                best[key.data, key.method] = one.value
    found: dict[str, list[float]] = {}
    for (data, _), value in best.items():
        found.setdefault(data, []).append(value)
    return found


def _on_accuracy(found: Results, printed: Numbers, step: int) -> Claim:
    own, others = _own(printed, "4.6", "best J"), _of_others(printed, "4.6", "J")
    holds, told = {}, []
    for name in found.names(HOLD_OUT, step):
        runs, accuracy = of_three(found, "4.6", HOLD_OUT, name, step, PER_SET)
        here, best = float(accuracy.max()), max(others[name])
        holds[name] = here >= best - noise(here, best, runs[0]["n_judged"])
        told.append(f"{name} {here:.2f} against {best:.2f}")
    verdict, evidence = on_tables(holds, ", ".join(told))
    return Claim(
        "§ 4.8, Table 4.6",
        "the best run is comparable to the best competitor: not worse by more than two standard errors of the test "
        f"samples (step = {step})",
        verdict,
        f"{evidence}; leaky, as published" if evidence else "",
        printed=", ".join(f"{name} {value:.2f} against {max(others[name]):.2f}" for name, value in own.items()),
    )


def _on_compactness(found: Results, printed: Numbers, step: int) -> Claim:
    own, others = _own(printed, "4.6", "mean size"), _of_others(printed, "4.6", "size")
    usual = {name: float(np.median(sizes)) for name, sizes in others.items()}
    holds, told = {}, []
    for name in found.names(HOLD_OUT, step):
        size = summed(*of_three(found, "4.6", HOLD_OUT, name, step, PER_SET))["mean size"]
        holds[name] = size < usual[name]
        told.append(f"{name} {size:.1f} against {usual[name]:g}")
    return Claim(
        "§ 4.8, Table 4.6",
        f"models are compact: of fewer features, in the mean, than the median competitor's (step = {step})",
        *on_tables(holds, ", ".join(told)),
        printed=", ".join(f"{name} {size:.1f} against {usual[name]:g}" for name, size in own.items()),
    )


def _as_good(values: Mapping[str, float], others: Mapping[str, list[float]]) -> list[str]:
    return [name for name, value in values.items() if round(value, 2) >= max(others.get(name, [0.0]))]


def _by_print(printed: Numbers, said: Mapping[str, float]) -> Claim:
    own, others = _own(printed, "4.7", "best J"), _of_others(printed, "4.7", "J")
    good = _as_good(own, others)
    told = ", ".join(
        f"{name} {own[name]:.2f} against {format(max(others[name]), '.2f') if name in others else 'nobody'}"
        for name in good
    )
    n_good, n_all = (said[f"tables {what}"] for what in ("on which it is as good as or better than others", "compared"))
    return Claim(
        "§ 4.8, Table 4.7",
        "as good as or better than all others on most tables, by the printed numbers",
        most_of(len(good), len(own)),
        f"{len(good)} of {len(own)}: {told}; figures of others are quoted there, not rerun",
        printed=f"{n_good:g} of {n_all:g}",
    )


def _with_ours(found: Results, printed: Numbers, step: int) -> Claim:
    """On the tables at hand, which are not all of them."""
    others = _of_others(printed, "4.7", "J")
    here = {
        name: float(of_three(found, "4.7", LEAVE_ONE_OUT, name, step, LEAVE_ONE_OUT)[1].max())
        for name in found.names(LEAVE_ONE_OUT, step)
    }
    there = {name: value for name, value in _own(printed, "4.7", "best J").items() if name in here}
    good, in_print = _as_good(here, others), _as_good(there, others)
    told = ", ".join(
        f"{name} {value:.2f} against {format(max(others[name]), '.2f') if name in others else 'nobody'}"
        for name, value in here.items()
    )
    foreign = [name for name in here if name in OTHER_DATA]
    return Claim(
        "§ 4.8, Table 4.7",
        f"as good as or better than all others on most tables, of those at hand, with our best runs (step = {step})",
        most_of(len(good), len(here)),
        f"{len(good)} of {len(here)}; all leaky: {told}" + (f"; {not_the_prints(foreign)}" if foreign else "")
        if here
        else "",
        printed=f"{len(in_print)} of the same {len(here)}: {', '.join(in_print)}"
        if in_print
        else "none of those at hand",
    )
