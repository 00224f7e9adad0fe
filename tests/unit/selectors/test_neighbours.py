"""Relief and its kin and the instance-based filters: printed numbers of the specifications, cases by hand, errors."""

from __future__ import annotations

from itertools import product
from math import exp, fsum, inf, nan, sqrt

import numpy as np
import pandas as pd
import pytest

from holdfast import SURF, DataError, InstanceBased, MultiSURF, Relief, ReliefF, TuRF
from holdfast.measures.information import information_about_itself, information_with_others
from holdfast.measures.neighbours import Distances, Space
from holdfast.prepare import Codes
from oracles.worked import NUM6

# Ben Brahim 2015 as specified, §3.1.
TOY = np.array(
    [[0, 3, 10, 10, 2], [2, 3, 0, 6, 10], [10, 0, 10, 10, 0], [8, 10, 3, 2, 0], [10, 10, 8, 0, 6], [0, 2, 5, 8, 0]]
)
TOY_CLASSES = ["A", "A", "A", "B", "B", "B"]
# Han 2012 as specified, V3: without and with an outlier.
HAN = {
    "clean": [(0, 0), (1, 0.5), (0.5, 2), (4, 4), (5, 3), (3, 5.5)],
    "outlier": [(0, 0), (1, 0.5), (3.5, 4.5), (4, 4), (5, 3), (3, 5.5)],
}
HALVES = [0, 0, 0, 1, 1, 1]
FAMILY = [Relief, ReliefF, SURF, MultiSURF]
every_ranker = pytest.mark.parametrize("kind", FAMILY, ids=lambda kind: kind.__name__)


def to_six_digits(values):
    return pytest.approx(values, abs=5.1e-7)


def exactly(values):
    return pytest.approx(values, abs=1e-12)


def scores(selector, X, y, **options):
    return selector.fit(X, y, **options).scores_.tolist()


def noise(n_samples=20, n_features=6, n_classes=2):
    X = np.random.default_rng(0).normal(size=(n_samples, n_features))
    return X, np.arange(n_samples) % n_classes


# Relief and ReliefF


@pytest.mark.parametrize(("k", "expected"), [(1, [0.520833, 0, -0.166667]), (2, [0.572917, -0.25, -0.25])])
@pytest.mark.parametrize("ties", ["first", "share"])
def test_relieff_of_num6(k, expected, ties):
    assert scores(ReliefF(3, n_neighbors=k, ties=ties), *NUM6) == to_six_digits(expected)


@pytest.mark.parametrize(("scale", "unit"), [("none", 6), ("range", 60)])
def test_relief_of_toy_is_the_published_sum_over_samples(scale, unit):
    fitted = Relief(5, scale=scale).fit(TOY, TOY_CLASSES)
    assert (fitted.scores_ * unit).tolist() == exactly([-20, 11, 7, 12, -4])
    assert (fitted.indices_ + 1).tolist() == [4, 2, 3, 5, 1]


@pytest.mark.parametrize(("X", "y"), [NUM6, (TOY, TOY_CLASSES), noise()], ids=["NUM6", "TOY", "noise"])
def test_relief_is_relieff_of_one_neighbour_for_two_classes(X, y):
    assert scores(Relief(1), X, y) == exactly(scores(ReliefF(1, n_neighbors=1), X, y))


def test_relief_is_relieff_of_one_pooled_neighbour_for_more_classes():
    X, y = noise(n_classes=4)
    assert scores(Relief(1), X, y) == exactly(scores(ReliefF(1, n_neighbors=1, miss_weights="pooled"), X, y))


# Every value of five binary features once, the class an exclusive or of the first two. The nearest misses are half of
# the time across the first, half across the second; the three nearest hits are across the others.
XOR = np.array(list(product([0, 1], repeat=5)))


def test_relief_sees_features_that_matter_together_only():
    fitted = Relief(2).fit(XOR, XOR[:, 0] ^ XOR[:, 1])
    assert sorted(fitted.indices_) == [0, 1]
    assert fitted.scores_.tolist() == exactly([0.5, 0.5, -1 / 3, -1 / 3, -1 / 3])


def test_neighbours_equally_near_share_a_place_or_the_first_row_takes_it():
    X, y = [[0, 0], [1, 0], [0, 1], [-5, 5]], [0, 1, 1, 0]
    assert scores(Relief(1, scale="none"), X, y) == exactly([-5.5 / 4, -6.5 / 4])
    assert scores(Relief(1, scale="none", ties="first"), X, y) == exactly([-5 / 4, -7 / 4])


# From each sample on a line to the nearest of each class; 4 is alone in its class.
LINE, LINE_CLASSES = [[0], [1], [4], [10], [11], [12]], [0, 0, 1, 2, 2, 2]


