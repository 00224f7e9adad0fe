"""Tables of our own beside chapter 5: every switch of GBC+, what is saved, equal budgets, and outer accuracy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from holdfast.reproduce.cells import Key, noise
from holdfast.reproduce.pino_angulo._cells5 import readings, verdict_on
from holdfast.reproduce.pino_angulo._claims5 import EVALUATIONS, OF_BEES, SAVINGS, SPENT, Numbers
from holdfast.reproduce.pino_angulo._searched import Results, Search, counted, over_sets, spread, told
from holdfast.reproduce.pino_angulo._sets5 import BREAST, ST_JUDE
from holdfast.reproduce.pino_angulo._two_stage import N_FOLDS, OUTER, VARIANTS
from holdfast.reproduce.plan import Section

BUDGETS = (250, 500, 1000, 2000, 5000)
_NOTES = {
    "Prostate": "the samples of one laboratory",
    BREAST: "of the thesis; features with a missing value left out",
    "Nine tumours": "a class of 2 samples: 2 inner folds, and no outer ones",
    ST_JUDE: "248 of the 327 samples, 6 of the 7 classes and 2,526 of the 12,558 features of STJ; not in the ablation",
}


def sections(found: Results, printed: Numbers) -> list[Section]:
    """All of them; none where nothing was run."""
    if not found.sets:
        return _aside(found, printed)
    return [
        _tables(found),
        *_ablation(found),
        _savings(found, printed),
        *_lookups(found, printed),
        *_at_equal(found),
        _bees(found),
        _queens(found),
        *_outer(found),
        *_readings(found, printed),
        *_aside(found, printed),
        _filters(found),
    ]


def _tables(found: Results) -> Section:
    rows = []
    for data, sizes in found.shapes.items():
        pools = Counter(one.n_pool for one in found.of(data, "GBC"))
        fitness = np.mean([one.pool_fitness for one in found.of(data, "GBC")])
        words = ", ".join(f"{size} ({n})" for size, n in sorted(pools.items()))
        rows.append([data, _NOTES.get(data, ""), *map(str, sizes), words, f"{fitness:.3f}"])
    header = ["Data", "remark", "samples", "features", "classes", "pool (seeds)", "fitness of the pool"]
    return Section("Tables and their pools", "", header, rows, 2)


def _ablation(found: Results) -> list[Section]:
    n_all = len(found.of(found.sets[0], "GBC"))
    rows, few = [], []
    for variant in VARIANTS:
        n_seeds = len(found.of(found.sets[0], variant))
        if n_seeds < n_all:
            few.append(f"{variant} {n_seeds}")
        by = {
            what: float(np.mean([found.mean(data, variant, what) for data in found.sets]))
            for what in ("n_requests", "n_evaluations", "seconds", "n_pairs", "fitness", "size")
        }
        ended = Counter(one.ended for one in found.all_of(variant))
        count = counted(*np.array([(one.fitness, plain.fitness) for one, plain in found.all_pairs(variant)]).T)
        rows.append([
            variant, f"{by['n_requests']:.0f}", f"{by['n_evaluations']:.0f}", f"{by['seconds']:.2f}",
            f"{by['n_pairs'] / 1000:.0f}", f"{by['fitness']:.4f}", f"{by['size']:.1f}",
            "–" if variant == "GBC" else told(count), ", ".join(f"{why} {n}" for why, n in ended.items()),
        ])  # fmt: skip
    shown = [variant for variant in VARIANTS if variant not in ("MRMR+", "look-up")]
    by_set = [
        [data, *(f"{spread(found.values(data, v, 'fitness'))}; {found.mean(data, v, 'size'):.1f}" for v in shown)]
        for data in found.sets
    ]
    header = ["Search", "requests", "evaluations", "seconds", "thousand pairs", "fitness", "size", "against GBC"]
    text = (
        f"Means over {len(found.sets)} tables and {n_all} seeds{' (' + ', '.join(few) + ')' if few else ''}; each "
        "search is GBC with one switch on, unless it says more. *minor* has both stops and the look-up table, *GBC+ "
        "unstopped* all but the stops. Fitness against GBC, seed by seed: won/equal/lost. Stop i was run with seed 0 "
        "and where GBC reached 1; elsewhere it never applies and the numbers are GBC's."
    )
    return [
        Section("Each switch alone", text, [*header, "ended by"], rows),
        Section("Each switch alone, by table", "Fitness over seeds; mean size.", ["Data", *shown], by_set),
    ]


def _savings(found: Results, printed: Numbers) -> Section:
    def cell(values: Sequence[float]) -> str:
        return " / ".join(f"{value:.0f}" for value in values)

    by = {(data, v): [found.saved(data, v, what) for what in SPENT.values()] for data in found.sets for v in SAVINGS}
    rows = [[data, *(cell(by[data, v]) for v in SAVINGS)] for data in found.sets]
    rows.append(["mean", *(cell(np.mean([by[data, v] for data in found.sets], axis=0)) for v in SAVINGS)])
    reached = [data for data in found.sets if by[data, "stop i"][0] > 0]
    if reached:
        means = [cell(np.mean([by[data, v] for data in reached], axis=0)) for v in SAVINGS]
        rows.append([f"mean where 1 is reached ({len(reached)})", *means])
    in_print = [cell([printed[Key("5.1", "AVE", v, "", q)].value for q in SPENT]) for v in SAVINGS]
    rows.append(["in print, average", *in_print])
    return Section(
        "Evaluations and time saved, by table (Table 5.1)",
        "% of evaluations / % of seconds that GBC does without.",
        ["Data", *SAVINGS.values()],
        rows,
    )


def _lookups(found: Results, printed: Numbers) -> list[Section]:
    marks = (10, 25, 50, 100)
    labels = list(dict.fromkeys(label for _, label in found.otherwise))
    if not labels:
        return []

    def share(one: Search, cycle: int) -> float:
        requests, evaluations = one.cycles[min(cycle, len(one.cycles) - 1)]
        return 1 - evaluations / requests

    shares = []
    for data in found.sets:
        runs = found.of(data, "look-up")
        row = [float(np.mean([share(one, cycle) for one in runs])) for cycle in marks]
        shares.append([*row, *(share(found.otherwise[data, label], -1) for label in labels)])
    rows = [[data, *(f"{value:.0%}" for value in row)] for data, row in zip(found.sets, shares, strict=True)]
    rows.append(["mean", *(f"{value:.0%}" for value in np.mean(shares, axis=0))])
    text = (
        "Share of requests answered by the table after so many cycles, mean over seeds; and, with seed 0 only, in "
        "searches with other settings (*limit*: tries in vain before a bee starts anew, 5 elsewhere; *one position*: a "
        "bee that flies changes one feature, not all). In print "
        f"{printed[Key('5.1', 'AVE', 'look-up', '', EVALUATIONS)].value:g} % on average, over other tables."
    )
    header = ["Data", *(f"{cycle} cycles" for cycle in marks), *labels]
    return [Section("The look-up table in other settings", text, header, rows)]


def _at_equal(found: Results) -> list[Section]:
    rows = []
    for data in found.sets:
        by, asked = found.at_stop(data), found.at_stop(data, requests=True)
        at_end = [[one.fitness for one in pair] for pair in zip(*found.pairs(data, "GBC+"), strict=True)]
        rows.append([
            data, spread(found.values(data, "GBC+", "n_evaluations"), 0),
            spread(found.values(data, "GBC+", "n_requests"), 0), spread(at_end[0]), spread(by[:, 1]),
            told(counted(by[:, 0], by[:, 1])), spread(asked[:, 1]), told(counted(asked[:, 0], asked[:, 1])),
            spread(at_end[1]), told(counted(*at_end)), f"{found.mean(data, 'GBC+', 'size'):.1f}",
            f"{by[:, 2].mean():.1f}" if len(by) else "–", f"{found.mean(data, 'GBC', 'size'):.1f}",
        ])  # fmt: skip
    header = ["Data", "GBC+ evaluations", "requests", "GBC+ fitness", "GBC, as many evaluations", "GBC+ won/equal/lost"]
    header += ["GBC, as many requests", "GBC+ won/equal/lost", "GBC, all cycles", "GBC+ won/equal/lost"]
    header += ["size of GBC+", "of GBC, as many evaluations", "of GBC, all cycles"]
    by_evaluations = (
        "Mean over tables and seeds; a search that has ended keeps its last. *look-up* is GBC with the table. "
        "won/equal/lost against GBC."
    )
    budgets = ["Search", *map(str, BUDGETS)]
    return [
        Section(
            "GBC+ against GBC at equal evaluations",
            "When GBC+ stopped, beside GBC after as many evaluations, after as many requests, and at its end; seeds "
            "with which GBC was still busy with its first bees are left out.",
            header,
            rows,
        ),
        Section("Best fitness so far, by evaluations", by_evaluations, budgets, _at_budgets(found, requests=False)),
        Section(
            "Best fitness so far, by requests",
            "The same, where the look-up table counts for nothing.",
            budgets,
            _at_budgets(found, requests=True),
        ),
    ]


def _at_budgets(found: Results, *, requests: bool) -> list[list[str]]:
    rows = []
    for variant in ("GBC", "look-up", "ranked start", "greedy queen", "GBC+", "GBC+ unstopped"):
        row = [variant]
        for budget in BUDGETS:
            pairs = [
                (one.best_at(budget, requests=requests), plain.best_at(budget, requests=requests))
                for one, plain in found.all_pairs(variant)
            ]
            known = np.array([pair for pair in pairs if np.isfinite(pair).all()])
            if len(known) == 0:
                row.append("–")
                continue
            wins, ties, losses, p = counted(*known.T)
            against = "" if variant == "GBC" else f"; {wins}/{ties}/{losses} (p = {p:.1g})"
            row.append(f"{known[:, 0].mean():.4f}{against}")
        rows.append(row)
    return rows


def _bees(found: Results) -> Section:
    places = (1, 5, 10, 20, 30, 40)
    rows = []
    for data in found.sets:
        for start in ("uniform", "ranked"):
            bees = found.first_bees(data, start)
            curve = np.mean([one["fitness"] for one in bees], axis=0)
            row = [data, start, *(f"{curve[min(place, len(curve)) - 1]:.3f}" for place in places)]
            row.append(spread([OF_BEES["mean"](one) for one in bees]))
            row += [f"{np.mean([OF_BEES[what](one) for one in bees]):.1f}" for what in ("size", "requests")]
            rows.append(row)
    header = ["Data", "start", *(f"bee {place}" for place in places), "mean", "size", "requests"]
    return Section(
        "First bees (Figure 5.4)", "Fitness of the first bees, the best first, mean over seeds.", header, rows, 2
    )


def _queens(found: Results) -> Section:
    names = ("employed", "onlooker", "scout", "mutation", "forward", "backward")
    rows = []
    for variant in ("GBC", "greedy queen", "ranked start", "GBC+", "GBC+ unstopped"):
        number, gain, n_runs = found.phases(variant)
        cells = [f"{number[name] / n_runs:.2f}; {gain.get(name, 0.0) / n_runs:.4f}" for name in names]
        starts = [one.queens[0][2] for one in found.all_of(variant)]
        rows.append([variant, f"{np.mean(starts):.4f}", *cells])
    text = (
        "Better queens per search, and fitness gained per search, by the phase in which they came; over all tables and "
        "seeds. *forward* and *backward* are the greedy queen's two halves."
    )
    return Section("Where better queens come from (Figure 5.5)", text, ["Search", "first queen", *names], rows)


def _outer(found: Results) -> list[Section]:
    sets = found.judged_sets
    if not sets:
        return []
    rows = []
    for data in sets:
        row = [data]
        for method in OUTER:
            by = found.outer_means(data, method)
            accuracy, fitness, size = by.mean(axis=0)
            bias = "" if np.isnan(fitness) else f"; promised {fitness:.3f} ({fitness - accuracy:+.3f})"
            row.append(f"{accuracy:.3f} ({by[:, 0].min():.3f} … {by[:, 0].max():.3f}){bias}; {size:.1f}")
        row.append(f"{noise(accuracy, accuracy, found.shapes[data][0]):.3f}")
        rows.append(row)
    pairs = [("GBC+", "GBC"), ("GBC+", "MRMR-GA"), ("GBC+", "MRMR+ as many"), ("GBC", "MRMR+ as many")]
    pairs += [("GBC+", "MRMR+ 50"), ("GBC", "MRMR+ 50"), ("MRMR-GA", "MRMR+ 50")]
    compared = []
    for one, other in pairs:
        gaps = [float(found.outer_mean(data, one)[0] - found.outer_mean(data, other)[0]) for data in sets]
        compared.append([f"{one} less {other}", f"{over_sets(gaps)} ({sum(gap > 1e-9 for gap in gaps)} higher)"])
    for method in ("GBC", "GBC+", "MRMR-GA"):
        bias_of = [float(-np.subtract(*found.outer_mean(data, method)[:2])) for data in sets]
        words = f"mean {np.mean(bias_of):+.3f} ({min(bias_of):+.3f} … {max(bias_of):+.3f})"
        compared.append([f"{method}, promised less found", words])
    text = (
        f"{len(found.outer_means(sets[0], 'GBC'))} partitions into {N_FOLDS} stratified folds, filter and search "
        "repeated without each fold, the same SVM on the features found. Mean accuracy (range over partitions); what "
        "the fitness promised in the training parts, and how much too much; mean size. ± in the last column are two "
        "standard errors for so many samples. MRMR+ has as many of its first features as GBC+ found, or 50, and no "
        "search."
    )
    return [
        Section("Outer accuracy", text, ["Data", *OUTER, "±"], rows),
        Section("Outer accuracy compared", "Over tables.", ["", "Difference"], compared, 2),
    ]


def _readings(found: Results, printed: Numbers) -> list[Section]:
    if BREAST not in found.shapes:
        return []
    rows = []
    for method in ("GBC", "GBC+"):
        one = printed[Key("5.2", BREAST, method, "", "accuracy")]
        rows += [
            [method, reading, f"{one.value:g}", f"{value:.3f}", verdict_on(found, method, one, value)]
            for reading, value in readings(found, method).items()
        ]
    text = (
        "Table 5.2 is titled accuracy, the text says area under the curve (AUC) of an SVM and of C4.5 by leave-one-out "
        "with features chosen without the sample left out; cells are judged by that, of the SVM (the first reading). "
        "The others are there to see what else comes near. Genes of Table 5.4 are whole numbers, as of one choice on "
        "all samples: that print has a leaky reading is a conjecture of ours, and nothing is judged by it. Means over "
        "seeds, or partitions. *Leaky*: the samples judged on took part in the choice."
    )
    header = ["Method", "reading", "printed", "ours", "verdict"]
    return [Section(f"Readings of Table 5.2, {BREAST}", text, header, rows, 2)]


def _aside(found: Results, printed: Numbers) -> list[Section]:
    if (ST_JUDE, 0) not in found.outer:
        return []
    rows = []
    for method in ("GBC", "GBC+"):
        accuracy, _, size = found.outer_mean(ST_JUDE, method)
        values = {
            ("5.2", "accuracy", "five folds, choice inside"): accuracy,
            ("5.2", "accuracy", "fitness, choice on all samples (leaky)"): found.mean(ST_JUDE, method, "fitness"),
            ("5.3", "seconds", "on all samples"): found.mean(ST_JUDE, method, "seconds"),
            ("5.4", "genes", "on all samples"): found.mean(ST_JUDE, method, "size"),
            ("5.4", "genes", "choice inside"): size,
        }
        for (table, quantity, reading), value in values.items():
            in_print = printed[Key(table, "STJ", method, "", quantity)].value
            rows.append([method, quantity, reading, f"{in_print:g}", f"{value:.3f}"])
    text = (
        f"Not the same table: {_NOTES[ST_JUDE]}, so there are no verdicts. Seconds of GBC are with MRMR+ and the "
        "look-up table."
    )
    return [Section("A stand-in for STJ", text, ["Method", "quantity", "reading", "printed, STJ", "ours"], rows, 3)]


def _filters(found: Results) -> Section:
    rows = []
    for data in found.sets:
        one, (slow, fast, rest) = found.filters[data], found.filter_times(data)
        n = one["n_ranked"]
        pairs = [one[f"mrmr+ {k}"]["pairs"] / one[f"mrmr {k}"]["pairs"] for k in (50, n)]
        bred = [float(np.mean(one[f"genetic {name}"]["seconds"])) for name in ("mrmr", "mrmr+")]
        block = [min(one[f"{name} 50"]["seconds"]) for name in ("mrmr", "mrmr+")]
        rows.append([
            data, str(found.shapes[data][1]), str(n), *(f"{seconds:.3f}" for seconds in block), f"{pairs[0]:.0%}",
            f"{slow:.3f}", f"{fast:.3f}", f"{pairs[1]:.0%}", f"{rest:.2f}", f"{slow / (slow + rest):.0%}",
            f"{fast / (fast + rest):.0%}", *(f"{seconds:.2f}" for seconds in bred),
        ])  # fmt: skip
    header = ["Data", "features", "ranked", "MRMR, 50: s", "MRMR+, 50: s", "pairs", "MRMR, all ranked: s"]
    header += ["MRMR+, all ranked: s", "pairs", "rest of GBC: s", "share, MRMR", "share, MRMR+"]
    header += ["MRMR-GA: s", "MRMR-GA with MRMR+: s"]
    text = (
        "Least of three runs of the filter alone, for a block of 50 and for all features that GBC ranks (500 where no "
        "pool has fitness 1); *pairs* are those that MRMR+ measures of MRMR's. MRMR-GA ranks 50; mean of three seeds."
    )
    return Section("The filter's share (Figures 5.1 and 5.2, Table 4.6)", text, header, rows)
