"""Perturbations: lists of rows, drawn in the parent, one per run."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._random import generators
from holdfast.data import is_measured

Array = npt.NDArray[Any]


def half_samples(target: Any, n_runs: int, random_state: Any = None) -> list[Array]:
    """Half of the samples of every class, once per run.

    Use it to see which features a selection keeps when the data shift a little.

    Parameters
    ----------
    target : array-like of shape (n_samples,)
        Classes; each gives half of its samples, rounded up, and two if it has two or three. A measured target
        is halved above and below its median.
    n_runs : int
        How many times to draw.
    random_state : int, Generator or None, default=None
        Seed; run i depends on it and on i only.

    Returns
    -------
    rows : list of n_runs arrays
        Row numbers of each run, ascending.

    Examples
    --------
    >>> [len(rows) for rows in half_samples([0, 0, 0, 0, 1, 1, 1, 1], n_runs=2, random_state=0)]
    [4, 4]
    """
    target = np.asarray(target)
    if is_measured(target):
        target = target > np.median(target)
    _, target = np.unique(target, return_inverse=True)
    members = [np.flatnonzero(target == c) for c in range(target.max(initial=-1) + 1)]
    drawn = []
    for rng in generators(random_state, n_runs):
        halves = [
            rng.choice(rows, size=min(len(rows), max(2, (len(rows) + 1) // 2)), replace=False) for rows in members
        ]
        drawn.append(np.sort(np.concatenate(halves)))
    return drawn
