"""Michel 2018 on the real tables, a few repetitions of each search.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from holdfast.reproduce.cells import read_printed
from holdfast.reproduce.michel._arms import PAIRING, Arm, gathered, repeated
from holdfast.reproduce.michel._cells10 import BREAST_TOLERANCE, SIZE, SIZE_TOLERANCE, VARIANCE, key_of
from holdfast.reproduce.michel._rules import RULES
from holdfast.reproduce.michel._searches import CV, DT, DT_CV, SHIPPED, TRAIN
from holdfast.reproduce.michel._splits import CLASSIFIED, MEASURED, SETS
from holdfast.reproduce.michel._wrapper_claims import by_default
from holdfast.reproduce.shelf import stocked

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[3] / "shared" / "data"))
# All hundred repetitions take half an hour.
FEW = 8
# Cells of Figure 10.17 that do not come out.
NOT_REACHED = {("Wine", "H2S"), ("Wine", "P")}

pytestmark = pytest.mark.slow


@lru_cache
def few(name: str, criterion: str) -> Arm:
    shelf = stocked(SETS, FOLDER)
    if name not in shelf:
        pytest.skip(f"{shelf.absence(name)}: set HOLDFAST_DATA to a folder that has it")
    return gathered({"": repeated(name, criterion, 0, FEW, shelf)})[name, criterion]


@pytest.mark.parametrize("name", CLASSIFIED)
def test_sizes_are_those_in_print(name):
    """Within what was asked of a reproduction and twice the noise of so few repetitions."""
    arm, printed = few(name, CV), read_printed("michel-10")
    for rule in RULES:
        tolerance = BREAST_TOLERANCE if name == "Breast" and rule in ("CW", "WM") else SIZE_TOLERANCE
        noise = 2 * np.sqrt(printed[key_of(VARIANCE, name, rule)].value / FEW)
        there = printed[key_of(SIZE, name, rule)].value
        assert arm.sizes(rule).mean() == pytest.approx(there, abs=tolerance + noise), rule


@pytest.mark.parametrize("name", CLASSIFIED)
def test_pairing_at_the_printed_sizes_is_that_in_print(name):
    arm, printed = few(name, CV), read_printed("michel-10")
    for rule in RULES:
        if (name, rule) not in NOT_REACHED:
            size = int(printed[key_of(SIZE, name, rule)].value)
            there = printed[key_of(PAIRING, name, rule)].value
            assert arm.read(PAIRING, size) == pytest.approx(there, abs=0.05 + 2 * arm.errors[PAIRING][size - 1]), rule


@pytest.mark.parametrize("name", CLASSIFIED)
def test_h2s_without_a_bound_is_cw_that_stops_also_if_equal(name):
    arm = few(name, CV)
    assert arm.sizes("H2S").tolist() == arm.sizes("CW, also if equal").tolist()


@pytest.mark.parametrize("name", CLASSIFIED)
def test_with_the_bound_hardly_a_step_passes(name):
    arm = few(name, CV)
    assert arm.sizes("H, δ = 0.05").max() <= 1
    assert arm.sizes("H2S, δ = 0.05").mean() <= 2.5


@pytest.mark.parametrize("name", CLASSIFIED)
def test_cross_validation_chooses_better_than_training_accuracy(name):
    train, cv = few(name, TRAIN), few(name, CV)
    assert cv.tests.mean() > train.tests.mean()
    assert train.scores[0] > cv.scores[0]
    assert train.sizes("CW").mean() > cv.sizes("CW").mean() or name == "Breast"
    assert name != "Sonar" or by_default(train) > 0.5 > by_default(cv)


@pytest.mark.parametrize("name", CLASSIFIED)
def test_ties_by_relevance_change_sizes_little(name):
    by_index, by_relevance = few(name, CV), few(name, SHIPPED)
    for rule in ("H", "H2S", "HP"):
        change = by_relevance.sizes(rule) - by_index.sizes(rule)
        assert abs(change.mean()) <= 2 + 2 * change.std() / np.sqrt(FEW)


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("criterion", [DT, DT_CV])
def test_noise_falls_with_the_first_features_and_rises_with_the_last(name, criterion):
    arm = few(name, criterion)
    noise = -arm.scores
    assert 1 < noise.argmin() + 1 < arm.n_features
    assert noise[0] > 1.15 * noise.min()
    assert noise[-1] > 1.05 * noise.min()


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("criterion", [DT, DT_CV])
def test_rules_of_the_filter_depend_on_its_units_and_orientation(name, criterion):
    arm = few(name, criterion)
    assert (arm.sizes("P, mirrored") == 0).all()
    assert (arm.sizes("HP, y as it is") >= arm.n_features - 3).mean() > 0.8
