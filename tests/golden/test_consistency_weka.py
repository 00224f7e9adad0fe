"""Weka's consistency on the same codes: values of drawn subsets, its backward search and its exhaustive one."""

import json
from pathlib import Path

import numpy as np
import pytest

from golden import datasets
from holdfast import Focus
from holdfast.measures import bayesian_risk, inconsistency_count
from holdfast.prepare.encode import encode
from holdfast.search import removal

WEKA = json.loads((Path(__file__).parent / "weka_consistency.json").read_text())["data"]
FEW = 12


def load(name):
    """Codes (samples × features) and classes, and what Weka says of them."""
    data = getattr(datasets, name)()
    assert data.fingerprint == WEKA[name]["fingerprint"]
    codes = encode(data.X, data.y, None if data.is_discrete else "mdl", None)
    return codes.as_bytes().T, data.y, WEKA[name]


@pytest.mark.parametrize("name", WEKA)
def test_consistency_of_subsets_is_that_of_weka_to_the_last_bit(name):
    levels, y, golden = load(name)
    assert [1 - bayesian_risk(levels[:, subset], y) for subset in golden["subsets"]] == golden["consistency"]


def test_the_subsets_have_many_sizes_and_many_values():
    for golden in WEKA.values():
        assert len({len(subset) for subset in golden["subsets"]}) >= 12
        assert len(set(golden["consistency"])) >= 8
    assert any(golden["consistency"][1] < 1 for golden in WEKA.values())  # some tables contradict themselves


@pytest.mark.parametrize("name", WEKA)
def test_steepest_descent_keeps_the_features_of_wekas_backward_search(name):
    levels, y, golden = load(name)
    n_features = levels.shape[1]
    found = removal.steepest(
        lambda kept: float(inconsistency_count(levels[:, list(kept)], y)),
        n_features,
        float(inconsistency_count(levels, y)),
        scan=np.arange(n_features)[::-1],
    )
    expected = golden["greedy_backward"]
    assert list(found.kept) == expected["subset"]
    assert 1 - found.value / len(y) == expected["consistency"]


@pytest.mark.parametrize("name", WEKA)
def test_focus_is_as_small_and_as_consistent_as_wekas_exhaustive_search(name):
    levels, y, golden = load(name)
    found = Focus(discretizer=None).fit(levels[:, :FEW], y)
    expected = golden["exhaustive_in_the_first_12"]
    assert len(found.indices_) == len(expected["subset"])
    assert 1 - found.risk_ == expected["consistency"]
    assert 1 - bayesian_risk(levels[:, expected["subset"]], y) == expected["consistency"]