@pytest.mark.parametrize(("miss_weights", "misses"), [("prior", 47.8), ("equal", 43), ("pooled", 31)])
def test_misses_of_several_classes_count_by_share_alike_or_together(miss_weights, misses):
    selector = ReliefF(1, n_neighbors=1, miss_weights=miss_weights, scale="none")
    assert scores(selector, LINE, LINE_CLASSES) == exactly([(misses - 5) / 6])


def test_a_sample_alone_in_its_class_has_misses_only():
    # 0 and 1 are each other's hit and 3 or 2 away from the lone 3, whose nearest miss is 1.
    assert scores(Relief(1, scale="none"), [[0], [1], [3]], [0, 0, 1]) == exactly([(-1 + 3 - 1 + 2 + 2) / 3])


def test_a_class_smaller_than_the_number_of_neighbours_gives_all_it_has():
    # From 0: hits 1, 5; misses 2. From 2: no hit; misses 0, 1, 5.
    X, y = [[0], [1], [5], [2]], [0, 0, 0, 1]
    hits, misses = [3, 2.5, 4.5], [2, 1, 3, 2]
    assert scores(ReliefF(1, n_neighbors=100, scale="none"), X, y) == exactly([(sum(misses) - sum(hits)) / 4])


def test_sigma_lets_farther_neighbours_count_less_by_rank():
    second = exp(-1 / 4)
    misses = (1 + 7 + 1 + 3 + (3 + 9 + 9 + 7) * second) / (1 + second)
    selector = ReliefF(1, n_neighbors=2, sigma=2.0, scale="none")
    assert scores(selector, [[0], [10], [1], [3]], [0, 0, 1, 1]) == exactly([(misses - 24) / 4])


def test_a_huge_sigma_is_none():
    X, y = noise()
    assert scores(ReliefF(1, sigma=1e9), X, y) == exactly(scores(ReliefF(1), X, y))


def test_sigma_and_a_sample_alone_in_its_class_go_together():
    one = {"n_neighbors": 1, "scale": "none"}
    assert scores(ReliefF(1, sigma=2.0, **one), LINE, LINE_CLASSES) == exactly(
        scores(ReliefF(1, **one), LINE, LINE_CLASSES)
    )


def test_equal_distances_that_rounding_tells_apart_rank_by_row():
    # From the first sample both misses are 2/3 away, as 1/3 + 1/3 and as 0 + 2/3; from the third both are 4/3 away.
    X, y = [[0, 2], [1, 3], [3, 1], [0, 0]], [0, 1, 0, 1]
    second = exp(-1)
    misses = [(4 + 8 * second) / 3 / (1 + second), 2]
    selector = ReliefF(2, n_neighbors=2, sigma=1.0, ties="first")
    assert scores(selector, X, y) == exactly([(m - 8 / 3) / 4 for m in misses])


def test_equal_distances_in_one_feature_are_ties():
    D = Distances.of(Space.of(np.array([[58.0], [37.0], [16.0], [-188.0]]), np.array([0, 0, 1, 1])))
    assert abs(D.matrix[1, 0] - D.matrix[1, 2]) <= D.tie


def test_small_euclidean_distances_are_not_all_zero():
    X, y = [[0], [1e-6], [9e-6], [3e-6], [1]], [0, 0, 0, 1, 1]
    assert scores(Relief(1, metric="euclidean"), X, y) == pytest.approx(scores(Relief(1), X, y), abs=1e-9)


def test_the_metric_decides_who_is_nearest():
    # The nearest hit of (0, 0) is (0, -5) by Manhattan and (3, 3) by Euclid; it is theirs by both.
    X = [[0, 0], [0, -5], [3, 3], [20, 20], [20, 20]]
    by_sum, by_root = (
        Relief(1, metric=metric, scale="none").fit(X, [0, 0, 0, 1, 1]).scores_ for metric in ("manhattan", "euclidean")
    )
    assert (by_root - by_sum).tolist() == exactly([-3 / 5, 2 / 5])


# SURF and MultiSURF


# Distances on the line are 1, 2, 9, 1, 8, 7, with mean 28/6: the first three samples are near each other.
NEAR, NEAR_CLASSES = [[0], [1], [2], [9]], [0, 1, 0, 1]


def test_surf_takes_all_samples_closer_than_the_mean_distance():
    assert scores(SURF(1, scale="none"), NEAR, NEAR_CLASSES) == exactly([-1 / 4])


def test_surf_star_takes_away_what_far_samples_say():
    assert scores(SURF(1, scale="none", star=True), NEAR, NEAR_CLASSES) == exactly([-1 / 4 - 8 / 4])


