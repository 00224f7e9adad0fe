"""Claims of Figure 3.5 and of Table 3.2: what the searches cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from holdfast.reproduce.pino_angulo._filter_claims3 import Numbers, printed_column
from holdfast.reproduce.pino_angulo._results3 import Finding, Swept
from holdfast.reproduce.pino_angulo._runs3 import DELTA, SEARCHES
from holdfast.reproduce.pino_angulo._verdicts import around, between
from holdfast.reproduce.verdicts import on_all, together

LAZY = ("FSDCC", "ASDCC")
# At least so many features are many: SDCC can be at most (n + 1) / 2 times as dear as a search of n evaluations.
MANY = 100
# "A few times" is less than this.
A_FEW = 5.0


def on_effort(found: Sequence[Swept], printed: Numbers, said: Mapping[str, float]) -> list[Finding]:
    """All of them, on the tables that were swept; none without two."""
    if len({one.data for one in found}) < 2:
        return []
    above = sorted({one.delta for one in found if one.delta > 0})
    return [
        *(_evaluations(method, found, above, said) for method in LAZY),
        _same_at_0(found),
        _seconds(found, said),
        _faster(found, said),
        _slower(found, printed),
    ]


def evaluation_ratios(found: Sequence[Swept], delta: float, method: str) -> dict[str, float]:
    """Evaluations of SDCC over those of a method, by table."""
    by = {(one.data, one.method): one.mean("evaluations") for one in found if one.delta == delta}
    return {data: by[data, "SDCC"] / by[data, method] for data, one in by if one == method}


def of_many_features(found: Sequence[Swept]) -> list[str]:
    """Tables of many features."""
    return list(dict.fromkeys(one.data for one in found if one.n_features >= MANY))


def _evaluations(method: str, found: Sequence[Swept], deltas: Sequence[float], said: Mapping[str, float]) -> Finding:
    """The ratio that the thesis plots: a mean over all tables."""
    low, high = (
        said.get(f"{which} evaluations {method}", said.get(f"evaluations {method}", np.nan))
        for which in ("least", "most")
    )
    times = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    ratio = {delta: evaluation_ratios(found, delta, method) for delta in deltas}
    of_all = [float(np.mean(list(one.values()))) for one in ratio.values()]
    told = f"mean ratio over all tables {min(of_all):.1f} to {max(of_all):.1f}"
    many = of_many_features(found)
    if many:
        of_many = [float(np.mean([one[data] for data in many])) for one in ratio.values()]
        told += f", over those of ≥ {MANY} features {min(of_many):.1f} to {max(of_many):.1f}"
    told += f"; at δ = {deltas[0]:g} " + ", ".join(f"{data} {value:.1f}" for data, value in ratio[deltas[0]].items())
    return Finding(
        f"evaluations-{method}",
        "Fig. 3.5, §3.4",
        f"SDCC needs about {times} times the evaluations of {method} for δ > 0, on average over the tables",
        f"{times} times",
        together(between(one, low, high) for one in of_all),
        "",
        f"{told}; it grows with the number of features, and our tables are not all the thesis's",
    )


def _same_at_0(found: Sequence[Swept]) -> Finding:
    at_0 = {(one.data, one.method): one for one in found if one.delta == 0.0}
    same = [
        list(one.subsets) == list(at_0[data, "LCC"].subsets) and list(one.n_evaluations) == [one.n_features]
        for (data, method), one in at_0.items()
        if method in LAZY
    ]
    return Finding(
        "same-at-0",
        "§3.4",
        "at δ = 0 FSDCC and ASDCC keep what LCC keeps, from n evaluations",
        "proved",
        on_all(same),
        "",
        f"{sum(same)} of {len(same)}",
    )


def _in_all(found: Sequence[Swept], quantity: str) -> dict[str, float]:
    """Of each search at the threshold of Table 3.2, summed over tables."""
    return {m: sum(one.mean(quantity) for one in found if (one.delta, one.method) == (DELTA, m)) for m in SEARCHES}


def _times(found: Sequence[Swept], methods: Sequence[str]) -> dict[str, float]:
    seconds = _in_all(found, "seconds")
    return {method: seconds["SDCC"] / max(seconds[method], 1e-9) for method in methods}


def _told(times: Mapping[str, float]) -> str:
    return ", ".join(f"{value:.1f} times {method}" for method, value in times.items())


def _seconds(found: Sequence[Swept], said: Mapping[str, float]) -> Finding:
    times = _times(found, ("LCC", *LAZY))
    wanted = {method: said[f"seconds {method}"] for method in times}
    return Finding(
        "seconds",
        "Table 3.2, §3.4",
        f"at δ = {DELTA:g} SDCC takes {_told(wanted)} (sums over the tables)",
        _told(wanted),
        together(around(value, wanted[method]) for method, value in times.items()),
        "",
        f"{_told(times)}, of our tables",
    )


def _faster(found: Sequence[Swept], said: Mapping[str, float]) -> Finding:
    low, high = said["least times as fast as SDCC"], said["most times as fast as SDCC"]
    times = _times(found, LAZY)
    return Finding(
        "faster",
        "§3.4",
        f"FSDCC and ASDCC are {low:g} to {high:g} times as fast as SDCC (sums over the tables at δ = {DELTA:g})",
        f"{low:g} to {high:g} times",
        together(between(value, low, high) for value in times.values()),
        "",
        f"SDCC takes {_told(times)}",
    )


def _slower(found: Sequence[Swept], printed: Numbers) -> Finding:
    in_print = {m: sum(printed_column(printed, "3.2", m, "seconds", f"δ = {DELTA:g}")) for m in SEARCHES}
    times = {method: _over_lcc(_in_all(found, "seconds"), method) for method in LAZY}
    more = {method: _over_lcc(_in_all(found, "evaluations"), method) for method in LAZY}
    is_so = [1 < value < A_FEW for value in times.values()]
    return Finding(
        "slower",
        "§3.4",
        f"FSDCC and ASDCC are a few times (up to {A_FEW:g}) slower than LCC",
        "by Table 3.2 " + ", ".join(f"{method} {_over_lcc(in_print, method):.1f} times" for method in LAZY),
        on_all(is_so),
        "",
        ", ".join(
            f"{method} {times[method]:.1f} times the seconds and {more[method]:.1f} the evaluations" for method in LAZY
        ),
    )


def _over_lcc(sums: Mapping[str, float], method: str) -> float:
    return sums[method] / max(sums["LCC"], 1e-9)
