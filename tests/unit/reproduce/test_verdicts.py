"""The one rule for claims about several tables, and that every plan knows which of two numbers is the better one."""

import pytest

from holdfast.reproduce import ROWS
from holdfast.reproduce.cells import BETTER, DIFFERS, WORSE, Key, Ours, Printed
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED, Judgement
from holdfast.reproduce.run import beside
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.verdicts import (
    RULE,
    all_of,
    as_in_print,
    most_of,
    nearly_all_of,
    on_all,
    on_most,
    share_of,
    together,
)

# What is better, by plan and quantity: more of it, less of it, or neither.
MORE, LESS, NEITHER = True, False, None
DIRECTIONS = {
    "ben-brahim-2": {"MCE": LESS, "stability": MORE, "features": NEITHER, "list length": NEITHER, "seconds": NEITHER},
    "ben-brahim-3": {"MCE": LESS, "stability": MORE},
    "ben-brahim-4": {"accuracy": MORE, "stability": MORE, "p": NEITHER, "chi2": NEITHER, "conv": NEITHER},
    "pino-angulo-3": {
        "AUC": MORE,
        "features": NEITHER,
        "seconds": NEITHER,
        "sets judged": NEITHER,
        "all sets": NEITHER,
    },
    "pino-angulo-4": {"AUC": MORE, "seconds": NEITHER, "NEval in thousands": NEITHER},
    "pino-angulo-5": {
        "accuracy": MORE,
        "% evaluations saved": MORE,
        "% time saved": MORE,
        "genes": NEITHER,
        "seconds": NEITHER,
        "seconds of the filter": NEITHER,
    },
    "hosseini-2": {"mean": NEITHER},
    "hosseini-4": {
        **dict.fromkeys(("J_tr", "J_te", "TPR", "TNR", "G", "F", "mean J", "best J"), MORE),
        "errors": LESS,
        **dict.fromkeys(("features", "NP", "NN", "skew", "features kept", "seconds", "dCor"), NEITHER),
        **dict.fromkeys(("mean size", "best size"), NEITHER),
    },
    "michel-10": {
        "pairing": MORE,
        "max": MORE,
        "entropy": LESS,
        **dict.fromkeys(("samples", "features", "size", "variance"), NEITHER),
    },
    "han-6": {},
    "han-7": {
        "accuracy": MORE,
        "AUC": MORE,
        "more than 50": MORE,
        "more than 85": MORE,
        "at least 1": LESS,
        "accuracy sd": NEITHER,
        "AUC sd": NEITHER,
    },
}


@pytest.mark.parametrize(
    ("n", "of_all", "of_most", "of_nearly_all"),
    [
        (0, FAILS, FAILS, FAILS),
        (1, IN_PART, IN_PART, IN_PART),
        (5, IN_PART, IN_PART, IN_PART),
        (6, IN_PART, HOLDS, IN_PART),
        (8, IN_PART, HOLDS, HOLDS),
        (10, HOLDS, HOLDS, HOLDS),
    ],
)
def test_a_claim_holds_on_all_or_most_or_nearly_all_of_ten_and_in_part_on_some(n, of_all, of_most, of_nearly_all):
    assert (all_of(n, 10), most_of(n, 10), nearly_all_of(n, 10)) == (of_all, of_most, of_nearly_all)
    assert on_all([True] * n + [False] * (10 - n)) == of_all
    assert on_most([True] * n + [False] * (10 - n)) == of_most


def test_what_was_tested_on_nothing_was_not_tested():
    assert {all_of(0, 0), most_of(0, 0), nearly_all_of(0, 0), on_all([]), on_most([]), together([])} == {NOT_TESTED}
    assert as_in_print([], []) == NOT_TESTED


def test_a_claim_about_a_share_holds_from_that_share_on():
    assert [share_of(n, 16, 0.5) for n in (0, 7, 8, 16)] == [FAILS, IN_PART, HOLDS, HOLDS]


def test_a_claim_that_does_not_say_of_how_many_is_about_all_only_if_it_is_so_in_print():
    here = [True, True, False]
    assert as_in_print(here, [True, True, True]) == IN_PART
    assert as_in_print(here, [True, False, True]) == HOLDS
    assert as_in_print([False] * 3, [True, False, True]) == FAILS


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, FAILS], IN_PART),
        ([IN_PART, FAILS], IN_PART),
        ([IN_PART], IN_PART),
        ([FAILS, FAILS], FAILS),
        ([NOT_TESTED, HOLDS], HOLDS),
        ([NOT_TESTED], NOT_TESTED),
    ],
)
def test_of_a_claim_that_says_several_things_all_must_hold(verdicts, expected):
    assert together(verdicts) == expected


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_plan_tells_the_rule_once(row):
    assert sum(paragraph.count(RULE) for paragraph in row.load().protocol) == 1


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_plan_knows_which_of_two_numbers_is_the_better_one(row):
    plan = row.load()
    printed = {Key("1", "data", "method", "", quantity): Printed(0.5) for quantity in plan.better}
    expected = {MORE: (BETTER, WORSE), LESS: (WORSE, BETTER), NEITHER: (DIFFERS, DIFFERS)}
    found = {}
    for value in (0.9, 0.1):
        judged = Judgement({key: Ours(value) for key in printed})
        for cell in beside(plan, Shelf(plan.sets, {}), judged, printed):
            found.setdefault(cell.key.quantity, []).append(cell.verdict)
    assert {quantity: tuple(verdicts) for quantity, verdicts in found.items()} == {
        quantity: expected[direction] for quantity, direction in DIRECTIONS[row.name].items()
    }
