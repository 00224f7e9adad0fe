"""Pino Angulo 2019, chapter 5: the searches on small tables, and what is written down of them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from holdfast import selector
from holdfast.reproduce.pino_angulo import _two_stage as two_stage
from holdfast.reproduce.pino_angulo._searched import BY_ONE, Search, accuracy_and_area
from holdfast.reproduce.pino_angulo._two_stage import (
    OUTER,
    VARIANTS,
    Effort,
    ablation,
    answers,
    class_scores,
    colony,
    filters,
    first_bees,
    left_out,
    load,
    machine,
    search,
    splits,
    with_target,
    without,
)
from holdfast.reproduce.pino_angulo.chapter5 import PLAN, QUICK
from holdfast.reproduce.table import Table
from unit.reproduce.shelves import as_found

FEW_BEES = {"n_bees": 6, "n_cycles": 4, "block_size": 8, "max_blocks": 2}
SMALL = Effort(colony=FEW_BEES, genetic={"population": 6, "n_generations": 3, "pool_size": 8})


def made(name="Colon", n_classes=2, seed=0, shift=1.2):
    rng = np.random.default_rng(seed)
    y = np.arange(30) % n_classes
    X = rng.standard_normal((30, 60))
    X[:, :3] += shift * y[:, np.newaxis]
    return Table(name, X, y)


def run(table, variant, seed, **more):
    return search(table, variant, VARIANTS[variant], seed, SMALL, **more)


@pytest.fixture
def shelf(tmp_path):
    """All sets of the plan, small; of Breast a feature with a gap, of Prostate a part from elsewhere."""
    for number, one in enumerate(PLAN.sets.values()):
        table = made(seed=number)
        X, more = table.X.copy(), {}
        if one.file == "breast_vantveer":
            X[0, 59] = np.nan
        if one.file == "prostate":
            more = {"split": np.repeat(["train", "test"], 15)}
        np.savez(tmp_path / f"{one.file}.npz", X=X, y=table.y, **more)
    return as_found(PLAN.sets, tmp_path)


def one_search(queens=((0, "start", 0.7, 2, 10, 11), (1, "employed", 0.8, 3, 30, 25)), **more):
    given = {
        "data": "Colon", "variant": "GBC", "seed": 0, "seconds": 2.0, "n_pairs": 10, "n_pool": 8, "pool_fitness": 0.6,
        "fitness": 0.8, "features": (1, 4), "ended": "rounds", "queens": queens, "cycles": ((10, 11), (40, 31)),
    }  # fmt: skip
    return Search(**{**given, **more})


def test_features_with_gaps_and_samples_of_another_laboratory_are_left_out(shelf):
    assert load(shelf, "BRE").X.shape == (30, 59)
    assert load(shelf, "Prostate").X.shape == (15, 60)
    assert load(shelf, "Colon").X.shape == (30, 60)


@pytest.mark.parametrize("name", ["GBC", "GBC+"])
def test_variants_are_the_methods_of_the_library(name):
    theirs = selector(name.lower(), outer_cv=None, **FEW_BEES).get_params()
    assert colony(VARIANTS[name], 0, SMALL).get_params() == theirs


def test_the_best_so_far_is_what_was_known_at_that_budget():
    one = one_search()
    assert [one.best_at(n) for n in (11, 24, 25)] == [0.7, 0.7, 0.8]
    assert [one.best_at(n, requests=True) for n in (10, 29, 30)] == [0.7, 0.7, 0.8]
    assert np.isnan(one.best_at(10))
    assert (one.n_requests, one.n_evaluations, one.size) == (40, 31, 2)


@pytest.mark.parametrize("variant", ["look-up", "MRMR+"])
def test_look_up_and_filter_change_nothing_but_the_effort(variant):
    plain, other = (run(made(), by, 1) for by in ("GBC", variant))
    assert (other.features, other.fitness, other.n_requests) == (plain.features, plain.fitness, plain.n_requests)
    assert other.n_evaluations < plain.n_evaluations or other.n_pairs < plain.n_pairs


@pytest.mark.parametrize(("variant", "more"), [("stop i", {}), ("stop ii", {"patience": 1})])
@pytest.mark.parametrize("shift", [1.2, 9.0])
def test_a_stopped_search_is_the_beginning_of_the_whole_one(variant, more, shift):
    table = made(shift=shift)
    plain, stopped = run(table, "GBC", 0), run(table, variant, 0, **more)
    assert stopped.cycles == plain.cycles[: len(stopped.cycles)]
    assert stopped.queens == plain.queens[: len(stopped.queens)]


def test_without_the_target_reached_stop_i_is_gbc_itself():
    table = made()
    plain = run(table, "GBC", 1)
    assert plain.fitness < 1
    copied = with_target(table, plain, SMALL)
    assert copied == replace(plain, variant="stop i")
    assert replace(run(table, "stop i", 1), seconds=0.0) == replace(copied, seconds=0.0)


def test_first_bees_come_best_first_and_are_those_of_the_search():
    found = first_bees(made(), "uniform", 0, SMALL)
    assert found["fitness"] == sorted(found["fitness"], reverse=True)
    assert found["fitness"][0] == run(made(), "GBC", 0).queens[0][2]


def test_a_part_of_the_ablation_holds_every_variant_that_its_seed_is_for_and_goes_through_json(shelf, monkeypatch):
    monkeypatch.setattr(two_stage, "warm_up", lambda: None)
    effort = replace(SMALL, n_seeds_of={"MRMR+": 1})
    first, second = (ablation("BRE", seed, effort, seed == 0, shelf) for seed in (0, 1))
    assert set(first["searches"]) == set(VARIANTS)
    assert set(second["searches"]) == set(VARIANTS) - {"MRMR+"}
    assert (set(first["leaky"]), second["leaky"]) == ({"GBC", "GBC+"}, {})
    back = json.loads(json.dumps(first))["searches"]["GBC+"]
    assert replace(Search.from_json(back), seconds=0.0) == replace(run(load(shelf, "BRE"), "GBC+", 0), seconds=0.0)


def test_choices_without_a_fold_do_not_see_it():
    table = made()
    test = splits(table, 0)[1][1]
    other = replace(table, X=table.X.copy())
    other.X[test] += 5.0
    seen, unseen = (
        {method: (one["size"], one["fitness"]) for method, one in without(t, 0, 1, OUTER, SMALL).items()}
        for t in (table, other)
    )
    assert set(seen) == set(OUTER)
    np.testing.assert_equal(seen, unseen)
    assert seen["MRMR+ as many"][0] == seen["GBC+"][0]


def test_answers_are_those_of_the_machine_over_all_folds():
    table, features = made(), [0, 2, 5]
    given = [one for train, test in splits(table, 0) for one in answers(table, features, train, test)]
    says = cross_val_predict(machine(), table.X[:, features], table.y, cv=splits(table, 0))
    accuracy, area = accuracy_and_area(given)
    assert accuracy == pytest.approx(np.mean(says == table.y))
    assert 0.5 < area <= 1


def test_with_three_classes_there_is_no_area():
    table = made(n_classes=3)
    train, test = splits(table, 0)[0]
    assert np.isnan(accuracy_and_area(answers(table, [0, 2, 5], train, test))[1])


def test_leave_one_out_with_features_of_all_samples_asks_every_sample_once():
    table = made()
    says = cross_val_predict(machine(), table.X[:, [0, 2]], table.y, cv=LeaveOneOut())
    assert left_out(table, [0, 2])[0] == pytest.approx(np.mean(says == table.y))


def test_the_filter_is_timed_for_what_gbc_ranks_and_changes_no_result_of_the_genetic_search(shelf, monkeypatch):
    monkeypatch.setattr(two_stage, "warm_up", lambda: None)
    found = filters("Colon", SMALL, shelf)
    assert found["n_ranked"] in (8, 16, 60)
    assert found["is_same_set"] is True
    assert found["mrmr+ 50"]["pairs"] < found["mrmr 50"]["pairs"]
    for name in ("mrmr 50", f"mrmr+ {found['n_ranked']}", "genetic mrmr+"):
        assert len(found[name]["seconds"]) == 3


def test_without_one_sample_the_choice_is_timed_and_two_classifiers_give_every_class_a_score():
    table = made(n_classes=3)
    found = without(table, BY_ONE, 4, ("GBC", "GBC+", "MRMR+ 50"), SMALL)
    for method in ("GBC", "GBC+"):
        one = found[method]
        assert one["seconds"] > 0
        assert one["class"] == table.y[4]
        assert {by: len(scores) for by, scores in one["scores"].items()} == {"SVM": 3, "tree": 3}
    assert "scores" not in found["MRMR+ 50"]
    assert "seconds" not in without(table, 0, 1, ("GBC",), SMALL)["GBC"]


def test_a_class_that_was_never_seen_has_the_least_score_and_two_classes_have_opposite_ones():
    table = made(n_classes=3)
    train = np.flatnonzero(table.y != 2)
    scores = class_scores(table, [0, 2], train, 0, "SVM")
    assert scores[0] == -scores[1]
    assert scores[2] == min(scores)


def test_parts_of_samples_left_out_cover_each_sample_once(shelf):
    chunks = [part for part in PLAN.parts(shelf, False) if part.key.startswith("without-one/BRE/")]
    table = load(shelf, "BRE")
    effort = chunks[0].call.args[-1]
    asked = [two_stage.samples_left_out(table, effort)[chunk :: effort.n_chunks] for chunk in range(len(chunks))]
    assert sorted(np.concatenate(asked).tolist()) == list(range(30))


def test_a_quick_run_leaves_out_few_samples_from_the_first_to_the_last():
    found = two_stage.samples_left_out(made(), QUICK).tolist()
    assert len(found) == QUICK.n_left_out
    assert (found[0], found[-1]) == (0, 29)
