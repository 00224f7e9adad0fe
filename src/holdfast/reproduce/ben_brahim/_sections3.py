"""Tables of our own for chapter 3: Relief without scaling, CLA with rank 0, WRA, and errors by size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdfast.reproduce.ben_brahim._apart import set_apart
from holdfast.reproduce.ben_brahim._claims3 import MCE, STABILITY, claims_unscaled, doubts, printed_of
from holdfast.reproduce.ben_brahim._ensembles import ABSENT_IS_0, DP_RELIEF, UNSCALED, Outcome
from holdfast.reproduce.ben_brahim._sets import STAND_IN
from holdfast.reproduce.cells import VERDICTS, Cell, Key, Ours, Printed, counted, noise
from holdfast.reproduce.plan import Section

NEAR = 0.1
NONE = "–"
TABLES = {DP_RELIEF: "3.5", "DP-mRMR": "3.6", "DP-t-test": "3.7", "FP": "3.8"}


def ours_beside(one: Outcome, quantity: str, printed: Printed) -> Ours | None:
    """The mean over sizes that stands beside a printed one; None if the method has no such number."""
    if quantity == MCE:
        return Ours(one.mce, noise(one.mce, printed.value, one.n_samples))
    return None if one.stability is None else Ours(one.stability, NEAR)


def sections(
    results: Sequence[Outcome], printed: Mapping[Key, Printed], better: Mapping[str, bool | None]
) -> list[Section]:
    """All of them, for whatever was run."""
    rare = [(one, _pair(one, printed, better)) for one in results if one.method == ABSENT_IS_0]
    unscaled = [
        (one, _pair(one, printed, better)) for one in results if one.setting == UNSCALED and one.method != ABSENT_IS_0
    ]
    told, suspected = (
        [[one.text, one.verdict, one.printed, one.evidence] for one in some]
        for some in (claims_unscaled(results, printed), doubts(results, printed))
    )
    return [
        Section(
            "Relief without scaling: verdicts",
            "Values as they are, beside Table 3.5; run after the other, with the printed numbers in view. Cells "
            "counted apart are left out.",
            ["", *VERDICTS],
            _counts(cell for _, pair in unscaled for cell in pair.values()),
        ),
        Section("Relief without scaling: claims", "", ["Claim", "Verdict", "In print", "Numbers"], told, n_words=4),
        Section(
            "Relief without scaling, beside Table 3.5",
            "",
            ["Data", "Method", *_PAIR],
            [[one.data, one.method, *_shown(one, pair)] for one, pair in unscaled],
            n_words=2,
        ),
        Section(
            "CLA with rank 0 for absent features",
            "What remark 7 suspects behind the printed CLA: a feature that a list does not hold has the rank 0 in it, "
            "so the rarest win. Beside the printed CLA.",
            ["Data", "Setting", *_PAIR],
            [[one.data, one.setting, *_shown(one, pair)] for one, pair in rare],
            n_words=2,
        ),
        _wra(results, printed),
        Section(
            "Our doubts of printed numbers",
            "Not said in the thesis: whether ours show what is seen in print.",
            ["Doubt", "Verdict", "In print", "Numbers"],
            suspected,
            n_words=4,
        ),
        _by_size(results),
    ]


_PAIR = ("MCE printed", "ours", "verdict", "stability printed", "ours", "verdict")


def _pair(one: Outcome, printed: Mapping[Key, Printed], better: Mapping[str, bool | None]) -> dict[str, Cell]:
    """Error and stability beside the print, where there is any."""
    setting = DP_RELIEF if one.setting == UNSCALED else one.setting
    found = {}
    for quantity in (MCE, STABILITY):
        key = Key(TABLES[setting], one.data, one.method.partition(",")[0], setting, quantity)
        ours = ours_beside(one, quantity, printed[key]) if key in printed else None
        if ours is not None:
            found[quantity] = Cell(key, printed[key], set_apart(ours, STAND_IN.get(one.data, "")), better[quantity])
    return found


def _shown(one: Outcome, pair: Mapping[str, Cell]) -> list[str]:
    shown = []
    for quantity, value in ((MCE, one.mce), (STABILITY, one.stability)):
        cell = pair.get(quantity)
        shown += [
            NONE if cell is None else f"{cell.printed.value:.3f}",
            NONE if value is None else f"{value:.3f}",
            NONE if cell is None else cell.verdict,
        ]
    return shown


def _counts(cells: Iterable[Cell]) -> list[list[str]]:
    cells = [cell for cell in cells if not cell.is_apart]
    rows = []
    for quantity in (MCE, STABILITY):
        count = counted(cell for cell in cells if cell.key.quantity == quantity)
        rows.append([quantity, *(str(count[verdict]) for verdict in VERDICTS)])
    return rows


def _wra(results: Sequence[Outcome], printed: Mapping[Key, Printed]) -> Section:
    there = printed_of(printed)
    rows = []
    for one in results:
        if one.method == "WRA" and one.stability is not None:
            mean = there.get((one.data, one.setting, "WRA", MCE))
            rows.append(
                [
                    one.data,
                    one.setting,
                    NONE if mean is None else f"{mean:.3f}",
                    f"{one.mce:.3f}",
                    f"{one.stability:.3f}",
                ]
            )
    text = "In the appendix only, by size and without stability; printed: the mean of what stands there."
    return Section(
        "WRA over all sizes", text, ["Data", "Setting", "MCE printed", "ours", "stability, ours"], rows, n_words=2
    )


def _by_size(results: Sequence[Outcome]) -> Section:
    rows = [
        [one.data, one.setting, one.method, *(f"{error:.3f}" for error in one.errors.values())]
        for one in results
        if one.method != ABSENT_IS_0
    ]
    return Section("Errors by size", "", ["Data", "Setting", "Method", *map(str, results[0].errors)], rows, n_words=3)
