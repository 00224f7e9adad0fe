"""scikit-learn's and scipy's numbers on seeded data."""

import json
from pathlib import Path

import numpy as np
import pytest

import holdfast
from golden import datasets
from holdfast.measures import f_statistic, mutual_information, pearson, spearman, t_statistic

GOLDEN = json.loads((Path(__file__).parent / "sklearn.json").read_text())["data"]
DISCRETE = ["discrete", "discrete_duplicates"]
CONTINUOUS = [name for name in GOLDEN if name not in DISCRETE]


def load(name):
    data = getattr(datasets, name)()
    assert data.fingerprint == GOLDEN[name]["fingerprint"]
    return data, GOLDEN[name]


def numbers(values):
    """Golden list with our -inf where the reference has no number."""
    return np.array([-np.inf if value is None else value for value in values])


@pytest.mark.parametrize("name", list(GOLDEN))
def test_f_is_that_of_f_classif(name):
    data, golden = load(name)
    np.testing.assert_allclose(f_statistic(data.X, data.y), numbers(golden["f_classif"]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", DISCRETE)
def test_chi2_is_that_of_scikit_learn(name):
    data, golden = load(name)
    fitted = holdfast.Chi2(n_features_to_select=1).fit(data.X, data.y)
    np.testing.assert_allclose(fitted.scores_, numbers(golden["chi2"]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", DISCRETE)
def test_mutual_information_is_that_of_scikit_learn(name):
    data, golden = load(name)
    fitted = holdfast.InformationGain(n_features_to_select=1, discretizer=None).fit(data.X, data.y)
    np.testing.assert_allclose(fitted.scores_ * np.log(2), golden["mutual_information"], rtol=0, atol=1e-12)
    for row, expected in enumerate(golden["mutual_information_of_pairs"]):
        ours = [mutual_information(data.X[:, row], column) * np.log(2) for column in data.X.T]
        np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CONTINUOUS)
@pytest.mark.parametrize(("measure", "key"), [(pearson, "pearson"), (spearman, "spearman")])
def test_correlations_are_those_of_numpy_and_scipy(name, measure, key):
    data, golden = load(name)
    for row, expected in enumerate(golden[key]):
        np.testing.assert_allclose(measure(data.X, data.X[:, row]), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CONTINUOUS)
@pytest.mark.parametrize(("equal_var", "kind"), [(False, "welch"), (True, "pooled")])
def test_t_is_that_of_scipy_for_every_pair_of_classes(name, equal_var, kind):
    data, golden = load(name)
    keys = [key for key in golden if key.startswith(f"t_{kind}_class_")]
    assert keys
    for key in keys:
        first, second = (int(part) for part in key.removeprefix(f"t_{kind}_class_").split("_minus_"))
        rows = np.isin(data.y, [first, second])
        ours = t_statistic(data.X[rows], data.y[rows], equal_var=equal_var)
        np.testing.assert_allclose(ours, np.abs(golden[key]), rtol=1e-9)
