"""Tables of our own on prior knowledge: both readings, what successive selections share, and priors at random."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from holdfast.reproduce.ben_brahim._prior_runs import (
    E5_PAIRS,
    E6_METHODS,
    E6_PAIRS,
    READINGS,
    SCALED,
    Result,
    chosen,
    controls,
)
from holdfast.reproduce.cells import VERDICTS, Cell, Key, Printed, counted
from holdfast.reproduce.plan import Section

TRACES = {"DLBCL": "4.6", "Lung": "4.7"}


def sections(results: Sequence[Result], printed: Mapping[Key, Printed], unscaled: Sequence[Cell]) -> list[Section]:
    """All tables that have rows."""
    found = [
        _verdicts(unscaled),
        _extensions(results),
        _l2arom(results),
        _tests(results),
        _traces(results, printed),
        _control(results),
    ]
    return [one for one in found if one.rows]


def _verdicts(unscaled: Sequence[Cell]) -> Section:
    by_table: dict[tuple[str, str], list[Cell]] = {}
    for cell in (cell for cell in unscaled if not cell.is_apart):
        by_table.setdefault((cell.key.table, cell.key.quantity), []).append(cell)
    rows = [
        [table, quantity, *(str(counted(cells)[verdict]) for verdict in VERDICTS[:-1])]
        for (table, quantity), cells in by_table.items()
    ]
    text = (
        "The thesis mentions no scaling in the selection. The same verdicts for what is chosen from values as they are "
        "(mRMR is the same in both readings; the classifier is standardised all the same). Cells counted apart are "
        "left out."
    )
    return Section("Without scaling", text, ["Table", "Quantity", *VERDICTS[:-1]], rows, 2)


def _sets(results: Iterable[Result]) -> list[str]:
    return list(dict.fromkeys(one.data for one in results))


def _extensions(results: Sequence[Result]) -> Section:
    rows = []
    for data in _sets(results):
        for pk, plain in E5_PAIRS:
            for reading in READINGS:
                by = chosen(results, reading)
                b = by[data, plain]
                a = by.get((data, pk))
                if reading != b.reading:
                    continue
                for size in b.subsets:
                    row = [data, f"{plain}, {pk}", reading, str(size), f"{b.accuracy(size):.3f}"]
                    if a is None:
                        rows.append([*row, "–", "–", f"{b.stability(size):.3f}", "–"])
                        continue
                    test = a.against(b, size)
                    row += [f"{a.accuracy(size):.3f}", "=" if test.n01 + test.n10 == 0 else f"{test.p_value:.3f}"]
                    rows.append([*row, f"{b.stability(size):.3f}", f"{a.stability(size):.3f}"])
    header = ["Data", "Methods", "Reading", "N", "accuracy plain", "with prior", "p", "stability plain", "with prior"]
    text = (
        "Kuncheva's stability stands in the thesis as curves that are lost. An equal sign: the two classify every "
        "sample alike."
    )
    return Section("With and without prior knowledge (E5)", text, header, rows, 3)


def _l2arom(results: Sequence[Result]) -> Section:
    rows = [
        [data, method, reading, str(size), f"{result.accuracy(size):.4f}", f"{result.stability(size):.4f}"]
        for data in _sets(results)
        for method in E6_METHODS
        for reading in READINGS
        if (result := chosen(results, reading).get((data, method))) is not None
        for size in result.subsets
    ]
    return Section(
        "SS-l2AROM, PS-l2-AROM and SVM-RFE (E6)",
        "",
        ["Data", "Method", "Reading", "N", "accuracy", "stability"],
        rows,
        3,
    )


def _tests(results: Sequence[Result]) -> Section:
    rows = []
    for data in _sets(results):
        for reading in READINGS:
            by = chosen(results, reading)
            for one, other in E6_PAIRS:
                if (data, one) not in by:
                    continue
                a, b = by[data, one], by[data, other]
                size = max(a.subsets)
                test = a.against(b, size)
                counts = f"{test.n01}, {test.n10}"
                row = [data, f"{one} vs {other}", reading, str(size), counts]
                rows.append([*row, f"{test.statistic:.3g}", f"{test.p_value:.3f}"])
    header = ["Data", "Methods", "Reading", "N", "only the first wrong, only the second", "χ²", "p"]
    return Section("McNemar's test (E6)", "", header, rows, 3)


def _traces(results: Sequence[Result], printed: Mapping[Key, Printed]) -> Section:
    rows = []
    for data, table in TRACES.items():
        ours = {reading: chosen(results, reading).get((data, "SS-l2AROM")) for reading in READINGS}
        if ours[SCALED] is None:
            continue
        for label, traces in (
            ("printed", printed_traces(printed, table)),
            *((reading, one.traces) for reading, one in ours.items() if one is not None),
        ):
            rounds = [len(trace) for trace in traces]
            turns = [[share_at(trace, at) for trace in traces] for at in (2, 3, 4)]
            rows.append(
                [data, label, f"{min(rounds)}–{max(rounds)} ({np.median(rounds):g})"]
                + [f"{min(turn):.3f}–{max(turn):.3f} ({np.median(turn):.3f})" for turn in turns]
            )
    return Section(
        "What successive selections of SS-l2AROM share (E6)",
        "Least to largest of the folds, and the median. Our folds are not those of the thesis, so only the course of "
        "the numbers can be compared.",
        ["Data", "", "rounds", "Conv in round 2", "in round 3", "in round 4"],
        rows,
        2,
    )


def printed_traces(printed: Mapping[Key, Printed], table: str) -> list[list[float]]:
    """The printed shares of a table, a list for each fold."""
    by_fold: dict[str, list[float]] = {}
    for key, one in printed.items():
        if key.table == table:
            by_fold.setdefault(key.setting.partition(",")[0], []).append(one.value)
    return list(by_fold.values())


def share_at(trace: Sequence[float], turn: int) -> float:
    """What two selections share in a round, counted from 1; 1 once they have come to rest."""
    return float(trace[turn - 1]) if turn <= len(trace) else 1.0


def _control(results: Sequence[Result]) -> Section:
    plain = dict(E5_PAIRS)
    with_known = chosen(results, SCALED)
    rows = [
        [
            data,
            method,
            str(size),
            f"{with_known[data, plain[method]].stability(size):.3f}" if method in plain else "–",
            _spread([one.stability(size) for one in drawn]),
            f"{with_known[data, method].stability(size):.3f}",
            _spread([one.accuracy(size) for one in drawn]),
            f"{with_known[data, method].accuracy(size):.3f}",
        ]
        for (data, method), drawn in controls(results).items()
        for size in drawn[0].subsets
    ]
    return Section(
        "A prior without knowledge",
        "As many features drawn at random and called relevant: the mean of the draws, and the least and the largest. "
        "It is a negative control, not the same method with a prior that does not leak: what a method gains in "
        "stability with these as well is owed to the list being fixed, not to what is known.",
        ["Data", "Method", "N", "stability without prior", "random prior", "known", "accuracy random", "known"],
        rows,
        2,
    )


def _spread(values: Sequence[float]) -> str:
    return f"{np.mean(values):.3f} ({min(values):.3f}–{max(values):.3f})"
