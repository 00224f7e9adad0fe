"""Figures take what the stability layer finds, without being taken apart by hand."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast import InstanceWeighting, StabilitySelector, TTest, report, selection_frequency, stability
from holdfast.data import copies


@pytest.fixture(scope="module")
def made():
    return copies(n_samples=60, n_features=30, n_relevant=3, n_copies=1, random_state=0)


@pytest.fixture
def orders(seed):
    rng = np.random.default_rng([seed, 81])
    return [np.argsort(np.arange(8) + rng.normal(size=8))[:6] for _ in range(10)]


def test_the_curve_and_the_bars_take_a_stability_selection(made):
    found = StabilitySelector(selector="t-test", list_size=5, n_runs=10).fit(made.X, made.y)
    assert len(report.frequency_curve({"t-test": found}).data) > 0
    assert len(report.frequency_bars(found, made.feature_names, threshold=found.threshold_).data) > 0


def test_the_curve_takes_frequencies(made):
    found = selection_frequency(TTest(5), made.X, made.y, n_runs=4, perturb="bootstrap")
    assert report.frequency_curve({"t-test": found}).data[-1].name.startswith("t-test")


def test_stability_by_size_takes_results_and_leaves_out_undefined_sizes(orders):
    found = stability.nogueira_by_size(orders, n_features=8)
    figure = report.stability_by_size({"one": found, "other": found})
    assert {trace.name for trace in figure.data if trace.mode and "lines" in trace.mode} >= {"one", "other"}
    alone = report.stability_by_size(found)
    assert len(alone.data) > 0


def test_stability_by_size_asks_for_values():
    with pytest.raises(ValueError, match="stability is missing"):
        report.stability_by_size([1, 2, 3])


def test_the_colour_matrix_takes_results_with_names(orders):
    found = stability.by_size([[f"g{j}" for j in order] for order in orders], n_features=8)
    figure = report.colour_matrix(found)
    assert set(figure.layout.yaxis.ticktext) == {str(name) for name in found.features}


def test_the_profile_takes_weights(made):
    found = InstanceWeighting().fit(made.X, made.y)
    assert len(report.weight_profile(found, made.y).data) > 0
