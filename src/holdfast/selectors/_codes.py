"""From a checked problem to what is counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast._errors import DataError
from holdfast.kernels.information import MAX_LEVELS
from holdfast.prepare.codes import Codes
from holdfast.prepare.encode import encode
from holdfast.selectors._base import Problem


def codes_and_target(problem: Problem, discretizer: Any) -> tuple[Codes, Codes]:
    """Binned features and the class, ready to be counted; whole numbers are taken as they came."""
    n_classes = int(problem.target.max()) + 1
    if n_classes > MAX_LEVELS:
        raise DataError(
            f"y has {n_classes} classes; a method that counts takes at most {MAX_LEVELS}. Use 'f-test' or 'fisher', or "
            "join classes."
        )
    table = problem.given if problem.is_whole else problem.X
    return encode(table, problem.target, discretizer, problem.names), Codes.of(problem.target[np.newaxis, :])