def test_multisurf_takes_samples_half_a_deviation_closer_than_the_own_mean():
    # Limits 2.22, 1.68, 2.02 and 7.59: also the last sample has a near one, a miss at 7.
    assert scores(MultiSURF(1, scale="none"), NEAR, NEAR_CLASSES) == exactly([6 / 4])


@pytest.mark.parametrize("selector", [SURF(1), SURF(1, star=True), MultiSURF(1), MultiSURF(1, star=True)], ids=str)
def test_a_sample_at_the_limit_is_neither_near_nor_far(selector):
    assert scores(selector, np.eye(6), HALVES) == [0.0] * 6


def test_multisurf_of_a_distance_exactly_at_the_limit_does_not_count_it():
    # From the first sample eight others are 1 away and two are 2 away: mean 1.2, deviation 0.4, limit 1.
    X = [[0], *[[1]] * 8, *[[2]] * 2]
    y = [0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0]
    near = Distances.of(Space.of(np.array(X, dtype=float), np.array(y), scale="none"))
    assert sqrt(np.var(near.matrix[0, 1:])) == pytest.approx(0.4)
    weights = MultiSURF(1, scale="none").pair_weights(near, np.array(y), None)
    assert not weights[0].any()


# TuRF


def test_turf_drops_a_tenth_in_every_round_and_at_least_one():
    X, y = noise(n_features=10)
    fitted = TuRF(5).fit(X, y)
    assert sorted(fitted.rounds_.tolist()) == [1, 2, 3, 4, 5, 6, 6, 6, 6, 6]
    assert fitted.rounds_[fitted.indices_].tolist() == [6] * 5
    assert fitted.n_evaluations_.relevance == 10 + 9 + 8 + 7 + 6 + 5


def test_turf_drops_the_share_it_says():
    X, y = noise(n_features=10)
    assert sorted(TuRF(1, drop=0.8).fit(X, y).rounds_.tolist()) == [1] * 8 + [2, 3]


def test_turf_that_keeps_everything_is_one_round_of_relieff():
    X, y = noise()
    assert TuRF(6).fit(X, y).scores_.tolist() == ReliefF(6).fit(X, y).scores_.tolist()


def test_turf_scores_the_last_features_by_their_distances_alone():
    X, y = noise(n_features=8)
    estimator = ReliefF(n_neighbors=3)
    fitted = TuRF(4, estimator=estimator, drop=0.5).fit(X, y)
    kept = np.sort(fitted.indices_)
    assert fitted.scores_[kept].tolist() == exactly(scores(ReliefF(4, n_neighbors=3), X[:, kept], y))
    dropped = np.setdiff1d(np.arange(8), kept)
    assert fitted.scores_[dropped].tolist() == exactly(ReliefF(1, n_neighbors=3).fit(X, y).scores_[dropped].tolist())


@every_ranker
@pytest.mark.parametrize("metric", ["manhattan", "euclidean"])
def test_turf_of_any_ranker_begins_with_the_scores_of_that_ranker(kind, metric):
    X, y = noise(n_features=4)
    estimator = kind(metric=metric)
    fitted = TuRF(3, estimator=estimator, drop=0.1).fit(X, y)
    dropped = int(np.argmin(fitted.rounds_))
    first = kind(4, metric=metric).fit(X, y)
    assert dropped == first.indices_[-1]
    assert fitted.scores_[dropped] == first.scores_[dropped]


def test_turf_takes_no_other_estimator():
    with pytest.raises(ValueError, match=r"^estimator=.*Relief"):
        TuRF(1, estimator=InstanceBased()).fit(*noise())


# Weights of samples


def weights_by_margin(X, y):
    """Han's Algorithm 1: one over the mean distance of a sample's margin vector to the others, summing to 1."""
    n = len(X)
    margins = [
        [fsum((-1 if y[t] == y[i] else 1) * abs(X[i][f] - X[t][f]) for t in range(n)) for f in range(len(X[0]))]
        for i in range(n)
    ]
    mean = [fsum(sqrt(fsum((a - b) ** 2 for a, b in zip(m, o, strict=True))) for o in margins) for m in margins]
    return [1 / m / fsum(1 / other for other in mean) for m in mean]


def test_weights_by_margin_are_the_published_ones():
    clean = [0.156311, 0.194282, 0.154685, 0.215838, 0.147719, 0.131165]
    outlier = [0.169828, 0.211191, 0.070622, 0.215754, 0.170069, 0.162536]
    assert weights_by_margin(HAN["clean"], HALVES) == to_six_digits(clean)
    assert weights_by_margin(HAN["outlier"], HALVES) == to_six_digits(outlier)


