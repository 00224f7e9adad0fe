"""PK-RFE: columns rescaled by weight times prior, against its closed form and its slow twin."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast import SVMRFE
from oracles import linear

# Two samples that differ by (2, 1, 0.5), of Ben Brahim 2015 as specified: weights, steps and factors by iteration.
TWO, TWO_CLASSES = np.array([[2, 1, 0.5], [0, 0, 0]]), [1, 0]
TABLE = {
    (1, 1, 10): [
        [(0.761905, 0.380952, 0.190476), (0.365148, 0.182574, 0.912871), (0.365148, 0.182574, 0.912871)],
        [(1.884637, 0.471159, 1.177898), (0.157867, 0.039467, 0.986671), (0.057645, 0.007206, 0.900704)],
        [(1.066708, 0.066669, 4.166829), (0.025592, 0.001599, 0.999671), (0.001475, 0.000012, 0.900407)],
    ],
    (1, 1, 1): [
        [(0.761905, 0.380952, 0.190476), (0.872872, 0.436436, 0.218218), (0.872872, 0.436436, 0.218218)],
        [None, None, (0.845257, 0.105657, 0.013207)],
        [None, None, (0.843605, 0.006591, 0.000051)],
    ],
}


@pytest.mark.parametrize("prior", list(TABLE))
def test_the_slow_twin_goes_through_the_closed_form(prior):
    parameters = {"prior": list(prior), "scale": "none", "multiclass": "ovo", "C": 1e4}
    for found, expected in zip(linear.rescalings(TWO, TWO_CLASSES, parameters), TABLE[prior], strict=False):
        for values, numbers in zip(found, expected, strict=True):
            assert numbers is None or values.astype(float).tolist() == pytest.approx(numbers, abs=5.1e-7)


@pytest.mark.parametrize(("prior", "order"), [((1, 1, 10), [2, 0, 1]), ((1, 1, 1), [0, 1, 2])])
def test_a_known_feature_survives(prior, order):
    selector = SVMRFE(3, C=1e4, scale="none", prior=list(prior))
    assert selector.fit(TWO, TWO_CLASSES).indices_.tolist() == order
    assert selector.set_params(n_features_to_select=1).fit(TWO, TWO_CLASSES).indices_.tolist() == order[:1]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_select", [2, 6, 12])
def test_factors_are_those_of_the_slow_twin(n_classes, n_select, seed):
    rng = np.random.default_rng([seed, 61])
    X, y = rng.normal(size=(14, 12)), np.arange(14) % n_classes
    for prior in (np.ones(12), np.where(np.arange(12) < 3, 10.0, 1.0), rng.uniform(1, 3, size=12)):
        selector = SVMRFE(n_select, C=100.0, prior=prior)
        order, factors = linear.pk_rfe(X.tolist(), y.tolist(), selector.get_params())
        fitted = selector.fit(X, y)
        assert fitted.indices_.tolist() == order
        np.testing.assert_allclose(fitted.scores_[order], factors, rtol=1e-6, atol=1e-11)
