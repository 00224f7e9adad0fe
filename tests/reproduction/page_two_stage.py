"""Write docs/reproduction/two_stage.md: GBC and GBC+ of Pino Angulo 2019, our numbers beside the printed ones.

Run ``PYTHONPATH=tests python -m reproduction.page_two_stage FOLDER``, the tables being in HOLDFAST_DATA or
../shared/data; FOLDER is where runs are kept.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import sklearn
from scipy.stats import binomtest, wilcoxon

import holdfast
from reproduction.markdown import rows_of, write_page
from reproduction.printed import Printed, judge, noise, read_numbers
from reproduction.two_stage import (
    ASIDE,
    BUDGETS,
    FILES,
    N_FOLDS,
    N_PARTITIONS,
    N_SEEDS,
    N_SEEDS_SAME,
    OTHERWISE,
    OUTER,
    VARIANTS,
    Results,
    Search,
    accuracy_and_area,
    load,
    run_all,
)
from reproduction.verdicts_consistency import DIRECTION, FAILS, HOLDS, Verdict

PAGE = Path(__file__).parents[2] / "docs" / "reproduction" / "two_stage.md"
PRINTED = Path(__file__).with_name("printed_two_stage.csv")
COLUMNS = ("table", "data", "method", "quantity")
SAVINGS = {"stop i": "stop i", "stop ii": "stop ii", "look-up": "look-up table", "minor": "all"}
# Within so many points of a printed percentage is about as much.
NEAR = 10
EVALUATIONS, TIME = "% evaluations saved", "% time saved"


def read_printed() -> dict[tuple[str, ...], Printed]:
    """Every number of Tables 4.6 and 5.1 to 5.4."""
    return read_numbers(PRINTED, COLUMNS)


def printed_row(table: str, method: str, quantity: str) -> dict[str, float]:
    """A method's numbers by data, without the average."""
    return {
        data: one.value
        for (in_table, data, *rest), one in read_printed().items()
        if in_table == table and data != "AVE" and rest == [method, quantity]
    }


def counted(ours: Sequence[float], others: Sequence[float]) -> tuple[int, int, int, float]:
    """How often larger, equal and smaller, and the sign test's p."""
    gaps = np.subtract(ours, others)
    wins, losses = int((gaps > 1e-9).sum()), int((gaps < -1e-9).sum())
    p = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    return wins, len(gaps) - wins - losses, losses, float(p)


def told(count: tuple[int, int, int, float]) -> str:
    """Wins, ties and losses with p."""
    wins, ties, losses, p = count
    return f"{wins}/{ties}/{losses} (p = {p:.2g})"


def over_sets(gaps: Sequence[float]) -> str:
    """Mean of differences over tables, and Wilcoxon's p."""
    gaps = np.round(gaps, 9)
    p = wilcoxon(gaps).pvalue if np.any(gaps) else 1.0
    return f"mean {np.mean(gaps):+.4f} over {len(gaps)} tables, p = {p:.2g}"


def spread(values: Sequence[float], digits: int = 3) -> str:
    """Mean and standard deviation."""
    return f"{np.mean(values):.{digits}f} ± {np.std(values):.{digits}f}"


def saved(found: Results, data: str, variant: str, what: str) -> float:
    """Percentage of GBC's evaluations or seconds that a variant does without."""
    return 100 * (1 - found.mean(data, variant, what) / found.mean(data, "GBC", what))


def gaps_of(found: Results, data: str, variant: str, other: str = "GBC") -> np.ndarray:
    """Fitness less that of another variant, by seed."""
    return np.array(
        [a.fitness - b.fitness for a, b in zip(found.of(data, variant), found.of(data, other), strict=True)]
    )


def pairs_of(found: Results, variant: str) -> list[tuple[Search, Search]]:
    """Searches of a variant, each with that of GBC."""
    return [
        (one, found.searches[data, "GBC", seed])
        for (data, by, seed), one in found.searches.items()
        if by == variant and data in found.sets
    ]


def outer(found: Results, data: str, method: str, partition: int) -> tuple[float, float, float]:
    """Accuracy over the folds of a partition, mean inner fitness and mean size."""
    parts = [one[method] for one in found.outer[data, partition]]
    is_right = [answer[1] for part in parts for answer in part["answers"]]
    return float(np.mean(is_right)), *(float(np.mean([part[what] for part in parts])) for what in ("fitness", "size"))


def outer_means(found: Results, data: str, method: str) -> np.ndarray:
    """By partition: accuracy, inner fitness, size; NaN for a method that was not run."""
    methods = found.outer[data, 0][0]
    return np.array(
        [outer(found, data, method, i) if method in methods else [np.nan] * 3 for i in found.partitions(data)]
    )


