"""Mean and spread of every column, with what is only rounding taken for none."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.moments import column_moments

Array = npt.NDArray[Any]
# Spread below this share of the size of the values is rounding, not spread.
NO_SPREAD = 1e-14


def mean_and_length(X: Array) -> tuple[Array, Array]:
    """Mean of every column, and the length of the centred column: exactly 0 for a constant one."""
    means, squares = np.empty(X.shape[1]), np.empty(X.shape[1])
    column_moments(X, means, squares)
    length = np.sqrt(squares)
    length[length <= NO_SPREAD * np.sqrt(len(X)) * np.abs(means)] = 0.0
    return means, length
