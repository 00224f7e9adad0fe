"""scikit-learn's own estimator checks on every row of the registry and on the discretisers; none may fail."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import holdfast
from holdfast.prepare import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MeanSigmaDiscretizer,
)

SELECTORS = [method.build(**method.test_parameters) for method in holdfast.methods()]
DISCRETIZERS = [EqualFrequencyDiscretizer(), EqualWidthDiscretizer(), MDLDiscretizer(), MeanSigmaDiscretizer()]


# On noise a method that finds the number of features itself may rightly find none; both libraries say so.
@pytest.mark.filterwarnings("ignore:No features were selected:UserWarning")
@pytest.mark.filterwarnings("ignore::holdfast.NothingSelected")
@parametrize_with_checks(SELECTORS + DISCRETIZERS)
def test_scikit_learn_check(estimator, check):
    check(estimator)
