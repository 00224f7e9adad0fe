"""Compiled counting over many sets of features, shared out to threads."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed, effective_n_jobs

Array = npt.NDArray[Any]
# Steps that a thread should have to do, about 10 ms: below, starting it costs more than it gives.
_WORTH_A_THREAD = 20_000_000


def in_threads(count: Callable[[Any], Array], sets: Any, n_steps: int, n_jobs: int | None) -> Array:
    """What ``count`` says of all sets, asked for in as many parts as are worth a thread."""
    n_parts = min(effective_n_jobs(n_jobs), len(sets), n_steps // _WORTH_A_THREAD)
    if n_parts <= 1:
        return count(sets)
    bounds = np.linspace(0, len(sets), n_parts + 1).astype(int)
    parts = (sets[first:last] for first, last in pairwise(bounds))
    return np.concatenate(Parallel(n_jobs=n_jobs, prefer="threads")(delayed(count)(part) for part in parts))


def joined(sets: Any) -> tuple[Array, Array]:
    """Sets one after the other, and where each starts."""
    starts = np.concatenate([[0], np.cumsum([len(one) for one in sets])]).astype(np.int64)
    return np.concatenate(sets).astype(np.int64, copy=False), starts
