"""Relief and its kin: printed numbers of the specifications, cases by hand, constants, resamples and errors."""

from __future__ import annotations

from itertools import product
from math import exp, inf, sqrt

import joblib
import numpy as np
import pytest

from holdfast import SURF, DataError, InstanceBased, MultiSURF, Relief, ReliefF, TuRF
from holdfast.measures.neighbours import Distances, Space
from oracles.worked import NUM6, TOY

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
    fitted = Relief(5, scale=scale).fit(*TOY)
    assert (fitted.scores_ * unit).tolist() == exactly([-20, 11, 7, 12, -4])
    assert (fitted.indices_ + 1).tolist() == [4, 2, 3, 5, 1]


@pytest.mark.parametrize(("X", "y"), [NUM6, TOY, noise()], ids=["NUM6", "TOY", "noise"])
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


@pytest.mark.parametrize("kind", [*FAMILY, TuRF, InstanceBased], ids=lambda kind: kind.__name__)
def test_classes_of_one_sample_each_are_refused(kind):
    with pytest.raises(DataError, match="one sample only"):
        kind(1).fit(TOY[0], list("abcdef"))


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_processes_do_not_lose_what_threads_share(backend, seed):
    """Sums over many features are added up by several threads, whatever else joblib was told to use."""
    rng = np.random.default_rng([seed, 41])
    X, y = rng.normal(size=(20, 1500)), np.arange(20) % 2
    alone = ReliefF(5).fit(X, y)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        other = ReliefF(5).fit(X, y)
    assert other.scores_.tobytes() == alone.scores_.tobytes()
