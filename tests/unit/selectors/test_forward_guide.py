"""The guide page on forward search: its code runs and does what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import holdfast
from holdfast import ForwardSearch
from holdfast.cli.demo import embedded, role
from holdfast.measures import delta_test, lw_index
from holdfast.search.stop_rules import BY_NAME
from holdfast.selectors.sequential._criteria import CRITERIA

GUIDE = (Path(__file__).parents[3] / "docs" / "forward.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def names():
    found = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL):
        exec(compile(block, "forward.md", "exec"), found)
    return found


def test_every_block_of_code_runs_and_finds_what_it_says(names):
    search = names["search"]
    assert search.indices_[:3].tolist() == [27, 11, 3]
    assert search.path_["score"][:5].round(3).tolist() == [0.775, 0.842, 0.925, 0.942, 0.958]
    assert search.path_["score"][5:].max() < search.path_["score"][4]
    for found in (names["by_bayes"], names["backward"], names["floating"]):
        assert sorted(found.indices_.tolist()) == [3, 11, 27]
    assert names["by_delta"].indices_.tolist() == names["by_neighbours"].indices_.tolist() == [3, 11]
    assert names["groups"].n_clusters_ >= 2


def test_rules_stop_where_the_page_says(names):
    X, y, search = names["X"], names["y"], names["search"]
    sizes = {name: stopping.n_features for name, stopping in search.compare_stops(X, y).items()}
    assert sizes == {"none": 12, "cw": 5, "wm": 5, "h": 1, "h2s": 1, "hp": 12, "p": 3, "mi": 3}
    assert search.stop_at("h2s:epsilon=0").n_features == search.stop_at("cw:strict_decrease=False").n_features == 5
    assert ForwardSearch(stop="p").fit(X, y).indices_.tolist() == [27, 11, 3]
    last = names["found"].trace[-1]
    assert last[["p_value", "p_low", "p_high", "n_permutations"]].item() == pytest.approx((0.075, 0.06, 0.26, 40))
    assert round(holdfast.hoeffding_bound(120), 2) == 0.11
    assert 13 / 120 < holdfast.hoeffding_bound(120) < 14 / 120


def test_measures_and_stability_are_what_the_page_says(names):
    X, y, dose = names["X"], names["y"], names["dose"]
    assert round(np.var(dose), 1) == 2.2
    assert round(delta_test(X[:, [3, 11]], dose), 2) == 0.24
    assert round(delta_test(X, dose), 2) == 1.34
    assert round(lw_index(X[:, [3]], y), 1) == -3.5
    by_size = names["by_size"]
    assert by_size.pairing.argmax() == 2
    assert by_size.pairing[[2, 7]].round(2).tolist() == [0.98, 0.36]
    assert by_size.entropy[[2, 3]].round().tolist() == [2, 13]


def test_scores_of_chosen_features_are_optimistic(names):
    assert names["lucky"].value_ == pytest.approx(0.85)
    assert names["honest"] == pytest.approx(0.47)


def test_the_list_of_the_demo_is_what_the_command_prints():
    made, table = embedded()
    found = ForwardSearch(50, stop="p").fit(table)
    shown = re.findall(r"^ +\d+ +(GENE\d+) +(\d\.\d+) ", GUIDE, flags=re.MULTILINE)
    chosen = found.indices_[: len(shown)]
    assert [(table.feature_names[j], f"{found.scores_[j]:.3f}") for j in chosen] == shown
    assert len(found.indices_) == 23
    assert [role(made, table, j) for j in chosen] == ["true", "true", "noise", "true", "noise", "noise"]
    assert found.stopping_.trace[-1][["p_value", "n_permutations"]].item() == pytest.approx((4 / 30, 30))


def test_every_method_criterion_and_rule_is_in_a_table():
    rows = re.findall(r"^\| `([a-z0-9-]+)` \|", GUIDE, flags=re.MULTILINE)
    own = ("ForwardSearch", "SFSLW")
    assert rows == [row.name for row in holdfast.methods("sequential") if row.selector_class.__name__ in own]
    firsts = [cell for row in re.findall(r"^\| (`\".*?) \|", GUIDE, flags=re.MULTILINE) for cell in row.split(", ")]
    assert set(firsts) == {f'`"{name}"`' for name in (*CRITERIA, *BY_NAME)}


def test_every_option_of_a_rule_is_in_the_table():
    table = GUIDE.partition("| `stop=` |")[2].partition("\n\n")[0]
    options = {name for rule in BY_NAME.values() for name in rule.allowed} - {"compares", "complete"}
    assert options <= set(re.findall(r"`(\w+)`", table))
