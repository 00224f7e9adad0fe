"""The table laid out by feature, on a common scale: what linear models work on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.svm import lay_out_features
from holdfast.prepare.moments import NO_SPREAD, mean_and_length
from holdfast.prepare.scaling import Ranges

Array = npt.NDArray[Any]

# Features that differ by less than this share of their size are copies.
_ALIKE = 1e-9
FEATURE_SCALES = ("range", "standard", "none")


@dataclass(frozen=True)
class FeatureRows:
    """One row of centred and scaled values for every feature, and which features do not vary."""

    values: Array
    is_constant: Array

    @classmethod
    def of(cls, X: Array, scale: str) -> FeatureRows:
        """Divide by the range, by the standard deviation (of the population), or by nothing.

        What is subtracted makes no difference to a model with an intercept, but keeps digits.
        """
        if scale == "standard":
            shift, length = mean_and_length(np.asarray(X, dtype=np.float64))
            spread = length / np.sqrt(len(X))
        else:
            ranges = Ranges.of(X)
            shift, spread = ranges.lowest + ranges.width / 2, ranges.width.copy()
            spread[spread <= NO_SPREAD * np.abs(shift)] = 0.0
        is_constant = spread == 0
        factor = np.divide(1.0, spread, out=np.zeros_like(spread), where=~is_constant)
        if scale == "none":
            factor = np.where(is_constant, 0.0, 1.0)
        values = np.empty((X.shape[1], X.shape[0]))
        lay_out_features(X, shift, factor, values)
        return cls(values, is_constant)


def copies_of(features: Array) -> Array:
    """Number of the group of features that are equal or mirror images, each group numbered by its first one."""
    scale = np.abs(features).max(axis=1)
    # A sum with fixed random factors tells different features apart; the few that agree are compared in full.
    keys = np.abs(features @ np.random.default_rng(0).standard_normal(features.shape[1]))
    order = np.argsort(keys, kind="stable")
    is_near = np.abs(np.diff(keys[order])) <= _ALIKE * np.maximum(scale[order][1:], scale[order][:-1])
    group = np.arange(len(features))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], is_near, [0]])))
    for start, end in edges.reshape(-1, 2):
        left = np.sort(order[start : end + 1])
        while len(left) > 1:
            leader, others = left[0], left[1:]
            slack = _ALIKE * scale[leader]
            is_copy = (np.abs(features[others] - features[leader]).max(axis=1) <= slack) | (
                np.abs(features[others] + features[leader]).max(axis=1) <= slack
            )
            group[others[is_copy]] = leader
            left = others[~is_copy]
    return group
