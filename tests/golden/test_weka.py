"""Weka's numbers on seeded data: the same cut points, information gain, SU and CFS subsets."""

import json
from pathlib import Path

import numpy as np
import pytest

import holdfast
from golden import datasets
from holdfast.prepare import MDLDiscretizer

WEKA = json.loads((Path(__file__).parent / "weka.json").read_text())["data"]
CONTINUOUS = ["continuous_two_class", "continuous_three_class", "continuous_ties"]
DISCRETE = ["discrete", "discrete_duplicates"]
# Copies of a column: Weka keeps the lowest, we keep the one that the tie rule names. One representative stands for all.
COPIES_IN = {"discrete_duplicates"}


def load(name):
    data = getattr(datasets, name)()
    assert data.fingerprint == WEKA[name]["fingerprint"]
    return data, WEKA[name]


def on_weka_bins(name):
    """Data, golden numbers on the default MDL bins, and the discretizer that makes them."""
    data, golden = load(name)
    return (data, golden, None) if data.is_discrete else (data, golden["after_default_mdl"], "mdl")


def representatives(X, columns):
    """Each column by its first exact copy."""
    first = {}
    for column in range(X.shape[1]):
        first.setdefault(X[:, column].tobytes(), column)
    return sorted({first[np.ascontiguousarray(X[:, column]).tobytes()] for column in columns})


@pytest.mark.parametrize("name", CONTINUOUS)
def test_mdl_cut_points_are_those_of_weka(name):
    data, golden = load(name)
    ours = MDLDiscretizer().fit(data.X, data.y).cut_points_
    assert [len(cuts) for cuts in ours] == [len(cuts) for cuts in golden["mdl_cut_points"]]
    np.testing.assert_allclose(np.concatenate(ours), np.concatenate(golden["mdl_cut_points"]), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", CONTINUOUS + DISCRETE)
@pytest.mark.parametrize(
    ("method", "key"), [("information-gain", "information_gain"), ("su", "symmetrical_uncertainty")]
)
def test_scores_are_those_of_weka(name, method, key):
    data, golden, discretizer = on_weka_bins(name)
    fitted = holdfast.selector(method, n_features_to_select=1, discretizer=discretizer).fit(data.X, data.y)
    np.testing.assert_allclose(fitted.scores_, golden[key], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CONTINUOUS + DISCRETE)
@pytest.mark.parametrize("method", ["cfs", "fcfs", "cfs+"])
def test_greedy_cfs_takes_the_features_of_weka_in_its_order(name, method):
    data, golden, discretizer = on_weka_bins(name)
    fitted = holdfast.selector(method, discretizer=discretizer).fit(data.X, data.y)
    expected = golden["cfs_greedy"]
    if name in COPIES_IN:
        assert representatives(data.X, fitted.indices_) == representatives(data.X, expected["subset"])
    else:
        assert fitted.indices_.tolist() == expected["order"]
    assert fitted.scores_[fitted.indices_[-1]] == pytest.approx(expected["merit"], abs=1e-6)


@pytest.mark.parametrize("name", CONTINUOUS + DISCRETE)
def test_best_first_cfs_finds_the_subset_of_weka(name):
    data, golden, discretizer = on_weka_bins(name)
    fitted = holdfast.selector("cfs-best-first", discretizer=discretizer).fit(data.X, data.y)
    expected = golden["cfs_best_first"]
    assert representatives(data.X, fitted.indices_) == representatives(data.X, expected["subset"])
    assert np.nanmax(fitted.scores_) == pytest.approx(expected["merit"], abs=1e-6)
