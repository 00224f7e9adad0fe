"""Values and target of a measure, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.data._value_checks import LARGEST
from holdfast.kernels.binning import column_range
from holdfast.measures._distances import CLASSES, KINDS, NUMBERS

Array = npt.NDArray[Any]


def checked_values(X: Any, y: Any, y_is: str) -> tuple[Array, Array, str]:
    """Features as rows of float64, codes of classes or numbers, and which of the two they are."""
    values = np.ascontiguousarray(X, dtype=np.float64)
    if values.ndim == 1:
        values = values[:, np.newaxis]
    given = np.asarray(y)
    if values.ndim != 2 or given.shape != (len(values),):
        raise ValueError(
            f"X has the shape {np.shape(X)} and y {given.shape}; X takes samples by features and y one value a sample."
        )
    _refuse_unusable(values)
    if len(values) < 2:
        raise DataError(f"There are {len(values)} samples, but a distance needs two.")
    if y_is not in ("auto", *KINDS):
        raise ValueError(f"y_is={y_is!r} is not allowed: it must be one of 'auto', 'classes', 'numbers'.")
    if y_is != "auto":
        kind = y_is
    else:
        kind = NUMBERS if given.dtype.kind == "f" and (given != np.floor(given)).any() else CLASSES
    if kind == CLASSES:
        return values, np.unique(given, return_inverse=True)[1], kind
    target = given.astype(np.float64)
    if not np.isfinite(target).all():
        raise DataError("y contains NaN or infinity. Leave these samples out.")
    if np.abs(target).max(initial=0.0) > LARGEST:
        raise DataError("y contains values too large to square. Rescale them.")
    return values, target, kind


def _refuse_unusable(values: Array) -> None:
    """Refuse values whose squares are no numbers, by the ends of every feature, which are read once."""
    lowest, highest = np.empty(values.shape[1]), np.empty(values.shape[1])
    column_range(values, lowest, highest)
    if not (np.isfinite(lowest) & np.isfinite(highest)).all():
        raise DataError("X contains NaN or infinity. Drop these features, or impute inside the fold.")
    farthest = np.maximum(np.abs(lowest), np.abs(highest))
    if farthest.max(initial=0.0) > LARGEST or ((lowest < highest) & (farthest < 1 / LARGEST)).any():
        raise DataError("X contains values too large or too small to square. Rescale them, for example by their range.")