def at_stop(found: Results, data: str, *, requests: bool = False) -> tuple[list[float], list[float]]:
    """Fitness of GBC+ when it stopped, and of GBC after as many evaluations, or requests."""
    plus, plain = found.of(data, "GBC+"), found.of(data, "GBC")
    spent = [one.n_requests if requests else one.n_evaluations for one in plus]
    others = [one.best_at(n, requests=requests) for one, n in zip(plain, spent, strict=True)]
    return [one.fitness for one in plus], others


def verdicts(found: Results) -> list[Verdict]:
    """Every claim."""
    return [
        _same(found, "MRMR+", "§5.1", "MRMR+ in place of MRMR changes nothing but the time", "same set"),
        _same(found, "look-up", "§5.4", "the look-up table changes nothing but the time", "accuracy does not vary"),
        _same(found, "stop i", "§5.4", "stop i does not change the accuracy", "accuracy does not vary"),
        _same(found, "stop ii", "§5.4", "stop ii does not change the accuracy", "accuracy does not vary"),
        _same(found, "minor", "§5.4", "all three together do not change the accuracy", "accuracy does not vary"),
        *(_saving(found, variant) for variant in SAVINGS),
        _first_bees(found),
        _mutation(found),
        _greedy(found),
        _equal(found),
        _accuracy(found),
        _faster(found),
        _more_genes(found),
        *_filter(found),
    ]


def _same(found: Results, variant: str, source: str, text: str, printed: str) -> Verdict:
    pairs = pairs_of(found, variant)
    n_same = sum(one.features == plain.features for one, plain in pairs)
    gaps = [one.fitness - plain.fitness for one, plain in pairs]
    n_equal = sum(abs(gap) < 1e-9 for gap in gaps)
    lost = {data: float(-gaps_of(found, data, variant).mean()) for data in found.sets} if variant != "MRMR+" else {}
    worst = [f"{data} {value:.4f}" for data, value in sorted(lost.items(), key=lambda item: -item[1]) if value > 1e-9]
    evidence = f"same fitness {n_equal} of {len(pairs)}, same set {n_same}"
    if worst:
        evidence += f"; mean loss {-np.mean(gaps):.4f}, at most {-min(gaps):.4f}; by table {', '.join(worst)}"
    if variant == "MRMR+":
        evidence += f"; pairs measured {sum(a.n_pairs for a, _ in pairs) / sum(b.n_pairs for _, b in pairs):.0%}"
    verdict = HOLDS if n_equal == len(pairs) else FAILS
    return Verdict(f"same-{variant}", source, text, printed, verdict, "", evidence)


def _saving(found: Results, variant: str) -> Verdict:
    there = read_printed()
    ours, in_print, words = [], [], []
    for quantity, what in ((EVALUATIONS, "n_evaluations"), (TIME, "seconds")):
        by = {data: saved(found, data, variant, what) for data in found.sets}
        ours.append(float(np.mean(list(by.values()))))
        in_print.append(there["5.1", "AVE", variant, quantity].value)
        rows = printed_row("5.1", variant, quantity).values()
        words.append(
            f"{ours[-1]:.0f} % of {quantity.split()[1]} ({min(by.values()):.0f} … {max(by.values()):.0f}; in print "
            f"{min(rows):.0f} … {max(rows):.0f})"
        )
    near = all(abs(a - b) <= NEAR for a, b in zip(ours, in_print, strict=True))
    verdict = HOLDS if near else DIRECTION if min(ours) > 0 else FAILS
    return Verdict(
        f"saved-{variant}",
        "Table 5.1",
        f"{SAVINGS[variant]} saves evaluations and time, within {NEAR} points of the printed average",
        f"{in_print[0]:.0f} / {in_print[1]:.0f} %" + (" (one row)" if variant == "stop ii" else ""),
        verdict,
        "",
        "; ".join(words),
    )


def bees_means(found: Results, data: str, start: str, what: str) -> np.ndarray:
    """By seed: the mean, or the largest fitness, or requests, of first bees."""
    parts = [one for (name, by, _), one in found.bees.items() if (name, by) == (data, start)]
    of: dict[str, Callable[[Mapping], float]] = {
        "mean": lambda one: np.mean(one["fitness"]),
        "best": lambda one: one["fitness"][0],
        "size": lambda one: np.mean(one["sizes"]),
        "requests": lambda one: one["requests"],
    }
    return np.array([of[what](one) for one in parts], dtype=float)


def _first_bees(found: Results) -> Verdict:
    words, better = [], []
    for what in ("mean", "best"):
        gaps = [
            bees_means(found, data, "ranked", what) - bees_means(found, data, "uniform", what) for data in found.sets
        ]
        n_better = sum(gap.mean() > 0 for gap in gaps)
        better.append(n_better / len(gaps))
        words.append(f"{what} fitness higher on {n_better} of {len(gaps)}, {over_sets([gap.mean() for gap in gaps])}")
    verdict = HOLDS if min(better) == 1 else DIRECTION if better[0] > 0.5 else FAILS
    return Verdict(
        "first-bees",
        "Fig. 5.4",
        "first bees drawn by rank are more accurate",
        "figure only",
        verdict,
        "",
        "; ".join(words),
    )


