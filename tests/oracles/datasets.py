"""Small data sets on which methods meet their slow twins and the contracts: ties, copies, constants, few samples."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd

from holdfast import EnsembleSelector, InstanceWeightedSelector, NothingSelected
from holdfast.search.ties import Precedence

LEFT_TO_OTHERS = (EnsembleSelector, InstanceWeightedSelector)


@dataclass(frozen=True)
class Data:
    """A matrix, a target, and whether its values are levels already."""

    name: str
    X: np.ndarray
    y: np.ndarray | None
    is_discrete: bool = False

    @property
    def names(self):
        return np.array([f"gene{i * 7919 % 1000:03d}" for i in range(self.X.shape[1])], dtype=object)

    @property
    def frame(self):
        return pd.DataFrame(self.X, columns=self.names)


def labels(n_samples, n_classes, rng):
    """Classes of about the same size, shuffled; each has at least n // n_classes samples."""
    return rng.permutation(np.arange(n_samples) % n_classes)


def continuous(seed, n_samples=24, n_features=10, n_classes=2):
    """Measured values, some informative, rounded to eighths so that equal values occur."""
    rng = np.random.default_rng([seed, 1])
    y = labels(n_samples, n_classes, rng)
    strength = rng.permutation(np.resize([0.0, 0.5, 1.0, 2.0, 3.0], n_features))
    X = rng.normal(size=(n_samples, n_features)) + np.outer(y, strength) * rng.choice([-1, 1], n_features)
    return Data(f"continuous-{n_classes}", np.round(X * 8) / 8, y)


def tied(seed, n_samples=20, n_features=30, n_classes=2):
    """Few samples and three values: scores tie in dozens. No two columns are equal."""
    rng = np.random.default_rng([seed, 2])
    y = labels(n_samples, n_classes, rng)
    noise = rng.integers(0, 3, size=(n_samples, 4 * n_features))
    X = np.where(rng.random(noise.shape) < rng.choice([0, 0, 0.3, 0.7], noise.shape[1]), y[:, np.newaxis], noise)
    X = np.unique(X[:, np.ptp(X, axis=0) > 0], axis=1)
    return Data(f"tied-{n_classes}", rng.permutation(X, axis=1)[:, :n_features].astype(float), y, True)


def copied(seed, n_samples=26, n_classes=2):
    """Levels with copies, negatives and constants among the columns."""
    rng = np.random.default_rng([seed, 3])
    y = labels(n_samples, n_classes, rng)
    X = np.where(rng.random((n_samples, 6)) < 0.6, y[:, np.newaxis], rng.integers(0, 3, size=(n_samples, 6)))
    X = np.column_stack([X, X[:, [0, 1, 1]], 3 - X[:, [0, 2]], np.zeros(n_samples), np.full(n_samples, 2)])
    return Data(f"copied-{n_classes}", rng.permutation(X, axis=1).astype(float), y, True)


def mixed(seed, n_samples=30, n_classes=2):
    """Measured, whole-numbered, 0/1, perfectly separating and constant columns side by side."""
    rng = np.random.default_rng([seed, 4])
    y = labels(n_samples, n_classes, rng)
    X = np.column_stack([
        rng.normal(size=(n_samples, 3)) + np.outer(y, [0, 1, 4]),
        rng.poisson(3 + y[:, np.newaxis], size=(n_samples, 3)),
        rng.random((n_samples, 2)) < (0.2 + 0.3 * y[:, np.newaxis]),
        y * 2.0,
        np.full(n_samples, 0.1),
        np.full(n_samples, -4.0),
    ])  # fmt: skip
    return Data(f"mixed-{n_classes}", rng.permutation(np.round(X, 3), axis=1), y)


def measured(seed, n_samples=22, n_features=9):
    """A measured target with ties, and features that follow it to different degrees."""
    rng = np.random.default_rng([seed, 5])
    y = np.round(rng.normal(size=n_samples), 1)
    X = rng.normal(size=(n_samples, n_features)) + np.outer(y, np.linspace(-2, 2, n_features))
    X[:, 3], X[:, 5] = np.round(X[:, 3]), 1.5
    return Data("measured", np.round(X, 2), y)


def bundle(method, seed):
    """Every data set that a row of the registry takes."""
    found = []
    for kind, n_classes in (("binary", 2), ("multi-class", 3)):
        if kind in method.takes:
            found += [make(seed, n_classes=n_classes) for make in (continuous, tied, copied, mixed)]
    if "regression" in method.takes:
        found.append(measured(seed))
    if "unlabelled" in method.takes:
        found.append(Data("unlabelled", continuous(seed).X, None))
    return [suited(method, data) for data in found]


def suited(method, data):
    """The data with its features moved above zero for methods that take no negative values."""
    if plain(method).__sklearn_tags__().input_tags.positive_only:
        return Data(data.name, data.X - np.minimum(data.X.min(axis=0), 0), data.y, data.is_discrete)
    return data


def fit(selector, X, y):
    """Fit, not minding an empty choice."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        return selector.fit(X, y)


def build(method, n_features_to_select=None, **parameters):
    """A selector of a row in its small settings; without a number it is left to the method where that is allowed."""
    small = {name: value for name, value in method.test_parameters.items() if name != "n_features_to_select"}
    selector = plain(method, **{**small, **parameters})
    if n_features_to_select is None and not stops_by_itself(method):
        return selector
    return selector.set_params(n_features_to_select=n_features_to_select)


def plain(method, **parameters):
    """A selector of a row; one named after prior knowledge gets None, which says that this is meant."""
    return method.build(**{**({"prior": None} if method.takes_prior else {}), **parameters})


def stops_by_itself(method):
    """Whether the method finds the number of features on its own; None may also leave it to another selector."""
    selector = plain(method)
    return selector.allowed["n_features_to_select"].accepts(None) and not isinstance(selector, LEFT_TO_OTHERS)


def precedence(X, y, relevance, names=None):
    """The tie rule on plain arrays."""
    X = np.ascontiguousarray(X, dtype=float)
    return Precedence(SimpleNamespace(X=X, columns=lambda columns: X[:, columns]), y, relevance, names)
