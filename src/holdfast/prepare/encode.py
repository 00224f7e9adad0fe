"""The ``discretizer=`` parameter: from what the user said to Codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from holdfast._errors import DataError
from holdfast._parameters import having, nothing, one_of
from holdfast.kernels.information import MAX_LEVELS
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


def encode(X: Array, target: Array, discretizer: Any, names: Array) -> Codes:
    """Codes of checked data, by a discretiser's name, by a transformer, or as they are (None)."""
    if isinstance(discretizer, str):
        return BY_NAME[discretizer]().codes(X, target)
    if isinstance(discretizer, Discretizer):
        return clone(discretizer).codes(X, target)
    if discretizer is not None:
        X = clone(discretizer).fit(X, target).transform(X)
        X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
        if X.shape[1] != len(names):
            raise DataError(
                f"The discretizer {discretizer!r} gave {X.shape[1]} columns for {len(names)} features; "
                "it must give one column of levels per feature (for scikit-learn's KBinsDiscretizer: encode='ordinal')."
            )
    return _encode_discrete(X, names)


def _encode_discrete(X: Array, names: Array) -> Codes:
    """Number the distinct values of each feature."""
    whole = X.astype(np.uint8) if X.min(initial=0) >= 0 and X.max(initial=0) < MAX_LEVELS else None
    if whole is not None and np.array_equal(whole, X):
        return Codes.of(whole.T)
    levels = np.empty(X.T.shape, dtype=np.uint8)
    for feature, column in enumerate(np.ascontiguousarray(X.T)):
        distinct, inverse = np.unique(column, return_inverse=True)
        if len(distinct) > MAX_LEVELS:
            raise DataError(
                f"Feature {names[feature]!r} has {len(distinct)} distinct values, and discretizer=None takes at most "
                f"{MAX_LEVELS}: the data look continuous. Choose discretizer='mdl', 'mean-sigma', 'equal-frequency' "
                "or 'equal-width'."
            )
        levels[feature] = inverse
    return Codes.of(levels)