@pytest.mark.parametrize(
    ("data", "k", "plain", "normalized", "raw"),
    [
        ("clean", 1, [2.583333, 1.666667], [2.574911, 1.685445], [0.480166, 0.327448]),
        ("clean", 2, [2.625, 1.291667], [2.616327, 1.470433], [0.959784, 0.556109]),
        ("outlier", 1, [0.416667, 0.416667], [0.686510, 0.876682], [0.104779, 0.129261]),
        ("outlier", 2, [0.541667, 0.041667], [1.384374, 1.186586], [0.480736, 0.379667]),
    ],
)
def test_weighted_relieff_of_han(data, k, plain, normalized, raw):
    X, weights = HAN[data], weights_by_margin(HAN[data], HALVES)
    options = {"n_neighbors": k, "scale": "none", "ties": "first"}
    assert scores(ReliefF(2, **options), X, HALVES) == to_six_digits(plain)
    for name, expected in (("normalized", normalized), ("raw", raw)):
        selector = ReliefF(2, neighbour_weights=name, **options)
        assert scores(selector, X, HALVES, sample_weight=weights) == to_six_digits(expected)


@pytest.mark.parametrize(
    ("data", "k", "expected"),
    [
        ("clean", 1, [0.516667, 0.303030]),
        ("clean", 2, [0.525, 0.234848]),
        ("outlier", 1, [0.083333, 0.075758]),
        ("outlier", 2, [0.108333, 0.007576]),
    ],
)
def test_relieff_of_han_on_ranges(data, k, expected):
    assert scores(ReliefF(2, n_neighbors=k, ties="first"), HAN[data], HALVES) == to_six_digits(expected)


@pytest.mark.parametrize("kind", [ReliefF, SURF, MultiSURF], ids=lambda kind: kind.__name__)
def test_normalized_weights_of_one_over_n_change_nothing(kind):
    X, y = noise(n_classes=3)
    even = np.full(len(y), 1 / len(y))
    weighted = kind(1, neighbour_weights="normalized").fit(X, y, sample_weight=even)
    assert weighted.scores_.tolist() == exactly(scores(kind(1), X, y))


def test_raw_weights_of_one_over_n_scale_by_the_number_of_neighbours():
    X, y = noise()
    weighted = ReliefF(1, n_neighbors=3).fit(X, y, sample_weight=np.full(20, 1 / 20))
    assert weighted.scores_.tolist() == exactly([s * 3 / 20 for s in scores(ReliefF(1, n_neighbors=3), X, y)])


def test_a_sample_of_weight_zero_still_takes_a_place_but_says_nothing():
    # The sample at 1 is the nearest hit of 0 and 9, which are left without one; misses are 30, 21 and 21 away.
    fitted = Relief(1, scale="none").fit([[0], [1], [9], [30]], [0, 0, 0, 1], sample_weight=[1, 0, 1, 1])
    assert fitted.scores_.tolist() == exactly([(30 + 21 + 21) / 9])


@pytest.mark.parametrize(
    "selector", [Relief(1), ReliefF(1), SURF(1), SURF(1, neighbour_weights="raw"), MultiSURF(1), TuRF(1)], ids=str
)
def test_weights_are_divided_by_their_sum(selector):
    X, y = noise()
    weights = np.random.default_rng(1).random(20)
    plain = scores(selector, X, y, sample_weight=weights)
    assert scores(selector, X, y, sample_weight=1e6 * weights) == exactly(plain)


def test_raw_weights_of_too_few_neighbours_count_as_if_there_were_enough():
    # Three hits and one miss are wanted: the two hits of each of the first three count for three, as the one miss does.
    X, y = [[0], [1], [5], [2]], [0, 0, 0, 1]
    even = scores(ReliefF(1, n_neighbors=3, scale="none"), X, y, sample_weight=[1, 1, 1, 1])
    assert even == exactly([s * 3 / 4 for s in scores(ReliefF(1, n_neighbors=3, scale="none"), X, y)])


@pytest.mark.parametrize("kind", [*FAMILY, TuRF], ids=lambda kind: kind.__name__)
def test_weights_that_do_not_fit_are_refused(kind):
    X, y = noise()
    with pytest.raises(ValueError, match=r"sample_weight.*\(7,\).*\(20,\)"):
        kind(1).fit(X, y, sample_weight=np.ones(7))
    with pytest.raises(ValueError, match=r"(?i)negative.*sample_weight"):
        kind(1).fit(X, y, sample_weight=np.where(y == 0, 1.0, -1.0))
    with pytest.raises(ValueError, match=r"(?i)sample.weight.*(zero|0)"):
        kind(1).fit(X, y, sample_weight=np.zeros(20))


