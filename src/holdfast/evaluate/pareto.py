"""Methods that no other method beats in everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError

Array = npt.NDArray[Any]


def pareto_front(values: Any, *, maximise: bool | Sequence[bool] = True) -> Array:
    """Find the points that no other point dominates.

    Use it to show which methods are worth having when accuracy and stability pull apart. One point dominates another if
    it is at least as good in every column and better in one.

    Parameters
    ----------
    values : array-like of shape (n_points, n_columns)
        One row per point, such as a method, and one column per goal.
    maximise : bool or sequence of bool of length n_columns, default=True
        Whether large values are good, for all columns or for each.

    Returns
    -------
    on_front : ndarray of shape (n_points,), dtype=bool
        True where no other point dominates. Equal points are on the front together; a point with NaN never is.

    Examples
    --------
    >>> from holdfast.evaluate.pareto import pareto_front
    >>> accuracy_and_size = [[0.9, 50], [0.8, 10], [0.8, 20], [0.7, 5]]
    >>> pareto_front(accuracy_and_size, maximise=[True, False]).tolist()
    [True, True, False, True]
    """
    points = np.array(values, dtype=float)
    if points.ndim != 2 or points.shape[1] == 0:
        raise DataError(
            f"values has the shape {points.shape}, but one row per point and one column per goal is needed."
        )
    is_large_good = np.asarray(maximise)
    if is_large_good.dtype != bool or is_large_good.shape not in ((), (points.shape[1],)):
        raise ValueError(
            f"maximise={maximise!r} is not allowed: it must be True or False, or a list of {points.shape[1]} of them, "
            "one per column."
        )
    points = np.where(is_large_good, points, -points)
    on_front: Array = ~np.isnan(points).any(axis=1)
    # Points that are good in the first column come first, because they remove most of the others.
    for i in np.argsort(-points[:, 0], kind="stable").tolist():
        if on_front[i]:
            is_dominated = (points <= points[i]).all(axis=1) & (points < points[i]).any(axis=1)
            on_front &= ~is_dominated
    return on_front
