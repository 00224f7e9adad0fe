"""Claims of Michel 2018 on made-up curves and sizes."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.reproduce.cells import read_printed
from holdfast.reproduce.michel._arms import Arm
from holdfast.reproduce.michel._claims import claim, is_less
from holdfast.reproduce.michel._filter_claims import filter_claims
from holdfast.reproduce.michel._rule_claims import border, in_print, rule_claims
from holdfast.reproduce.michel._rules import READINGS
from holdfast.reproduce.michel._searches import CV, DT, DT_CV, TRAIN, Run
from holdfast.reproduce.michel._wrapper_claims import wrapper_claims
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED

PRINTED = read_printed("michel-10")
FILTER_READINGS = [f"{rule}, y as it is" for rule in ("H", "H2S", "HP")] + ["CW, mirrored", "P, mirrored"]
FALLING = [-0.04, -0.02, -0.01, -0.011, -0.012, -0.013, -0.014, -0.015, -0.016, -0.017, -0.018, -0.019, -0.02]


def arm(name, criterion, scores, tests=None, sizes=None, orders=None):
    """An arm whose repetitions have the same curves; their orders are that of the table, or given."""
    orders = orders or [list(range(len(scores)))] * 4
    every = {**dict.fromkeys([*READINGS, *FILTER_READINGS], 1), **(sizes or {})}
    return Arm(name, criterion, [Run(order, scores, scores, tests or scores, every, []) for order in orders])


def shuffled_after(n_first, d, n_runs=40):
    """Orders that begin alike and go on by chance."""
    rng = np.random.default_rng(0)
    return [[*range(n_first), *(n_first + rng.permutation(d - n_first)).tolist()] for _ in range(n_runs)]


def verdict(claims, text):
    (found,) = [one.verdict for one in claims if one.text.startswith(text)]
    return found


def on_filters(tests, name="Diabetes", scores=None):
    scores = scores or FALLING[: len(tests)]
    return filter_claims({name: (arm(name, DT, scores, tests), arm(name, DT_CV, scores, tests))})


STABLE = "test R² of DT-CV is stable beyond two features"


def test_beyond_two_features_begins_with_three():
    assert verdict(on_filters([0.1, 0.2, 0.42, 0.43, 0.42]), STABLE) == HOLDS
    assert verdict(on_filters([0.1, 0.4, 0.3, 0.43, 0.42]), STABLE) == FAILS


def test_boston_must_be_stable_too_until_it_falls():
    assert verdict(on_filters([0.5, 0.6, 0.8, 0.82, 0.7], "Boston"), STABLE) == HOLDS
    rising = on_filters([0.5, 0.6, 0.7, 0.82, 0.7], "Boston")
    assert verdict(rising, STABLE) == FAILS
    assert verdict(rising, "Boston: test R² of DT-CV falls at the end") == HOLDS


def test_a_delta_test_that_only_rises_does_not_fall():
    assert verdict(on_filters([0.1] * 4, scores=[-0.1, -0.2, -0.3, -0.4]), "ϑ of DT-CV starts high") == FAILS


def test_entropy_after_two_features_is_that_of_the_orders():
    random_later = shuffled_after(2, 8)
    alike = arm("Diabetes", DT, FALLING[:8])
    spread = arm("Diabetes", DT, FALLING[:8], orders=random_later)
    text = "entropy of DT rises after two features"
    assert verdict(filter_claims({"Diabetes": (spread, spread)}), text) == HOLDS
    assert verdict(filter_claims({"Diabetes": (alike, alike)}), text) == FAILS
    assert is_less(spread, "entropy", 2, 4)
    assert not is_less(spread, "entropy", 4, 2)


@pytest.mark.parametrize(("size", "expected"), [(1, HOLDS), (0, FAILS), (2, FAILS)])
def test_a_rule_that_refuses_the_first_feature_keeps_none_and_not_one(size, expected):
    one = arm("Diabetes", DT_CV, FALLING[:6], sizes={"P": size, "P, mirrored": size})
    found = filter_claims({"Diabetes": (one, one)})
    for text in ("P keeps exactly one feature", "P keeps exactly one feature if larger"):
        assert {claim.verdict for claim in found if claim.text.startswith(text)} == {expected}
    (told,) = [claim.evidence for claim in found if claim.text.endswith("if larger ϑ counts as better")]
    assert f"refuses the first feature in {4 * (size == 0)} of 4 repetitions" in told


@pytest.mark.parametrize(("size", "expected"), [(1, HOLDS), (3, FAILS)])
def test_stability_of_the_permutation_rule_is_high_where_it_keeps_one(size, expected):
    """With features as frequent as the first only at first."""
    orders = shuffled_after(1, 6)
    one = arm("Diabetes", DT_CV, FALLING[:6], [0.1, 0.2, 0.3, 0.3, 0.3, 0.3], {"P": size}, orders)
    assert verdict(filter_claims({"Diabetes": (one, one)}), "P: high stability") == expected


def wrappers(scores, tests=None, orders=None, **sizes):
    return {"Wine": (arm("Wine", TRAIN, scores, tests, sizes, orders), arm("Wine", CV, scores, tests, sizes, orders))}


def test_rules_are_judged_by_the_score_that_is_drawn_and_not_by_the_test_part():
    scores, tests = [0.8, 0.9, 0.95, 0.95], [0.9, 0.9, 0.9, 0.7]
    found = rule_claims(wrappers(scores, tests, H=1, H2S=3), PRINTED)
    assert verdict(found, "H is below the best score") == HOLDS
    assert verdict(found, "H2S: score near the maximum") == HOLDS
    (evidence,) = [one.evidence for one in found if one.text.startswith("H is below")]
    assert evidence == "Wine by 0.150 (test accuracy by 0.000)"


def test_the_stable_part_ends_where_no_feature_stands_out():
    assert border(arm("Sonar", CV, [0.5] * 30, orders=shuffled_after(4, 30))) == 4


@pytest.mark.parametrize(("size", "inside"), [(4, HOLDS), (9, FAILS)])
def test_what_a_rule_takes_is_inside_the_stable_part_or_beyond(size, inside):
    pairs = wrappers([0.5] * 30, orders=shuffled_after(4, 30), H2S=size, CW=size)
    found = rule_claims(pairs, PRINTED)
    assert verdict(found, "H2S is mostly inside") == inside
    assert verdict(found, "CW goes beyond") == (FAILS if inside == HOLDS else HOLDS)


def test_sometimes_is_true_if_it_is_once():
    pairs = {name: wrappers([0.5] * 3)["Wine"] for name in ("Wine", "Sonar")}
    true_of = {id(pairs["Wine"][0])}
    for one_is_enough, expected in ((True, HOLDS), (False, IN_PART)):
        found = claim("1", "", pairs, lambda a, b: id(a) in true_of, lambda a, b: "", one_is_enough=one_is_enough)
        assert found.verdict == expected


def test_print_stands_beside_claims_that_it_contradicts():
    found = {one.text: one.printed for one in rule_claims({}, PRINTED)}
    assert "Breast CW 0.4, H2S 0.1; " in found["CW is less stable than H2S (pairing)"]
    assert in_print(PRINTED, "variance", "P", "CW").startswith("variance (10.15): Breast P 0.95, CW 92.75; ")


def test_the_permutation_rule_is_the_most_unstable_if_its_sizes_vary_most():
    orders = [[0, 1, 2, 3]] * 4
    sizes = [{"P": at, "CW": 2} for at in (1, 4, 1, 4)]
    runs = [
        Run(order, [0.5] * 4, [0.5] * 4, [0.5] * 4, {**dict.fromkeys(READINGS, 1), **one}, [])
        for order, one in zip(orders, sizes, strict=True)
    ]
    pair = (Arm("Wine", TRAIN, runs), Arm("Wine", CV, runs))
    found = rule_claims({"Wine": pair}, PRINTED)
    assert verdict(found, "P is the most unstable") == HOLDS
    assert verdict(found, "the number that CW takes varies most") == FAILS


def test_entropy_of_training_accuracy_falls_where_the_order_of_the_table_takes_over():
    rng = np.random.default_rng(0)
    orders = [[*rng.permutation(10).tolist(), *range(10, 20)] for _ in range(40)]
    one = arm("Sonar", TRAIN, [0.5] * 20, orders=orders)
    found = wrapper_claims({"Sonar": (one, one)})
    assert verdict(found, "FS-Train: entropy high, then falling") == HOLDS
    assert verdict(found, "FS-Train: for Breast and Ionosphere the entropy") == NOT_TESTED
    assert verdict(found, "FS-CV: entropy low at first") == FAILS
