"""What Relief and its kin make of weights of samples, of names instead of numbers, and of missing values."""

from __future__ import annotations

from math import fsum, inf, nan, sqrt

import numpy as np
import pandas as pd
import pytest

from holdfast import SURF, MultiSURF, Relief, ReliefF, TuRF
from holdfast.measures.neighbours import Distances, Space

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
