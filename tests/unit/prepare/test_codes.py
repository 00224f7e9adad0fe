"""Codes at the edges of a machine word and of a byte, and the ways a discretiser can be given."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer

from holdfast import DataError, InformationGain, MDLDiscretizer, MeanSigmaDiscretizer
from holdfast.prepare import Codes, EqualFrequencyDiscretizer, EqualWidthDiscretizer
from holdfast.prepare.codes import combine


@pytest.mark.parametrize("n_samples", [1, 63, 64, 65, 128])
def test_every_sample_is_counted_once(n_samples):
    codes = Codes.of(np.ones((2, n_samples), dtype=int))
    assert codes.sizes.sum(axis=1).tolist() == [n_samples, n_samples]


@pytest.mark.parametrize("n_levels", [16, 17, 255])
def test_codes_hold_as_many_levels_as_a_byte_less_one(n_levels):
    levels = np.array([np.arange(600) % n_levels, np.arange(600) % 2])
    codes = Codes.of(levels)
    assert codes.n_levels.tolist() == [n_levels, 2]
    assert np.array_equal(codes.as_bytes(), levels)


def test_two_variables_with_too_many_joint_levels_cannot_be_combined():
    many = Codes.of([np.arange(300) % 20]), Codes.of([np.arange(300) // 15])
    with pytest.raises(DataError, match="300 levels together"):
        combine(*many)


def _scores(discretizer, X, y):
    return InformationGain(1, discretizer=discretizer).fit(X, y).scores_.tolist()


@pytest.fixture
def measured(seed):
    rng = np.random.default_rng([seed, 31])
    y = np.arange(60) % 3
    return rng.normal(size=(60, 5)) + y[:, np.newaxis], y


@pytest.mark.parametrize(
    ("name", "transformer"),
    [
        ("mdl", MDLDiscretizer()),
        ("mean-sigma", MeanSigmaDiscretizer()),
        ("equal-width", EqualWidthDiscretizer()),
        ("equal-frequency", EqualFrequencyDiscretizer()),
    ],
)
def test_a_discretiser_by_name_is_the_transformer_of_that_name(name, transformer, measured):
    X, y = measured
    assert _scores(name, X, y) == _scores(transformer, X, y)
    assert _scores(name, X, y) == _scores(None, transformer.fit_transform(X, y), y)


def test_a_given_discretiser_is_cloned_and_left_unfitted(measured):
    own = MeanSigmaDiscretizer(width=1.0)
    wide = _scores(own, *measured)
    assert not hasattr(own, "cuts_")
    assert wide != _scores("mean-sigma", *measured)


def test_scikit_learn_discretisers_work_as_they_are(measured):
    X, y = measured
    bins = KBinsDiscretizer(4, encode="ordinal", strategy="uniform")
    assert _scores(bins, X, y) == pytest.approx(_scores(EqualWidthDiscretizer(4), X, y), abs=1e-12)


def test_a_discretiser_that_changes_the_number_of_columns_is_refused(measured):
    with pytest.raises(DataError, match="encode='ordinal'"):
        InformationGain(1, discretizer=KBinsDiscretizer(4, strategy="uniform", encode="onehot")).fit(*measured)


def test_continuous_data_without_a_discretiser_are_refused_by_name():
    X = np.column_stack([np.arange(400) % 2, np.linspace(0, 1, 400)])
    with pytest.raises(DataError, match="column 1 has 400 distinct values"):
        InformationGain(1, discretizer=None).fit(X, np.arange(400) % 2)


@pytest.mark.parametrize("shift", [0.0, -7.5, 0.25, 1000.0])
def test_discrete_values_need_not_be_whole_or_positive(shift, measured):
    levels = EqualWidthDiscretizer(4).fit_transform(*measured).astype(float)
    assert _scores(None, levels + shift, measured[1]) == _scores(None, levels, measured[1])


def test_an_identity_transformer_means_the_data_are_levels(measured):
    levels = EqualWidthDiscretizer(4).fit_transform(*measured).astype(float)
    same = _scores(FunctionTransformer(), levels, measured[1])
    assert same == _scores(None, levels, measured[1])


@pytest.mark.parametrize(
    "kind", [MDLDiscretizer, MeanSigmaDiscretizer, EqualWidthDiscretizer, EqualFrequencyDiscretizer]
)
def test_new_samples_are_cut_where_the_training_samples_were(kind, measured):
    X, y = measured
    fitted = kind().fit(X[:40], y[:40])
    assert np.array_equal(fitted.transform(X)[:40], kind().fit_transform(X[:40], y[:40]))
    expected = [
        [sum(v > c for c in cuts) for v in column] for column, cuts in zip(X.T, fitted.cut_points_, strict=True)
    ]
    assert fitted.transform(X).T.tolist() == expected


@pytest.mark.parametrize("kind", [MDLDiscretizer, EqualWidthDiscretizer, EqualFrequencyDiscretizer])
def test_a_constant_feature_gets_no_cut(kind):
    assert kind().fit(np.full((8, 1), 0.1), [0, 1] * 4).cut_points_[0].tolist() == []


def test_a_value_half_a_sigma_from_the_mean_is_in_the_middle():
    # Mean 0, σ = 2 over n - 1: ±1 sits on the limit, and rounding must not push it out.
    x = np.array([-1.0, 1.0, 3.0, -3.0, 0.0, 0.0])
    x = np.concatenate([x, -x])
    width = 1.0 / np.std(x, ddof=1)
    for factor in (1.0, 0.1, 3.0, 1e-5):
        levels = MeanSigmaDiscretizer(width=width).fit_transform((factor * x)[:, np.newaxis])[:, 0]
        assert levels[:6].tolist() == [1, 1, 2, 0, 1, 1]


def test_bins_of_neighbouring_floats_stay_apart():
    low = 1.0
    high = np.nextafter(low, 2)
    x = np.array([[low]] * 6 + [[high]] * 6)
    for kind in (MDLDiscretizer, EqualFrequencyDiscretizer):
        n_bins = {} if kind is MDLDiscretizer else {"n_bins": 2}
        assert kind(**n_bins).fit_transform(x, [0] * 6 + [1] * 6)[:, 0].tolist() == [0] * 6 + [1] * 6