def phases(found: Results, variant: str) -> tuple[Counter, Counter, int]:
    """By phase how many queens came after the first, and what they gained in all; and the number of searches."""
    number, gain = Counter(), Counter()
    runs = [one for data in found.sets for one in found.of(data, variant)]
    for one in runs:
        for before, queen in zip(one.queens, one.queens[1:], strict=False):
            number[queen[1]] += 1
            gain[queen[1]] += queen[2] - before[2]
    return number, gain, len(runs)


def _mutation(found: Results) -> Verdict:
    number, gain, n_runs = phases(found, "GBC")
    share = gain["mutation"] / max(sum(gain.values()), 1e-12)
    return Verdict(
        "mutation",
        "§5.3",
        "the queen's mutation has no effect (less than a twentieth of what is gained)",
        "in words",
        HOLDS if share < 0.05 else FAILS,
        "",
        f"{number['mutation']} of {sum(number.values())} better queens in {n_runs} searches, {share:.1%} of the gain",
    )


def _greedy(found: Results) -> Verdict:
    number, gain, n_runs = phases(found, "greedy queen")
    share = (gain["forward"] + gain["backward"]) / max(sum(gain.values()), 1e-12)
    gaps = [gaps_of(found, data, "greedy queen").mean() for data in found.sets]
    count = counted(*np.array([(one.fitness, plain.fitness) for one, plain in pairs_of(found, "greedy queen")]).T)
    verdict = HOLDS if count[0] > count[2] and count[3] < 0.05 else DIRECTION if np.mean(gaps) > 0 else FAILS
    return Verdict(
        "greedy",
        "Fig. 5.5",
        "GBC with the greedy queen ends higher than GBC",
        "figure only",
        verdict,
        "",
        f"won/equal/lost {told(count)}; {over_sets(gaps)}; {number['forward']} + {number['backward']} better queens by "
        f"adding and dropping in {n_runs} searches, {share:.0%} of the gain",
    )


def _equal(found: Results) -> Verdict:
    words, ahead = [], []
    for requests in (False, True):
        by = {data: at_stop(found, data, requests=requests) for data in found.sets}
        gaps = [float(np.mean(np.subtract(*pair))) for pair in by.values()]
        count = counted(*(np.concatenate(side) for side in zip(*by.values(), strict=True)))
        ahead.append(count[0] > count[2] and count[3] < 0.05)
        words.append(f"as many {'requests' if requests else 'evaluations'}: {told(count)}, {over_sets(gaps)}")
    return Verdict(
        "equal",
        "(ours)",
        "GBC+ is ahead of GBC when it stops, at equal evaluations; and at equal requests",
        "–",
        HOLDS if all(ahead) else DIRECTION if any(ahead) else FAILS,
        "",
        "; ".join(words),
    )


def _accuracy(found: Results) -> Verdict:
    inner = [gaps_of(found, data, "GBC+").mean() for data in found.sets]
    honest = [
        float((outer_means(found, data, "GBC+") - outer_means(found, data, "GBC")).mean(axis=0)[0])
        for data in found.judged_sets
    ]
    say = [HOLDS if min(gaps) > -1e-9 else DIRECTION if np.mean(gaps) > 0 else FAILS for gaps in (inner, honest)]
    n_inner, n_honest = (sum(gap > -1e-9 for gap in gaps) for gaps in (inner, honest))
    return Verdict(
        "accuracy",
        "Table 5.2",
        "GBC+ is at least as accurate as GBC on every table",
        "15 of 15",
        *say,
        f"fitness: {n_inner} of {len(inner)}, {over_sets(inner)}; outer: {n_honest} of {len(honest)}, "
        f"{over_sets(honest)}",
    )


def _faster(found: Results) -> Verdict:
    sums = [sum(found.mean(data, variant, "seconds") for data in found.sets) for variant in ("GBC", "GBC+")]
    ratios = [found.mean(data, "GBC", "seconds") / found.mean(data, "GBC+", "seconds") for data in found.sets]
    there = [printed_row("5.3", method, "seconds") for method in ("GBC", "GBC+")]
    printed = sum(there[0].values()) / sum(there[1][data] for data in there[0])
    return Verdict(
        "faster",
        "Table 5.3",
        "GBC+ is about four times as fast as GBC",
        f"{printed:.1f} times (sums)",
        HOLDS if sums[0] / sums[1] >= printed else DIRECTION if sums[0] > sums[1] else FAILS,
        "",
        f"{sums[0] / sums[1]:.1f} times (sums), by table {min(ratios):.1f} to {max(ratios):.1f}",
    )