# Names instead of numbers


COLOURS = pd.DataFrame({"size": [1, 2, 3, 7, 8, 9], "colour": [0, 5, 0, 2, 5, 2]})
# All samples are nearest by size but for whether the colours agree, and colours differ by 1 or not at all.
PLAIN_COLOURS = COLOURS.assign(colour=[0, 1, 0, 2, 1, 2])


@pytest.mark.parametrize(
    "nominal",
    [
        ["colour"],
        [1],
        [-1],
        [False, True],
        np.array([False, True]),
        ("colour",),
        {"colour"},
        pd.Index(["colour"]),
        [1, "colour"],
    ],
    ids=str,
)
@every_ranker
def test_nominal_features_are_named_numbered_or_marked(kind, nominal):
    expected = scores(kind(1, nominal=[1]), PLAIN_COLOURS, HALVES)
    assert scores(kind(1, nominal=nominal), COLOURS, HALVES) == expected
    assert scores(kind(1), COLOURS, HALVES) != expected


@every_ranker
def test_codes_of_names_are_names_only(kind):
    """Other codes for the same names change nothing."""
    X = np.random.default_rng(1).integers(0, 4, size=(24, 5))
    y = np.arange(24) % 3
    recoded = np.array([7, -2, 100, 0])[X]
    assert scores(kind(1, nominal="all"), X, y) == exactly(scores(kind(1, nominal="all"), recoded, y))


@every_ranker
def test_two_values_are_as_far_apart_as_two_names(kind):
    X = np.random.default_rng(2).integers(0, 2, size=(20, 6))
    y = np.arange(20) % 2
    assert scores(kind(1), X * 3, y) == exactly(scores(kind(1, nominal="all"), X, y))


@pytest.mark.parametrize("nominal", [None, [], np.array([], dtype=int), [False, False]], ids=repr)
def test_nothing_may_be_nominal(nominal):
    assert scores(Relief(1, nominal=nominal), COLOURS, HALVES) == scores(Relief(1), COLOURS, HALVES)


@pytest.mark.parametrize(
    ("nominal", "message"),
    [
        (["color"], "'color'.*Did you mean 'colour'"),
        (["weight of the cat"], "'weight of the cat', which X does not have"),
        ([2], "lists 2, which is no column of X: there are 2"),
        ([-3], "lists -3"),
        ([0.0], r"lists 0\.0"),
        ([True, False, True], "3 values of True and False, but X has 2"),
        (np.array([True]), "1 values of True and False, but X has 2"),
    ],
    ids=repr,
)
def test_nominal_features_that_are_not_there_are_refused(nominal, message):
    with pytest.raises(ValueError, match=message):
        ReliefF(1, nominal=nominal).fit(COLOURS, HALVES)


def test_names_in_a_table_without_names_are_refused():
    with pytest.raises(ValueError, match=r"'colour'.*X has no names; use column numbers"):
        ReliefF(1, nominal=["colour"]).fit(COLOURS.to_numpy(), HALVES)


# Missing values


def differences(column, y, *, nominal=False, scale="range"):
    X = np.array(column, dtype=float)[:, np.newaxis]
    return Distances.of(Space.of(X, np.array(y), scale=scale, is_nominal=np.array([nominal]))).matrix


def test_a_missing_name_differs_by_one_less_its_share_in_the_class():
    # P(0) is 2/3 in the first class and 1/4 in the second.
    y = [0, 0, 0, 0, 1, 1, 1, 1, 1]
    D = differences([0, 0, 1, nan, 1, 1, 1, 0, nan], y, nominal=True)
    assert D[0, 3] == exactly(1 - 2 / 3)
    assert D[2, 3] == exactly(1 - 1 / 3)
    assert D[7, 3] == exactly(1 - 2 / 3)
    assert D[0, 8] == exactly(1 - 1 / 4)
    assert D[4, 8] == exactly(1 - 3 / 4)
    assert D[3, 8] == exactly(1 - (2 / 3 * 1 / 4 + 1 / 3 * 3 / 4))


def test_two_missing_names_of_a_class_differ_unless_the_class_has_one_name():
    D = differences([0, 0, 1, nan, nan, 2, nan, nan], [0, 0, 0, 0, 0, 1, 1, 1], nominal=True)
    assert D[3, 4] == exactly(1 - (4 / 9 + 1 / 9))
    assert D[6, 7] == 0
    assert D[3, 3] == 0


