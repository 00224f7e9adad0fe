"""Chapter 3 of Pino Angulo 2019 on real tables.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.reproduce.cells import AGREES, Cell, Key, read_printed
from holdfast.reproduce.pino_angulo._cells3 import ours_beside
from holdfast.reproduce.pino_angulo._results3 import gathered
from holdfast.reproduce.pino_angulo._runs3 import Effort, annealed, filtered, removed, swept
from holdfast.reproduce.pino_angulo._tables3 import BY_CLASS, READINGS, SETS, SWEPT, TEN_BINS, load, sixteen
from holdfast.reproduce.pino_angulo.chapter3 import PLAN, findings_of, readings_of
from holdfast.reproduce.plan import FAILS
from holdfast.reproduce.shelf import Shelf, stocked

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[3] / "shared" / "data"))

pytestmark = pytest.mark.slow

# What the full run bears out, wholly or in part, and so a shorter one has to.
BORNE_OUT = (
    "size-lcc", "risk-sdcc", "auc-FSDCC-NB", "auc-ASDCC-NB", "auc-FSDCC-tree", "auc-ASDCC-tree", "evaluations-FSDCC",
    "evaluations-ASDCC", "same-at-0", "corrected",
)  # fmt: skip
SHORT = Effort((0.0, 0.01, 0.05, 0.1), 3, {"NB": 3, "tree": 3}, ("NB", "tree"))


def shelf_with(*names: str) -> Shelf:
    shelf = stocked(SETS, FOLDER)
    missing = [SETS[name].file for name in names if name not in shelf]
    if missing:
        pytest.skip(f"no tables {', '.join(missing)}: set HOLDFAST_DATA to a folder that has them")
    return shelf


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("Arrhythmia", (452, 279, 13)),
        ("Segment", (2310, 19, 7)),
        ("Splice", (3186, 60, 3)),
        ("Madelon", (2600, 500, 2)),
        ("Spambase", (2000, 57, 2)),
        ("prostate", (102, 12600, 2)),
    ],
)
def test_tables_have_the_size_that_is_told_of_them(name, size):
    task = load(name, shelf_with(name))
    assert (*task.X.shape, task.n_classes) == size


def test_files_have_the_shape_that_parts_are_cut_by():
    shelf = shelf_with("Arrhythmia")
    # Splice is there as indicators.
    told = {name: SETS[name].shape for name in shelf.there if SETS[name].shape and name != "Splice"}
    assert {name: shelf.load(name).X.shape for name in told} == told


@pytest.mark.parametrize(("method", "size"), [("CFS", 6), ("SLCC", 9), ("SWCFS", 9)])
def test_splice_comes_back_as_printed(method, size):
    shelf = shelf_with("Splice")
    made = {
        "removed/Splice": removed("Splice", shelf),
        f"filters/Splice/{BY_CLASS}/{method}": filtered("Splice", BY_CLASS, (method,), ("NB",), shelf),
    }
    printed = read_printed(PLAN.printed)
    ours = ours_beside(gathered(made), printed)
    assert ours[Key("3.3", "Splice", method, "", "features")].value == size
    key = Key("3.3", "Splice", method, "NB", "AUC")
    assert Cell(key, printed[key], ours[key], PLAN.better["AUC"]).verdict == AGREES


def test_salcc_on_madelon_judges_as_many_sets_as_before():
    one = annealed("Madelon", TEN_BINS, shelf_with("Madelon"))
    assert (one["n_judged"], one["n_all"], one["lcc_size"], one["salcc_size"]) == (15, 43, 10, 11)


def test_the_printed_threshold_can_be_met_with_ten_bins_on_every_set_at_hand_but_not_with_cuts_by_class():
    shelf = shelf_with("Arrhythmia", "Segment", "Splice", "Madelon")
    risks = {name: removed(name, shelf) for name in ("Arrhythmia", "Segment", "Splice", "Madelon")}
    assert all(one[TEN_BINS]["risk_of_all"] <= 0.01 for one in risks.values())
    assert {name for name, one in risks.items() if one[BY_CLASS]["risk_of_all"] > 0.01} == {"Arrhythmia", "Madelon"}


def test_searches_over_thresholds_have_the_directions_of_the_thesis():
    shelf = shelf_with("Arrhythmia", "Segment", "Splice", "Madelon", "Satimage", "Musk1", "Zoo")
    made = {}
    for name in sixteen(SWEPT, shelf):
        made[f"removed/{name}"] = removed(name, shelf)
        for reading in readings_of(name):
            made[f"sweep/{name}/{reading}/all"] = swept(name, reading, SHORT, shelf)
    printed = read_printed(PLAN.printed)
    for reading, found in gathered(made).items():
        verdict = {one.key: one.verdict for one in findings_of(found, printed)}
        assert [key for key in BORNE_OUT if verdict[key] == FAILS] == [], reading


@pytest.mark.parametrize("name", ["Colon", "all_chiaretti", "lung_gordon"])
def test_nearly_all_features_of_a_wide_table_go_at_once(name):
    one = removed(name, shelf_with(name))
    assert all(one[reading]["n_removed"] > 0.98 * one[reading]["n_features"] for reading in READINGS)
    assert one[BY_CLASS]["n_constant"] > one[TEN_BINS]["n_constant"]
