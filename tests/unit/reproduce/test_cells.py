"""A printed number and ours become a verdict."""

import numpy as np
import pytest

from holdfast.reproduce.cells import (
    AGREES,
    BETTER,
    DIFFERS,
    IMPOSSIBLE,
    NOT_RUN,
    VERDICTS,
    WORSE,
    Cell,
    Key,
    Ours,
    Printed,
    counted,
    missing,
    noise,
    noise_of_runs,
)

KEY = Key("1.1", "Colon", "mrmr", "", "error")


def verdict(printed, ours, larger_is_better=None):
    printed = printed if isinstance(printed, Printed) else Printed(printed)
    return Cell(KEY, printed, ours, larger_is_better).verdict


@pytest.mark.parametrize(
    ("printed", "within"), [(0.5, 0.0), (0.6, 0.1), (0.4, 0.1), (0.45, (0.4, 0.7)), (0.7, (0.4, 0.7))]
)
def test_a_printed_number_inside_the_interval_agrees(printed, within):
    assert verdict(printed, Ours(0.5, within)) == AGREES


def test_the_last_bit_of_a_sum_is_no_difference():
    assert verdict(0.3, Ours(0.1 + 0.2)) == AGREES
    assert verdict(1e9, Ours(1e9 + 0.1)) == AGREES
    assert verdict(0.3, Ours(0.3 + 1e-6)) == DIFFERS


@pytest.mark.parametrize(
    ("ours", "larger_is_better", "expected"),
    [(0.9, True, BETTER), (0.9, False, WORSE), (0.1, True, WORSE), (0.1, False, BETTER), (0.9, None, DIFFERS)],
)
def test_outside_the_direction_decides(ours, larger_is_better, expected):
    assert verdict(0.5, Ours(ours, 0.1), larger_is_better) == expected


def test_an_impossible_number_is_called_so_even_if_ours_is_near():
    assert verdict(Printed(0.5, "", "shares add up to 2"), Ours(0.5, 0.1)) == IMPOSSIBLE


def test_without_a_number_of_ours_there_is_the_reason():
    assert verdict(0.5, missing("no table")) == NOT_RUN
    assert missing("no table").not_run == "no table"


@pytest.mark.parametrize(("ours", "printed"), [(0.2, 0.3), (0.0, 0.0), (1.0, 1.0), (0.5, 0.5)])
def test_noise_is_two_standard_errors_of_a_share(ours, printed):
    share = (ours + printed) / 2
    assert noise(ours, printed, 50) == pytest.approx(2 * np.sqrt(share * (1 - share) / 50))


def test_every_verdict_is_counted_in_the_order_it_is_told_in():
    cells = [Cell(KEY, Printed(0.5), Ours(value, 0.1), True) for value in (0.5, 0.5, 0.9)]
    assert list(counted(cells)) == list(VERDICTS)
    assert [counted(cells)[kind] for kind in (AGREES, BETTER, WORSE)] == [2, 1, 0]


def test_noise_of_runs_is_two_standard_errors_of_a_difference_of_means():
    assert noise_of_runs([1.0, 2.0, 3.0], 6) == pytest.approx(2 * np.sqrt(1 / 3 + 1 / 6))
    assert noise_of_runs([[1.0], [3.0]], 2) == pytest.approx(2 * np.sqrt(2))


def test_one_run_has_no_noise_to_tell():
    assert noise_of_runs([1.0], 10) == 0


@pytest.mark.parametrize("larger_is_better", [True, False, None])
def test_what_came_out_as_no_number_has_no_verdict(larger_is_better):
    cell = Cell(Key("1", "", "", "", ""), Printed(0.2), Ours(np.nan, 0.1), larger_is_better)
    assert cell.verdict == NOT_RUN
