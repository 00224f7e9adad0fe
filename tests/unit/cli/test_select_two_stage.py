"""``holdfast select`` with a two-stage method: both scores by their names, settings, and a search that is stopped."""

import json

import numpy as np
import pytest

import holdfast as package
from holdfast.search.colony import BeeSearch
from holdfast.search.genetic import GeneticSearch
from holdfast.selectors.evolutionary import _outer
from unit.cli.conftest import MADE

FEW = ("--set", "n_bees=4", "--set", "n_cycles=2", "--set", "cv=3", "--set", "outer_cv=2", "--set", "block_size=10")
BEES = ("--target", "state", "--method", "gbc+", *FEW)


def selected(result):
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def said(result):
    assert result.exit_code == 0, result.stderr
    return " ".join(result.stdout.split())


def interrupt(*given):
    raise KeyboardInterrupt


@pytest.fixture
def n_searches(monkeypatch):
    """Searches that were run, each with the number of samples that the outer splits left it."""
    found = []
    run = BeeSearch.run

    def noted(self, habits):
        found.append(self)
        run(self, habits)

    monkeypatch.setattr(BeeSearch, "run", noted)
    return found


def test_the_text_shows_both_scores_each_by_its_name(holdfast, table):
    text = said(holdfast("select", table, *BEES, "--repeats", 0))
    fitted = package.selector("gbc+", n_bees=4, n_cycles=2, cv=3, outer_cv=2, block_size=10)
    fitted.fit(package.read(table, target="state"))
    assert f"Inner fitness: accuracy {fitted.inner_fitness_:.4g}, cross-validated on the very samples" in text
    assert f"Outer score: accuracy {fitted.outer_score_:.4g} (95 % interval" in text
    assert text.index("Inner fitness") < text.index("not what to expect") < text.index("Outer score")
    assert "Expect this of new samples." in text
    assert "Score: what the inner fitness of the set lost when the feature went" in text


def test_the_json_has_both_scores_each_by_its_name(holdfast, table):
    found = selected(holdfast("select", table, *BEES, "--repeats", 0, "--json"))
    fitted = package.selector("gbc+", n_bees=4, n_cycles=2, cv=3, outer_cv=2, block_size=10)
    fitted.fit(package.read(table, target="state"))
    details = found["details"]
    assert (details["inner_fitness"], details["outer_score"]) == (fitted.inner_fitness_, fitted.outer_score_)
    assert details["outer_interval"] == list(fitted.outer_interval_)
    assert (details["n_outer_splits"], details["ended"]) == (2, fitted.ended_)
    assert details["n_requests"] - details["n_cache_hits"] == found["evaluations"]["subset"]
    assert [feature["index"] for feature in found["selected"]] == fitted.indices_.tolist()
    assert [feature["score"] for feature in found["selected"]] == fitted.scores_[fitted.indices_].tolist()


@pytest.mark.parametrize("method", ["gbc", "mrmr-ga"])
def test_the_others_show_both_scores_too(holdfast, table, method):
    own = FEW if method == "gbc" else ("--set", "population=4", "--set", "n_generations=2", "--set", "outer_cv=2")
    text = said(holdfast("select", table, "--target", "state", "-m", method, *own, "--repeats", 0))
    assert "Inner fitness: accuracy" in text
    assert "Outer score: accuracy" in text


def test_without_an_outer_score_that_is_said(holdfast, table):
    arguments = ("select", table, *BEES[:-4], "--set", "outer_cv=none", "--repeats", 0)
    assert "Outer score: not known, for outer_cv=None asked for none." in said(holdfast(*arguments))
    assert selected(holdfast(*arguments, "--json"))["details"]["outer_score"] is None


def test_settings_reach_the_search(holdfast, table):
    more = ("--set", "scoring=balanced-accuracy", "--set", "filter=f-test", "--set", "random_state=3", "-k", 2)
    found = selected(holdfast("select", table, *BEES, *more, "--repeats", 0, "--json"))
    expected = {"n_bees": 4, "scoring": "balanced-accuracy", "filter": "f-test", "random_state": 3}
    assert {name: found["parameters"][name] for name in expected} == expected
    assert 1 <= len(found["selected"]) <= 2
    assert "Inner fitness: balanced-accuracy" in said(holdfast("select", table, *BEES, *more, "--repeats", 0))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--method", "gbc+", "--set", "n_bees=1"), "n_bees=1"),
        (("--method", "gbc", "--set", "look_up=true"), "look_up=True contradicts the method 'gbc'"),
        (("--method", "gbc+", "--set", "bees=9"), "no parameter 'bees'"),
        (("--method", "mrmr-ga", "--set", "population=0"), "population=0"),
        (("--method", "gbc+", "--set", "filter=fish"), "filter"),
    ],
)
def test_wrong_settings_are_refused_by_name(holdfast, table, more, message):
    result = holdfast("select", table, "--target", "state", *more, "--repeats", 0)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_half_samples_repeat_the_search_without_its_outer_estimate(holdfast, table, n_searches):
    found = selected(holdfast("select", table, *BEES, "--repeats", 3, "--json"))
    assert found["n_half_samples"] == 3
    assert len(n_searches) == 1 + 2 + 3
    assert all(0 <= feature["frequency"] <= 1 for feature in found["selected"])


