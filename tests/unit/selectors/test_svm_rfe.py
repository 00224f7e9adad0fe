"""SVM-RFE: printed numbers of the specifications, the schedule of rounds, what is kept of them, and errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from holdfast import SVMRFE, DataError

# Han 2012 as specified, V3 with and without an outlier, and V6.
CLEAN = np.array([(0, 0), (1, 0.5), (0.5, 2), (4, 4), (5, 3), (3, 5.5)])
OUTLIER = np.array([(0, 0), (1, 0.5), (3.5, 4.5), (4, 4), (5, 3), (3, 5.5)])
HALVES = [0, 0, 0, 1, 1, 1]
CLEAN_WEIGHTS = np.array([0.156311, 0.194282, 0.154685, 0.215838, 0.147719, 0.131165])
OUTLIER_WEIGHTS = np.array([0.169828, 0.211191, 0.070622, 0.215754, 0.170069, 0.162536])
V6 = np.array([
    [1, 0.2, 3, 0.5],
    [2, 1.1, 2.5, 0.1],
    [1.5, 0.4, 4, 0.9],
    [2.5, 0.8, 3.5, 0.3],
    [3, 0.3, 1, 0.7],
    [4, 0.9, 0.5, 0.2],
    [3.5, 0.6, 2, 0.8],
    [2.2, 0.1, 1.5, 0.4],
])  # fmt: skip
V6_CLASSES = [0, 0, 0, 0, 1, 1, 1, 1]
HAN_SIZES = [
    *[1000, 900, 810, 729, 656, 590, 531, 477, 429, 386, 347, 312, 280, 252, 226, 203, 182, 163, 146, 131, 117, 105],
    *[94, 84, 75, 67, 60, 54, 48, 43, 38, 34, 30, 27, 24, 21, 18, 16, 14, 12, 10],
]


def to_six_digits(values):
    return pytest.approx(values, abs=5.1e-7)


def shares(weights):
    return [abs(w) / sum(map(abs, weights)) for w in weights]


def noise(n_samples=20, n_features=6, n_classes=2, seed=0):
    X = np.random.default_rng(seed).normal(size=(n_samples, n_features))
    return X, np.arange(n_samples) % n_classes


def first_round(X, y, sample_weight=None, **parameters):
    fitted = SVMRFE(1, keep_path=True, **parameters).fit(X, y, sample_weight=sample_weight)
    return shares(fitted.weight_path_[0])


# Printed numbers


@pytest.mark.parametrize(
    ("X", "weights", "expected"),
    [
        (OUTLIER, None, (0.375, 0.25)),
        (OUTLIER, 6 * OUTLIER_WEIGHTS, (0.375, 0.25)),
        (OUTLIER, OUTLIER_WEIGHTS, (0.320157, 0.297009)),
        (OUTLIER, np.full(6, 1 / 6), (0.333333, 0.266667)),
        (CLEAN, None, (0.413793, 0.275862)),
        (CLEAN, 6 * CLEAN_WEIGHTS, (0.413793, 0.275862)),
        (CLEAN, CLEAN_WEIGHTS, (0.413793, 0.275862)),
        (CLEAN, np.full(6, 1 / 6), (0.413793, 0.275862)),
    ],
    ids=[f"{data}-{arm}" for data in ("outlier", "clean") for arm in ("plain", "mean", "sum", "C/n")],
)
def test_weighted_machines_of_han(X, weights, expected):
    # Weights of samples are printed to six digits, which the hyperplane inherits.
    assert first_round(X, HALVES, weights, scale="none") == pytest.approx(shares(expected), abs=3e-6)


def test_one_over_n_by_cost_is_one_over_n_by_weight():
    found = first_round(OUTLIER, HALVES, scale="none", C=1 / 6)
    assert found == to_six_digits(shares((1 / 3, 4 / 15)))
    assert found == pytest.approx(first_round(OUTLIER, HALVES, np.full(6, 1 / 6), scale="none"), abs=1e-12)


@pytest.mark.parametrize(
    ("C", "rounds"),
    [
        (
            1.0,
            [[0.542989, 0.868088, 0.868105, 0.405529], [0.639269, 0.831050, 0.831050, 0], [0, 0.553097, 1.296460, 0]],
        ),
        (1 / 8, [[0.4, 0.1375, 0.5625, 0.125]]),
    ],
)
def test_rounds_of_han(C, rounds):
    fitted = SVMRFE(4, C=C, scale="none", keep_path=True).fit(V6, V6_CLASSES)
    for found, expected in zip(fitted.weight_path_, rounds, strict=False):
        assert shares(found) == pytest.approx(shares(expected), abs=2e-6)
    assert fitted.indices_.tolist() == ([2, 1, 0, 3] if C == 1 else [2, 0, 1, 3])


def test_first_normalised_weights_of_han():
    found = first_round(V6, V6_CLASSES, scale="none")
    assert found == to_six_digits([0.202252, 0.323345, 0.323351, 0.151051])


def test_a_score_is_the_share_in_the_last_round_a_feature_took_part_in():
    fitted = SVMRFE(2, scale="none").fit(V6, V6_CLASSES)
    assert fitted.scores_[3] == to_six_digits(0.151051)
    assert fitted.scores_[0] == pytest.approx(shares([0.639269, 0.831050, 0.831050])[0], abs=1e-6)
    assert fitted.scores_[1] == pytest.approx(shares([0.553097, 1.296460])[0], abs=1e-6)
    assert fitted.scores_[2] == 1.0


@pytest.mark.parametrize("scale", ["none", "range", "standard"])
def test_two_samples_are_told_apart_by_their_difference(scale):
    X, y = np.array([[2, 1, 0.5], [0, 0, 0]]), [1, 0]
    found = first_round(X, y, scale=scale)
    assert found == to_six_digits(shares((0.761905, 0.380952, 0.190476)) if scale == "none" else [1 / 3] * 3)


def test_elimination_order_of_two_samples():
    fitted = SVMRFE(3, scale="none").fit([[2, 1, 0.5], [0, 0, 0]], [1, 0])
    assert fitted.indices_.tolist() == [0, 1, 2]


# Rounds


def test_the_schedule_of_han_from_1000_features():
    X, y = noise(12, 1000)
    fitted = SVMRFE(50).fit(X, y)
    assert fitted.sizes_.tolist() == HAN_SIZES + list(range(9, 0, -1))
    assert fitted.sizes_[28] == 48
    assert fitted.sizes_[40] == 10


@pytest.mark.parametrize(
    ("parameters", "sizes"),
    [
        ({"step": 0.5}, [20, 10, 5, 2, 1]),
        ({"step": 0.99}, [20, 1]),
        ({"step": 0.3}, [20, 14, 9, 6, 4, 2, 1]),
        ({"step": 1}, list(range(20, 0, -1))),
        ({"step": 0.5, "one_by_one_below": 10}, [20, *range(10, 0, -1)]),
        ({"step": 0.5, "one_by_one_below": 12}, [20, *range(10, 0, -1)]),
        ({"step": 0.5, "one_by_one_below": 100}, list(range(20, 0, -1))),
        ({"step": 0.1, "step_of": "all"}, [20, 18, 16, 14, 12, 10, 8, 6, 4, 3]),
        ({"step": 0.01, "step_of": "all"}, list(range(20, 2, -1))),
        ({"step": 7, "step_of": "all"}, [20, 13, 6, 3]),
        ({"step": 100, "step_of": "all"}, [20, 3]),
        ({"step": 5, "step_of": "all", "one_by_one_below": 8}, [20, 15, 10, 5, 4, 3]),
    ],
    ids=str,
)
def test_features_left_in_each_round(parameters, sizes):
    X, y = noise(n_features=20)
    assert SVMRFE(3, **parameters).fit(X, y).sizes_.tolist() == sizes


@pytest.mark.parametrize(
    ("step", "sizes"),
    [(3, [20, 17, 14, 11, 8, 5, 2, 1]), (7, [20, 13, 6, 1]), (19, [20, 1]), (20, [20, 1]), (99, [20, 1])],
)
def test_a_whole_number_of_features_is_dropped_in_each_round(step, sizes):
    X, y = noise(n_features=20)
    assert SVMRFE(3, step=step).fit(X, y).sizes_.tolist() == sizes


def test_a_share_of_a_tenth_is_a_tenth():
    # 0.9 times 10 is a hair less than 9 in floats of some orders of operation.
    for n_features in (10, 20, 30, 70, 110):
        X, y = noise(8, n_features)
        assert SVMRFE(1).fit(X, y).sizes_[1] == n_features * 9 // 10


def test_every_feature_takes_part_until_it_is_dropped():
    X, y = noise(n_features=20)
    fitted = SVMRFE(5, step=0.3, keep_path=True).fit(X, y)
    rounds = np.searchsorted(-fitted.sizes_, -np.arange(1, 21), side="right")
    assert fitted.rounds_[SVMRFE(20, step=0.3).fit(X, y).indices_].tolist() == rounds.tolist()
    assert fitted.weight_path_.shape == (len(fitted.sizes_), 20)
    for number, weights in enumerate(fitted.weight_path_):
        assert np.array_equal(weights != 0, fitted.rounds_ > number)


def test_the_path_is_kept_only_if_asked_for():
    assert not hasattr(SVMRFE(3).fit(*noise()), "weight_path_")


def test_a_refit_forgets_the_path():
    selector = SVMRFE(3, keep_path=True).fit(*noise())
    assert not hasattr(selector.set_params(keep_path=False).fit(*noise()), "weight_path_")


@pytest.mark.parametrize("step_of", ["remaining", "all"])
def test_those_not_chosen_rank_in_the_order_in_which_they_went(step_of):
    X, y = noise(n_features=20)
    fitted = SVMRFE(4, step=3, step_of=step_of).fit(X, y)
    others = np.setdiff1d(np.arange(20), fitted.indices_)
    assert fitted.ranking_[fitted.indices_].tolist() == [1, 2, 3, 4]
    later = others[np.argsort(fitted.ranking_[others], kind="stable")]
    assert (np.diff(fitted.rounds_[later]) <= 0).all()


@pytest.mark.parametrize("step", [0.1, 0.5, 1, 4])
def test_the_first_k_of_a_longer_list_is_the_list_for_k(step):
    X, y = noise(n_features=30, n_classes=3)
    longest = SVMRFE(30, step=step).fit(X, y).indices_.tolist()
    for k in (1, 2, 7, 15, 29):
        assert SVMRFE(k, step=step).fit(X, y).indices_.tolist() == longest[:k]


# Constants, copies and one feature


@pytest.mark.parametrize("scale", ["none", "range", "standard"])
@pytest.mark.parametrize("constant", [0.0, 0.1, -4.0, 1e6])
def test_constant_features_have_no_weight_and_go_first(scale, constant):
    X, y = noise(n_features=9)
    both = np.column_stack([X[:, :4], np.full(20, constant), X[:, 4:]])
    fitted = SVMRFE(10, step=1, scale=scale).fit(both, y)
    assert fitted.indices_[-1] == 4
    assert fitted.scores_[4] == 0.0
    alone = SVMRFE(9, step=1, scale=scale).fit(X, y)
    assert np.delete(np.arange(10), 4)[alone.indices_].tolist() == fitted.indices_[:-1].tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_nothing_but_constants_has_no_weight(n_classes):
    fitted = SVMRFE(3).fit(np.ones((6, 3)), np.arange(6) % n_classes)
    assert fitted.scores_.tolist() == [0.0] * 3
    assert sorted(fitted.indices_) == [0, 1, 2]


@pytest.mark.parametrize("column", [[2, 2, 2, 2], [0, 1, 0, 1]], ids=["constant", "useless"])
def test_a_known_feature_that_says_nothing_has_no_weight(column):
    fitted = SVMRFE(1, prior=[10.0]).fit(np.array(column)[:, np.newaxis], [0, 0, 1, 1])
    assert fitted.scores_.tolist() == [0.0]
    assert fitted.indices_.tolist() == [0]


@pytest.mark.parametrize("scale", ["none", "range", "standard"])
def test_copies_and_mirror_images_weigh_the_same(scale):
    X, y = noise(n_features=4)
    fitted = SVMRFE(1, scale=scale, keep_path=True).fit(np.column_stack([X, X[:, 0], -X[:, 1]]), y)
    first = fitted.weight_path_[0]
    assert abs(first[0]) == pytest.approx(abs(first[4]), rel=1e-13)
    assert abs(first[1]) == pytest.approx(abs(first[5]), rel=1e-13)


def test_one_feature_is_chosen():
    fitted = SVMRFE(1).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    assert fitted.indices_.tolist() == [0]
    assert fitted.scores_.tolist() == [1.0]


# Weights of samples, scale and prior


@pytest.mark.parametrize("scale", ["none", "range", "standard"])
def test_a_sample_of_weight_zero_is_not_there(scale):
    X, y = noise(n_features=12)
    weights = np.where(np.arange(20) < 4, 0.0, 1.0)
    parameters = {"scale": scale, "step": 1}
    fitted = SVMRFE(12, **parameters).fit(X, y, sample_weight=weights)
    without = SVMRFE(12, **parameters).fit(X[4:], y[4:])
    assert fitted.indices_.tolist() == without.indices_.tolist()
    np.testing.assert_allclose(fitted.scores_, without.scores_, rtol=1e-9)


def test_equal_weights_multiply_the_cost():
    X, y = noise(n_features=12, n_classes=3)
    weighted = SVMRFE(12, C=2.0).fit(X, y, sample_weight=np.full(20, 0.05))
    plain = SVMRFE(12, C=0.1).fit(X, y)
    assert weighted.indices_.tolist() == plain.indices_.tolist()
    np.testing.assert_allclose(weighted.scores_, plain.scores_, rtol=1e-9)


@pytest.mark.parametrize("scale", ["range", "standard"])
def test_the_unit_of_a_feature_does_not_matter_when_scaled(scale):
    X, y = noise(n_features=12, n_classes=3)
    unit = 10.0 ** np.random.default_rng(1).integers(-5, 6, size=12)
    plain, other = SVMRFE(12, scale=scale).fit(X, y), SVMRFE(12, scale=scale).fit(X * unit + unit, y)
    assert plain.indices_.tolist() == other.indices_.tolist()
    np.testing.assert_allclose(plain.scores_, other.scores_, rtol=1e-7)


def test_a_scale_of_none_takes_values_as_they_are():
    X, y = noise(n_features=6)
    ranges, deviations = np.ptp(X, axis=0), X.std(axis=0)
    for scale, unit in (("range", ranges), ("standard", deviations)):
        plain = SVMRFE(6, scale="none").fit(X / unit, y)
        assert SVMRFE(6, scale=scale).fit(X, y).scores_.tolist() == pytest.approx(plain.scores_.tolist(), rel=1e-9)


@pytest.mark.parametrize("prior_by", ["rescaling", "criterion"])
def test_what_is_known_decides_between_copies(prior_by):
    X, y = noise(n_features=5)
    X = np.column_stack([X, X[:, 2]])
    for known in (2, 5):
        prior = [10.0 if f == known else 1.0 for f in range(6)]
        chosen = SVMRFE(3, prior=prior, prior_by=prior_by).fit(X, y).indices_.tolist()
        assert known in chosen


def test_a_prior_of_ones_by_criterion_is_plain_elimination():
    X, y = noise(n_features=15, n_classes=3)
    plain = SVMRFE(15).fit(X, y)
    known = SVMRFE(15, prior=np.ones(15), prior_by="criterion").fit(X, y)
    assert plain.indices_.tolist() == known.indices_.tolist()


def test_a_strong_prior_by_criterion_keeps_a_feature_to_the_end():
    X, y = noise(n_features=15)
    worst = int(SVMRFE(15).fit(X, y).indices_[-1])
    prior = np.where(np.arange(15) == worst, 1e3, 1.0)
    assert SVMRFE(15, prior=prior, prior_by="criterion").fit(X, y).indices_[0] == worst


def test_names_of_known_features_are_a_prior_of_ten():
    X, y = noise(n_features=6)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    expected = SVMRFE(2, prior=[1, 1, 10, 1, 1, 10]).fit(X, y).indices_.tolist()
    for prior in (["c", "f"], {"c": 10, "f": 10.0}, [False, False, True, False, False, True]):
        assert SVMRFE(2, prior=prior).fit(frame, y).indices_.tolist() == expected


# Errors


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "C=0"),
        ({"C": -1.0}, r"C=-1\.0"),
        ({"C": float("inf")}, "C=inf"),
        ({"C": float("nan")}, "C=nan"),
        ({"C": None}, "C=None"),
        ({"C": "1"}, "C='1'"),
        ({"step": 0}, "step=0"),
        ({"step": 1.0}, r"step=1\.0"),
        ({"step": 2.5}, r"step=2\.5"),
        ({"step": -0.1}, r"step=-0\.1"),
        ({"step": True}, "step=True"),
        ({"step_of": "half"}, "step_of='half'"),
        ({"one_by_one_below": -1}, "one_by_one_below=-1"),
        ({"one_by_one_below": 0.5}, r"one_by_one_below=0\.5"),
        ({"multiclass": "crammer"}, "multiclass='crammer'"),
        ({"scale": None}, "scale=None"),
        ({"scale": "minmax"}, "scale='minmax'"),
        ({"prior_by": "weight"}, "prior_by='weight'"),
        ({"keep_path": "yes"}, "keep_path='yes'"),
        ({"prior": "TP53"}, "prior='TP53'"),
        ({"prior": [1.0, 2.0]}, "prior has 2 numbers, but X has 6 features"),
        ({"prior": [1, 1, 1, 1, 1, -1]}, "prior has the weight -1"),
        ({"prior": ["TP53"]}, "X has no names"),
        ({"n_features_to_select": 7}, "n_features_to_select=7 but X has 6"),
        ({"n_features_to_select": 0}, "n_features_to_select=0"),
    ],
    ids=str,
)
def test_a_wrong_parameter_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        SVMRFE(**{"n_features_to_select": 2, **parameters}).fit(*noise())


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_missing_and_infinite_values_are_refused(value):
    X, y = noise()
    X[3, 2] = value
    with pytest.raises(DataError, match="contains"):
        SVMRFE(2).fit(X, y)


def test_weights_below_zero_and_of_nothing_are_refused():
    X, y = noise()
    for weights in (np.where(np.arange(20) == 3, -1.0, 1.0), np.zeros(20), np.ones(19)):
        with pytest.raises(ValueError, match=r"sample_weight|weights"):
            SVMRFE(2).fit(X, y, sample_weight=weights)


def test_one_class_is_refused():
    with pytest.raises(DataError, match="one class only"):
        SVMRFE(2).fit(noise()[0], np.zeros(20))
