"""The guide page on two-stage methods: its code runs and does what the page says."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import holdfast
from holdfast.cli.demo import embedded
from holdfast.data import copies
from holdfast.report.evolutions import INNER, OUTER

GUIDE = (Path(__file__).parents[3] / "docs" / "two_stage.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def names():
    found = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL):
        exec(compile(block, "two_stage.md", "exec"), found)
    return found


def _cells(row):
    """The cells of a row of the table of means after the first."""
    table = GUIDE.partition("| method | inner fitness |")[2].partition("\n\n")[0]
    (line,) = re.findall(rf"^\| {re.escape(row)} \|(.*)\|$", table, flags=re.MULTILINE)
    return [cell.strip() for cell in line.split("|")]


def test_the_inner_fitness_is_too_good_and_the_outer_score_is_not(names):
    found = names["found"]
    assert len(found.indices_) == 8
    assert (round(found.inner_fitness_, 2), round(found.outer_score_, 2)) == (0.97, 0.60)
    assert np.round(found.outer_interval_, 2).tolist() == [0.47, 0.71]
    assert round(names["truth"](found.indices_), 2) == 0.67
    assert round(names["truth"](names["filtered"].indices_), 2) == 0.76
    assert found.outer_frequency_[found.indices_].tolist().count(0) == 6
    assert sorted(found.outer_frequency_[found.indices_])[-2:] == [0.2, 1.0]


def test_labels_that_mean_nothing_have_a_high_inner_fitness(names):
    lucky = names["lucky"]
    assert (round(lucky.inner_fitness_, 2), round(lucky.outer_score_, 2)) == (0.85, 0.52)


def test_switches_do_what_the_page_says(names):
    found, again, patient = names["found"], names["again"], names["patient"]
    assert again.indices_.tolist() == found.indices_.tolist()
    assert (again.n_evaluations_.subset, found.n_evaluations_.subset) == (2495, 1576)
    assert (round(patient.inner_fitness_, 2), patient.n_evaluations_.subset) == (0.97, 5439)
    assert len(patient.history_) == 101
    assert len(names["bred"].indices_) == 30
    assert len(names["few"].indices_) <= 4


def test_what_is_kept_is_what_the_page_says(names):
    found = names["found"]
    assert (len(found.pool_), round(found.pool_fitness_, 2)) == (100, 0.93)
    assert (found.ended_, found.n_requests_, found.n_cache_hits_) == ("patience", 2495, 919)
    assert found.scores_[found.indices_].sum() == pytest.approx(found.inner_fitness_)
    assert names["quick"].n_outer_splits_ == 2


def test_classifiers_and_splitters_of_all_kinds_are_taken(names):
    for name in ("near", "left_out", "by_bayes", "by_relief"):
        assert names[name].inner_fitness_ > 0.7, name
    assert len(names["by_relief"].pool_) == 30


def test_figures_and_page_have_the_same_names_for_the_two_scores():
    assert f"*{INNER}*" in GUIDE
    assert f"*{OUTER}*" in GUIDE


def test_every_method_of_the_family_is_in_the_table():
    table = GUIDE.partition("| method | stage one |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([a-z+-]+)` \|", table, flags=re.MULTILINE)
    assert sorted(rows) == sorted(row.name for row in holdfast.methods("evolutionary"))


def test_settings_of_both_colonies_are_those_of_the_table():
    table = GUIDE.partition("| thesis | setting |")[2].partition("\n\n")[0]
    told = {}
    for line in table.splitlines()[2:]:
        _, _, settings, original, improved, *_ = (cell.strip() for cell in line.split("|"))
        improved = original if improved == "the same" else improved
        split = [re.findall(r"`(\w+)`", settings), *(cell.split(", ") for cell in (original, improved))]
        for name, one, other in zip(*split, strict=True):
            told[name] = (one, other)
    for which, method in enumerate(("gbc", "gbc+")):
        made = holdfast.selector(method).get_params()
        wrong = {name for name, words in told.items() if words[which] and words[which].strip('"') != str(made[name])}
        assert not wrong, method
    own = set(inspect.signature(holdfast.BeeColony).parameters) - set(inspect.signature(holdfast.MRMRGA).parameters)
    # Both methods have the same positions.
    assert own - {"positions"} <= set(told)


def test_the_list_of_the_demo_is_what_the_command_prints():
    _, table = embedded()
    found = holdfast.selector("gbc+").fit(table)
    shown = re.findall(r"^ +\d+ +(GENE\d+) +(\d\.\d+) ", GUIDE, flags=re.MULTILINE)
    assert [(table.feature_names[j], f"{found.scores_[j]:.4f}") for j in found.indices_] == shown
    assert (round(found.inner_fitness_, 2), round(found.outer_score_, 2)) == (0.99, 0.93)
    assert np.round(found.outer_interval_, 2).tolist() == [0.86, 0.97]


@pytest.mark.slow
def test_means_over_ten_tables_are_those_of_the_page():
    rows, filtered = [], []
    for seed in range(10):
        made = copies(n_samples=2060, n_features=500, n_relevant=6, n_copies=2, shift=0.8, random_state=seed)
        X, y, machine = made.X[:60], made.y[:60], make_pipeline(StandardScaler(), SVC(gamma="auto"))

        def truth(features, made=made, X=X, y=y, machine=machine):
            return machine.fit(X[:, features], y).score(made.X[60:, features], made.y[60:])

        found = holdfast.selector("gbc+").fit(X, y)
        n_chosen, n_sets = len(found.indices_), found.n_evaluations_.subset
        rows.append([found.inner_fitness_, found.outer_score_, truth(found.indices_), n_chosen, n_sets])
        sizes = (5, 10, 50)
        filtered.append([truth(holdfast.selector("mrmr+", n_features_to_select=k).fit(X, y).indices_) for k in sizes])
    inner, outer, on_new, n_chosen, n_sets = np.mean(rows, axis=0)
    assert _cells("`gbc+`") == [f"{inner:.3f}", f"{outer:.3f}", f"{on_new:.3f}", f"{n_chosen:.1f}", f"{n_sets:,.0f}"]
    assert _cells("`mrmr+` alone")[2] == ", ".join(f"{value:.3f}" for value in np.mean(filtered, axis=0))
