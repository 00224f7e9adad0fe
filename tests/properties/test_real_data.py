"""The fast searches pick what the slow ones pick on real tables too, and shuffling never matters.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files (X, y), or keep it in ../shared/data.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import holdfast

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[3] / "shared" / "data"))
QUICK = ["colon", "srbct"]
LONG = ["leukemia", "cns", "dlbcl_shipp", "prostate", "lung_gordon", "arcene", "nci9", "pixraw10P", "lymphography"]
TABLES = QUICK + [pytest.param(name, marks=pytest.mark.slow) for name in LONG]


@pytest.fixture
def table(request):
    path = FOLDER / f"{request.param}.npz"
    if not path.exists():
        pytest.skip(f"no table {request.param}: set HOLDFAST_DATA to a folder that has it")
    with np.load(path) as data:
        return data["X"].astype(np.float64), data["y"]


@pytest.mark.parametrize("table", TABLES, indirect=True)
@pytest.mark.parametrize("objective", ["mid", "miq", "fcd", "fcq"])
def test_lazy_mrmr_picks_what_exhaustive_mrmr_picks(table, objective):
    X, y = table
    n_select = min(50, X.shape[1])
    lazy = holdfast.MRMR(n_select, objective=objective).fit(X, y)
    full = holdfast.MRMR(n_select, objective=objective, search="exhaustive").fit(X, y)
    assert lazy.indices_.tolist() == full.indices_.tolist()
    assert np.array_equal(lazy.scores_, full.scores_, equal_nan=True)
    assert lazy.n_evaluations_.pair <= full.n_evaluations_.pair


@pytest.mark.parametrize("table", TABLES, indirect=True)
def test_lazy_cfs_picks_what_incremental_cfs_picks(table):
    lazy, full = holdfast.CFS().fit(*table), holdfast.CFS(search="incremental").fit(*table)
    assert lazy.indices_.tolist() == full.indices_.tolist()
    assert np.array_equal(lazy.scores_, full.scores_, equal_nan=True)


@pytest.mark.parametrize("table", ["colon"], indirect=True)
def test_naive_cfs_picks_what_lazy_cfs_picks(table):
    X, y = table
    assert holdfast.CFS(search="naive").fit(X, y).indices_.tolist() == holdfast.CFS().fit(X, y).indices_.tolist()


@pytest.mark.parametrize("table", TABLES, indirect=True)
@pytest.mark.parametrize("name", ["mrmr+", "cfs+", "fcbf", "cmim", "su", "f-test"])
def test_shuffled_columns_and_rows_give_the_same_values(table, name, seed):
    X, y = table
    rng = np.random.default_rng([seed, 7])
    columns, rows = rng.permutation(X.shape[1]), rng.permutation(len(X))
    selector = holdfast.selector(name)
    if selector.n_features_to_select is not None:
        selector.set_params(n_features_to_select=min(30, X.shape[1]))
    plain = X[:, selector.fit(X, y).indices_]
    shuffled = selector.fit(X[rows][:, columns], y[rows])
    # Copies of a feature are one and the same: compare what was chosen, not where it stood.
    assert np.array_equal(plain[rows], X[rows][:, columns[shuffled.indices_]])
