"""Functions of the user that say what a set of features is worth."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError

Array = npt.NDArray[Any]


def asked(function: Callable[[Array, Array], Any], X: Array, y: Array, name: str) -> float:
    """What a function says of the values of a set, refused if it is no number; ``name`` is the parameter it came by."""
    value = function(X, y)
    if np.ndim(value) or not isinstance(value, (Real, np.generic, np.ndarray)) or not isfinite(value):
        shown = f"an array of shape {np.shape(value)}" if np.ndim(value) else repr(value)
        raise DataError(
            f"The {name} gave {shown} for a set of {X.shape[1]} feature(s), but a search needs a number. "
            "Have it return a low value where it is not defined."
        )
    return float(value)
