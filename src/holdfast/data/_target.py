"""Labels as they come (text, numbers, objects) into one clean array."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast._errors import DataError
from holdfast.data import _cells

# A leading zero ("007") marks a code, not a number.
_WHOLE = re.compile(r"[+-]?(0|[1-9]\d{0,15})", re.ASCII)
_NUMBER = re.compile(r"[+-]?(0|[1-9]\d*)?(\.\d*)?(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def _is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text)) and any(c.isdigit() for c in text) and math.isfinite(float(text))


def labels_from_text(cells: Sequence[str]) -> NDArray[Any]:
    """Whole numbers, numbers or text, whichever fits every label; a missing one is NaN or empty."""
    texts = ["" if _cells.is_missing(cell) else cell.strip() for cell in cells]
    present = [text for text in texts if text]
    if present and all(_WHOLE.fullmatch(text) for text in present):
        if len(present) == len(texts):
            return np.array([int(text) for text in texts], dtype=np.int64)
        return np.array([float(text) if text else np.nan for text in texts])
    if present and all(_is_number(text) for text in present):
        return np.array([float(text) if text else np.nan for text in texts])
    return np.array(texts, dtype=np.str_)


def _as_text(value: object) -> str:
    if value is None or value != value or str(value) == "<NA>":
        return ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def as_labels(values: ArrayLike) -> NDArray[Any]:
    """One label per sample as int64, float64 or text; whole floats become whole numbers."""
    array = np.asarray(values)
    if array.ndim == 2 and 1 in array.shape:
        array = array.reshape(-1)
    if array.ndim != 1:
        raise DataError(
            f"The target has shape {array.shape}, but one label per sample is needed. Pass one column of labels."
        )
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    if array.dtype.kind == "f":
        numbers = array.astype(np.float64)
        is_whole = bool(np.all(np.isfinite(numbers)) and np.all(numbers == np.round(numbers)))
        return numbers.astype(np.int64) if is_whole and np.all(np.abs(numbers) < 2**53) else numbers
    if array.dtype.kind in "bU":
        return array.astype(np.str_)
    return labels_from_text([_as_text(value) for value in array.tolist()])


def missing_labels(target: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the samples without a label."""
    is_missing = np.zeros(len(target), dtype=np.bool_)
    if target.dtype.kind == "f":
        is_missing |= np.isnan(target)
    elif target.dtype.kind == "U":
        is_missing |= target == ""
    return is_missing


def is_measured(target: ArrayLike) -> bool:
    """Whether a target is a quantity and not a class.

    Use it to choose between methods for classes and methods for measured targets.

    Parameters
    ----------
    target : array-like of shape (n_samples,)
        Labels or numbers, none missing.

    Returns
    -------
    is_measured : bool
        True for numbers with decimals, or with almost as many different values as samples.

    Examples
    --------
    >>> is_measured([0, 1, 1, 0]), is_measured([0.3, 1.7, 2.2])
    (False, True)
    """
    values = np.asarray(target)
    if values.dtype.kind not in "iuf":
        return False
    has_decimals = bool(np.any(values != np.round(values)))
    return has_decimals or len(np.unique(values)) > max(20, len(values) / 2)
