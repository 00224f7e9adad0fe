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
    levels = clone(discretizer).fit(X, target).transform(X)
    levels = np.asarray(levels.toarray() if hasattr(levels, "toarray") else levels)
    if levels.shape != X.shape:
        raise DataError(
            f"The discretizer {discretizer!r} gave a table of shape {levels.shape} for one of shape {X.shape}; it must "
            "give one column of levels per feature (scikit-learn's KBinsDiscretizer: encode='ordinal')."
        )
    if levels.dtype.kind not in "iub":
        levels = np.ascontiguousarray(levels, dtype=np.float64)
        if not np.array_equal(levels, np.floor(levels)):
            raise DataError(
                f"The discretizer {discretizer!r} gave values that are not whole numbers, such as "
                f"{levels[levels != np.floor(levels)][0]:g}. A discretizer gives levels 0, 1, 2 …; choose 'mdl', "
                "'mean-sigma', 'equal-frequency' or 'equal-width'."
            )
    return _encode_discrete(levels, names)


def _encode_discrete(X: Array, names: Array | None) -> Codes:
    """Number the distinct values of each feature."""
    if X.dtype.kind in "iub" and X.min(initial=0) >= 0 and X.max(initial=0) < MAX_PACKED_LEVELS:
        most = int(X.max(initial=0)) + 1
        # Up to three levels every feature is counted alike, so how many each has need not be known.
        n_levels = np.full(X.shape[1], most, dtype=np.int64) if most <= 3 else None
        return Codes.of(np.ascontiguousarray(X.T, dtype=np.uint8), n_levels)
    levels = np.empty(X.T.shape, dtype=np.uint8)
    if X.dtype.kind not in "iub":
        X = np.ascontiguousarray(X, dtype=np.float64)
        if whole_levels(X, MAX_PACKED_LEVELS, levels):
            return Codes.of(levels)
    for feature, column in enumerate(np.ascontiguousarray(X.T)):
        levels[feature] = _numbered(column, feature_name(names, feature))
    return Codes.of(levels)


def _numbered(column: Array, name: str) -> Array:
    """Number of each value among the distinct values of its feature."""
    distinct, numbers = np.unique(column, return_inverse=True)
    is_fraction = column.dtype.kind == "f" and not np.array_equal(column, np.floor(column))
    if len(distinct) > MAX_LEVELS or (is_fraction and len(distinct) > max(MAX_PACKED_LEVELS, len(column) // 2)):
        raise DataError(
            f"Feature {name} has {len(distinct)} distinct values in {len(column)} samples: it looks continuous, and "
            f"discretizer=None takes discrete data of at most {MAX_LEVELS} levels. Choose discretizer='mdl', "
            "'mean-sigma', 'equal-frequency' or 'equal-width'."
        )
    return numbers