def _more_genes(found: Results) -> Verdict:
    inner = {data: [found.mean(data, variant, "size") for variant in ("GBC", "GBC+")] for data in found.sets}
    honest = {
        data: [outer_means(found, data, variant).mean(axis=0)[2] for variant in ("GBC", "GBC+")]
        for data in found.judged_sets
    }
    say, words = [], []
    for by in (inner, honest):
        n = sum(plus > plain for plain, plus in by.values())
        say.append(HOLDS if n == len(by) else DIRECTION if n > len(by) / 2 else FAILS)
        means = np.mean(list(by.values()), axis=0)
        words.append(f"{n} of {len(by)}; mean {means[1]:.1f} against {means[0]:.1f}")
    there = [printed_row("5.4", method, "genes") for method in ("GBC", "GBC+")]
    n = sum(there[1][data] > value for data, value in there[0].items())
    return Verdict(
        "genes",
        "Table 5.4",
        "GBC+ chooses more genes than GBC on every table",
        f"{n} of {len(there[0])}; mean {np.mean([there[1][data] for data in there[0]]):.1f} against "
        f"{np.mean(list(there[0].values())):.1f}",
        *say,
        f"all samples: {words[0]}; inside: {words[1]}",
    )


def filter_times(found: Results, data: str) -> tuple[float, float, float]:
    """Seconds of MRMR and MRMR+ for what GBC ranks, and of the rest of GBC."""
    one = found.filters[data]
    slow, fast = (one[f"{name} {one['n_ranked']}"]["seconds"] for name in ("mrmr", "mrmr+"))
    return slow, fast, max(found.mean(data, "GBC", "seconds") - slow, 0.0)


def _filter(found: Results) -> list[Verdict]:
    times = {data: filter_times(found, data) for data in found.sets}
    shares = [slow / (slow + rest) for slow, _, rest in times.values()]
    twice = [slow / fast for slow, fast, _ in times.values()]
    block = [
        one["mrmr 50"]["seconds"] / one["mrmr+ 50"]["seconds"] for one in (found.filters[data] for data in found.sets)
    ]
    whole = [(slow + rest) / (fast + rest) for slow, fast, rest in times.values()]
    in_print = [printed_row("4.6", method, "seconds") for method in ("GBC", "GBC with MRMR+")]
    printed = np.mean([value / in_print[1][data] for data, value in in_print[0].items()])

    def range_of(values: Sequence[float], form: str) -> str:
        return f"mean {np.mean(values):{form}}, {min(values):{form}} to {max(values):{form}}"

    return [
        Verdict(
            "filter-share",
            "Fig. 5.1, Table 4.6",
            "MRMR takes about half of GBC's time or more",
            "> 50 % on 15 of 18",
            HOLDS if np.mean(shares) >= 0.5 else FAILS,
            "",
            range_of(shares, ".0%"),
        ),
        Verdict(
            "filter-twice",
            "Fig. 5.2",
            "MRMR+ is more than twice as fast as MRMR in GBC",
            "all of six",
            HOLDS if min(twice) > 2 else DIRECTION if np.mean(twice) > 1 else FAILS,
            "",
            f"for what GBC ranks: {range_of(twice, '.1f')} times; for 50 features: {range_of(block, '.1f')} times",
        ),
        Verdict(
            "filter-whole",
            "Table 4.6",
            "GBC is about three times as fast with MRMR+ in place of MRMR",
            f"{printed:.1f} times",
            HOLDS if np.mean(whole) > 2.5 else DIRECTION if np.mean(whole) > 1 else FAILS,
            "",
            f"{range_of(whole, '.2f')} times",
        ),
    ]


def page(found: Results) -> str:
    """The whole page but for the part written by hand."""
    seconds = sum(one.seconds for one in found.searches.values())
    parts = {
        "Verdicts": _claims(verdicts(found)),
        "Tables": _tables(found),
        "Each switch alone (10 seeds)": _ablation(found),
        "Evaluations and time saved (Table 5.1)": _savings(found),
        "The look-up table in other settings": _lookups(found),
        "GBC+ against GBC at equal evaluations": _at_equal(found),
        "First bees (Figure 5.4)": _bees(found),
        "Where better queens come from (Figure 5.5)": _queens(found),
        "Outer accuracy": _outer(found),
        "Beside Tables 5.2 to 5.4": _cells(found),
        "The filter's share (Figures 5.1 and 5.2, Table 4.6)": _filters(found),
    }
    lines = [
        "# Pino Angulo 2019, chapter 5: GBC and GBC+, rerun",
        "",
        f"Written by `PYTHONPATH=tests python -m reproduction.page_two_stage FOLDER` on {dt.date.today()}, Holdfast "
        f"{holdfast.__version__}, Python {platform.python_version()}, scikit-learn {sklearn.__version__}, one of "
        f"{os.cpu_count()} cores ({platform.machine()}) that others used too; {seconds / 60:.0f} min of processor time "
        f"for {len(found.searches)} searches on all samples, and the outer ones. Seeds 0 to {N_SEEDS - 1}.",
        "",
        *_EXPLAINED,
    ]
    for title, text in parts.items():
        lines += ["", f"## {title}", "", *text]
    return "\n".join([*lines, ""])


