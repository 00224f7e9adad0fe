"""What users give as repeated selections, as one boolean matrix."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

Array = npt.NDArray[Any]

_FORMS = (
    "Pass a matrix of 0 and 1 with one run per row, a list of the chosen names or column numbers of each run, "
    "or a list of fitted selectors."
)


@dataclass(frozen=True)
class Runs:
    """Repeated selections.

    ``columns_are_places`` says that column j of ``chosen`` is column j of the data; runs given by name, or by number
    without ``n_features``, have only the features that any of them chose.
    """

    chosen: Array
    n_features: int | None
    names: Array | None = None
    columns_are_places: bool = True

    @property
    def sizes(self) -> Array:
        """Number of features of each run."""
        return np.asarray(self.chosen.sum(axis=1))

    @property
    def counts(self) -> Array:
        """Number of runs that chose each feature."""
        return np.asarray(self.chosen.sum(axis=0))

    def total(self, measure: str) -> int:
        """Number of features that there were to choose from, for a measure that needs it."""
        if self.n_features is None:
            raise ValueError(
                f"{measure} needs to know how many features there were to choose from, which lists of chosen features "
                "do not tell. Pass n_features, the number of columns of the data."
            )
        return self.n_features

    def require_places(self, other: str) -> None:
        """Refuse runs whose columns cannot be matched with those of ``other``."""
        if not self.columns_are_places:
            raise ValueError(
                f"Runs given by name cannot be matched with the columns of {other}. "
                "Pass a matrix of 0 and 1, column numbers, or fitted selectors."
            )


def as_runs(runs: Any, n_features: int | None = None) -> Runs:
    """One boolean row per run from any of the forms that users have; see ``_FORMS``."""
    if n_features is not None and (
        isinstance(n_features, (bool, np.bool_)) or not isinstance(n_features, numbers.Integral) or n_features < 1
    ):
        raise ValueError(f"n_features={n_features!r} is not a number of features. Pass a whole number of at least 1.")
    n_features = None if n_features is None else int(n_features)
    if hasattr(runs, "runs"):
        runs = runs.runs
    found = _read(runs, n_features)
    if len(found.chosen) < 2:
        raise ValueError(f"{len(found.chosen)} run cannot be compared with itself: at least 2 runs are needed.")
    return found


def _read(runs: Any, n_features: int | None) -> Runs:
    if sparse.issparse(runs):
        return _of_matrix(runs.toarray(), n_features)
    if hasattr(runs, "columns") and hasattr(runs, "shape"):
        names = np.array([str(name) for name in runs.columns], dtype=object)
        values = np.asarray(runs)
        if values.dtype == object:
            values = _plain(values)
        return _of_matrix(values, n_features, names)
    if isinstance(runs, np.ndarray):
        return _of_array(runs, n_features)
    if isinstance(runs, str) or not hasattr(runs, "__iter__"):
        raise TypeError(f"runs is a {type(runs).__name__}. {_FORMS}")
    return _of_rows(list(runs), n_features)


def _plain(values: Array) -> Array:
    """Values of nullable columns, with NaN for what is missing."""
    try:
        return np.array([[np.nan if value is None else float(value) for value in row] for row in values])
    except (TypeError, ValueError) as error:
        raise ValueError(f"The runs hold values that are no numbers ({error}). {_FORMS}") from error


def _of_array(runs: Array, n_features: int | None) -> Runs:
    if runs.ndim == 2 and runs.shape[1] and _is_matrix(runs, n_features):
        return _of_matrix(runs, n_features)
    if runs.ndim != 2 and runs.dtype != object:
        raise ValueError(f"runs has {runs.ndim} dimension(s) instead of 2: one row per run. {_FORMS}")
    return _of_rows(list(runs), n_features)


def _is_matrix(values: Array, n_features: int | None) -> bool:
    """Whether numbers are 0 and 1 for each feature, and not the numbers of columns."""
    if values.dtype.kind in "bf":
        return True
    if values.dtype.kind not in "iu" or n_features not in (None, values.shape[1]):
        return False
    return bool(((values == 0) | (values == 1)).all())


def _of_matrix(values: Array, n_features: int | None, names: Array | None = None) -> Runs:
    if n_features not in (None, values.shape[1]):
        raise ValueError(
            f"The runs choose from {values.shape[1]} features, but n_features={n_features}. A matrix of runs needs a "
            "column for each feature, chosen or not; selectors must have seen all of them."
        )
    if values.dtype != bool:
        if values.dtype.kind not in "iuf":
            raise ValueError(f"The matrix of runs holds values of type {values.dtype}. {_FORMS}")
        if values.dtype.kind == "f" and np.isnan(values).any():
            raise ValueError("The matrix of runs has missing values (NaN). Say 1 for chosen and 0 for not chosen.")
        is_wrong = (values != 0) & (values != 1)
        if is_wrong.any():
            run, column = np.argwhere(is_wrong)[0]
            raise ValueError(f"Run {run} has the value {values[run, column]} in column {column}: only 0 and 1 may be.")
        values = values == 1
    return Runs(values, values.shape[1], names)


def _of_rows(rows: list[Any], n_features: int | None) -> Runs:
    if len(rows) and all(hasattr(row, "get_support") for row in rows):
        return _of_selectors(rows, n_features)
    if any(isinstance(row, str) or not hasattr(row, "__iter__") for row in rows):
        types = sorted({type(row).__name__ for row in rows})
        raise TypeError(f"Each run must be a list of its own, but runs holds a {' and a '.join(types)}. {_FORMS}")
    lists = [list(row) for row in rows]
    kinds = {_kind(value) for values in lists for value in values}
    if len(kinds) > 1:
        raise TypeError(f"The runs mix {' and '.join(sorted(kinds))}: all must be of one kind. {_FORMS}")
    # Runs without any feature are taken as numbers, which have a place if the number of features is known.
    kind = kinds.pop() if kinds else "whole numbers"
    is_ordered = not any(isinstance(row, (set, frozenset)) for row in rows)
    widths = {len(values) for values in lists}
    if kind in ("truth values", "fractions"):
        if len(widths) > 1:
            raise ValueError(
                f"Runs of 0 and 1 must have one value for each feature, but their lengths differ: {sorted(widths)}."
            )
        return _of_matrix(np.array(lists), n_features)
    if kind == "whole numbers" and is_ordered and len(widths) == 1 and widths != {0}:
        values = np.array(lists)
        if _is_matrix(values, n_features):
            return _of_matrix(values, n_features)
    return _of_lists(lists, n_features, kind)


def _kind(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "truth values"
    if isinstance(value, numbers.Integral):
        return "whole numbers"
    if isinstance(value, numbers.Real):
        return "fractions"
    if isinstance(value, str):
        return "names"
    raise TypeError(f"A run holds a value of type {type(value).__name__}. {_FORMS}")


def _of_lists(lists: list[list[Any]], n_features: int | None, kind: str) -> Runs:
    for run, values in enumerate(lists):
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            raise ValueError(
                f"Run {run} holds {twice!r} twice. A list of features holds each once; "
                "a matrix holds 0 or 1 for each feature, and nothing else."
            )
    by_number = kind == "whole numbers"
    known = sorted({value for values in lists for value in values})
    if by_number and known and known[0] < 0:
        raise ValueError(f"Column {known[0]} does not exist: columns are counted from 0.")
    if n_features is not None and by_number and known and known[-1] >= n_features:
        raise ValueError(
            f"A run holds column {known[-1]}, but n_features={n_features} has only columns 0 to {n_features - 1}."
        )
    if n_features is not None and len(known) > n_features:
        raise ValueError(f"The runs hold {len(known)} different features, more than n_features={n_features}.")
    if by_number and n_features is not None:
        chosen = np.zeros((len(lists), n_features), dtype=bool)
        for row, values in zip(chosen, lists, strict=True):
            row[np.array(values, dtype=np.int64)] = True
        return Runs(chosen, n_features)
    place_of = {value: place for place, value in enumerate(known)}
    chosen = np.zeros((len(lists), len(known)), dtype=bool)
    for row, values in zip(chosen, lists, strict=True):
        row[[place_of[value] for value in values]] = True
    return Runs(chosen, n_features, np.array(known, dtype=object), columns_are_places=False)


def _of_selectors(selectors: Sequence[Any], n_features: int | None) -> Runs:
    chosen, names = per_feature(selectors, lambda selector: selector.get_support())
    return _of_matrix(chosen, n_features, names)


def per_feature(selectors: Sequence[Any], read: Callable[[Any], Any]) -> tuple[Array, Array | None]:
    """One value for each feature from each fitted selector, with features of equal names in one column."""
    values = [np.asarray(read(selector)) for selector in selectors]
    widths = sorted({len(row) for row in values})
    if len(widths) > 1:
        raise ValueError(
            f"The selectors have seen different numbers of features ({', '.join(map(str, widths))}): "
            "fit all of them on the same columns."
        )
    names: list[Any] = [getattr(selector, "feature_names_in_", None) for selector in selectors]
    if all(row is None for row in names):
        return np.array(values), None
    if any(row is None for row in names):
        raise ValueError(
            "Some selectors were fitted with names of features and some without, so their features cannot be matched. "
            "Fit all of them on the same kind of table."
        )
    place_of = {name: place for place, name in enumerate(names[0])}
    for number, row in enumerate(names):
        missing = [name for name in row if name not in place_of]
        if missing:
            raise ValueError(
                f"Selector {number} has seen the feature {missing[0]!r}, which the first has not: "
                "fit all of them on the same columns."
            )
    aligned = np.empty((len(values), widths[0]), dtype=np.result_type(*values))
    for target, row, own in zip(aligned, values, names, strict=True):
        target[[place_of[name] for name in own]] = row
    return aligned, np.asarray(names[0], dtype=object)
