"""Tables of our own for chapter 4: levels, pairs, seconds, rounds, and areas on more sets than one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from holdfast.reproduce.cells import Key, Printed
from holdfast.reproduce.pino_angulo._claims4 import at_round
from holdfast.reproduce.pino_angulo._left_out import JUDGED_METHODS, METHODS
from holdfast.reproduce.pino_angulo._pair_counts import (
    in_thousands,
    kept,
    mrmr_pairs,
    printed_counts,
    printed_seconds,
    ratios,
    sizes,
)
from holdfast.reproduce.pino_angulo._pairwise import JUDGED, READINGS
from holdfast.reproduce.pino_angulo._results4 import Results
from holdfast.reproduce.plan import Section

Rows = Mapping[Key, Printed]
_SHOWN_AT = (2, 10, 25, 50)
_NOTHING = "–"


def sections(found: Results, printed: Rows) -> list[Section]:
    """Those for which something was run, after one that needs print alone."""
    made = [
        _print_itself(printed),
        _features_kept(found, printed),
        _pairs(found, printed),
        _orders(found, printed),
        _seconds(found, printed),
        _rounds(found),
        _curves(found),
        _areas(found),
        _selection_seconds(found),
    ]
    return [section for section in made if section.rows or not section.header]


def _or_nothing(value: float | None, digits: str = ".3g") -> str:
    return _NOTHING if value is None else f"{value:{digits}}"


def _print_itself(printed: Rows) -> Section:
    counts = printed_counts(printed, "MRMR")
    right = [
        data
        for data, count in counts.items()
        if in_thousands(mrmr_pairs(sizes()["4.3", data].n_features), count) == count
    ]
    times = {
        method: list(
            ratios(printed_seconds(printed, "4.4", method), printed_seconds(printed, "4.4", method + "+")).values()
        )
        for method in ("MRMR", "CFS")
    }
    words = "; ".join(
        f"{method} over {method}+ {np.mean(values):.2f} (median {np.median(values):.2f})"
        for method, values in times.items()
    )
    return Section(
        "What the print says by itself",
        f"The counts of MRMR are those of its closed form on {len(right)} of {len(counts)} sets (not "
        f"{', '.join(data for data in counts if data not in right)}), and those of CFS are, on {len(kept(printed))} of "
        f"{len(printed_counts(printed, 'CFS'))}, the closed form of one whole number of features kept. So the unit is "
        "a pair of features, the number of features is the printed one less the class, and the originals of Table 4.4 "
        "keep their pairs: their seconds are those of FCFS in Table 4.2, not those of CFS. Mean ratios of printed "
        f"seconds: {words}.",
    )


def _features_kept(found: Results, printed: Rows) -> Section:
    in_print = kept(printed)
    rows = [
        [
            data,
            _or_nothing(in_print.get(data), "d"),
            *(str(by[reading]["CFS"]["n_kept"]) if reading in by else _NOTHING for reading in READINGS),
            str(len(by[JUDGED]["CFS"]["cumulative"])) if JUDGED in by else _NOTHING,
            *(str(by[reading]["n_varying"]) if reading in by else _NOTHING for reading in ("mdl",)),
        ]
        for data, by in found.counts.items()
    ]
    return Section(
        "Features that CFS keeps, by levels",
        "In print: the number that the count of pairs comes from. Levels decide it, and the thesis names none. Cuts by "
        "class, which Weka's CFS makes, leave fewer features of DEX with more than one level than were kept in print, "
        f"so the levels were others. Cells are judged by {READINGS[JUDGED].label}, the only ones of these that come "
        "within a fifth of print on every set; they were chosen for that, afterwards. On MLL equal merits decide too: "
        "the library settles them by what a feature is like; **first column**: by its place, as the order of print.",
        [
            "data",
            "in print",
            *(one.label for one in READINGS.values()),
            f"{READINGS[JUDGED].label}, first column",
            "more than one level (MDL)",
        ],
        rows,
    )


def _pairs(found: Results, printed: Rows) -> Section:
    rows = []
    for data, by in found.counts.items():
        for method in ("MRMR", "CFS"):
            in_print = printed_counts(printed, method + "+").get(data)
            counted = [by.get(reading, {}).get(method) for reading in READINGS]
            rows.append(
                [
                    data,
                    f"{method}+",
                    _or_nothing(in_print),
                    *(_or_nothing(None if one is None else one["pairs_in_print_order"] / 1000) for one in counted),
                    _or_nothing(None if counted[0] is None else counted[0]["pairs_lazy"] / 1000),
                ]
            )
    return Section(
        "Pairs that MRMR+ and CFS+ measure, thousands, by levels",
        "In the order of print (Algorithms 9 and 10, of equal merits the first column); last, in the library's order, "
        "which looks first at the feature of the highest bound.",
        [
            "data",
            "method",
            "in print",
            *(one.label for one in READINGS.values()),
            f"library, {READINGS[JUDGED].label}",
        ],
        rows,
        n_words=2,
    )


def _orders(found: Results, printed: Rows) -> Section:
    rows = []
    for data, by_method in found.orders.items():
        for method, counts in by_method.items():
            in_print = printed_counts(printed, method + "+")
            rows.append(
                [
                    f"{method}+ on {data}",
                    f"{in_print[data]:.3g}",
                    f"{in_print['TUM']:.3g}",
                    f"{min(counts) / 1000:.3g} to {max(counts) / 1000:.3g}",
                ]
            )
    return Section(
        "Are CNS and TUM one table?",
        "Both have 60 samples, 7,129 features and two classes, CFS keeps as many features of both, and the counts of "
        "the savings differ. If TUM were CNS with its columns in another order, this is how far counts would differ; "
        "by these levels those of CFS+ hardly do. It cannot be told, so TUM is not counted.",
        ["thousand pairs", "CNS in print", "TUM in print", "ours, columns in random orders"],
        rows,
    )


def _seconds(found: Results, printed: Rows) -> Section:
    in_print = {
        "MRMR": ratios(printed_seconds(printed, "4.4", "MRMR"), printed_seconds(printed, "4.4", "MRMR+")),
        "CFS": ratios(printed_seconds(printed, "4.4", "CFS"), printed_seconds(printed, "4.4", "CFS+")),
        "naive": ratios(printed_seconds(printed, "4.2", "CFS"), printed_seconds(printed, "4.2", "FCFS")),
    }
    rows = []
    for data, one in found.seconds.items():
        naive = found.naive.get(data, {}).get("seconds")
        rows.append(
            [
                data,
                *(f"{one[method]:.3g}" for method in ("MRMR of one", "MRMR", "MRMR+", "FCFS of one", "FCFS", "CFS+")),
                _or_nothing(naive),
                f"{one['MRMR'] / one['MRMR+']:.1f}",
                _or_nothing(in_print["MRMR"].get(data), ".1f"),
                f"{one['FCFS'] / one['CFS+']:.1f}",
                _or_nothing(in_print["CFS"].get(data), ".1f"),
                _or_nothing(None if naive is None else naive / one["FCFS"], ".0f"),
                _or_nothing(in_print["naive"].get(data), ".0f"),
            ]
        )
    return Section(
        "Seconds and their ratios",
        "Whole fits on one processor, making levels included. CFS is the one that computes every sum anew (Table 4.2); "
        "the CFS of Table 4.4 is FCFS. **Of one**: levels and relevances, which every search needs and nothing saves; "
        "where the rest takes thousandths of a second, they keep the ratios low.",
        [
            "data", "MRMR of one", "MRMR", "MRMR+", "FCFS of one", "FCFS", "CFS+", "CFS",
            "MRMR / MRMR+", "in print", "FCFS / CFS+", "in print",
            "CFS / FCFS", "in print",
        ],
        rows,
    )  # fmt: skip


def _rounds(found: Results) -> Section:
    def thirds(rounds: Sequence[float]) -> list[str]:
        middle = len(rounds) // 2
        return [f"{1000 * rounds[at]:.3g}" for at in (0, middle, -1)]

    rows = [
        [data, str(one["n_kept"]), *thirds(found.seconds[data]["rounds"]), *thirds(one["rounds"])]
        for data, one in found.naive.items()
        if data in found.seconds
    ]
    return Section(
        "Thousandths of a second of a round (Figures 4.2 and 4.3)",
        "From one pick to the next: the second pick, one in the middle, and the last.",
        ["data", "kept", "FCFS, second", "middle", "last", "CFS, second", "middle", "last"],
        rows,
    )


def _curves(found: Results) -> Section:
    rows = []
    for data, one in found.judged.items():
        for n_chosen in _SHOWN_AT:
            if n_chosen <= min(len(one[method]["cumulative"]) for method in ("MRMR", "CFS")):
                every = mrmr_pairs(one["n_features"], n_chosen)
                shown = (every, at_round(one, "MRMR", n_chosen), at_round(one, "CFS", n_chosen))
                rows.append([data, str(n_chosen), *(f"{count:,}" for count in shown)])
    return Section(
        "Pairs measured until so many features are chosen (Figures 4.8 and 4.9)",
        f"By {READINGS[JUDGED].label}, in the order of print.",
        ["data", "chosen", "MRMR, CFS", "MRMR+", "CFS+"],
        rows,
        n_words=2,
    )


def _areas(found: Results) -> Section:
    rows = [
        [
            data,
            str(one.n_samples),
            *(f"{one.areas[method]:.3f}" for method in JUDGED_METHODS),
            *(f"{one.areas_with_all[method]:.3f}" for method in JUDGED_METHODS),
            *(f"{one.sizes[method]:.1f}" for method in JUDGED_METHODS),
        ]
        for data, one in found.left_out.items()
    ]
    return Section(
        "AUC by leave-one-out on more tables (as Table 4.5)",
        "Over all left-out samples together. **With all**: features are chosen once, from all samples, so the sample "
        "that is asked for took part in the choice; this leaks, and is shown to see what it is worth. Features of S3F: "
        "two for each cluster, of as many clusters as the silhouette has it.",
        [
            "data",
            "left out",
            *JUDGED_METHODS,
            *(f"{method} with all" for method in JUDGED_METHODS),
            *(f"features {method}" for method in JUDGED_METHODS),
        ],
        rows,
    )


def _selection_seconds(found: Results) -> Section:
    return Section(
        "Seconds of a choice (as Table 4.5)",
        "Mean over the choices without one sample, by the library's own levels (S3F: cuts by class; MRMR: mean ± σ/2).",
        ["data", *METHODS],
        [[data, *(f"{one.seconds[method]:.3g}" for method in METHODS)] for data, one in found.left_out.items()],
    )