@pytest.mark.parametrize(("scale", "unit"), [("range", 4.0), ("none", 1.0)])
def test_a_missing_number_differs_by_the_mean_difference_to_its_class(scale, unit):
    D = differences([0, 2, nan, 4, nan], [0, 0, 0, 1, 1], scale=scale) * unit
    assert D[0, 2] == exactly((0 + 2) / 2)
    assert D[1, 2] == exactly((2 + 0) / 2)
    assert D[3, 2] == exactly((4 + 2) / 2)
    assert D[0, 4] == exactly(4)
    assert D[2, 4] == exactly((4 + 2) / 2)


def test_a_class_of_which_nothing_is_known_is_like_all_samples():
    D = differences([0, 1, 3, nan, nan], [0, 0, 0, 1, 1], scale="none")
    assert D[0, 3] == exactly(4 / 3)
    assert D[3, 4] == exactly((1 + 3 + 1 + 2 + 3 + 2) / 9)


def test_relief_with_a_missing_name_by_hand():
    # The first feature decides who is near: hits are 0-1 and 2-3; the nearest miss of 0 and 1 is 2, of 2 and 3 it is 1.
    X, y = [[0, 0], [10, nan], [50, 1], [60, 0]], [0, 0, 1, 1]
    # In the second, sample 1 is like sample 0, its class: it differs by 0 from it, and from 2 by 1.
    hits, misses = [0, 0, 1, 1], [1, 1, 1, 0]
    fitted = Relief(2, nominal=[1], scale="none").fit(X, y)
    assert fitted.scores_[1] == exactly((sum(misses) - sum(hits)) / 4)


@every_ranker
def test_a_feature_of_which_nothing_is_known_or_that_is_constant_where_known_scores_last(kind):
    X, y = noise(n_features=3)
    empty, gaps = np.full(20, nan), np.where(np.arange(20) % 3, 1.5, nan)
    found = kind(1).fit(np.column_stack([X, empty, gaps]), y)
    assert found.scores_[3:].tolist() == [-inf, -inf]
    assert found.scores_[:3].tolist() == scores(kind(1), np.column_stack([X, np.ones((20, 2))]), y)[:3]


def test_tied_features_with_missing_values_go_by_name():
    column = [0, 1, nan, 0, 2, nan]
    X = pd.DataFrame({"c": column, "b": column, "x": [nan] * 6, "a": column, "w": [4.0] * 6})
    for kind in (*FAMILY, TuRF):
        fitted = kind(5).fit(X, HALVES)
        assert X.columns[fitted.indices_].tolist() == ["a", "b", "c", "w", "x"]


# Samples drawn


@pytest.mark.parametrize("kind", [Relief, ReliefF], ids=lambda kind: kind.__name__)
def test_all_samples_drawn_are_all_samples(kind):
    X, y = noise()
    assert scores(kind(1, n_samples=20), X, y) == exactly(scores(kind(1), X, y))


def test_samples_drawn_give_the_mean_over_those():
    X, y = noise()
    looks = {tuple(scores(Relief(1, n_samples=1, random_state=seed), X, y)) for seed in range(200)}
    assert len(looks) == 20
    assert np.mean(list(looks), axis=0).tolist() == exactly(scores(Relief(1), X, y))


def test_the_same_samples_are_drawn_from_shuffled_rows():
    X, y = noise()
    rows = np.random.default_rng(1).permutation(20)
    plain = scores(ReliefF(1, n_samples=5), X, y)
    assert scores(ReliefF(1, n_samples=5), X[rows], y[rows]) == exactly(plain)


def test_the_seed_decides_which_samples_are_drawn():
    X, y = noise()
    first, again, other = (scores(ReliefF(1, n_samples=5, random_state=seed), X, y) for seed in (3, 3, 4))
    assert first == again != other
    rng = np.random.default_rng(3)
    assert scores(ReliefF(1, n_samples=5, random_state=rng), X, y) != scores(
        ReliefF(1, n_samples=5, random_state=rng), X, y
    )


def test_more_samples_than_there_are_cannot_be_drawn():
    with pytest.raises(ValueError, match=r"n_samples=21 but there are 20"):
        Relief(1, n_samples=21).fit(*noise())


# Constant features and resamples


@every_ranker
def test_a_constant_feature_scores_last_and_changes_nothing(kind):
    X, y = noise()
    both = kind(1).fit(np.column_stack([X, np.full(20, 3.0)]), y)
    # The number of features sets the unit in which distances are rounded; ten digits stay.
    assert both.scores_[:6].tolist() == pytest.approx(scores(kind(1), X, y), abs=1e-10)
    assert both.scores_[6] == -inf


@pytest.mark.parametrize("n_features", [2, 3])
@every_ranker
def test_nothing_but_constants_scores_minus_infinity(kind, n_features):
    assert scores(kind(n_features), np.ones((6, n_features)), HALVES) == [-inf] * n_features


