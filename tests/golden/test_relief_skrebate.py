"""scikit-rebate's ReliefF, SURF, SURF*, MultiSURF and MultiSURF* on seeded data.

Where it departs from the papers (the threshold of SURF, the weights of several classes; see README.md), its rule is
written out here over our distances and differences.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import holdfast
from golden import datasets
from holdfast.measures.neighbours import Distances, Space, weighted_differences

GOLDEN = json.loads((Path(__file__).parent / "skrebate.json").read_text())["data"]
FAMILY = ["surf", "surf*", "multisurf", "multisurf*"]


def load(name):
    data = getattr(datasets, name)()
    assert data.fingerprint == GOLDEN[name]["fingerprint"]
    return data


def has_two_classes(name):
    return len(np.unique(load(name).y)) == 2


TWO_CLASSES = [name for name in GOLDEN if has_two_classes(name)]
UNTIED = [(name, key) for name in GOLDEN for key in ("relieff_3", "relieff_10") if key in GOLDEN[name]]


def scores_of(method, data):
    selector = holdfast.selector(method, n_features_to_select=1, nominal=list(data.nominal))
    return selector.fit(data.X, data.y).scores_


def without_constants(data, scores):
    return np.where(np.ptp(data.X, axis=0) > 0, scores, 0.0)


@pytest.mark.parametrize(("name", "key"), UNTIED)
def test_relieff_with_equal_weights_for_the_other_classes_is_that_of_scikit_rebate(name, key):
    data = load(name)
    selector = holdfast.ReliefF(
        n_features_to_select=1,
        n_neighbors=int(key.removeprefix("relieff_")),
        miss_weights="equal",
        nominal=list(data.nominal),
    )
    ours = without_constants(data, selector.fit(data.X, data.y).scores_)
    np.testing.assert_allclose(ours, GOLDEN[name][key], rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_multisurf_of_two_classes_is_that_of_scikit_rebate(name):
    data = load(name)
    np.testing.assert_allclose(scores_of("multisurf", data), GOLDEN[name]["multisurf"], rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_multisurf_star_of_two_classes_is_that_of_scikit_rebate_but_for_one_number(name):
    """It counts 1 - difference for the far ones; where only hits or only misses are far, the 1 stays in every score."""
    data = load(name)
    ours, golden = scores_of("multisurf*", data), np.array(GOLDEN[name]["multisurf*"])
    np.testing.assert_allclose(ours - ours[0], golden - golden[0], rtol=0, atol=1e-10)


def near_and_far(matrix, method):
    """Who is near, who is far: SURF takes the mean of the matrix with its zeros, MultiSURF that of the others."""
    own = np.eye(len(matrix), dtype=bool)
    if method.startswith("surf"):
        centre, half = matrix.mean(), 0.0
    else:
        others = matrix[~own].reshape(len(matrix), -1)
        centre, half = others.mean(axis=1)[:, None], others.std(axis=1)[:, None] / 2
    return (matrix < centre - half) & ~own, (matrix > centre + half) & ~own


def pair_weights(near, y):
    """Hits by their number; misses of class c by M_c (C - 1) / M², which adds up to 1 for equal classes only."""
    weights = np.zeros(near.shape)
    n_others = len(np.unique(y)) - 1
    for i, row in enumerate(near):
        hits, misses = row & (y == y[i]), row & (y != y[i])
        weights[i, hits] = -1 / max(hits.sum(), 1)
        for label in np.unique(y[misses]):
            of_class = misses & (y == label)
            weights[i, of_class] = of_class.sum() * n_others / misses.sum() ** 2
    return weights / len(y)


@pytest.mark.parametrize("name", list(GOLDEN))
@pytest.mark.parametrize("method", FAMILY)
def test_distances_and_differences_under_its_rule_give_the_scores_of_scikit_rebate(name, method):
    data = load(name)
    is_nominal = np.isin(np.arange(data.X.shape[1]), data.nominal)
    space = Space.of(data.X, data.y, is_nominal=is_nominal)
    near, far = near_and_far(Distances.of(space).matrix, method)
    weights = pair_weights(near, data.y)
    offset = 0.0
    if method.endswith("*"):
        # MultiSURF* counts 1 - difference for the far ones, SURF* minus the difference.
        offset = pair_weights(far, data.y).sum() if method == "multisurf*" else 0.0
        weights -= pair_weights(far, data.y)
    ours = without_constants(data, weighted_differences(space, weights)) + offset
    np.testing.assert_allclose(ours, GOLDEN[name][method], rtol=0, atol=1e-10)
