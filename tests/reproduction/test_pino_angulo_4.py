"""CFS and MRMR of Pino Angulo 2019, chapter 4, on real tables.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from holdfast.reproduce.cells import Key, read_printed
from holdfast.reproduce.pino_angulo._left_out import without
from holdfast.reproduce.pino_angulo._pair_counts import COUNT, cfs_pairs, in_thousands, kept, mrmr_pairs, sizes
from holdfast.reproduce.pino_angulo._pairwise import JUDGED, READINGS, counts, load, naive, seconds
from holdfast.reproduce.pino_angulo._pairwise import QUICK as FEW_TIMES
from holdfast.reproduce.pino_angulo._results4 import gathered
from holdfast.reproduce.pino_angulo._sets4 import AT_HAND, SETS
from holdfast.reproduce.pino_angulo.chapter4 import PLAN
from holdfast.reproduce.shelf import stocked

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[3] / "shared" / "data"))
IN_TABLE_44 = [data for data in AT_HAND if data != "MLL"]
PRINTED = read_printed(PLAN.printed)

pytestmark = pytest.mark.slow


def shelf_with(name):
    shelf = stocked(SETS, FOLDER)
    if name not in shelf:
        pytest.skip(f"{shelf.absence(name)}: set HOLDFAST_DATA to a folder that has it")
    return shelf


@pytest.mark.parametrize("name", AT_HAND)
def test_tables_have_the_printed_size(name):
    table = load(shelf_with(name), name)
    printed = sizes()["4.3" if name in IN_TABLE_44 else "4.1", name]
    assert (table.X.shape[1], len(table.X), len(np.unique(table.y))) == printed


@pytest.mark.parametrize("name", IN_TABLE_44)
def test_mrmr_measures_the_printed_number_of_pairs(name):
    found = counts(name, JUDGED, shelf_with(name))["MRMR"]
    printed = PRINTED[Key("4.4", name, "MRMR", "", COUNT)].value
    assert in_thousands(found["pairs"], printed) == printed


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", ["LEU", "DEX"])
def test_counters_are_the_closed_forms_on_real_tables(name, reading):
    found = counts(name, reading, shelf_with(name))
    assert found["MRMR"]["pairs"] == mrmr_pairs(found["n_features"])
    assert found["CFS"]["pairs"] == cfs_pairs(found["n_features"], found["CFS"]["n_kept"])
    assert found["MRMR"]["is_same"]
    assert found["CFS"]["is_same"]


def test_two_bins_of_equal_width_keep_as_many_features_of_dexter_as_print():
    found = counts("DEX", "width-2", shelf_with("DEX"))["CFS"]
    assert found["n_kept"] == kept(PRINTED)["DEX"] == 88
    assert found["pairs"] == 1756084


def test_cuts_by_class_leave_fewer_features_of_dexter_than_print_keeps():
    assert counts("DEX", "mdl", shelf_with("DEX"))["n_varying"] < kept(PRINTED)["DEX"]


@pytest.mark.parametrize("name", IN_TABLE_44)
def test_the_judged_levels_keep_about_as_many_features_as_print(name):
    found = counts(name, JUDGED, shelf_with(name))["CFS"]
    assert found["n_kept"] == pytest.approx(kept(PRINTED)[name], rel=0.2)


def test_the_naive_search_is_far_slower_than_fcfs_and_keeps_the_same():
    shelf = shelf_with("CNS")
    slow = naive("CNS", shelf)
    assert slow["is_same"]
    assert slow["seconds"] > 20 * seconds("CNS", FEW_TIMES, shelf)["FCFS"]


def test_areas_on_breast_cancer_fall_far_short_of_print_unless_the_choice_sees_all_samples():
    found = gathered({"left-out/BRE/0": without("BRE", 40, (0, 1), shelf_with("BRE"))}).left_out["BRE"]
    assert found.areas["MRMR"] < found.areas_with_all["MRMR"] - 0.1
    assert found.n_other_picks == 0
