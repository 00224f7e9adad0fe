"""What §4.5.3 and §5.1 say of MRMR and MRMR+ as the first stage of GBC and of MRMR-GA, and whether it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from holdfast.reproduce.cells import read_said
from holdfast.reproduce.pino_angulo._claims5 import PRINTED, Numbers, printed_row
from holdfast.reproduce.pino_angulo._searched import Results, range_of
from holdfast.reproduce.pino_angulo._verdicts import around, at_least
from holdfast.reproduce.plan import NOT_TESTED, Claim
from holdfast.reproduce.verdicts import all_of, counted, most_of, on_all, together

# "Nearly" a share is within so much of it.
NEARLY = 0.1
METHODS = ("GBC", "MRMR-GA")
LARGEST = ("DOR", "PEM")
NOT_HERE = "these sets are not at hand"


def filter_claims(found: Results, printed: Numbers) -> list[Claim]:
    """All of them; none where nothing was run."""
    if not found.sets:
        return []
    said = read_said(PRINTED)
    return [
        _half(found, printed, said),
        _split(found, said),
        _twice(found, said),
        _bees_faster(found, printed, said),
        _genes_faster(found, printed, said),
        *_largest(printed, said),
    ]


def shares(found: Results) -> dict[str, dict[str, float]]:
    """By method and table, the share of the time that MRMR takes."""
    times = {data: found.filter_times(data) for data in found.sets}
    of_bees = {data: slow / (slow + rest) for data, (slow, _, rest) in times.items()}
    of_genes = {
        data: float(np.mean(one["mrmr 50"]["seconds"]) / np.mean(one["genetic mrmr"]["seconds"]))
        for data, one in found.filters.items()
        if data in found.sets
    }
    return {"GBC": of_bees, "MRMR-GA": of_genes}


def _half(found: Results, printed: Numbers, said: Mapping[str, float]) -> Claim:
    share = said["share of the time that MRMR takes in most sets"]
    ours, in_print, verdicts = [], [], []
    for method, by in shares(found).items():
        n = counted(value > share for value in by.values())
        verdicts.append(most_of(*n))
        ours.append(f"{method}: {n[0]} of {n[1]}, {range_of(list(by.values()), '.0%')}")
        whole, first = (printed_row(printed, "4.6", method, what) for what in ("seconds", "seconds of the filter"))
        n_print = counted(first[data] / value > share for data, value in whole.items())
        in_print.append(f"{method} {n_print[0]} of {n_print[1]}")
    return Claim(
        "§4.5.3, Table 4.6",
        f"on most sets MRMR takes more than {share:.0%} of the time of GBC and of MRMR-GA",
        together(verdicts),
        "; ".join(ours),
        ", ".join(in_print),
    )


def _split(found: Results, said: Mapping[str, float]) -> Claim:
    """The half of the tables with fewer genes, and the other one."""
    low, high = (said[f"share of MRMR on sets of {which} genes"] for which in ("fewer", "more"))
    by = shares(found)["GBC"]
    order = sorted(by, key=lambda data: found.shapes[data][1])
    half = len(order) // 2
    fewer, more = ([by[data] for data in part] for part in (order[:half], order[half:]))
    is_so = [bool(fewer) and abs(float(np.mean(fewer)) - low) <= NEARLY, min(more) > high]
    return Claim(
        "§5.1, Fig. 5.1",
        f"MRMR takes nearly {low:.0%} of GBC's time on the sets of fewer genes and more than {high:.0%} on the others",
        on_all(is_so) if half else NOT_TESTED,
        f"fewer: {range_of(fewer, '.0%')}; more: {range_of(more, '.0%')} (our tables, not DA1 to DA6)"
        if half
        else "one table",
        f"{said['sets of the figure'] / 2:g} sets each",
    )


def _twice(found: Results, said: Mapping[str, float]) -> Claim:
    wanted, n_sets = said["MRMR+ is more than so many times as fast"], said["sets of the figure"]
    times = [found.filter_times(data) for data in found.sets]
    ratios = [slow / fast for slow, fast, _ in times]
    parts = [found.filters[data] for data in found.sets]
    block = [min(one["mrmr 50"]["seconds"]) / min(one["mrmr+ 50"]["seconds"]) for one in parts]
    return Claim(
        "§5.1, Fig. 5.2",
        f"MRMR+ is more than {wanted:g} times as fast as MRMR in GBC",
        together(at_least(ratio, wanted) for ratio in ratios),
        f"for what GBC ranks: {range_of(ratios, '.1f')} times; for 50 features: {range_of(block, '.1f')} times",
        f"all of {n_sets:g}",
    )


def _bees_faster(found: Results, printed: Numbers, said: Mapping[str, float]) -> Claim:
    wanted = said["GBC is so many times as fast with MRMR+"]
    times = [found.filter_times(data) for data in found.sets]
    ratios = [(slow + rest) / (fast + rest) for slow, fast, rest in times]
    return Claim(
        "§4.5.3, Table 4.6",
        f"on average GBC is about {wanted:g} times as fast with MRMR+ in place of MRMR",
        around(float(np.mean(ratios)), wanted),
        f"{range_of(ratios, '.2f')} times",
        f"mean {np.mean(_printed_ratios(printed, 'GBC')):.1f} times",
    )


def _genes_faster(found: Results, printed: Numbers, said: Mapping[str, float]) -> Claim:
    """Print comes to four by sums, not by a mean of ratios, so ours is judged by sums too."""
    wanted = said["MRMR-GA is so many times as fast with MRMR+"]
    parts = [found.filters[data] for data in found.sets]
    seconds = [[sum(one[f"genetic {name}"]["seconds"]) for name in ("mrmr", "mrmr+")] for one in parts]
    ratios = [slow / fast for slow, fast in seconds]
    slow, fast = np.sum(seconds, axis=0)
    n_same = sum(one["is_same_set"] for one in parts)
    rows = [printed_row(printed, "4.6", method, "seconds") for method in ("MRMR-GA", "MRMR-GA with MRMR+")]
    in_print = sum(rows[0].values()) / sum(rows[1][data] for data in rows[0])
    verdict = around(float(slow / fast), wanted)
    return Claim(
        "§4.5.3, Table 4.6",
        f"MRMR-GA is around {wanted:g} times as fast with MRMR+ in place of MRMR, with the same result",
        together([verdict, all_of(n_same, len(parts))]),
        f"{slow / fast:.2f} times by sums; {range_of(ratios, '.2f')} times; same set {n_same} of {len(parts)}",
        f"{in_print:.1f} times by sums, mean {np.mean(_printed_ratios(printed, 'MRMR-GA')):.1f}",
    )


def _largest(printed: Numbers, said: Mapping[str, float]) -> list[Claim]:
    """Of the two largest sets, which nobody has here."""
    wanted = {data: said[f"MRMR-GA is so many times as fast with MRMR+ on {data}"] for data in LARGEST}
    slow, fast = (printed_row(printed, "4.6", method, "seconds") for method in ("MRMR-GA", "MRMR-GA with MRMR+"))
    hours = said["GBC was stopped after so many hours"]
    return [
        Claim(
            "§4.5.3",
            "MRMR-GA is "
            + " and ".join(f"on {data} {value:g}" for data, value in wanted.items())
            + " times as fast with MRMR+ in place of MRMR",
            NOT_TESTED,
            NOT_HERE,
            ", ".join(f"{data} {slow[data] / fast[data]:.1f}" for data in LARGEST) + " times by Table 4.6",
        ),
        Claim(
            "§4.5.3",
            f"GBC had not ended after {hours:g} hours on {' and '.join(LARGEST)}",
            NOT_TESTED,
            f"{NOT_HERE}, and nothing is run for days",
            "no numbers in Table 4.6",
        ),
    ]


def _printed_ratios(printed: Numbers, method: str) -> Sequence[float]:
    slow, fast = (printed_row(printed, "4.6", name, "seconds") for name in (method, f"{method} with MRMR+"))
    return [value / fast[data] for data, value in slow.items()]