@pytest.mark.parametrize("repeats", [False, True])
@every_ranker
def test_a_resample_chooses_what_a_fit_on_its_rows_chooses(kind, repeats):
    """Zeros and ones have the same range in every resample in which they vary."""
    rng = np.random.default_rng(5)
    X, y = (rng.random((30, 40)) < 0.4).astype(float), np.arange(30) % 3
    selector = kind(8)
    choose = selector.resampler(X, y)
    for _ in range(10):
        rows = rng.choice(30, 15, replace=repeats)
        fitted = kind(8).fit(X[rows], y[rows])
        assert np.flatnonzero(choose(rows)).tolist() == np.flatnonzero(fitted.support_).tolist()


# Instance-based filters


def lists(fitted):
    return (fitted.candidates_ + 1).tolist()


def test_every_sample_of_toy_proposes_the_published_list():
    fitted = InstanceBased(candidate_size=2).fit(TOY, TOY_CLASSES)
    assert lists(fitted) == [[3, 4], [5, 2], [3, 4], [2, 4], [2, 4], [3, 5]]
    second = [0.8, 6 / 7, 4 / 7, 0.75, 11 / 13, 10 / 11]
    assert fitted.candidate_weights_.tolist() == [exactly([1.0, w]) for w in second]
    assert fitted.candidate_samples_.tolist() == list(range(6))


def test_weights_of_toy_run_from_the_smallest_margin_to_the_largest():
    fitted = InstanceBased(candidate_size=5).fit(TOY, TOY_CLASSES)
    by_feature = np.empty((6, 5))
    np.put_along_axis(by_feature, fitted.candidates_, fitted.candidate_weights_, axis=1)
    expected = [
        [0, 8 / 15, 1, 0.8, 2 / 3],
        [5 / 7, 6 / 7, 0, 3 / 7, 1],
        [2 / 7, 1 / 7, 1, 4 / 7, 0],
        [0.375, 1, 0.5, 0.75, 0],
        [1 / 13, 1, 0, 11 / 13, 3 / 13],
        [0, 1 / 11, 1, 4 / 11, 10 / 11],
    ]
    assert by_feature.tolist() == [exactly(row) for row in expected]


def test_lists_of_toy_with_neighbours_sought_in_each_feature():
    """The published lists, but equal margins go to the larger sum of margins, not to the lower number: 4 before 3."""
    fitted = InstanceBased(candidate_size=2, neighbours="feature").fit(TOY, TOY_CLASSES)
    assert lists(fitted) == [[4, 3], [2, 1], [4, 3], [2, 4], [2, 4], [3, 5]]
    assert fitted.candidate_weights_[1].tolist() == exactly([1, 7 / 8])


@pytest.mark.parametrize(
    ("aggregate", "expected", "order"),
    [
        ("occurrence", [nan, 3, 3, 4, 2], [4, 3, 2, 5]),
        ("mean_weight", [nan, 0.476190, 0.5, 0.494597, 0.318182], [3, 4, 2, 5]),
        # The published sums of places 13, 12, 14 and 15, taken from 6 lists · 3.
        ("rank", [nan, 18 - 13, 18 - 12, 18 - 14, 18 - 15], [3, 2, 4, 5]),
        ("redundancy", [nan, 1.886967, 2.113158, 1.997407, 1.116610], [3, 4, 2, 5]),
    ],
)
def test_lists_of_toy_merge_as_published(aggregate, expected, order):
    fitted = InstanceBased(candidate_size=2, aggregate=aggregate).fit(TOY, TOY_CLASSES)
    assert (fitted.indices_ + 1).tolist() == order
    assert fitted.scores_.tolist() == pytest.approx(expected, abs=5.1e-7, nan_ok=True)
    assert fitted.n_evaluations_.pair == (6 if aggregate == "redundancy" else 0)


def test_redundancy_of_toy_without_the_feature_itself():
    fitted = InstanceBased(candidate_size=2, aggregate="redundancy", include_self=False).fit(TOY, TOY_CLASSES)
    assert fitted.scores_[1:].tolist() == to_six_digits([2.091896, 2.345865, 2.202336, 1.338832])


def test_redundancy_counts_as_much_as_asked():
    plain, none, double = (
        InstanceBased(candidate_size=2, aggregate="redundancy", redundancy_weight=w).fit(TOY, TOY_CLASSES).scores_[1:]
        for w in (1.0, 0.0, 2.0)
    )
    assert none.tolist() == to_six_digits([2.857143, 3.0, 2.967582, 1.909091])
    assert (none - plain).tolist() == to_six_digits([0.970176, 0.886842, 0.970176, 0.792481])
    assert (none - double).tolist() == exactly((2 * (none - plain)).tolist())


