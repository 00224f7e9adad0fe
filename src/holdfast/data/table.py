"""Table: samples in rows, features in columns, checked once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast._errors import DataError
from holdfast.data._target import as_labels, missing_labels
from holdfast.data._wording import counted, listed

_NUMPY_TEXT = re.compile(r"np\.str_\((.*)\)")


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A checked table of numbers with names, and the labels if there are any.

    Use it to carry data from a file into a selector: `read` makes one, `screen` looks through it.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The values; NaN is missing. Kept as a read-only float64 array in C order.
    feature_names : sequence of str
        One name per column.
    sample_names : sequence of str, default=None
        One name per row; s1, s2, … by default.
    target : array-like of shape (n_samples,), default=None
        One label per sample, text or numbers; an empty text or NaN is a missing label.
    target_name : str, default=None
        What the labels are called.
    source : str, default=None
        Where the table came from.

    Examples
    --------
    >>> from holdfast.data import Table
    >>> Table([[1.0, 2.0], [3.0, 4.0]], ["TP53", "MYC"], target=["sick", "well"])
    Table(2 samples x 2 features, 2 classes)
    """

    X: NDArray[np.float64]
    feature_names: tuple[str, ...]
    sample_names: tuple[str, ...]
    target: NDArray[Any] | None = None
    target_name: str | None = None
    source: str | None = None

    def __init__(
        self,
        X: ArrayLike,
        feature_names: Sequence[str] | NDArray[Any],
        sample_names: Sequence[str] | NDArray[Any] | None = None,
        target: ArrayLike | None = None,
        target_name: str | None = None,
        source: str | None = None,
    ) -> None:
        matrix = frozen_matrix(X)
        n_samples, n_features = matrix.shape
        if sample_names is None:
            sample_names = [f"s{i}" for i in range(1, n_samples + 1)]
        fields: dict[str, Any] = {
            "X": matrix,
            "feature_names": _names(feature_names, n_features, "feature_names", "columns"),
            "sample_names": _names(sample_names, n_samples, "sample_names", "rows"),
            "target": None if target is None else _frozen_labels(target, n_samples),
            "target_name": target_name,
            "source": source,
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    def take(self, rows: NDArray[np.int64]) -> Table:
        """The same table with some of its samples only."""
        return Table(
            self.X[rows],
            self.feature_names,
            tuple(self.sample_names[row] for row in rows),
            None if self.target is None else self.target[rows],
            self.target_name,
            self.source,
        )

    def __len__(self) -> int:
        return self.n_samples

    def __repr__(self) -> str:
        parts = [f"{counted(self.n_samples, 'sample')} x {counted(self.n_features, 'feature')}"]
        if self.target is None:
            parts.append("no target")
        elif self.target.dtype.kind == "f":
            parts.append("measured target")
        else:
            n_classes = len(np.unique(self.target[~missing_labels(self.target)]))
            parts.append(counted(n_classes, "class", "classes"))
        if self.target_name is not None:
            parts[-1] += f" in {self.target_name!r}"
        if self.source is not None:
            parts.append(f"from {self.source}")
        return f"Table({', '.join(parts)})"


def frozen_matrix(X: ArrayLike) -> NDArray[np.float64]:
    """X as a read-only float64 matrix in C order; a writable array of the caller is copied, never locked."""
    try:
        given = np.asarray(X)
        if given.dtype.kind == "c":
            raise TypeError("complex numbers")
        matrix = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        said = _NUMPY_TEXT.sub(r"\1", str(error))
        raise DataError(
            f"X holds values that are not numbers ({said}). Encode or remove them; NaN stands for missing."
        ) from error
    if given.ndim != 2 or 0 in given.shape:
        raise DataError(
            f"X has shape {given.shape}, but samples in rows and features in columns are needed, at least one of each."
        )
    if matrix.flags.writeable and np.may_share_memory(matrix, given):
        matrix = matrix.copy()
    matrix.flags.writeable = False
    return matrix


def _names(names: Sequence[str] | NDArray[Any], n_needed: int, what: str, axis: str) -> tuple[str, ...]:
    plain = tuple(str(name) for name in names)
    if len(plain) != n_needed:
        raise DataError(
            f"{what} has {counted(len(plain), 'name')} ({listed(plain, 3)}), but X has {n_needed} {axis}. "
            f"Give one name for each of the {axis}."
        )
    return plain


def _frozen_labels(target: ArrayLike, n_samples: int) -> NDArray[Any]:
    labels = as_labels(target)
    if len(labels) != n_samples:
        raise DataError(
            f"target has {counted(len(labels), 'label')}, but X has {counted(n_samples, 'row')}. "
            "Give one label for each sample."
        )
    # as_labels makes a new array, so the caller's own stays writable.
    labels.flags.writeable = False
    return labels
