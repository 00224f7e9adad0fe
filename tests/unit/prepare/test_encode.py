"""What `discretizer=` accepts, and what it says of what it does not."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler

import holdfast
from holdfast import MRMR, DataError, InformationGain
from holdfast.measures import entropy, mutual_information


class Rounded(BaseEstimator):
    """A transformer that gives levels, for as many rows as told."""

    def __init__(self, n_rows=None):
        self.n_rows = n_rows

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return (X > 0).astype(float)[: self.n_rows]


@pytest.fixture
def continuous(seed):
    rng = np.random.default_rng([seed, 43])
    return rng.normal(size=(40, 6)), np.arange(40) % 2


def test_a_transformer_that_gives_levels_is_used(continuous):
    X, y = continuous
    as_levels = InformationGain(2, discretizer=None).fit((X > 0).astype(int), y)
    assert np.array_equal(InformationGain(2, discretizer=Rounded()).fit(X, y).scores_, as_levels.scores_)


def test_scikit_learns_bins_are_used(continuous):
    X, y = continuous
    bins = KBinsDiscretizer(3, encode="ordinal", strategy="uniform")
    ours = InformationGain(2, discretizer=holdfast.EqualWidthDiscretizer(3)).fit(X, y)
    np.testing.assert_allclose(InformationGain(2, discretizer=bins).fit(X, y).scores_, ours.scores_)


def test_a_transformer_that_loses_samples_is_refused(continuous):
    with pytest.raises(DataError, match=r"shape \(10, 6\) for one of shape \(40, 6\)"):
        MRMR(2, discretizer=Rounded(10)).fit(*continuous)


def test_a_transformer_that_gives_no_whole_numbers_is_refused(continuous):
    with pytest.raises(DataError, match=r"StandardScaler.*not whole numbers"):
        MRMR(2, discretizer=StandardScaler()).fit(*continuous)


def test_continuous_data_are_not_taken_for_discrete(continuous):
    with pytest.raises(DataError, match="40 distinct values in 40 samples: it looks continuous"):
        MRMR(2, discretizer=None).fit(*continuous)


def test_fractions_of_few_levels_are_discrete(continuous):
    X, y = continuous
    halves = np.round(X) / 2
    whole = InformationGain(2, discretizer=None).fit(np.round(X) - np.round(X).min(), y)
    assert np.array_equal(InformationGain(2, discretizer=None).fit(halves, y).scores_, whole.scores_)


def test_large_whole_numbers_are_told_apart_to_the_last_digit():
    X = np.array([[2**60], [2**60 + 1]] * 20)
    assert InformationGain(1, discretizer=None).fit(X, np.arange(40) % 2).scores_.tolist() == [1.0]


def test_many_classes_are_refused_where_they_are_counted_only(seed):
    rng = np.random.default_rng([seed, 44])
    X, y = rng.normal(size=(600, 3)), np.arange(600) % 300
    assert len(holdfast.FTest(2).fit(X, y).indices_) == 2
    with pytest.raises(DataError, match=r"300 classes.*at most 255"):
        MRMR(2).fit(X, y)


@pytest.mark.parametrize("values", [np.arange(400), [], [[0, 1], [1, 0]]])
def test_measures_refuse_what_they_cannot_count(values):
    with pytest.raises(ValueError, match=r"distinct values|One discrete value per sample"):
        entropy(values)


def test_measures_refuse_variables_of_different_samples():
    with pytest.raises(ValueError, match="2 and of 3 samples"):
        mutual_information([0, 1], [0, 1, 1])
