"""Weka's SVM-RFE orders on seeded data: each scaling, several C, one feature or more a round, two or three classes."""

import json
from pathlib import Path

import numpy as np
import pytest

import holdfast
from golden.svm_datasets import THREE_CLASSES, TWO_CLASSES

WEKA = json.loads((Path(__file__).parent / "weka_svm_rfe.json").read_text())["data"]
SCALES = {0: "range", 1: "standard", 2: "none"}
FIXED_STEPS = ["-X 1", "-X 1 -C 0.01", "-X 1 -C 100", "-X 1 -N 1", "-X 1 -N 2", "-X 3"]


def order_of_weka(name, options):
    data = (TWO_CLASSES | THREE_CLASSES)[name]
    assert data.fingerprint == WEKA[name]["fingerprint"]
    return data, WEKA[name][options]


def option(options, letter, otherwise):
    words = options.split()
    return float(words[words.index(f"-{letter}") + 1]) if f"-{letter}" in words else otherwise


def settings(options, n_samples):
    """C and scale of ours that say the same."""
    scale = SCALES[int(option(options, "N", 0))]
    # Weka divides by the deviation with n - 1, we by that with n: the same problem at a C so much smaller.
    C = option(options, "C", 1.0) * ((n_samples - 1) / n_samples if scale == "standard" else 1.0)
    return {"C": C, "scale": scale}


def order(X, y, options):
    """Ours, best first, over all features."""
    step = int(option(options, "X", 1))
    fitted = holdfast.SVMRFE(n_features_to_select=X.shape[1], step=step, **settings(options, len(y))).fit(X, y)
    return fitted.indices_.tolist()


def dealt(orders):
    """One order from several, as cards are dealt: the best of each, then the second best of each …"""
    return list(dict.fromkeys(feature for together in zip(*orders, strict=True) for feature in together))


@pytest.mark.parametrize("name", TWO_CLASSES)
@pytest.mark.parametrize("options", FIXED_STEPS)
def test_the_order_of_elimination_is_that_of_weka(name, options):
    data, expected = order_of_weka(name, options)
    assert order(data.X, data.y, options) == expected


@pytest.mark.parametrize("name", THREE_CLASSES)
@pytest.mark.parametrize("options", FIXED_STEPS)
def test_weka_deals_the_orders_of_each_class_against_the_rest(name, options):
    data, expected = order_of_weka(name, options)
    assert dealt([order(data.X, data.y == label, options) for label in np.unique(data.y)]) == expected


def weka_drops(n_left, percent, down_to):
    """Weka takes its share of the features and the class, rounds down, and goes one by one from ``down_to``."""
    if n_left <= down_to:
        return 1
    return min(max(1, (n_left + 1) * percent // 100), n_left - down_to)


@pytest.mark.parametrize("name", TWO_CLASSES)
@pytest.mark.parametrize("options", ["-Y 10", "-Y 10 -Z 15"])
def test_rounds_of_the_sizes_of_weka_drop_what_weka_drops(name, options):
    data, expected = order_of_weka(name, options)
    left, dropped = np.arange(data.X.shape[1]), []
    while len(left) > 1:
        step = weka_drops(len(left), 10, int(option(options, "Z", 0)))
        fitted = holdfast.SVMRFE(len(left) - step, step=step, step_of="all").fit(data.X[:, left], data.y)
        gone = np.flatnonzero(~fitted.get_support())
        dropped += left[gone[np.argsort(fitted.scores_[gone])]].tolist()
        left = left[fitted.get_support()]
    assert [*left.tolist(), *dropped[::-1]] == expected
