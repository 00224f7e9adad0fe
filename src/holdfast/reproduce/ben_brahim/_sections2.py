"""Tables of our own for chapter 2: the literal reading, averages, figures without the leak, and seconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from holdfast.reproduce.ben_brahim._beside2 import (
    CLASSIFIER_OF,
    EXPERIMENTS,
    FEATURES,
    MCE,
    SECONDS,
    STABILITY,
    TIMES,
    InPrint,
    in_print,
    ours_beside,
)
from holdfast.reproduce.ben_brahim._best import FIXED_HYBRID_LENGTH, FIXED_LENGTH, FIXED_SIZE, Best
from holdfast.reproduce.ben_brahim._claims2 import claims
from holdfast.reproduce.ben_brahim._curves import BASELINES, INSTANCE_BASED, LITERAL, WRAPPERS
from holdfast.reproduce.cells import VERDICTS, Cell, Key, Printed, counted
from holdfast.reproduce.plan import Section

METHODS_OF = dict(
    zip(EXPERIMENTS, ((*INSTANCE_BASED, *BASELINES), (*INSTANCE_BASED, *BASELINES), WRAPPERS), strict=True)
)
NONE = "–"


def sections(
    results: Sequence[Best], printed: Mapping[Key, Printed], better: Mapping[str, bool | None]
) -> list[Section]:
    """All of them, for whatever was run."""
    literal = [one for one in results if one.reading == LITERAL]
    cells = {
        key: Cell(key, printed[key], ours, better[key.quantity])
        for key, ours in ours_beside(literal, printed).items()
        if key.table != TIMES
    }
    found = [_literal_verdicts(cells.values()), _literal_claims(results, printed)]
    for experiment in EXPERIMENTS:
        own = [
            one
            for one in results
            if one.classifier == CLASSIFIER_OF[experiment] and one.method in METHODS_OF[experiment]
        ]
        there = in_print(printed, experiment)
        found += [
            _averages(experiment, own, there),
            _literal_cells(experiment, [one for one in own if one.reading == LITERAL], there, cells),
            _without_the_leak(experiment, own),
        ]
    return [*found, _seconds(results, printed)]


def _literal_verdicts(cells: Iterable[Cell]) -> Section:
    cells = list(cells)
    tables = sorted({cell.key.table for cell in cells})
    cells = [cell for cell in cells if not cell.is_apart]
    rows = []
    for table in tables:
        count = counted(cell for cell in cells if cell.key.table == table)
        rows.append([f"Table {table}", *(str(count[verdict]) for verdict in VERDICTS)])
    total = counted(cells)
    rows.append(["all", *(str(total[verdict]) for verdict in VERDICTS)])
    return Section(
        "Verdicts in the literal reading",
        "The same cells, as far as the reading changes them and without those that are counted apart: with the SVM the "
        "baselines have one reading. Relief as a baseline chooses the same features in both.",
        ["", *VERDICTS],
        rows,
    )


def _literal_claims(results: Sequence[Best], printed: Mapping[Key, Printed]) -> Section:
    """Where there is no literal result the default one stands in."""
    taken = {(one.data, one.method, one.classifier): one for one in results if one.reading != LITERAL}
    taken |= {(one.data, one.method, one.classifier): one for one in results if one.reading == LITERAL}
    rows = [[one.text, one.verdict, one.evidence] for one in claims(list(taken.values()), printed)]
    return Section("Claims in the literal reading", "", ["Claim", "Verdict", "Numbers"], rows, n_words=3)


def _averages(experiment: str, own: Sequence[Best], there: Mapping[tuple[str, str], InPrint]) -> Section:
    own = [one for one in own if (one.data, one.method) in there]
    sets = list(dict.fromkeys(one.data for one in own))
    rows = []
    for label in dict.fromkeys(one.label for one in own):
        same = [one for one in own if one.label == label]
        known = [there[one.data, one.method] for one in same]
        at_place = [one.at(*row.place) for one, row in zip(same, known, strict=True)]
        numbers = (
            [row.values[MCE] for row in known],
            [one.mce for one in same],
            [one.fixed_mce for one in same],
            [one.mce_chosen for one in same],
            [row.values[STABILITY] for row in known],
            [one.stability for one in same],
            [at[1] for at in at_place if at is not None],
        )
        rows.append([label, *(f"{np.mean(some):.4f}" if some else NONE for some in numbers)])
    header = [
        "Method", "MCE printed", "ours", "set beforehand", "chosen by other folds", "stability printed", "ours",
        "ours at the printed place",
    ]  # fmt: skip
    return Section(f"{experiment}: averages", f"Over {', '.join(sets)}." if sets else "", header, rows)


def _literal_cells(
    experiment: str, own: Iterable[Best], there: Mapping[tuple[str, str], InPrint], cells: Mapping[Key, Cell]
) -> Section:
    rows = []
    for one in own:
        row = there.get((one.data, one.method))
        if row is None:
            continue
        at = one.at(*row.place)
        verdicts = {quantity: cells[row.keys[quantity][0]].verdict for quantity in (MCE, FEATURES, STABILITY)}
        rows.append(
            [
                one.data,
                one.method,
                f"{row.values[MCE]:.4f}",
                f"{one.mce:.4f}",
                verdicts[MCE],
                _place(*row.place),
                _place(one.length, one.size),
                NONE if at is None else f"{at[0]:.4f}",
                verdicts[FEATURES],
                f"{row.values[STABILITY]:.4f}",
                f"{one.stability:.4f}",
                NONE if at is None else f"{at[1]:.4f}",
                verdicts[STABILITY],
            ]
        )
    header = [
        "Data", "Method", "MCE printed", "ours", "verdict", "place printed", "ours", "our MCE there", "verdict",
        "stability printed", "ours", "ours there", "verdict",
    ]  # fmt: skip
    text = "A place is the list length, where the method has any, and the number of features."
    return Section(f"{experiment}: the literal reading beside the print", text, header, rows, n_words=2)


def _without_the_leak(experiment: str, own: Iterable[Best]) -> Section:
    rows = [
        [
            one.data,
            one.label,
            _place(one.length, one.size),
            f"{one.mce:.4f}",
            f"{one.stability:.4f}",
            f"{one.fixed_mce:.4f}",
            str(one.fixed_size),
            f"{one.fixed_stability:.4f}",
            f"{one.mce_chosen:.4f}",
        ]
        for one in own
    ]
    header = [
        "Data", "Method", "place", "smallest MCE", "stability", "MCE set beforehand", "features", "stability",
        "MCE chosen by the other folds",
    ]  # fmt: skip
    text = (
        f"Set beforehand: lists of {FIXED_LENGTH} (hybrids {FIXED_HYBRID_LENGTH}) and {FIXED_SIZE} features, or as "
        "near as all folds have. Chosen by the other folds: for each fold, the place with the smallest error "
        "in the others. That is not a nested choice: the samples of the fold were in the training parts of the others, "
        "so they had a part in it."
    )
    return Section(f"{experiment}: without looking at the test folds", text, header, rows, n_words=2)


def _seconds(results: Sequence[Best], printed: Mapping[Key, Printed]) -> Section:
    there = {(key.data, key.method): one for key, one in printed.items() if key.quantity == SECONDS}
    methods = dict.fromkeys(method for _, method in there)
    rows = []
    for one in results:
        if one.method in methods and one.classifier == CLASSIFIER_OF[list(EXPERIMENTS)[-1]]:
            known = there.get((one.data, one.method))
            mark = f" ({known.remark})" if known is not None and known.remark else ""
            rows.append(
                [one.data, one.label, NONE if known is None else f"{known.value:.1f}{mark}", f"{one.seconds:.1f}"]
            )
    text = (
        "All folds and all list lengths, selection only, seconds of one core; Randomized with one walk for every "
        "number of features, so that its sum depends on our grid. Other machines and implementations: only orders of "
        "magnitude mean anything."
    )
    return Section("Seconds (Table 2.9)", text, ["Data", "Method", "printed", "ours"], rows, n_words=2)


def _place(length: int | None, size: int) -> str:
    return str(size) if length is None else f"{length}, {size}"
