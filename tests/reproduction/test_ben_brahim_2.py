"""Chapter 2 of Ben Brahim 2015 on real tables.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from holdfast.reproduce.ben_brahim import chapter2
from holdfast.reproduce.ben_brahim._best import all_best
from holdfast.reproduce.ben_brahim._curves import CLASSIFIERS, FULL, ONE_NN, SVM, run
from holdfast.reproduce.ben_brahim._sets import prepared
from holdfast.reproduce.cells import noise
from holdfast.reproduce.shelf import stocked
from unit.reproduce.ben_brahim_checks import assert_best_is_sound

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[3] / "shared" / "data"))
SHAPES = {
    "DLBCL": (77, 7129),
    "Bladder": (31, 1203),
    "Lymphoma": (47, 4026),
    "Prostate": (102, 12600),
    "Breast": (97, 24188),
    "CNS": (60, 7129),
    "Lung": (181, 12533),
    "Colon": (62, 2000),
}

pytestmark = pytest.mark.slow


def shelf_with(data):
    shelf = stocked(chapter2.PLAN.sets, FOLDER)
    if data not in shelf:
        pytest.skip(f"{shelf.absence(data)}: set HOLDFAST_DATA to a folder that has it")
    return shelf


@lru_cache
def found(data, method, reading="default"):
    shelf = shelf_with(data)
    return {one.classifier: one for one in all_best([run(data, method, reading, FULL, FULL.sizes, shelf)])}


@pytest.mark.parametrize("data", SHAPES)
def test_tables_are_whole_and_have_two_classes(data):
    table = prepared(shelf_with(data), data)
    assert table.X.shape == SHAPES[data]
    assert np.isfinite(table.X).all()
    assert np.unique(table.y).tolist() == [0, 1]


@pytest.mark.parametrize("data", ["Colon", "CNS"])
def test_an_instance_based_filter_is_as_good_as_relief(data):
    table = prepared(shelf_with(data), data)
    for classifier in CLASSIFIERS:
        own, relief = (found(data, method)[classifier] for method in ("IB-OF", "Relief"))
        for one in (own, relief):
            assert_best_is_sound(one, len(table.y), np.bincount(table.y).min())
        assert own.mce <= relief.mce + noise(own.mce, relief.mce, len(table.y))


@pytest.mark.parametrize(
    ("data", "method", "classifier", "mce", "place", "stability", "set_beforehand", "chosen"),
    [
        ("CNS", "mRMR", ONE_NN, 0.2667, (None, 7), 0.2373, 0.3500, 0.2667),
        ("CNS", "Relief", SVM, 0.2333, None, None, 0.3167, 0.3333),
        ("CNS", "IB-OF", ONE_NN, 0.2000, None, None, 0.3667, 0.3000),
        ("Colon", "IB-OF", ONE_NN, 0.1452, (12, 6), 0.6248, 0.2571, 0.2119),
        ("Colon", "Relief", ONE_NN, 0.1613, (None, 85), 0.6431, 0.2419, 0.1613),
        ("Colon", "HIB-CSS", ONE_NN, 0.1405, (7, 58), 0.5596, 0.1762, 0.2071),
    ],
)
def test_numbers_are_those_of_the_report(data, method, classifier, mce, place, stability, set_beforehand, chosen):
    one = found(data, method)[classifier]
    assert (one.mce, one.fixed_mce, one.mce_chosen) == pytest.approx((mce, set_beforehand, chosen), abs=5e-5)
    assert place in (None, (one.length, one.size))
    assert stability is None or one.stability == pytest.approx(stability, abs=5e-5)


def test_lists_are_more_stable_without_scaling():
    literal, default = (found("Colon", "IB-OF", reading)[ONE_NN] for reading in ("literal", "default"))
    assert literal.fixed_stability > default.fixed_stability + 0.1
