"""The range of every feature, which makes features of different units comparable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.binning import column_range

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Ranges:
    """Smallest known value and width of every feature, and which features have missing values."""

    lowest: Array
    width: Array
    has_missing: Array

    @classmethod
    def of(cls, X: Array) -> Ranges:
        """Ranges of float32 or float64 rows."""
        lowest, highest = np.empty(X.shape[1], dtype=X.dtype), np.empty(X.shape[1], dtype=X.dtype)
        column_range(X, lowest, highest)
        has_missing = np.isnan(lowest)
        for f in np.flatnonzero(has_missing):
            known = X[:, f][~np.isnan(X[:, f])]
            lowest[f], highest[f] = (known.min(), known.max()) if len(known) else (0.0, 0.0)
        lowest, highest = lowest.astype(np.float64), highest.astype(np.float64)
        return cls(lowest, highest - lowest, has_missing)


def scaled(X: Array, scale: str) -> Array:
    """Features in comparable units: by their ranges, their standard deviations, or as they are."""
    if scale == "none":
        return X
    width = np.ptp(X, axis=0) if scale == "range" else X.std(axis=0)
    answer: Array = (X - X.min(axis=0)) / np.where(width > 0, width, 1.0)
    return answer