_EXPLAINED = [
    "GBC draws a pool with MRMR (blocks of 50 features until an SVM has no error with all of them, at most 10 blocks; "
    "else the best pool), and bees search it. GBC+ has MRMR+ for MRMR, first bees drawn by rank, a queen that is "
    "improved feature by feature, two stops and a look-up table. The thesis gives none of these numbers, ours are: 40 "
    "bees, 100 cycles, limit 5, mutation 0.01, stop i at fitness 1, stop ii after 10 cycles without a better queen. "
    "Fitness is the accuracy of an SVM (radial kernel of width 1/k, C = 1, standardised) in 5 folds.",
    "",
    "- The sets of Table 5.1 (RSCTC'2010, DA1 to DA6) and most of Tables 5.2 to 5.4 are not at hand. These are other "
    "tables, so a claim that fails here may hold there. One is the thesis's (Breast is BRE), one is a part of one (St "
    "Jude, STJ).",
    "- **Fitness** is what a search maximised, on the samples it is judged on. **Outer** accuracy is that of the same "
    "SVM on samples that took no part in filter and search.",
    "- **Evaluations** are SVMs cross-validated, **requests** the times that a fitness was asked for; without a "
    "look-up table they are the same. Seconds are of one processor, filter included.",
    "- A ± b: mean and standard deviation over seeds. won/equal/lost: over seeds, with the p of a sign test; p over "
    "tables is of Wilcoxon's signed ranks of the tables' mean differences. Seeds of one table share its samples, so "
    "only the latter speaks of other tables.",
    "- **holds**; **direction only**: less than is claimed, or not everywhere, but on average in the same direction; "
    "**does not hold**. The column *outer* is the verdict with outer accuracy, or with choices inside the folds.",
]


def _claims(found: Sequence[Verdict]) -> list[str]:
    count = Counter(one.verdict for one in found)
    rows = [[one.source, one.text, one.printed, f"**{one.verdict}**", one.inside or "–", one.evidence] for one in found]
    return [
        f"{len(found)} claims: " + ", ".join(f"{count[word]} {word}" for word in (HOLDS, DIRECTION, FAILS)) + ".",
        "",
        *rows_of(["Source", "Claim", "In print", "Verdict", "outer", "Numbers"], rows, 6),
    ]


def _tables(found: Results) -> list[str]:
    notes = {
        "Prostate": "the 102 samples of one laboratory",
        "Breast": "97 samples; features with a missing value left out (13,547 of 24,481 stay); BRE of the thesis",
        "Nine tumours": "a class of 2 samples: 2 inner folds, and no outer ones",
        ASIDE: "248 of 327 samples, 6 of 7 classes, 2,526 of 12,558 features of STJ; not in the ablation",
    }
    rows = []
    for data, sizes in found.tables.items():
        pools = Counter(one.n_pool for one in found.of(data, "GBC"))
        fitness = np.mean([one.pool_fitness for one in found.of(data, "GBC")])
        rows.append([data, f"`{FILES[data]}`", notes.get(data, ""), *map(str, sizes)])
        rows[-1] += [", ".join(f"{size} ({n})" for size, n in sorted(pools.items())), f"{fitness:.3f}"]
    header = ["Data", "file", "remark", "samples", "features", "classes", "pool (seeds)", "fitness of the pool"]
    return rows_of(header, rows, 3)


def _ablation(found: Results) -> list[str]:
    rows = []
    for variant in VARIANTS:
        by = {
            what: float(np.mean([found.mean(data, variant, what) for data in found.sets]))
            for what in ("n_requests", "n_evaluations", "seconds", "n_pairs", "fitness", "size")
        }
        ended = Counter(one.ended for data in found.sets for one in found.of(data, variant))
        pairs = pairs_of(found, variant)
        count = counted(*np.array([(one.fitness, plain.fitness) for one, plain in pairs]).T)
        rows.append([
            variant, f"{by['n_requests']:.0f}", f"{by['n_evaluations']:.0f}", f"{by['seconds']:.2f}",
            f"{by['n_pairs'] / 1000:.0f}", f"{by['fitness']:.4f}", f"{by['size']:.1f}",
            "–" if variant == "GBC" else told(count), ", ".join(f"{why} {n}" for why, n in ended.items()),
        ])  # fmt: skip
    header = ["Search", "requests", "evaluations", "seconds", "thousand pairs", "fitness", "size"]
    by_set = [
        [
            data,
            *(
                f"{spread([one.fitness for one in found.of(data, v)])}; {found.mean(data, v, 'size'):.1f}"
                for v in shown
            ),
        ]
        for data in found.sets
        for shown in [[v for v in VARIANTS if v not in ("MRMR+", "look-up")]]
    ]
    return [
        f"Means over {len(found.sets)} tables; each search is GBC with one switch on, unless it says more. *minor* has "
        "both stops and the look-up table, *GBC+ unstopped* all but the stops. Fitness against GBC, seed by seed: "
        f"won/equal/lost. MRMR+ alone was run with seeds 0 to {N_SEEDS_SAME - 1}, so its means are of these. Stop i "
        "was run with seed 0 and where GBC reached 1; elsewhere it never applies and the numbers are GBC's.",
        "",
        *rows_of([*header, "against GBC", "ended by"], rows),
        "",
        "Fitness over seeds; mean size:",
        "",
        *rows_of(["Data", *(v for v in VARIANTS if v not in ("MRMR+", "look-up"))], by_set),
    ]


