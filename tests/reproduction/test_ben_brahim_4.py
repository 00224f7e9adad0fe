"""Chapter 4 of Ben Brahim 2015 on the real tables.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import pytest

from holdfast.reproduce.ben_brahim._prior_runs import (
    E5_PAIRS,
    PRIORS,
    SCALED,
    SIZES,
    UNSCALED,
    chosen,
    controls,
    gathered,
    jobs_on,
    run,
)
from holdfast.reproduce.ben_brahim.chapter4 import N_FOLDS, PLAN, beside
from holdfast.reproduce.cells import WORSE, Cell, read_printed
from holdfast.reproduce.shelf import stocked

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[3] / "shared" / "data"))

pytestmark = pytest.mark.slow
on_tables = pytest.mark.parametrize("name", list(PRIORS))


@lru_cache
def results(name):
    """All methods but SS-l2AROM, which takes a minute, and one draw of a prior at random."""
    shelf = stocked(PLAN.sets, FOLDER)
    if name not in shelf:
        pytest.skip(f"{shelf.absence(name)}: set HOLDFAST_DATA to a folder that has it")
    jobs = [job for job in jobs_on(name, SIZES, n_draws=1) if job.method != "SS-l2AROM"]
    return gathered([run(job, N_FOLDS, shelf) for job in jobs])


@on_tables
def test_accuracies_are_hardly_ever_worse_than_in_print(name):
    printed = read_printed("ben-brahim-4")
    verdicts = [
        Cell(key, printed[key], ours, True).verdict
        for reading in (SCALED, UNSCALED)
        for key, ours in beside(results(name), reading, printed)
        if key.quantity == "accuracy" and not printed[key].remark
    ]
    assert verdicts.count(WORSE) <= 0.2 * len(verdicts)


@on_tables
def test_a_prior_steadies_short_lists(name):
    by = chosen(results(name), SCALED)
    for pk, plain in E5_PAIRS:
        assert by[name, pk].stability(10) > by[name, plain].stability(10)


def test_genes_drawn_at_random_steady_pk_mrmr_on_lung_as_well():
    known = chosen(results("Lung"), SCALED)["Lung", "PK-mRMR"]
    (drawn,) = controls(results("Lung"))["Lung", "PK-mRMR"]
    assert drawn.stability(10) > known.stability(10)


def test_ss_l2arom_comes_to_rest_on_dlbcl():
    shelf = stocked(PLAN.sets, FOLDER)
    if "DLBCL" not in shelf:
        pytest.skip(f"{shelf.absence('DLBCL')}: set HOLDFAST_DATA to a folder that has it")
    (part,) = [one for one in PLAN.parts(shelf, False) if one.key == "DLBCL SS-l2AROM scaled known 100"]
    (found,) = gathered([part.call(shelf)])
    assert sorted({len(trace) for trace in found.traces}) == [2, 3]
