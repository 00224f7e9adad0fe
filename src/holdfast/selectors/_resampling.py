"""What selectors that share work between resamples have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.selectors._base import Problem

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Rows:
    """Some samples of a problem, copied only if a tie asks for them."""

    problem: Problem
    rows: Array

    @property
    def X(self) -> Array:
        """The samples as rows of float64."""
        return np.ascontiguousarray(self.problem.X[self.rows])

    def columns(self, columns: Array) -> Array:
        """Some features of the samples as float64, in an array of their own."""
        return self.problem.columns(columns)[self.rows]


def without_gaps(target: Array) -> Array:
    """Codes 0, 1, … of the classes that are present."""
    codes: Array = np.unique(target, return_inverse=True)[1]
    return codes
