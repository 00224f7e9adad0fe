"""Tables of our own for chapter 3: means and ranks over thresholds, filters, SALCC, and features that go at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from holdfast.reproduce.cells import Key
from holdfast.reproduce.pino_angulo._areas3 import CLASSIFIERS
from holdfast.reproduce.pino_angulo._effort_claims3 import MANY, evaluation_ratios, of_many_features
from holdfast.reproduce.pino_angulo._filter_claims3 import C45, NAMED, Numbers
from holdfast.reproduce.pino_angulo._results3 import Filtered, Finding, Results, Swept
from holdfast.reproduce.pino_angulo._runs3 import DELTA, FILTERS, SEARCHES
from holdfast.reproduce.pino_angulo._sweep_claims3 import judged_by, ranks, values
from holdfast.reproduce.pino_angulo._tables3 import ALSO, BESIDE, BY_CLASS, DIGITS, JUDGED, SOURCES, TEXTS, WIDE
from holdfast.reproduce.plan import Section

FORMS = {"size": ".1f", "risk": ".4f", **dict.fromkeys(CLASSIFIERS, ".4f")}
WORDS = {"size": "features", "risk": "Br", **{name: f"AUC {name}" for name in CLASSIFIERS}}


def sections(found: Mapping[str, Results], otherwise: Sequence[Finding], printed: Numbers) -> list[Section]:
    """All that have something to show; ``otherwise`` are the findings with the other cuts."""
    judged = found[JUDGED]
    made = [_otherwise(otherwise), _tables(found)]
    for reading, results in found.items():
        if len({one.data for one in results.swept}) > 1:
            made += [_means(reading, results.swept), _ranks(reading, results.swept)]
    made.append(_at_one(judged.swept))
    made += [_filters(reading, results.filtered, printed) for reading, results in found.items()]
    made += [_salcc(reading, results) for reading, results in found.items()]
    made.append(_removed(found))
    return [one for one in made if one.rows]


def _otherwise(findings: Sequence[Finding]) -> Section:
    return Section(
        f"The same claims with {BESIDE}",
        "Numbers cut where the classes change instead of into ten bins of equal width; verdicts as in the thesis and "
        "chosen inside the folds.",
        ["Source", "Claim", "as in the thesis", "inside", "Numbers"],
        [[one.source, one.text, one.verdict, one.inside or "–", one.evidence] for one in findings],
        5,
    )


def _tables(found: Mapping[str, Results]) -> Section:
    rows = []
    for one in found[BY_CLASS].removed:
        if one.data not in ALSO:
            sizes = (one.n_samples, one.n_features, one.n_classes, one.n_constant)
            risks = [results.size_of(one.data) for results in found.values()]
            rows.append(
                [one.data, SOURCES[one.data].remark, *map(str, sizes)]
                + [f"{there.risk_of_all:.4f}" if there else "–" for there in risks]
            )
    header = ["Data", "What it is", "samples", "features", "classes", "constant by class"]
    return Section("Tables", "", [*header, *(f"Br(F), {reading}" for reading in found)], rows, 2)


def _means(reading: str, found: Sequence[Swept]) -> Section:
    deltas = sorted({one.delta for one in found})
    rows = []
    for quantity in ("size", "risk", *judged_by(found)):
        form, word = FORMS[quantity], WORDS[quantity]
        means = [values(found, delta, quantity).mean(axis=0) for delta in deltas]
        for place, method in enumerate(SEARCHES):
            rows.append([word, method, *(f"{one[place]:{form}}" for one in means)])
            if method == "SDCC":
                rows.append([word, "± over orders", *_spreads(found, deltas, quantity, form)])
    many = of_many_features(found)
    for method in list(SEARCHES)[1:]:
        ratio = [evaluation_ratios(found, delta, method) for delta in deltas]
        word = f"evaluations, SDCC over {method}"
        rows.append([word, "all", *(f"{np.mean(list(one.values())):.1f}" for one in ratio)])
        if many:
            told = [f"{np.mean([one[data] for data in many]):.1f}" for one in ratio]
            rows.append([word, f"≥ {MANY} features", *told])
    header = ["Mean of", "Search", *(f"δ = {delta:g}" for delta in deltas)]
    return Section(f"Over thresholds, {reading} (P1, Figures 3.4 to 3.7)", "", header, rows, 2)


def _ranks(reading: str, found: Sequence[Swept]) -> Section:
    deltas = sorted({one.delta for one in found})
    rows = []
    for quantity in ("size", "risk", *judged_by(found)):
        results = [ranks(found, delta, quantity) for delta in deltas]
        for place, method in enumerate(SEARCHES):
            rows.append([WORDS[quantity], method, *(f"{one.mean_ranks[place]:.2f}" for one in results)])
        rows.append([WORDS[quantity], "p (Friedman)", *(f"{one.p_value:.1g}" for one in results)])
    apart = ranks(found, deltas[0], "size").bonferroni_dunn_difference
    header = ["Rank of", "Search", *(f"δ = {delta:g}" for delta in deltas)]
    text = f"Mean ranks, 1 is best; a search differs from the best ranked one from {apart:.2f} on."
    return Section(f"Ranks over thresholds, {reading}", text, header, rows, 2)


def _spreads(found: Sequence[Swept], deltas: Sequence[float], quantity: str, form: str) -> list[str]:
    """Standard deviation of SDCC over its orders, as a mean over tables."""
    spreads = []
    for delta in deltas:
        part = [one.of(quantity) for one in found if (one.method, one.delta) == ("SDCC", delta) and one.of(quantity)]
        spreads.append(f"{np.mean([np.std(one, ddof=1) if len(one) > 1 else 0.0 for one in part]):{form}}")
    return spreads


def _at_one(found: Sequence[Swept]) -> Section:
    by = {(one.data, one.method): one for one in found if one.delta == DELTA}
    rows = []
    for data in dict.fromkeys(data for data, _ in by):
        row = [data, str(by[data, "LCC"].n_features)]
        for quantity, form in (("size", "g"), ("evaluations", ".0f"), ("seconds", ".3f")):
            row += [f"{by[data, method].mean(quantity):{form}}" for method in SEARCHES]
        rows.append(row)
    header = ["Data", "n"]
    for word in ("features", "evaluations", "seconds"):
        header += [f"{word}: {method}" if method == "SDCC" else method for method in SEARCHES]
    return Section(f"At δ = {DELTA:g}, {JUDGED} (Table 3.2)", "", header, rows)


def _filters(reading: str, found: Sequence[Filtered], printed: Numbers) -> Section:
    by = {(one.data, one.method): one for one in found if one.data not in TEXTS}
    rows = []
    for data in dict.fromkeys(data for data, _ in by):
        row = [f"{data} (not ranked)" if data in WIDE else data]
        row += [f"{by[data, m].size} ({by[data, m].size_inside:.1f})" for m in FILTERS]
        for name in NAMED:
            row += [f"{by[data, m].auc[name]:.3f} ({by[data, m].auc_inside[name]:.3f})" for m in FILTERS]
        rows.append(row)
        if data == DIGITS:
            rows.append(["printed, Optdigits", *_printed_row("Optdigits", printed)])
    text = "As in the thesis, and inside the folds in parentheses."
    ranked = [data for data in dict.fromkeys(data for data, _ in by) if data not in WIDE]
    judged = [data for data in ranked if "SVM" in by[data, FILTERS[0]].auc]
    if judged:
        means = [
            f"{m} {np.mean([by[data, m].auc['SVM'] for data in judged]):.3f} "
            f"({np.mean([by[data, m].auc_inside['SVM'] for data in judged]):.3f})"
            for m in FILTERS
        ]
        text += f" Mean AUC of the SVM over {len(judged)} tables, which the thesis does not have here: "
        text += f"{', '.join(means)}."
    header = ["Data", *(f"{name} {method}" for name in ("features", *NAMED) for method in FILTERS)]
    return Section(f"Beside other filters, {reading} (P5, Table 3.3)", text, header, rows)


def _printed_row(data: str, printed: Numbers) -> list[str]:
    sizes = [f"{printed[Key('3.3', data, m, '', 'features')].value:.0f}" for m in FILTERS]
    areas = [f"{printed[Key('3.3', data, m, by, 'AUC')].value:.3f}" for by in ("NB", C45) for m in FILTERS]
    return sizes + areas


def _salcc(reading: str, found: Results) -> Section:
    slcc = {one.data: one.auc_inside for one in found.filtered if one.method == "SLCC"}
    rows = []
    for one in found.annealed:
        row = [f"{one.data} (not counted)" if one.data in (*WIDE, *TEXTS) else one.data]
        row += [str(n) for n in (one.n_judged, one.n_all, one.lcc_size, one.salcc_size)]
        row += [f"{one.delta:.3f}"]
        row += [f"{score:.4f}" for score in (one.lcc_score, one.slcc_score, one.salcc_score, one.best_score)]
        for name in NAMED:
            is_there = one.inside is not None and one.data in slcc
            row.append(f"{one.inside.auc[name]:.3f} ({slcc[one.data][name]:.3f})" if is_there and one.inside else "–")
        rows.append(row)
    header = ["Data", "sets judged", "all sets", "LCC features", "SALCC features", "δ found"]
    header += ["tree: LCC, δ = Br(F)", f"LCC, δ = Br(F) + {DELTA:g}", "SALCC", "best of all sets"]
    header += ["NB inside: SALCC (SLCC)", "tree inside: SALCC (SLCC)"]
    return Section(f"SALCC, {reading} (P6, P8; Table 3.5)", "", header, rows)


def _removed(found: Mapping[str, Results]) -> Section:
    rows = []
    for one in sorted(found[BY_CLASS].removed, key=lambda one: one.n_features):
        row = [one.data, str(one.n_features), str(one.n_constant)]
        for results in found.values():
            there = results.size_of(one.data)
            row += [str(there.n_removed), f"{there.share:.4f}"] if there else ["–", "–"]
        rows.append(row)
    header = ["Data", "n", "constant by class"]
    header += [f"{word}, {reading}" for reading in found for word in ("l", "l/n")]
    return Section("Features that go at once (P4, Figure 3.10)", "", header, rows)
