"""R's glmnet lets the same features in at the same penalties, in the same order."""

import json
from pathlib import Path

import numpy as np
import pytest

from golden import datasets
from golden.make_glmnet import N_PENALTIES, SMALLEST
from holdfast.selectors.linear import ElasticNet

GOLDEN = json.loads((Path(__file__).parent / "glmnet.json").read_text())["data"]
LOSS = {"binomial": "logistic", "gaussian": "squared"}


@pytest.mark.parametrize("name", list(GOLDEN))
@pytest.mark.parametrize("family", list(LOSS))
@pytest.mark.parametrize("alpha", [1.0, 0.5])
def test_features_enter_as_in_glmnet(name, family, alpha):
    data = getattr(datasets, name)()
    assert data.fingerprint == GOLDEN[name]["fingerprint"]
    golden = GOLDEN[name][f"{family}_{alpha:g}"]
    fitted = ElasticNet(
        data.X.shape[1], loss=LOSS[family], l1_ratio=alpha, n_penalties=N_PENALTIES, smallest_penalty=SMALLEST
    ).fit(data.X, data.y)
    entered = [f for f, step in enumerate(golden["step"]) if step is not None]
    expected = sorted(entered, key=lambda f: (golden["step"][f], -golden["size"][f]))
    assert fitted.n_entered_ == len(entered)
    shares = SMALLEST ** (np.array([golden["step"][f] for f in expected]) / (N_PENALTIES - 1))
    np.testing.assert_allclose(fitted.scores_[expected], shares, rtol=1e-12)
    assert fitted.indices_[: len(entered)].tolist() == expected