def _savings(found: Results) -> list[str]:
    there = read_printed()

    def cell(values: Sequence[float]) -> str:
        return " / ".join(f"{value:.0f}" for value in values)

    whats = ("n_evaluations", "seconds")
    by = {(data, v): [saved(found, data, v, what) for what in whats] for data in found.sets for v in SAVINGS}
    rows = [[data, *(cell(by[data, v]) for v in SAVINGS)] for data in found.sets]
    rows.append(["**mean**", *(cell(np.mean([by[data, v] for data in found.sets], axis=0)) for v in SAVINGS)])
    reached = [data for data in found.sets if saved(found, data, "stop i", "n_evaluations") > 0]
    if reached:
        means = [cell(np.mean([by[data, v] for data in reached], axis=0)) for v in SAVINGS]
        rows.append([f"mean where 1 is reached ({len(reached)})", *means])
    rows.append([
        "in print, average",
        *(cell([there["5.1", "AVE", v, q].value for q in (EVALUATIONS, TIME)]) for v in SAVINGS),
    ])  # fmt: skip
    return [
        "% of evaluations / % of seconds that GBC does without. The rows of Table 5.1 have lost their names, so only "
        "averages are comparable; stop ii has one printed row of six.",
        "",
        *rows_of(["Data", *SAVINGS.values()], rows),
    ]


def _lookups(found: Results) -> list[str]:
    marks = (10, 25, 50, 100)

    def share(one: Search, cycle: int) -> float:
        requests, evaluations = one.cycles[min(cycle, len(one.cycles) - 1)]
        return 1 - evaluations / requests

    rows = []
    for data in found.sets:
        runs = found.of(data, "look-up")
        rows.append([data, *(f"{np.mean([share(one, cycle) for one in runs]):.0%}" for cycle in marks)])
        rows[-1] += [f"{share(found.otherwise[data, label], 10**6):.0%}" for label in OTHERWISE]
    labels = [f"{cycle} cycles" for cycle in marks] + list(OTHERWISE)
    means = [f"{np.mean([float(row[at].rstrip('%')) for row in rows]):.0f}%" for at in range(1, len(labels) + 1)]
    return [
        "Share of requests answered by the table after so many cycles, mean over seeds; and, with seed 0 only, in "
        "searches with other settings (*limit*: tries in vain before a bee starts anew, 5 elsewhere; *one position*: a "
        "bee that flies changes one feature, not all). In print 71 % on average.",
        "",
        *rows_of(["Data", *labels], [*rows, ["**mean**", *means]]),
    ]


def _at_equal(found: Results) -> list[str]:
    rows = []
    for data in found.sets:
        plus, plain = at_stop(found, data)
        asked = at_stop(found, data, requests=True)
        both = zip(found.of(data, "GBC"), found.of(data, "GBC+"), strict=True)
        sizes = [one.queen_at(other.n_evaluations)[1] for one, other in both]
        rows.append([
            data, spread([one.n_evaluations for one in found.of(data, "GBC+")], 0),
            spread([one.n_requests for one in found.of(data, "GBC+")], 0), spread(plus), spread(plain),
            told(counted(plus, plain)), spread(asked[1]), told(counted(*asked)),
            spread([one.fitness for one in found.of(data, "GBC")]),
            told(counted(plus, [one.fitness for one in found.of(data, "GBC")])),
            *(f"{n:.1f}" for n in (found.mean(data, "GBC+", "size"), np.mean(sizes), found.mean(data, "GBC", "size"))),
        ])  # fmt: skip
    header = ["Data", "GBC+ evaluations", "requests", "GBC+ fitness", "GBC, as many evaluations", "GBC+ won/equal/lost"]
    header += ["GBC, as many requests", "GBC+ won/equal/lost", "GBC, all cycles", "GBC+ won/equal/lost"]
    header += ["size of GBC+", "of GBC, as many evaluations", "of GBC, all cycles"]
    return [
        "When GBC+ stopped, beside GBC after as many evaluations, after as many requests, and at its end:",
        "",
        *rows_of(header, rows),
        "",
        "Best fitness so far by evaluations, mean over tables and seeds; a search that has ended keeps its last. "
        "*look-up* is GBC with the table. won/equal/lost against GBC:",
        "",
        *_at_budgets(found, requests=False),
        "",
        "The same by requests, where the look-up table counts for nothing:",
        "",
        *_at_budgets(found, requests=True),
    ]


