"""Methods that repeat themselves, at the shell."""

from __future__ import annotations

import numpy as np
import pytest

import holdfast as package
from unit.cli.conftest import MADE
from unit.cli.test_select import names, selected


def stable(holdfast, table, *options):
    base = ("select", table, "--target", "state", "-m", "stability-selection", "--set", "list_size=4")
    return holdfast(*base, "--set", "n_runs=20", *options)


def test_stability_selection_shows_its_threshold_bound_and_own_frequencies(holdfast, table):
    found = selected(stable(holdfast, table, "--set", "threshold=0.6", "--json"))
    fitted = package.StabilitySelector(list_size=4, n_runs=20, threshold=0.6).fit(package.read(table, target="state"))
    assert [feature["index"] for feature in found["selected"]] == fitted.indices_.tolist()
    assert [feature["frequency"] for feature in found["selected"]] == fitted.frequency_[fitted.indices_].tolist()
    assert found["resamples"] == {"n": 20, "kind": "complementary-pairs"}
    assert found["n_half_samples"] == 20
    assert found["details"]["threshold"] == 0.6
    assert found["details"]["expected_false"] == fitted.expected_false_
    assert found["stability"]["value"] == fitted.stability_


def test_the_text_says_how_many_false_features_to_expect(holdfast, table):
    result = stable(holdfast, table, "--set", "max_false=3")
    assert result.exit_code == 0, result.stderr
    said = " ".join(result.stdout.split())
    assert "false ones are to be expected (r-concave bound)" in said
    assert "Stability of the single lists, before they are joined:" in said


def test_the_seed_draws_other_resamples(holdfast, table):
    one, other, again = (
        selected(stable(holdfast, table, "--set", "threshold=0.3", "--seed", seed, "--json")) for seed in (7, 8, 7)
    )
    assert one == again
    assert one["parameters"]["random_state"] == 7
    assert one["stability"] != other["stability"]


def test_a_threshold_that_nothing_reaches_says_how_far_the_best_came(holdfast, make_table):
    noise = make_table(X=np.random.default_rng(0).normal(size=MADE.X.shape))
    result = stable(holdfast, noise, "--set", "threshold=1.0")
    assert result.exit_code == 4
    assert "of the runs, and 100 % are asked for" in " ".join(result.stderr.split())


def test_an_ensemble_counts_its_bootstraps(holdfast, table):
    found = selected(holdfast("select", table, "--target", "state", "-m", "en-relieff", "-k", 3, "--json"))
    assert found["resamples"] == {"n": 20, "kind": "bootstrap"}
    assert found["n_half_samples"] == 0


@pytest.mark.parametrize("setting", ["C=0.01", "selector__C=0.01"])
def test_parameters_of_the_method_inside_can_be_set(holdfast, table, setting):
    options = ("-k", 5, "--repeats", 0, "--json")
    found = selected(holdfast("select", table, "--target", "state", "-m", "iw-svm-rfe", "--set", setting, *options))
    read = package.read(table, target="state")
    fitted = package.InstanceWeightedSelector(5, selector=package.SVMRFE(C=0.01)).fit(read)
    assert names(found) == fitted.feature_names_in_[fitted.indices_].tolist()


def test_weights_that_shrink_the_cost_of_errors_are_spoken_of(holdfast, table):
    def said(method):
        return holdfast("select", table, "--target", "state", "-m", method, "-k", 3, "--repeats", 2).stdout

    assert "weight_scale=uniform" in said("iw-svm-rfe")
    assert "weight_scale=uniform" not in said("iw-relieff")


def test_few_samples_of_a_class_in_a_resample_are_spoken_of(holdfast, make_table):
    few = make_table(X=MADE.X[:12], states=np.repeat(["sick", "well"], [11, 1]))
    said = " ".join(holdfast("select", few, "--target", "state", "-m", "en-relieff", "-k", 3).stdout.split())
    assert "A resample had only 1 sample of a class" in said
