"""Priors that are multiplied with the weights of a model: what is refused, warned of, and set for them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import holdfast
from holdfast import AROM, MRMR, SVMRFE, PriorWarning, SemiSupervisedAROM


@pytest.fixture
def table():
    rng = np.random.default_rng(73)
    y = np.arange(20) % 2
    return pd.DataFrame(rng.normal(size=(20, 6)) + 0.5 * y[:, None], columns=list("abcdef")), y


@pytest.mark.parametrize("selector", [SVMRFE(2), AROM(2), AROM(2, norm="l1"), SemiSupervisedAROM(2)])
def test_weights_too_far_apart_to_multiply_are_refused(selector, table):
    with pytest.raises(ValueError, match=r"from 1 to 1e\+06.*1,000"):
        selector.set_params(prior={"a": 1e6}).fit(*table)
    assert len(selector.set_params(prior={"a": 1e3}).fit(*table).indices_) == 2


@pytest.mark.parametrize("selector", [MRMR(2), AROM(2), SVMRFE(2)])
def test_a_named_feature_that_weighs_less_than_unnamed_ones_is_told_of(selector, table):
    with pytest.warns(PriorWarning, match="'b'.*below 1"):
        selector.set_params(prior={"a": 10.0, "b": 0.5}).fit(*table)


def test_pk_rfe_has_the_settings_of_its_source_only_with_a_prior():
    with_prior = holdfast.selector("pk-rfe", prior=["a"])
    assert (with_prior.C, with_prior.scale) == (1e4, "standard")
    assert holdfast.selector("pk-rfe", prior=["a"], C=2.0).C == 2.0
    without = holdfast.selector("pk-rfe", prior=None)
    assert without.get_params() == holdfast.selector("svm-rfe").get_params()


def test_copies_share_a_weight_however_long_it_takes(table):
    X, y = table
    X = X.assign(copy=X["a"], mirror=-X["a"])
    scores = dict(zip(X.columns, AROM(3, C=1.0).fit(X, y).scores_, strict=True))
    assert scores["a"] == scores["copy"] == scores["mirror"]