def _at_budgets(found: Results, *, requests: bool) -> list[str]:
    shown = ("GBC", "look-up", "ranked start", "greedy queen", "GBC+", "GBC+ unstopped")
    rows = []
    for variant in shown:
        row = [variant]
        for budget in BUDGETS:
            pairs = [
                (one.best_at(budget, requests=requests), plain.best_at(budget, requests=requests))
                for one, plain in pairs_of(found, variant)
            ]
            known = np.array([pair for pair in pairs if np.isfinite(pair).all()])
            if len(known) == 0:
                row.append("–")
                continue
            wins, ties, losses, p = counted(*known.T)
            against = "" if variant == "GBC" else f"; {wins}/{ties}/{losses} (p = {p:.1g})"
            row.append(f"{known[:, 0].mean():.4f}{against}")
        rows.append(row)
    return rows_of(["Search", *(f"{budget}" for budget in BUDGETS)], rows)


def _bees(found: Results) -> list[str]:
    places = (1, 5, 10, 20, 30, 40)
    rows = []
    for data in found.sets:
        for start in ("uniform", "ranked"):
            parts = [one["fitness"] for (name, by, _), one in found.bees.items() if (name, by) == (data, start)]
            curve = np.mean(parts, axis=0)
            row = [data, start, *(f"{curve[min(place, len(curve)) - 1]:.3f}" for place in places)]
            row += [spread(bees_means(found, data, start, "mean"))]
            row += [f"{bees_means(found, data, start, what).mean():.1f}" for what in ("size", "requests")]
            rows.append(row)
    header = ["Data", "start", *(f"bee {place}" for place in places), "mean", "size", "requests"]
    return ["Fitness of the first bees, the best first, mean over seeds:", "", *rows_of(header, rows, 2)]


def _queens(found: Results) -> list[str]:
    names = ("employed", "onlooker", "scout", "mutation", "forward", "backward")
    rows = []
    for variant in ("GBC", "greedy queen", "ranked start", "GBC+", "GBC+ unstopped"):
        number, gain, n_runs = phases(found, variant)
        cells = [f"{number[name] / n_runs:.2f}; {gain[name] / n_runs:.4f}" for name in names]
        starts = [one.queens[0][2] for data in found.sets for one in found.of(data, variant)]
        rows.append([variant, f"{np.mean(starts):.4f}", *cells])
    return [
        "Better queens per search, and fitness gained per search, by the phase in which they came; over all tables and "
        "seeds. *forward* and *backward* are the greedy queen's two halves.",
        "",
        *rows_of(["Search", "first queen", *names], rows),
    ]


def _outer(found: Results) -> list[str]:
    rows = []
    for data in found.judged_sets:
        n_samples = found.tables[data][0]
        row = [data]
        for method in OUTER:
            by = outer_means(found, data, method)
            accuracy, fitness, size = by.mean(axis=0)
            if np.isnan(accuracy):
                row.append("–")
                continue
            bias = "" if np.isnan(fitness) else f"; promised {fitness:.3f} ({fitness - accuracy:+.3f})"
            row.append(f"{accuracy:.3f} ({by[:, 0].min():.3f} … {by[:, 0].max():.3f}){bias}; {size:.1f}")
        row.append(f"{noise(accuracy, accuracy, n_samples):.3f}")
        rows.append(row)
    lines = [
        f"{N_PARTITIONS} partitions into {N_FOLDS} stratified folds ({ASIDE}: one), filter and search repeated without "
        "each fold, the same SVM on the features found. Mean accuracy (range over partitions); what the fitness "
        "promised in the training parts, and how much too much; mean size. ± in the last column are two standard "
        "errors for so many samples. MRMR+ has as many of its first features as GBC+ found, or 50, and no search.",
        "",
        *rows_of(["Data", *OUTER, "±"], rows),
        "",
    ]
    sets = [data for data in found.judged_sets if data in found.sets]
    pairs = [("GBC+", "GBC"), ("GBC+", "MRMR-GA"), ("GBC+", "MRMR+ as many"), ("GBC", "MRMR+ as many")]
    pairs += [("GBC+", "MRMR+ 50"), ("GBC", "MRMR+ 50"), ("MRMR-GA", "MRMR+ 50")]
    for one, other in pairs if sets else ():
        gaps = [(outer_means(found, data, one) - outer_means(found, data, other)).mean(axis=0)[0] for data in sets]
        lines.append(f"- {one} less {other}: {over_sets(gaps)} ({sum(gap > 1e-9 for gap in gaps)} higher).")
    for method in ("GBC", "GBC+", "MRMR-GA") if sets else ():
        bias = [-np.subtract(*outer_means(found, data, method).mean(axis=0)[:2]) for data in sets]
        lines.append(
            f"- {method}, promised less found: mean {np.mean(bias):+.3f} ({min(bias):+.3f} … {max(bias):+.3f})."
        )
    return lines


