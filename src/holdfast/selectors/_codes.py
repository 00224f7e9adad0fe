"""From a checked problem to what is counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.prepare.codes import Codes
from holdfast.prepare.encode import encode
from holdfast.selectors._base import Problem


def codes_and_target(problem: Problem, discretizer: Any) -> tuple[Codes, Codes]:
    """Binned features and the class, ready to be counted; whole numbers are taken as they came."""
    table = problem.given if problem.is_whole else problem.X
    return encode(table, problem.target, discretizer, problem.names), Codes.of(problem.target[np.newaxis, :])
