"""Weka's ReliefF weights on seeded data: numbers and names, two and three classes, with and without fading by rank."""

import json
from pathlib import Path

import numpy as np
import pytest

import holdfast
from golden import datasets

WEKA = json.loads((Path(__file__).parent / "weka_relief.json").read_text())["data"]
UNTIED = ["continuous_two_class", "continuous_three_class", "continuous_ties", "mixed", "repeated_samples"]
ALL_NEIGHBOURS = "-K 60"  # more than any class has, so that nobody is left out and ties cannot matter


def scores(name, options, **more):
    """Ours under the options of Weka, 0 for a constant feature as there."""
    data = getattr(datasets, name)()
    assert data.fingerprint == WEKA[name]["fingerprint"]
    words = options.split()
    fitted = holdfast.ReliefF(
        n_features_to_select=1,
        n_neighbors=int(words[words.index("-K") + 1]),
        sigma=float(words[words.index("-A") + 1]) if "-W" in words else None,
        nominal=list(data.nominal),
        **more,
    ).fit(data.X, data.y)
    return np.where(np.ptp(data.X, axis=0) > 0, fitted.scores_, 0.0)


@pytest.mark.parametrize("name", UNTIED)
@pytest.mark.parametrize("options", ["-K 10", "-K 3", "-K 60", "-K 10 -W -A 2", "-K 10 -W -A 20", "-K 3 -W -A 2"])
def test_relieff_weights_are_those_of_weka(name, options):
    np.testing.assert_allclose(scores(name, options), WEKA[name][options], rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", ["discrete_apart_two_class", "discrete_apart_three_class"])
def test_relieff_weights_of_names_are_those_of_weka(name):
    np.testing.assert_allclose(scores(name, "-K 3"), WEKA[name]["-K 3"], rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", ["discrete", "discrete_duplicates"])
@pytest.mark.parametrize("ties", ["share", "first"])
def test_ties_do_not_matter_when_all_samples_are_neighbours(name, ties):
    ours = scores(name, ALL_NEIGHBOURS, ties=ties)
    np.testing.assert_allclose(ours, WEKA[name][ALL_NEIGHBOURS], rtol=0, atol=1e-10)
