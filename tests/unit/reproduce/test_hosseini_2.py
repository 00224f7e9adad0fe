"""Hosseini 2018, Tables 2.11 and 2.12: the design, and the verdicts on made-up means."""

import numpy as np
import pytest

from holdfast.measures import distance_correlation
from holdfast.reproduce.cells import AGREES, DIFFERS, Key, read_printed
from holdfast.reproduce.hosseini.chapter2 import DISTRIBUTIONS, N_IN_PRINT, PLAN, RESPONSES, WIDER, repeated
from holdfast.reproduce.plan import HOLDS, IN_PART
from holdfast.reproduce.run import beside
from holdfast.reproduce.shelf import Shelf

NOTHING = Shelf({}, {})


def as_printed(**changed):
    """Results that are the printed numbers, but for some of the means of a table and distribution."""
    printed = read_printed(PLAN.printed)
    made = {}
    for table in RESPONSES:
        for name in DISTRIBUTIONS:
            means = [one.value for key, one in printed.items() if (key.table, key.data) == (table, name)]
            made[f"{table}-{name}"] = {"mean": means, "sd": [0.01] * len(means)}
        made[f"{table}-{WIDER}"] = made[f"{table}-Lognormal"]
    return made | changed


def test_every_number_of_both_tables_is_printed_once():
    tables = [key.table for key in read_printed(PLAN.printed)]
    assert {table: tables.count(table) for table in RESPONSES} == {"2.11": 18, "2.12": 18}
    assert len(tables) == 36


def test_a_column_that_is_the_response_has_a_dcor_of_1_until_others_join():
    found = repeated("2.11", "Normal", 3, NOTHING)
    assert found["mean"][0] == pytest.approx(1, abs=1e-12)
    assert (np.diff(found["mean"]) < 0).all()
    assert found["sd"][0] == pytest.approx(0, abs=1e-12)


def test_the_first_column_is_three_times_what_the_response_is_made_of():
    rng = np.random.default_rng([0, 1, 0])
    expected = []
    for _ in range(2):
        X = rng.normal(size=(100, 6))
        y = 3 * X[:, 0] ** 2
        X[:, 0] *= 3
        sets = [list(range(k)) for k in range(1, 7)]
        expected.append(distance_correlation(X, y, subsets=sets, y_is="numbers"))
    assert repeated("2.12", "Normal", 2, NOTHING)["mean"] == pytest.approx(np.mean(expected, axis=0), abs=1e-12)


def test_a_part_depends_on_its_key_only():
    parts = {part.key: part for part in PLAN.parts(NOTHING, True)}
    assert len(parts) == 8
    assert parts["2.12-Poisson"].call(NOTHING) == parts["2.12-Poisson"].call(NOTHING)


def test_printed_means_agree_and_one_that_is_far_off_differs():
    made = as_printed()
    made["2.12-Normal"] = {"mean": [0.7, *made["2.12-Normal"]["mean"][1:]], "sd": [0.01] * 6}
    cells = beside(PLAN, NOTHING, PLAN.judge(made, NOTHING, False), read_printed(PLAN.printed))
    off = [cell.key[:2] + cell.key[3:4] for cell in cells if cell.verdict == DIFFERS]
    assert off == [("2.12", "Normal", "0 added")]
    assert sum(cell.verdict == AGREES for cell in cells) == 35


def test_all_numbers_are_counted_apart_since_the_settings_were_fitted_to_them():
    cells = beside(PLAN, NOTHING, PLAN.judge(as_printed(), NOTHING, False), read_printed(PLAN.printed))
    assert len(cells) == 36
    assert all(cell.is_apart and "trying what gives the printed numbers" in cell.ours.apart for cell in cells)


def test_a_mean_agrees_within_two_standard_errors_of_the_difference():
    made = as_printed()
    made["2.12-Normal"] = {"mean": made["2.12-Normal"]["mean"], "sd": [0.01] * 6}
    within = PLAN.judge(made, NOTHING, False).ours[Key("2.12", "Normal", "dCor", "0 added", "mean")].within
    assert within == pytest.approx(2 * 0.01 * np.sqrt(2 / N_IN_PRINT), abs=1e-4)


def test_fewer_repetitions_allow_for_more_chance():
    widths = []
    for quick in (True, False):
        ours = PLAN.judge(as_printed(), NOTHING, quick).ours
        widths.append(next(iter(ours.values())).within)
    assert widths[0] > 3 * widths[1]


def test_that_dcor_falls_with_every_column_holds_in_part_if_it_rises_in_one():
    assert PLAN.judge(as_printed(), NOTHING, False).claims[0].verdict == HOLDS
    rising = {"mean": [1, 0.9, 0.91, 0.8, 0.7, 0.6], "sd": [0.01] * 6}
    claim = PLAN.judge(as_printed(**{"2.11-Poisson": rising}), NOTHING, False).claims[0]
    assert claim.verdict == IN_PART
    assert claim.evidence == "not in 2.11 Poisson"


def test_a_wider_lognormal_stands_beside_the_one_of_the_table():
    wide, narrow = (repeated("2.12", name, 5, NOTHING)["mean"] for name in (WIDER, "Lognormal"))
    assert wide != narrow
    made = as_printed()
    made["2.12-Lognormal"] = {"mean": [0.97, *made["2.12-Lognormal"]["mean"][1:]], "sd": [0.01] * 6}
    section = PLAN.judge(made, NOTHING, False).sections[0]
    assert section.rows[6] == ["2.12", "0", "0.9221", "0.9700", DIFFERS, "0.9221", AGREES]
    assert len(section.rows) == 12
    assert "for Lognormal σ = 1 does not give all of them" in PLAN.protocol[0]