def test_half_samples_with_filled_values_do_without_the_outer_estimate_too(holdfast, make_table, n_searches):
    X = MADE.X.copy()
    X[3, 4] = np.nan
    file = make_table(X=X)
    selected(holdfast("select", file, *BEES, "--repeats", 3, "--impute", "median", "--json"))
    assert len(n_searches) == 1 + 2 + 3


def test_the_number_of_workers_changes_nothing(holdfast, table):
    runs = [holdfast("select", table, *BEES, "--repeats", 2, "--json", *more).stdout for more in ((), ("--jobs", 2))]
    assert runs[0] == runs[1] != ""


def test_an_interrupted_search_still_gives_a_list_and_makes_no_repeats(holdfast, table, monkeypatch, n_searches):
    monkeypatch.setattr(BeeSearch, "_onlookers", interrupt)
    found = selected(holdfast("select", table, *BEES, "--repeats", 5, "--json"))
    assert len(n_searches) == 1
    assert len(found["selected"]) > 0
    assert found["details"]["ended"] == "interrupted"
    assert (found["n_half_samples"], found["stability"]) == (0, None)
    assert {feature["score"] for feature in found["selected"]} == {None}
    assert 0 < found["details"]["inner_fitness"] <= 1
    assert found["details"]["outer_score"] is None


def test_the_text_of_an_interrupted_search_says_so_and_explains_no_scores(holdfast, table, monkeypatch):
    monkeypatch.setattr(BeeSearch, "_onlookers", interrupt)
    text = said(holdfast("select", table, *BEES, "--repeats", 5))
    assert "The search ended early, since it was interrupted: the list is the best so far" in text
    assert "Outer score: not known, for the search was interrupted." in text
    assert "Chosen in" not in text
    assert "merit at the moment of the pick" not in text


def test_an_interrupted_genetic_search_still_gives_a_list(holdfast, table, monkeypatch):
    monkeypatch.setattr(GeneticSearch, "_follow", interrupt)
    options = ("--target", "state", "-m", "mrmr-ga", "--set", "population=4", "--repeats", 5, "--json")
    found = selected(holdfast("select", table, *options))
    assert found["details"]["ended"] == "interrupted"
    assert found["n_half_samples"] == 0


def test_an_interrupted_outer_estimate_still_gives_a_list_and_makes_no_repeats(
    holdfast, table, monkeypatch, n_searches
):
    monkeypatch.setattr(_outer, "_chosen_without", interrupt)
    found = selected(holdfast("select", table, *BEES, "--repeats", 5, "--json"))
    assert len(found["selected"]) > 0
    assert found["details"]["outer_score"] is None
    assert found["n_half_samples"] == 0
    assert len(n_searches) == 1


def test_an_interruption_in_the_half_samples_leaves_the_list_and_its_outer_score(holdfast, table, monkeypatch):
    run = BeeSearch.run
    n_runs = []

    def stop_the_fourth(self, habits):
        n_runs.append(1)
        if len(n_runs) == 4:
            raise KeyboardInterrupt
        run(self, habits)

    monkeypatch.setattr(BeeSearch, "run", stop_the_fourth)
    result = holdfast("select", table, *BEES, "--repeats", 5)
    assert result.exit_code == 0
    text = said(result)
    assert "Chosen in: not known, for the half-samples were stopped." in text
    assert "Expect this of new samples." in text
    assert len(n_runs) == 4


def test_a_time_limit_is_a_setting(holdfast, table):
    arguments = ("select", table, *BEES, "--set", "max_time=0.000001", "--repeats", 2, "--json")
    found = selected(holdfast(*arguments))
    assert found["details"]["ended"] == "max_time"
    assert len(found["selected"]) > 0
    assert found["n_half_samples"] == 2