A, C = [0, 0, 1, 1], [0, 1, 0, 1]


def test_a_redundant_feature_drops_behind_one_that_shares_nothing():
    """The first worked example of IB-RedE, with its relevances given."""
    codes = Codes.of(np.array([A, A, C]))
    redundancy = (information_with_others(codes) + information_about_itself(codes)) / 3
    assert redundancy.tolist() == exactly([2 / 3, 2 / 3, 1 / 3])
    score = np.array([0.9, 0.8, 0.5]) - redundancy
    assert score.tolist() == pytest.approx([0.2333, 0.1333, 0.1667], abs=5.1e-5)
    assert np.argsort(-score).tolist() == [0, 2, 1]


def test_redundancy_of_levels_by_hand():
    """Every sample has margin 1 in a and its copy, and -1 in c: relevances 4, 4 and 0."""
    fitted = InstanceBased(candidate_size=3, aggregate="redundancy", discretizer=None).fit(np.transpose([A, A, C]), A)
    assert fitted.scores_.tolist() == exactly([4 - 2 / 3, 4 - 2 / 3, -1 / 3])


@pytest.mark.parametrize("neighbours", ["sample", "feature"])
def test_lists_of_one_feature_are_ranked_alike_by_place_and_by_number(neighbours):
    X, y = noise(n_samples=30, n_features=12)
    by_place, by_number = (
        InstanceBased(candidate_size=1, aggregate=a, neighbours=neighbours).fit(X, y) for a in ("rank", "occurrence")
    )
    assert by_place.indices_.tolist() == by_number.indices_.tolist()
    np.testing.assert_array_equal(by_place.scores_, by_number.scores_)


def test_a_common_factor_of_all_features_changes_no_list():
    for scale in ("none", "range"):
        plain, tripled = (InstanceBased(candidate_size=2, scale=scale).fit(X, TOY_CLASSES) for X in (TOY, 3 * TOY))
        assert plain.candidates_.tolist() == tripled.candidates_.tolist()


def test_a_constant_feature_is_in_no_list_however_long():
    X = np.insert(TOY, 2, 7, axis=1)
    fitted = InstanceBased(candidate_size=10).fit(X, TOY_CLASSES)
    assert fitted.candidates_.shape == (6, 5)
    assert 2 not in fitted.candidates_
    assert np.isnan(fitted.scores_[2])


@pytest.mark.parametrize("neighbours", ["sample", "feature"])
def test_a_sample_alone_in_its_class_proposes_nothing(neighbours):
    fitted = InstanceBased(candidate_size=2, neighbours=neighbours).fit(TOY, ["A", "A", "A", "lone", "B", "B"])
    assert fitted.candidate_samples_.tolist() == [0, 1, 2, 4, 5]
    assert fitted.candidates_.shape == fitted.candidate_weights_.shape == (5, 2)


def test_no_more_features_are_kept_than_are_in_a_list():
    assert len(InstanceBased(5, candidate_size=2).fit(TOY, TOY_CLASSES).indices_) == 4
    assert (InstanceBased(2, candidate_size=2).fit(TOY, TOY_CLASSES).indices_ + 1).tolist() == [4, 3]


def test_lists_need_a_feature_that_varies():
    with pytest.raises(DataError, match="Every feature of X is constant"):
        InstanceBased().fit(np.ones((6, 3)), HALVES)


@pytest.mark.parametrize("kind", [*FAMILY, TuRF, InstanceBased], ids=lambda kind: kind.__name__)
def test_classes_of_one_sample_each_are_refused(kind):
    with pytest.raises(DataError, match="one sample only"):
        kind(1).fit(TOY, list("abcdef"))


def test_margins_that_are_rounding_alone_have_no_weight():
    # Three misses share the place of the nearest to the second sample, and 1/3 + 1/3 - 1 + 1/3 is not quite 0.
    fitted = InstanceBased(candidate_size=1).fit([[0, 0], [1, 1], [0, 0], [0, 2], [0, 0]], [0, 1, 0, 1, 0])
    assert fitted.candidate_weights_.ravel().tolist() == [1, 0, 1, 1, 1]


def test_margins_that_differ_by_rounding_alone_have_no_weight():
    x = np.array([[6.0], [0.0], [1.0], [1.0], [1.0]])
    fitted = InstanceBased(candidate_size=1).fit(np.hstack([x, 3 * x]), [0, 0, 1, 1, 1])
    assert not fitted.candidate_weights_.any()
    assert fitted.candidates_.ravel().tolist() == [fitted.indices_[0]] * 5
