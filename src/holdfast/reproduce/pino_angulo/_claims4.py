"""What chapter 4 says of FCFS, MRMR+ and CFS+, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from holdfast.reproduce.cells import Key, Printed
from holdfast.reproduce.pino_angulo._pair_counts import (
    cfs_pairs,
    mrmr_pairs,
    mrmr_values,
    naive_values,
    printed_avoided,
    printed_seconds,
    ratios,
    sizes,
)
from holdfast.reproduce.pino_angulo._pairwise import thought_bound
from holdfast.reproduce.pino_angulo._results4 import Results
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED, Claim

# "Around" a number: within this factor of it.
AROUND = 1.5
# Rounds take equally long if the last third takes less than this many times what the first third takes.
CONSTANT = 1.5
# "Only a few percent" of the pairs.
FEW = 0.05

Rows = Mapping[Key, Printed]


def claims(found: Results, printed: Rows) -> list[Claim]:
    """In the order of the chapter."""
    return [
        *_of_fcfs(found, printed),
        *_of_counts(found),
        *_of_thought(found),
        *_of_savings(found, printed),
    ]


def by_set(values: Mapping[str, float], digits: str = ".3g") -> str:
    """Numbers with the names of their sets."""
    return ", ".join(f"{data} {value:{digits}}" for data, value in values.items())


def counted(is_so: Iterable[bool]) -> tuple[int, int]:
    """How often, and of how many."""
    known = list(is_so)
    return sum(known), len(known)


def verdict_of(n: int, of: int) -> str:
    """Of a claim about every table."""
    if not of:
        return NOT_TESTED
    return HOLDS if n == of else IN_PART if n > of / 2 else FAILS


def at_least(value: float | None, wanted: float, some: float = 1.0) -> str:
    """Of a claim about a number: in part if it is at least above another one."""
    if value is None:
        return NOT_TESTED
    return HOLDS if value > wanted else IN_PART if value > some else FAILS


def around(value: float | None, wanted: float, factor: float) -> str:
    """Of a claim that something is so many times as fast: in part if it is faster at all."""
    if value is None:
        return NOT_TESTED
    return HOLDS if wanted / factor <= value <= wanted * factor else IN_PART if value > 1 else FAILS


def most(n: int, of: int) -> str:
    """Of a claim about most tables."""
    if not of:
        return NOT_TESTED
    return HOLDS if n > of / 2 else FAILS


def _of_fcfs(found: Results, printed: Rows) -> list[Claim]:
    naive, ratio = found.naive, found.naive_ratio
    same = counted(one["is_same"] for one in naive.values())
    formula = counted(one["values"] == naive_values(one["n_features"], one["n_kept"] + 1) for one in naive.values())
    fast = printed_seconds(printed, "4.2", "FCFS")
    in_print = ratios(printed_seconds(printed, "4.2", "CFS"), fast)
    mean = float(np.mean(list(ratio.values()))) if ratio else None
    high = {data: seconds for data, seconds in fast.items() if sizes()["4.1", data].n_features > 40000}
    return [
        Claim(
            "§4.2",
            "FCFS gives what CFS gives",
            verdict_of(*same),
            f"the same features in the same order on {same[0]} of {same[1]} tables",
        ),
        Claim(
            "§4.2",
            "CFS that computes every sum anew needs k(k + 1)(4nk − 3k² + 8n − 3k + 6)/24 values for k rounds",
            verdict_of(*formula),
            f"counted exactly so many on {formula[0]} of {formula[1]} tables, the round that ends the search included",
        ),
        Claim(
            "§4.3, Fig. 4.1",
            "on average FCFS is around 180 times as fast as CFS",
            around(mean, 180, AROUND),
            f"{by_set(ratio, '.0f')}; mean {mean:.0f}" if mean is not None else "",
            "a mean of 182 with BRE as the averages leave it; " + by_set(in_print, ".0f"),
        ),
        Claim(
            "§4.3",
            "on BRE FCFS is more than 300 times as fast as CFS",
            at_least(ratio.get("BRE"), 300),
            f"{ratio['BRE']:.0f} times" if "BRE" in ratio else "",
            "the column of BRE repeats that of ECM; the averages leave 309 times",
        ),
        _more_with_features(ratio, in_print),
        *_of_rounds(found),
        Claim(
            "§4.3",
            "FCFS took less than three minutes on each of the eight sets on which CFS did not end",
            NOT_TESTED,
            "these sets are not at hand",
            f"{sum(s < 180 for s in high.values())} of {len(high)}; Dorothea took {high['DOR']:.0f} s",
        ),
    ]


def _more_with_features(ratio: Mapping[str, float], in_print: Mapping[str, float]) -> Claim:
    def correlation(values: Mapping[str, float]) -> float:
        return float(spearmanr([sizes()["4.1", data].n_features for data in values], list(values.values())).statistic)

    is_tested = len(ratio) > 3
    ours = correlation(ratio) if is_tested else np.nan
    return Claim(
        "§4.3",
        "the more features, the larger the difference between CFS and FCFS",
        NOT_TESTED if not is_tested else HOLDS if ours > 0.5 else IN_PART if ours > 0 else FAILS,
        f"rank correlation {ours:.2f} over {len(ratio)} tables; it is the number of features kept, whose cube the work "
        "of CFS grows with, that decides"
        if is_tested
        else "",
        f"rank correlation {correlation(in_print):.2f} over {len(in_print)} sets",
    )


def growth(rounds: list[float]) -> float:
    """How many times as long the last third of rounds takes as the first, medians."""
    third = max(1, len(rounds) // 3)
    return float(np.median(rounds[-third:]) / np.median(rounds[:third]))


def _of_rounds(found: Results) -> list[Claim]:
    fast = {data: growth(one["rounds"]) for data, one in found.seconds.items()}
    slow = {data: growth(one["rounds"]) for data, one in found.naive.items()}
    is_constant = counted(1 / CONSTANT < value < CONSTANT for value in fast.values())
    is_growing = counted(value > CONSTANT for value in slow.values())
    what = "last third of the rounds over the first, seconds of one: "
    return [
        Claim("Fig. 4.2, 4.3", "a round of FCFS takes the same time from first to last", verdict_of(*is_constant),
              what + by_set(fast)),
        Claim("Fig. 4.2, 4.3", "a round of CFS takes the longer the more is chosen", verdict_of(*is_growing),
              what + by_set(slow)),
    ]  # fmt: skip


def _of_counts(found: Results) -> list[Claim]:
    every = [one for by in found.counts.values() for one in by.values()]
    same = {method: counted(one[method]["is_same"] for one in every) for method in ("MRMR", "CFS")}
    as_formula = counted(one["MRMR"]["pairs"] == mrmr_pairs(one["n_features"]) for one in every)
    of_cfs = counted(one["CFS"]["pairs"] == cfs_pairs(one["n_features"], one["CFS"]["n_kept"]) for one in every)
    return [
        Claim(
            "§4.4",
            "MRMR evaluates (n − q/2)(q + 1) pairs of features to pick q",
            NOT_TESTED if not every else FAILS if as_formula[0] == as_formula[1] else IN_PART,
            f"it is (n − q/2)(q − 1), exactly, on {as_formula[0]} of {as_formula[1]} tables and levels; "
            f"K·n − K(K + 1)/2 for the K features of CFS on {of_cfs[0]} of {of_cfs[1]}"
            if every
            else "",
            "Table 4.4 has (n − q/2)(q − 1) on 29 of 30 sets",
        ),
        *(
            Claim(
                "§4.1, §4.5.1",
                f"{method}+ gives what {method} gives",
                verdict_of(*same[method]),
                f"the same features in the same order on {same[method][0]} of {same[method][1]} tables and levels",
            )
            for method in ("MRMR", "CFS")
        ),
    ]


def _of_thought(found: Results) -> list[Claim]:
    below = counted(one["mean"] < thought_bound(int(one["n_features"])) for one in found.thought)
    words = "; ".join(
        f"n = {one['n_features']:.0f}: {one['mean']:.1f} on average, bound "
        f"{thought_bound(int(one['n_features'])):.1f}, MRMR {mrmr_values(int(one['n_features']), 10):,}"
        for one in found.thought
    )
    return [
        Claim(
            "§4.4.1.3, Fig. 4.4",
            "of features that share nothing MRMR+ computes far fewer values than MRMR, less than the bound (q = 10)",
            verdict_of(*below),
            words,
            "n = 100: bound 330.5, MRMR 5,170 (the printed recursion is no probability, that of records gives 330.5)",
        )
    ]


def _of_savings(found: Results, printed: Rows) -> list[Claim]:
    mrmr, cfs = found.times_faster("MRMR", "MRMR+"), found.times_faster("FCFS", "CFS+")
    of_mrmr, of_cfs = found.avoided("MRMR"), found.avoided("CFS")
    p_mrmr, p_cfs = (
        ratios(printed_seconds(printed, "4.4", method), printed_seconds(printed, "4.4", method + "+"))
        for method in ("MRMR", "CFS")
    )
    for_pairs = (
        f"; without levels and relevances, which both need: {by_set(found.times_faster_in_pairs('MRMR', 'MRMR+'))}"
    )
    n_ten = counted(value > 10 for value in mrmr.values())
    faster = counted(value > 1 for value in cfs.values())
    two_to_five = counted(2 <= value <= 5 for value in cfs.values())
    few = counted(1 - value <= FEW for value in of_mrmr.values())
    forty = counted(value > 0.4 for value in of_cfs.values())
    before = counted(of_mrmr[data] > of_cfs[data] for data in of_mrmr)
    p_of_mrmr, p_of_cfs = (printed_avoided(printed, method) for method in ("MRMR", "CFS"))
    p_before = counted(share > p_of_cfs[data] for data, share in p_of_mrmr.items())
    return [
        Claim("§4.5.1, Fig. 4.5", "for most sets MRMR+ is more than ten times as fast as MRMR", most(*n_ten),
              f"{n_ten[0]} of {n_ten[1]}: {by_set(mrmr)}" + (for_pairs if mrmr else ""),
              f"{sum(v > 10 for v in p_mrmr.values())} of {len(p_mrmr)}"),
        Claim("§6.6", "MRMR+ is around 30 to 40 times as fast as MRMR",
              most(*counted(30 / AROUND <= v <= 40 * AROUND for v in mrmr.values())),
              by_set(mrmr), _centre(p_mrmr)),
        Claim("§4.5.1", "CFS+ is faster than CFS", verdict_of(*faster), by_set(cfs),
              f"{sum(v > 1 for v in p_cfs.values())} of {len(p_cfs)}"),
        Claim("§4.5.1, Fig. 4.5", "CFS+ is around two to five times as fast as CFS", verdict_of(*two_to_five),
              by_set(cfs), f"{sum(2 <= v <= 5 for v in p_cfs.values())} of {len(p_cfs)} between 2 and 5"),
        Claim("§4.5.1, Fig. 4.6", "MRMR+ computes only a few percent of what MRMR does", verdict_of(*few),
              "avoided: " + by_set(of_mrmr, ".1%"), _range(p_of_mrmr)),
        Claim("§4.5.1, Fig. 4.6", "CFS+ avoids more than forty percent of the evaluations", verdict_of(*forty),
              "avoided: " + by_set(of_cfs, ".1%"), _range(p_of_cfs)),
        Claim("§4.5.1", "for most sets MRMR+ avoids a larger share than CFS+", most(*before),
              f"{before[0]} of {before[1]}", f"{p_before[0]} of {p_before[1]}"),
        _of_curves(found),
    ]  # fmt: skip


def _centre(values: Mapping[str, float]) -> str:
    every = list(values.values())
    return f"mean {np.mean(every):.1f}, median {np.median(every):.1f}"


def _range(shares: Mapping[str, float]) -> str:
    values = np.array(list(shares.values()))
    return f"avoided: {values.min():.1%} to {values.max():.2%}, on average {values.mean():.1%}"


def at_round(one: Mapping[str, Any], method: str, n_chosen: int) -> int:
    """Pairs measured until so many features are chosen, in the order of print."""
    count: int = one[method]["cumulative"][n_chosen - 1]
    return count


def _of_curves(found: Results) -> Claim:
    n_below, n_rounds, ends = 0, 0, {}
    for data, one in found.judged.items():
        shared = min(len(one["MRMR"]["cumulative"]), len(one["CFS"]["cumulative"]))
        n_rounds += shared - 1
        n_below += sum(at_round(one, "MRMR", k) < at_round(one, "CFS", k) for k in range(2, shared + 1))
        ends[data] = at_round(one, "CFS", shared) / at_round(one, "MRMR", shared)
    return Claim(
        "Fig. 4.8, 4.9",
        "MRMR+ evaluates less than CFS+ in every round",
        verdict_of(n_below, n_rounds),
        f"less until the same number of features in {n_below} of {n_rounds} rounds; at the last that both have CFS+ "
        f"has evaluated so many times as much: {by_set(ends)}"
        if n_rounds
        else "",
        "figure only",
    )
