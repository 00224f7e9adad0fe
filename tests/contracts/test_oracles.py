"""Every method of the registry picks what its slow twin picks, in the same order and with the same scores."""

from __future__ import annotations

import numpy as np
import pytest

import holdfast
from oracles import datasets
from oracles.index import ORACLES

METHODS = holdfast.methods()
KINDS = [
    *(f"{kind}-{n_classes}" for kind in ("continuous", "tied", "copied", "mixed") for n_classes in (2, 3)),
    "measured",
    "unlabelled",
]
CASES = [
    (method, kind) for method in METHODS for kind in KINDS if kind in [data.name for data in datasets.bundle(method, 0)]
]


def _data(method, kind, seed):
    return next(data for data in datasets.bundle(method, seed) if data.name == kind)


def assert_agrees_with_its_oracle(method, selector, data, names):
    X = data.X if names is None else data.frame
    fitted = datasets.fit(selector, X, data.y)
    rows = data.X.tolist()
    target = None if data.y is None else data.y.tolist()
    order, scores = ORACLES[method.oracle](rows, target, selector.get_params(), names)
    assert fitted.indices_.tolist() == order
    np.testing.assert_allclose(fitted.scores_[order], scores, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("method", "kind"), CASES, ids=lambda case: getattr(case, "name", case))
def test_a_method_picks_what_its_slow_twin_picks(method, kind, seed):
    data = _data(method, kind, seed)
    assert_agrees_with_its_oracle(method, datasets.build(method, data.X.shape[1] // 2), data, None)


@pytest.mark.parametrize(
    ("method", "kind"),
    [c for c in CASES if c[1] in ("tied-2", "measured")],
    ids=lambda case: getattr(case, "name", case),
)
def test_a_method_picks_what_its_slow_twin_picks_from_named_features(method, kind, seed):
    data = _data(method, kind, seed)
    assert_agrees_with_its_oracle(method, datasets.build(method, data.X.shape[1]), data, data.names)


@pytest.mark.parametrize("discretizer", [None, "mdl", "mean-sigma", "equal-width", "equal-frequency"])
@pytest.mark.parametrize(
    "method",
    [m for m in METHODS if "discretizer" in datasets.plain(m).allowed and "criterion" not in m.parameters],
    ids=lambda method: method.name,
)
def test_a_method_picks_what_its_slow_twin_picks_on_any_levels(method, discretizer, seed):
    if "discretizer" in method.parameters:
        discretizer = method.parameters["discretizer"]
    data = _data(method, "copied-3" if discretizer is None else "continuous-3", seed)
    selector = datasets.build(method, 4, discretizer=discretizer)
    assert_agrees_with_its_oracle(method, selector, data, None)


@pytest.mark.parametrize("method", [m for m in METHODS if datasets.stops_by_itself(m)], ids=lambda method: method.name)
def test_a_method_that_stops_by_itself_stops_where_its_slow_twin_does(method, seed):
    for data in datasets.bundle(method, seed):
        if data.name in ("continuous-2", "tied-3", "mixed-2", "measured"):
            assert_agrees_with_its_oracle(method, datasets.build(method), data, None)