def _cells(found: Results) -> list[str]:
    there, rows = read_printed(), []
    for data, cell in {"Breast": "BRE", ASIDE: "STJ"}.items():
        if data not in found.judged_sets:
            continue
        for method in ("GBC", "GBC+"):
            values = {
                f"outer accuracy, {N_FOLDS} folds": outer_means(found, data, method).mean(axis=0)[0],
                **_by_one(found, data, method),
                "fitness on all samples (leaky)": found.mean(data, method, "fitness"),
            }
            rows += _beside(found, data, cell, method, there["5.2", cell, method, "accuracy"].value, values)
            for table, what, ours in (
                ("5.3", "seconds", found.mean(data, method, "seconds")),
                ("5.4", "genes", outer_means(found, data, method).mean(axis=0)[2]),
            ):
                printed = there[table, cell, method, what].value
                rows.append([f"{cell}, {data}", method, what, f"{printed:g}", f"{ours:.1f}", "–"])
        areas = {key: value for key, value in _by_one(found, data, "MRMR+ 50").items() if "AUC" in key}
        rows += _beside(found, data, cell, "MRMR+ 50", there["4.5", cell, "MRMR", "AUC"].value, areas)
    return [
        "Table 5.2 is titled accuracy, the text says area under the curve (AUC) by leave-one-out, with features chosen "
        "without the sample left out. Verdicts are within two standard errors for so many samples. *Leaky*: features "
        "chosen on all samples. Seconds of GBC on St Jude are with MRMR+ and the look-up table. MRMR+ 50 is beside "
        "Table 4.5, which has the AUC of MRMR by the same protocol, of a number of features it does not give.",
        "",
        *rows_of(["Data", "Method", "reading", "printed", "ours", "verdict"], rows, 3),
    ]


def _beside(
    found: Results, data: str, cell: str, method: str, printed: float, values: Mapping[str, float]
) -> list[list[str]]:
    """Readings of one cell, each with a verdict."""
    rows = []
    for reading, ours in values.items():
        allowed = noise(ours, printed, found.tables[data][0]) + 0.005
        word = judge(Printed(printed, ""), ours - printed, allowed, smaller_is_better=False)
        if data == ASIDE:
            word = f"not comparable ({word})"
        rows.append([f"{cell}, {data}", method, reading, f"{printed:g}", f"{ours:.3f}", word])
    return rows


def _by_one(found: Results, data: str, method: str) -> dict[str, float]:
    """Leave-one-out, honest and leaky, if it was run."""
    if (data, -1) not in found.outer:
        return {}
    given = [answer for one in found.outer[data, -1] for answer in one[method]["answers"]]
    accuracy, area = accuracy_and_area(load(data), given)
    leaky = np.mean([one for (name, by, _), one in found.leaky.items() if (name, by) == (data, method)], axis=0)
    values = {
        "outer accuracy, leave-one-out": accuracy,
        "outer AUC, leave-one-out": area,
        "accuracy, leave-one-out after choosing on all samples (leaky)": leaky[0],
        "AUC, leave-one-out after choosing on all samples (leaky)": leaky[1],
    }
    if method == "GBC+":
        ones = [one.fitness for (name, _), one in found.by_one.items() if name == data]
        values["fitness on all samples, by leave-one-out itself (leaky)"] = float(np.mean(ones))
    return values


def _filters(found: Results) -> list[str]:
    rows = []
    for data in found.sets:
        one, (slow, fast, rest) = found.filters[data], filter_times(found, data)
        n = one["n_ranked"]
        pairs = [one[f"mrmr+ {k}"]["pairs"] / one[f"mrmr {k}"]["pairs"] for k in (50, n)]
        rows.append([
            data, str(found.tables[data][1]), str(n), f"{one['mrmr 50']['seconds']:.3f}",
            f"{one['mrmr+ 50']['seconds']:.3f}", f"{pairs[0]:.0%}", f"{slow:.3f}", f"{fast:.3f}", f"{pairs[1]:.0%}",
            f"{rest:.2f}", f"{slow / (slow + rest):.0%}", f"{fast / (fast + rest):.0%}",
        ])  # fmt: skip
    header = ["Data", "features", "ranked", "MRMR, 50: s", "MRMR+, 50: s", "pairs", "MRMR, all ranked: s"]
    header += ["MRMR+, all ranked: s", "pairs", "rest of GBC: s", "share, MRMR", "share, MRMR+"]
    return [
        "Least of three runs of the filter alone, for a block of 50 and for all features that GBC ranks (500 where no "
        "pool has fitness 1); *pairs* are those that MRMR+ measures of MRMR's.",
        "",
        *rows_of(header, rows),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where runs are kept")
    parser.add_argument("--out", type=Path, default=PAGE)
    arguments = parser.parse_args()
    write_page(arguments.out, page(run_all(arguments.folder)))


if __name__ == "__main__":
    main()
