"""What users give as repeated orders of features, as a list of who enters at which step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Orders:
    """Orders of one length.

    ``codes`` holds, for each run and step, the place in ``features`` of what was taken. The entries ``step``,
    ``feature``, ``n_entering`` and ``n_before`` say how many runs take a feature at a step, and how many had taken it
    before; they are sorted by step.
    """

    codes: Array
    features: Array
    names: Array | None
    n_features: int | None
    step: Array
    feature: Array
    n_entering: Array
    n_before: Array

    @property
    def n_runs(self) -> int:
        """Number of orders."""
        return len(self.codes)

    @property
    def n_steps(self) -> int:
        """Length of each order."""
        return int(self.codes.shape[1])

    @property
    def labels(self) -> Array:
        """What to call each of ``features``."""
        return self.features if self.names is None else self.names

    def total(self, measure: str) -> int:
        """Number of features that there were to choose from, for a measure that needs it."""
        if self.n_features is None:
            raise ValueError(
                f"{measure} needs to know how many features there were to choose from, which orders do not tell. "
                "Pass n_features, the number of columns of the data."
            )
        return self.n_features


def as_orders(orders: Any, n_features: int | None = None) -> Orders:
    """Orders from a matrix or lists of column numbers or names, or from fitted selectors."""
    if not hasattr(orders, "__iter__"):
        raise TypeError(f"orders is {orders!r}; give one list of column numbers or names for each run, best first.")
    rows = list(orders)
    if rows and all(hasattr(row, "get_support") for row in rows):
        rows, n_features = _of_selectors(rows, n_features)
    lists = [np.asarray(row) for row in rows]
    if len(lists) < 2:
        raise ValueError(f"{len(lists)} order cannot be compared with itself: at least 2 are needed.")
    lengths = [len(row) if row.ndim == 1 else 0 for row in lists]
    if min(lengths) < max(lengths) or not lengths[0]:
        raise ValueError(
            f"The orders have from {min(lengths)} to {max(lengths)} steps; all must have the same number, and at least "
            f"one. Cut them to their first {max(1, min(lengths))}, or compare the sets by nogueira."
        )
    values = np.array(lists)
    if values.dtype.kind not in "iuUO":
        raise ValueError(f"The orders hold values of type {values.dtype}; give column numbers or names, best first.")
    if values.dtype.kind == "O":
        values = values.astype(str)
    return _of_matrix(values, n_features)


def _of_selectors(selectors: list[Any], n_features: int | None) -> tuple[list[Any], int]:
    if not all(hasattr(selector, "indices_") for selector in selectors):
        raise ValueError("Not all of the selectors have indices_, their features best first. Fit them, or pass orders.")
    totals = sorted({len(selector.get_support()) for selector in selectors})
    if len(totals) > 1 or n_features not in (None, totals[0]):
        raise ValueError(f"The selectors have seen {totals} features; all must be fitted on the same columns.")
    names: list[Any] = [getattr(selector, "feature_names_in_", None) for selector in selectors]
    if any(row is None for row in names):
        if not all(row is None for row in names):
            raise ValueError("Some selectors were fitted with names of features and some without.")
        return [selector.indices_ for selector in selectors], totals[0]
    if len({tuple(sorted(row)) for row in names}) > 1:
        raise ValueError("The selectors have seen features of different names; fit all of them on the same columns.")
    # By the columns of the first, so that the rows of a colour matrix are columns of the data.
    place_of = {name: place for place, name in enumerate(names[0])}
    return [
        np.array([place_of[row[i]] for i in selector.indices_], dtype=np.int64)
        for selector, row in zip(selectors, names, strict=True)
    ], totals[0]


def _of_matrix(values: Array, n_features: int | None) -> Orders:
    features, codes = np.unique(values, return_inverse=True)
    codes = codes.reshape(values.shape)
    in_order = np.sort(codes, axis=1)
    is_twice = (in_order[:, 1:] == in_order[:, :-1]).any(axis=1)
    if is_twice.any():
        raise ValueError(f"Order {int(np.argmax(is_twice))} takes a feature twice; each may be taken once.")
    is_named = values.dtype.kind == "U"
    if not is_named and features[0] < 0:
        raise ValueError(f"Column {features[0]} does not exist: columns are counted from 0.")
    if n_features is not None:
        largest = len(features) if is_named else int(features[-1]) + 1
        if largest > n_features:
            raise ValueError(f"The orders need at least {largest} features, but n_features={n_features}.")
    n_steps = values.shape[1]
    # Sorted by feature, then by step: the runs that took a feature before are a running sum.
    keys, n_entering = np.unique(codes * n_steps + np.arange(n_steps), return_counts=True)
    feature, step = np.divmod(keys, n_steps)
    running = np.cumsum(n_entering) - n_entering
    n_before = running - running[np.searchsorted(feature, feature)]
    by_step = np.argsort(step, kind="stable")
    return Orders(
        codes=codes,
        features=features,
        names=features.astype(object) if is_named else None,
        n_features=n_features,
        step=step[by_step],
        feature=feature[by_step],
        n_entering=n_entering[by_step],
        n_before=n_before[by_step],
    )
