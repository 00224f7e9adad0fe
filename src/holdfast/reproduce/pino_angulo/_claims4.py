"""What chapter 4 says of FCFS, MRMR+ and CFS+, and whether it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from holdfast.reproduce.cells import Key, Printed, read_said
from holdfast.reproduce.pino_angulo._pair_counts import (
    N_PICKED,
    cfs_pairs,
    in_thousands,
    left_by_averages,
    mrmr_pairs,
    mrmr_values,
    naive_values,
    printed_avoided,
    printed_counts,
    printed_seconds,
    ratios,
    sizes,
)
from holdfast.reproduce.pino_angulo._pairwise import thought_bound
from holdfast.reproduce.pino_angulo._results4 import Results
from holdfast.reproduce.pino_angulo._sets4 import NO_END
from holdfast.reproduce.pino_angulo._verdicts import around, at_least, between, by_set
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED, Claim
from holdfast.reproduce.verdicts import all_of, as_in_print, counted, most_of, on_all, together

PRINTED = "pino-angulo-4"
NOT_HERE = "not at hand"
# Rounds take equally long if the last third takes less than this many times what the first third takes.
CONSTANT = 1.5
# "Only a few percent" of the pairs.
FEW = 0.05

Rows = Mapping[Key, Printed]


def claims(found: Results, printed: Rows) -> list[Claim]:
    """In the order of the chapter."""
    return [
        *_of_fcfs(found, printed),
        *_of_counts(found, printed),
        *_of_thought(found),
        *_of_savings(found, printed),
    ]


def _of_fcfs(found: Results, printed: Rows) -> list[Claim]:
    naive, ratio = found.naive, found.naive_ratio
    same = counted(one["is_same"] for one in naive.values())
    formula = counted(one["values"] == naive_values(one["n_features"], one["n_kept"] + 1) for one in naive.values())
    fast = printed_seconds(printed, "4.2", "FCFS")
    in_print = ratios(printed_seconds(printed, "4.2", "CFS"), fast)
    of_bre = left_by_averages(printed)
    mean = float(np.mean(list(ratio.values()))) if ratio else None
    said = read_said(PRINTED)
    average = said["FCFS is so many times as fast as CFS on average"]
    return [
        Claim(
            "§4.2",
            "FCFS gives what CFS gives",
            all_of(*same),
            f"the same features in the same order on {same[0]} of {same[1]} tables",
        ),
        Claim(
            "§4.2",
            "CFS that computes every sum anew needs k(k + 1)(4nk − 3k² + 8n − 3k + 6)/24 values for k rounds",
            all_of(*formula),
            f"counted exactly so many on {formula[0]} of {formula[1]} tables, the round that ends the search included",
        ),
        Claim(
            "§4.3, Fig. 4.1",
            f"on average FCFS is around {average:g} times as fast as CFS",
            around(mean, average),
            f"{by_set(ratio, '.0f')}; mean {mean:.0f}" if mean is not None else "",
            f"a mean of {np.mean([*in_print.values(), of_bre]):.0f} with BRE as the averages leave it; "
            + by_set(in_print, ".0f"),
        ),
        _times_on(("BRE", "GCM"), ratio, {**in_print, "BRE": of_bre}, said),
        _times_on(("DA3", "ECM"), ratio, in_print, said),
        _more_with_features(ratio, in_print),
        *_of_rounds(found),
        *_without_end(found, fast, said),
    ]


def _times_on(
    sets: tuple[str, str], ratio: Mapping[str, float], in_print: Mapping[str, float], said: Mapping[str, float]
) -> Claim:
    """A claim on two sets; those that are not at hand cannot be tested."""
    wanted = said[f"FCFS is more than so many times as fast as CFS on {' and '.join(sets)}"]
    there = {data: ratio[data] for data in sets if data in ratio}
    absent = [data for data in sets if data not in ratio]
    repeats = "; the column of BRE repeats that of ECM, this is what the averages leave" if "BRE" in sets else ""
    return Claim(
        "§4.3",
        f"on {' and '.join(sets)} FCFS is more than {wanted:g} times as fast as CFS",
        together(at_least(value, wanted) for value in there.values()),
        "; ".join([by_set(there, ".0f")] * bool(there) + [f"{', '.join(absent)}: {NOT_HERE}"] * bool(absent)),
        by_set({data: in_print[data] for data in sets}, ".0f") + repeats,
    )


def _without_end(found: Results, in_print: Mapping[str, float], said: Mapping[str, float]) -> list[Claim]:
    """On sets of very many features; of CFS itself nothing of the kind is tried."""
    minutes, hours = said["FCFS took less than so many minutes"], said["CFS was stopped after so many hours"]
    high = {data: value for data, value in in_print.items() if sizes()["4.1", data].n_features >= NO_END}
    there = {data: found.seconds[data]["FCFS"] for data in high if data in found.seconds}
    below = counted(value < 60 * minutes for value in high.values())
    return [
        Claim(
            "§4.3",
            f"FCFS took less than {minutes:g} minutes on each of the {len(high)} sets on which CFS did not end",
            all_of(*counted(value < 60 * minutes for value in there.values())),
            f"seconds: {by_set(there)}" if there else f"these sets are {NOT_HERE}",
            f"{below[0]} of {below[1]}; DOR took {high['DOR']:.0f} s",
        ),
        Claim(
            "§4.3",
            f"CFS had not ended after {hours:g} hours on each of these sets",
            NOT_TESTED,
            f"these sets are {NOT_HERE}, and nothing is run for days",
            f"{len(high)} of {len(high)}",
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
        Claim("Fig. 4.2, 4.3", "a round of FCFS takes the same time from first to last", all_of(*is_constant),
              what + by_set(fast)),
        Claim("Fig. 4.2, 4.3", "a round of CFS takes the longer the more is chosen", all_of(*is_growing),
              what + by_set(slow)),
    ]  # fmt: skip


def _of_counts(found: Results, printed: Rows) -> list[Claim]:
    n_print = counted(
        in_thousands(mrmr_pairs(sizes()["4.3", data].n_features), count) == count
        for data, count in printed_counts(printed, "MRMR").items()
    )
    every = [one for by in found.counts.values() for one in by.values()]
    same = {method: counted(one[method]["is_same"] for one in every) for method in ("MRMR", "CFS")}
    as_formula = counted(one["MRMR"]["pairs"] == mrmr_pairs(one["n_features"]) for one in every)
    of_cfs = counted(one["CFS"]["pairs"] == cfs_pairs(one["n_features"], one["CFS"]["n_kept"]) for one in every)
    return [
        Claim(
            "§4.4",
            "MRMR evaluates (n − q/2)(q + 1) pairs of features to pick q",
            on_all(one["MRMR"]["pairs"] == (one["n_features"] - N_PICKED / 2) * (N_PICKED + 1) for one in every),
            f"it is (n − q/2)(q − 1), exactly, on {as_formula[0]} of {as_formula[1]} tables and levels; "
            f"K·n − K(K + 1)/2 for the K features of CFS on {of_cfs[0]} of {of_cfs[1]}"
            if every
            else "",
            f"Table 4.4 has (n − q/2)(q − 1) on {n_print[0]} of {n_print[1]} sets",
        ),
        *(
            Claim(
                "§4.1, §4.5.1",
                f"{method}+ gives what {method} gives",
                all_of(*same[method]),
                f"the same features in the same order on {same[method][0]} of {same[method][1]} tables and levels",
            )
            for method in ("MRMR", "CFS")
        ),
    ]


def _of_thought(found: Results) -> list[Claim]:
    said = read_said(PRINTED)
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
            all_of(*below),
            words,
            f"n = 100: bound {said['bound of 100 features']:g}, MRMR {said['MRMR of 100 features']:,.0f} (the printed "
            f"recursion is no probability, that of records gives {thought_bound(100):.1f})",
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
    p_of_mrmr, p_of_cfs = (printed_avoided(printed, method) for method in ("MRMR", "CFS"))
    said = read_said(PRINTED)
    ten = said["MRMR+ is more than so many times as fast on most sets"]
    two, five = (said[f"CFS+ is at {end} so many times as fast"] for end in ("least", "most"))
    low, high = (said[f"MRMR+ is at {end} so many times as fast"] for end in ("least", "most"))
    share = said["CFS+ avoids more than this share"]
    n_ten = counted(value > ten for value in mrmr.values())
    faster, two_to_five, few, forty = (
        as_in_print(map(test, here.values()), map(test, there.values()))
        for test, here, there in (
            (lambda value: value > 1, cfs, p_cfs),
            (lambda value: two <= value <= five, cfs, p_cfs),
            (lambda value: 1 - value <= FEW, of_mrmr, p_of_mrmr),
            (lambda value: value > share, of_cfs, p_of_cfs),
        )
    )
    before = counted(of_mrmr[data] > of_cfs[data] for data in of_mrmr)
    p_before = counted(share > p_of_cfs[data] for data, share in p_of_mrmr.items())
    return [
        Claim("§4.5.1, Fig. 4.5", f"for most sets MRMR+ is more than {ten:g} times as fast as MRMR", most_of(*n_ten),
              f"{n_ten[0]} of {n_ten[1]}: {by_set(mrmr)}" + (for_pairs if mrmr else ""),
              f"{sum(v > ten for v in p_mrmr.values())} of {len(p_mrmr)}"),
        Claim("§6.6", f"MRMR+ is around {low:g} to {high:g} times as fast as MRMR",
              most_of(*counted(between(value, low, high) == HOLDS for value in mrmr.values())),
              by_set(mrmr), _centre(p_mrmr)),
        *(
            Claim("Chapter 7", f"{method} is {times:g} times as fast as its original", around(_mean(ours), times),
                  f"mean {_mean(ours):.1f}: {by_set(ours)}" if ours else "", _centre(theirs))
            for method, ours, theirs in (("CFS+", cfs, p_cfs), ("MRMR+", mrmr, p_mrmr))
            for times in [said[f"{method} is so many times as fast"]]
        ),
        _minutes(found, printed, said),
        Claim("§4.5.1", "CFS+ is faster than CFS", faster, by_set(cfs),
              f"{sum(v > 1 for v in p_cfs.values())} of {len(p_cfs)}"),
        Claim("§4.5.1, Fig. 4.5", f"CFS+ is around {two:g} to {five:g} times as fast as CFS", two_to_five,
              by_set(cfs), f"{sum(two <= v <= five for v in p_cfs.values())} of {len(p_cfs)}"),
        Claim("§4.5.1, Fig. 4.6", "MRMR+ computes only a few percent of what MRMR does", few,
              "avoided: " + by_set(of_mrmr, ".1%"), _range(p_of_mrmr)),
        Claim("§4.5.1, Fig. 4.6", f"CFS+ avoids more than {share:.0%} of the evaluations", forty,
              "avoided: " + by_set(of_cfs, ".1%"), _range(p_of_cfs)),
        Claim("§4.5.1", "for most sets MRMR+ avoids a larger share than CFS+", most_of(*before),
              f"{before[0]} of {before[1]}", f"{p_before[0]} of {p_before[1]}"),
        _of_curves(found),
    ]  # fmt: skip


def _mean(values: Mapping[str, float]) -> float | None:
    return float(np.mean(list(values.values()))) if values else None


def _minutes(found: Results, printed: Rows, said: Mapping[str, float]) -> Claim:
    """Of the four largest texts; a few seconds are less than one of those minutes."""
    sets = ("LA2", "LA1", "OHS", "NEW")
    minutes = said[f"MRMR needs more than so many minutes on {', '.join(sets[:-1])} and {sets[-1]}"]
    there = {data: found.seconds[data] for data in sets if data in found.seconds}
    is_so = counted(one["MRMR"] > 60 * minutes and one["MRMR+"] < 60 for one in there.values())
    in_print = {method: printed_seconds(printed, "4.4", method) for method in ("MRMR", "MRMR+")}
    return Claim(
        "§4.5.1",
        f"on {', '.join(sets)} MRMR needs more than {minutes:g} minutes and MRMR+ a few seconds",
        all_of(*is_so),
        "; ".join(f"{data} {one['MRMR']:.3g} and {one['MRMR+']:.3g} s" for data, one in there.items())
        or f"these sets are {NOT_HERE}",
        "; ".join(f"{data} {in_print['MRMR'][data]:g} and {in_print['MRMR+'][data]:g} s" for data in sets),
    )


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
        all_of(n_below, n_rounds),
        f"less until the same number of features in {n_below} of {n_rounds} rounds; at the last that both have CFS+ "
        f"has evaluated so many times as much: {by_set(ends)}"
        if n_rounds
        else "",
        "figure only",
    )
