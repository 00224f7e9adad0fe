"""The ``discretizer=`` parameter: from what the user said to Codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from holdfast._errors import DataError
from holdfast._parameters import having, nothing, one_of
from holdfast.kernels.binning import whole_levels
from holdfast.kernels.information import MAX_LEVELS, MAX_PACKED_LEVELS
from holdfast.prepare.codes import Codes
from holdfast.prepare.discretize import (
    Discretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MeanSigmaDiscretizer,
)

Array = npt.NDArray[Any]

BY_NAME: dict[str, Callable[[], Discretizer]] = {
    "mdl": MDLDiscretizer,
    "mean-sigma": MeanSigmaDiscretizer,
    "equal-width": EqualWidthDiscretizer,
    "equal-frequency": EqualFrequencyDiscretizer,
}
DISCRETIZER = (
    one_of(*BY_NAME) | having("fit", "transform", words="a transformer that gives whole-numbered levels") | nothing()
)


def feature_name(names: Array | None, feature: int) -> str:
    """What to call a feature in a message."""
    return f"column {feature}" if names is None else repr(str(names[feature]))


def encode(X: Array, target: Array, discretizer: Any, names: Array | None) -> Codes:
    """Codes of checked data, by a discretiser's name, by a transformer, or as they are (None)."""
    if discretizer is None:
        return _encode_discrete(X, names)
    X = np.ascontiguousarray(X, dtype=np.float64)
    if isinstance(discretizer, str):
        return BY_NAME[discretizer]().codes(X, target)
    if isinstance(discretizer, Discretizer):
        fresh: Discretizer = clone(discretizer)
        return fresh.codes(X, target)
    n_features = X.shape[1]
    X = clone(discretizer).fit(X, target).transform(X)
    X = np.ascontiguousarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    n_columns = X.shape[1]
    if n_columns != n_features:
        raise DataError(
            f"The discretizer {discretizer!r} gave {n_columns} columns for {n_features} features; "
            "it must give one column of levels per feature (scikit-learn's KBinsDiscretizer: encode='ordinal')."
        )
    return _encode_discrete(X, names)


def _encode_discrete(X: Array, names: Array | None) -> Codes:
    """Number the distinct values of each feature."""
    if X.dtype.kind in "iub" and X.min(initial=0) >= 0 and X.max(initial=0) < MAX_PACKED_LEVELS:
        most = int(X.max(initial=0)) + 1
        # Up to three levels every feature is counted alike, so how many each has need not be known.
        n_levels = np.full(X.shape[1], most, dtype=np.int64) if most <= 3 else None
        return Codes.of(np.ascontiguousarray(X.T, dtype=np.uint8), n_levels)
    X = np.ascontiguousarray(X, dtype=np.float64)
    levels = np.empty(X.T.shape, dtype=np.uint8)
    if whole_levels(X, MAX_PACKED_LEVELS, levels):
        return Codes.of(levels)
    for feature, column in enumerate(np.ascontiguousarray(X.T)):
        distinct, inverse = np.unique(column, return_inverse=True)
        if len(distinct) > MAX_LEVELS:
            raise DataError(
                f"Feature {feature_name(names, feature)} has {len(distinct)} distinct values, and discretizer=None "
                f"takes at most {MAX_LEVELS}: the data look continuous. Choose discretizer='mdl', 'mean-sigma', "
                "'equal-frequency' or 'equal-width'."
            )
        levels[feature] = inverse
    return Codes.of(levels)
