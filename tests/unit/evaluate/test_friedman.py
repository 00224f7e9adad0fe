"""Friedman's test against the published examples of Demsar 2006 and of the thesis, scipy, and its own extremes."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import friedmanchisquare

from holdfast import DataError
from holdfast.evaluate.friedman import friedman
from oracles import comparisons

# Demsar 2006, table 6: AUC of C4.5 plain, with m, with cf and with both tuned. He prints 0.975 twice in the last row
# but one, and ranks them 2 and 3.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
TUNED = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]

# Pino Angulo 2019, table 3.3: AUC in thousandths of NB, then of C4.5, and numbers of features.
SELECTORS = ["RF", "CFS", "FCBF", "SLCC", "ASDCC", "SWCFS"]
THESIS = np.array(
    [
        [945, 967, 966, 966, 967, 968, 858, 924, 929, 933, 928, 935, 30, 38, 21, 9, 10, 8],
        [468, 850, 854, 848, 850, 848, 464, 738, 737, 733, 733, 733, 1, 25, 12, 21, 28, 21],
        [523, 644, 646, 647, 646, 647, 500, 770, 613, 811, 814, 811, 1, 6, 4, 15, 12, 15],
        [966, 973, 985, 986, 970, 991, 972, 968, 961, 952, 954, 964, 360, 85, 136, 7, 8, 6],
        [983, 956, 952, 955, 958, 956, 877, 881, 876, 865, 879, 885, 175, 74, 30, 31, 45, 27],
        [946, 939, 905, 962, 923, 952, 907, 905, 924, 921, 905, 924, 10, 6, 16, 12, 9, 12],
        [969, 930, 968, 972, 970, 983, 972, 930, 959, 997, 995, 997, 5, 3, 7, 21, 18, 15],
        [922, 948, 947, 977, 981, 981, 923, 908, 925, 916, 914, 911, 90, 67, 38, 8, 9, 7],
        [961, 969, 968, 969, 968, 970, 903, 905, 899, 906, 905, 910, 15, 12, 37, 11, 13, 11],
        [979, 986, 986, 981, 984, 984, 907, 915, 907, 920, 907, 924, 7, 26, 57, 7, 7, 7],
        [949, 950, 945, 950, 949, 950, 918, 919, 918, 922, 918, 922, 3, 4, 2, 5, 4, 5],
        [964, 965, 969, 967, 937, 969, 903, 904, 911, 901, 904, 906, 196, 103, 27, 21, 17, 17],
        [925, 955, 955, 957, 955, 957, 859, 880, 884, 871, 871, 871, 7, 25, 14, 12, 14, 12],
        [977, 963, 963, 963, 964, 964, 973, 973, 974, 975, 970, 974, 16, 11, 11, 7, 10, 7],
        [981, 984, 993, 990, 984, 989, 967, 969, 970, 969, 969, 970, 19, 6, 22, 9, 8, 9],
        [510, 945, 932, 938, 945, 946, 500, 858, 882, 877, 876, 884, 1, 15, 6, 10, 8, 9],
    ]
)
NB, C45, SIZE = THESIS[:, :6], THESIS[:, 6:12], THESIS[:, 12:]


def test_mean_ranks_are_those_of_demsar():
    assert friedman(DEMSAR, TUNED).mean_ranks == pytest.approx((3.143, 2.000, 2.893, 1.964), abs=5e-4)


def test_the_statistics_are_those_of_demsar_before_the_correction_for_ties():
    result = friedman(DEMSAR, TUNED)
    uncorrected = result.statistic * result.tie_correction
    assert uncorrected == pytest.approx(9.28, abs=0.005)
    assert 13 * uncorrected / (14 * 3 - uncorrected) == pytest.approx(3.69, abs=0.005)
    assert result.tie_correction < 1


def test_f_follows_from_the_corrected_statistic():
    result = friedman(DEMSAR, TUNED)
    assert result.f_statistic == pytest.approx(13 * result.statistic / (14 * 3 - result.statistic), rel=1e-12)


def test_critical_differences_are_those_of_demsar():
    """From q = 2.569 (Nemenyi) and 2.394 (Bonferroni-Dunn); he cuts the second difference to 1.16."""
    result = friedman(DEMSAR, TUNED, level=0.05)
    step = sqrt(4 * 5 / (6 * 14))
    assert result.nemenyi_difference == pytest.approx(2.569 * step, abs=5e-4)
    assert result.bonferroni_dunn_difference == pytest.approx(2.394 * step, abs=5e-4)
    assert (round(result.nemenyi_difference, 2), round(result.bonferroni_dunn_difference, 2)) == (1.25, 1.17)


def test_a_larger_level_gives_the_smaller_differences_of_demsar():
    result = friedman(DEMSAR, TUNED, level=0.10)
    step = sqrt(4 * 5 / (6 * 14))
    assert result.nemenyi_difference == pytest.approx(2.291 * step, abs=5e-4)
    assert result.bonferroni_dunn_difference == pytest.approx(2.128 * step, abs=5e-4)


def test_groups_and_differences_are_those_demsar_draws():
    """His figure 1a at 0.10: C4.5 and C4.5+cf together, C4.5+cf and the two best together."""
    result = friedman(DEMSAR, TUNED, level=0.10)
    assert result.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))
    assert result.different_from("C4.5") == ("C4.5+m+cf", "C4.5+m")


@pytest.mark.parametrize(
    ("k", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (8, 3.031), (10, 3.164)]
)
def test_nemenyi_quantiles_are_those_of_the_printed_table(k, q):
    result = friedman(np.arange(6 * k).reshape(6, k))
    assert result.nemenyi_difference / sqrt(k * (k + 1) / 36) == pytest.approx(q, abs=1.1e-3)


@pytest.mark.parametrize(
    ("values", "larger", "mean_ranks", "statistic", "p_value"),
    [
        (NB, True, (4.9062, 3.5938, 3.9062, 3.0312, 3.5625, 2.0000), 22.3396, 4.51e-4),
        (C45, True, (4.7188, 3.7500, 3.1562, 3.2188, 4.0312, 2.1250), 18.9245, 1.99e-3),
        (SIZE, False, (3.6562, 4.0, 3.875, 3.3438, 3.375, 2.75), 4.8420, 0.435),
    ],
)
def test_ranks_and_statistics_are_those_of_the_thesis(values, larger, mean_ranks, statistic, p_value):
    result = friedman(values, SELECTORS, larger_is_better=larger)
    assert result.mean_ranks == pytest.approx(mean_ranks, abs=5.1e-5)
    assert result.statistic == pytest.approx(statistic, abs=5e-5)
    assert result.p_value == pytest.approx(p_value, rel=3e-3)


def test_critical_differences_are_those_of_the_thesis():
    assert friedman(NB).nemenyi_difference == pytest.approx(1.884903, abs=1e-6)
    assert friedman(NB[:, :4], level=0.10).bonferroni_dunn_difference == pytest.approx(0.971315, abs=1e-6)


@pytest.mark.parametrize(("values", "worse"), [(NB, {"RF", "FCBF"}), (C45, {"RF", "ASDCC"})])
def test_the_best_of_the_thesis_shares_no_group_with_those_it_beats(values, worse):
    groups = friedman(values, SELECTORS).groups
    beside = {name for group in groups if "SWCFS" in group for name in group}
    assert set(SELECTORS) - beside == worse


@pytest.mark.parametrize("step", [1.0, 0.25])
def test_statistic_and_p_value_are_those_of_scipy_with_and_without_ties(step, seed):
    rng = np.random.default_rng([seed, 60])
    values = rng.random((9, 5))
    values = values if step == 1.0 else np.round(values / step) * step
    expected = friedmanchisquare(*values.T)
    result = friedman(values)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_mean_ranks_and_groups_follow_from_their_definitions(seed):
    rng = np.random.default_rng([seed, 61])
    values = rng.integers(0, 6, size=(40, 7)) + np.array([0, 0, 1, 1, 2, 3, 3])
    result = friedman(values)
    expected = np.mean([comparisons.ranks(row) for row in values.tolist()], axis=0)
    assert result.mean_ranks == pytest.approx(expected, rel=1e-14)
    found = [set(group) for group in result.groups]
    cliques = comparisons.cliques(result.methods, result.mean_ranks, result.nemenyi_difference)
    assert sorted(map(sorted, found)) == sorted(map(sorted, cliques))
    rank = dict(zip(result.methods, result.mean_ranks, strict=True))
    assert all(list(group) == sorted(group, key=rank.get) for group in result.groups)


def test_methods_far_apart_from_all_others_are_in_no_group():
    values = np.tile([3.0, 2.0, 1.0], (60, 1))
    assert friedman(values).groups == ()


def test_methods_that_always_tie_are_equal():
    result = friedman(np.ones((5, 3)))
    assert (result.statistic, result.p_value, result.f_statistic, result.f_p_value) == (0.0, 1.0, 0.0, 1.0)
    assert result.mean_ranks == (2.0, 2.0, 2.0)
    assert result.groups == (("m1", "m2", "m3"),)
    assert result.tie_correction == 0.0


@pytest.mark.parametrize("row", [[3, 2, 1], [3, 3, 1], [1, 2, 2]])
@pytest.mark.parametrize("n_blocks", [2, 7, 49])
def test_blocks_that_all_rank_alike_have_an_infinite_f(row, n_blocks):
    result = friedman(np.tile(row, (n_blocks, 1)))
    assert (result.f_statistic, result.f_p_value) == (inf, 0.0)
    assert result.statistic == pytest.approx(n_blocks * 2, rel=1e-14)


def test_two_methods_can_be_compared():
    result = friedman([[2, 1], [2, 1], [1, 2], [2, 1]])
    assert result.mean_ranks == (1.25, 1.75)
    assert result.statistic == pytest.approx(1.0)
    assert result.nemenyi_difference == pytest.approx(result.bonferroni_dunn_difference, rel=1e-6)


def test_small_values_can_be_the_better_ones(seed):
    values = np.random.default_rng([seed, 62]).random((6, 4))
    assert friedman(values, larger_is_better=False) == friedman(-values)


def test_the_control_is_the_best_method_unless_another_is_named():
    assert friedman(DEMSAR, TUNED).control == "C4.5+m+cf"
    named = friedman(DEMSAR, TUNED, control="C4.5", level=0.10)
    assert named.control == "C4.5"
    assert named.different_from() == named.different_from("C4.5") == ("C4.5+m+cf", "C4.5+m")


def test_column_names_of_a_data_frame_are_the_methods():
    assert friedman(pd.DataFrame(DEMSAR, columns=TUNED)) == friedman(DEMSAR, TUNED)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([[1, 2, 3]], r"shape \(1, 3\)"),
        ([[1], [2]], r"shape \(2, 1\)"),
        ([1, 2, 3], r"shape \(3,\)"),
        ([[1, 2], [float("nan"), 3]], "1 missing or infinite entries, the first in row 1, column 0"),
        ([[1, 2], [3, float("inf")]], "row 1, column 1"),
    ],
)
def test_tables_that_cannot_be_ranked_are_refused(values, says):
    with pytest.raises(DataError, match=says):
        friedman(values)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"methods": ["a", "b"]}, "4 different names"),
        ({"methods": ["a", "b", "c", "a"]}, "4 different names"),
        ({"level": 0.95}, "level=0.95"),
        ({"level": 0}, "level=0"),
        ({"methods": TUNED, "control": "C4.5+n"}, r"control='C4.5\+n' is none of the methods"),
    ],
)
def test_wrong_options_are_refused_by_name(parameters, says):
    with pytest.raises(ValueError, match=says):
        friedman(DEMSAR, **parameters)


def test_a_control_that_was_not_compared_is_refused():
    with pytest.raises(ValueError, match="control='C5' is none of the methods"):
        friedman(DEMSAR, TUNED).different_from("C5")


def test_values_that_only_rounding_tells_apart_are_ties():
    values = [[(0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3, 0.2]] * 5
    assert friedman(values).mean_ranks == (2.0, 2.0, 2.0)
