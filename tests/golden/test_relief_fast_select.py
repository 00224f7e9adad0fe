"""ReliefF of fast-select, in 32 bit: the one reference that takes tied neighbours in the order of the rows."""

import json
from pathlib import Path

import numpy as np
import pytest

import holdfast
from golden import datasets

GOLDEN = json.loads((Path(__file__).parent / "fast_select.json").read_text())["data"]
SINGLE_PRECISION = 2e-6


def fit(name, selector):
    data = getattr(datasets, name)()
    assert data.fingerprint == GOLDEN[name]["fingerprint"]
    fitted = selector.set_params(n_features_to_select=1, nominal=list(data.nominal)).fit(data.X, data.y)
    return np.where(np.ptp(data.X, axis=0) > 0, fitted.scores_, 0.0)


@pytest.mark.parametrize("name", list(GOLDEN))
@pytest.mark.parametrize("k", [3, 10])
def test_ties_taken_in_the_order_of_the_rows_give_the_weights_of_fast_select(name, k):
    ours = fit(name, holdfast.ReliefF(n_neighbors=k, ties="first"))
    np.testing.assert_allclose(ours, GOLDEN[name][f"relieff_{k}"], rtol=0, atol=SINGLE_PRECISION)


@pytest.mark.parametrize("name", list(GOLDEN))
def test_multisurf_with_pooled_misses_is_that_of_fast_select(name):
    ours = fit(name, holdfast.MultiSURF(miss_weights="pooled"))
    np.testing.assert_allclose(ours, GOLDEN[name]["multisurf"], rtol=0, atol=SINGLE_PRECISION)
