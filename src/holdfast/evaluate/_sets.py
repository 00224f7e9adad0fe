"""A set of features, by number, name or selector, in the samples on which analyses judge it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from holdfast._errors import DataError
from holdfast._parameters import Rule, check_parameters, nearest
from holdfast.data import Table, is_measured
from holdfast.data._target import missing_labels
from holdfast.data._wording import counted, listed, shown
from holdfast.evaluate._request import table_of
from holdfast.selectors._base import refuse_unusable
from holdfast.stability._repeat import chosen_by

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class ChosenSet:
    """The columns of a set, in the order in which they were named, in all samples."""

    X: Array
    labels: Array
    names: tuple[str, ...]
    columns: Array
    sample_names: tuple[str, ...]
    n_features_of_table: int

    @property
    def classes(self) -> list[Any]:
        """Classes in the order of their names."""
        found: list[Any] = np.unique(self.labels).tolist()
        return found

    @property
    def codes(self) -> Array:
        """The class of each sample, as its place among the classes."""
        return np.unique(self.labels, return_inverse=True)[1].astype(np.int64)


def require(function: str, allowed: Mapping[str, Rule], **settings: Any) -> None:
    """Refuse the first setting of a wrong value, as a selector would."""
    check_parameters(type(function, (SimpleNamespace,), {"allowed": allowed})(**settings))


def table_for(function: str, X: Any, y: Any, feature_names: Any, *, of_classes: bool = True) -> Table:
    """Data of any form as a Table with a target, names as the caller has them."""
    if y is None and getattr(X, "target", None) is None:
        raise DataError(
            f"{function} needs the class of each sample. Pass y, or a Table read with target='the column that has it'."
        )
    table = table_of(X, y)
    if feature_names is not None:
        if isinstance(feature_names, str):
            raise TypeError(f"feature_names={feature_names!r} is one word. Pass a list with one name for each column.")
        table = Table(table.X, feature_names, table.sample_names, table.target, table.target_name, table.source)
    target = np.asarray(table.target)
    is_missing = missing_labels(target)
    if is_missing.any():
        raise DataError(f"y is missing for {counted(int(is_missing.sum()), 'sample')}. Leave these samples out.")
    if of_classes:
        _require_classes(function, target)
    return table


def _require_classes(function: str, target: Array) -> None:
    if is_measured(target):
        raise DataError(
            f"{function} needs classes, but y has {len(np.unique(target))} different values, as a measured quantity "
            "has. Cut it into a few classes, such as low and high."
        )
    if len(np.unique(target)) < 2:
        raise DataError(f"y has one class only, {str(target[0])!r}; {function} needs at least two.")


def chosen_set(
    function: str, X: Any, y: Any, features: Any, feature_names: Any = None, *, of_classes: bool = True
) -> ChosenSet:
    """The set in the samples given; a fitted selector lends its names to a table that has none."""
    is_selector = hasattr(features, "get_support")
    has_names = feature_names is not None or isinstance(X, Table) or hasattr(X, "columns")
    known = _names_of(features) if is_selector else None
    table = table_for(function, X, y, feature_names if has_names else known, of_classes=of_classes)
    if is_selector:
        columns = _columns_of_selector(features, X, table, known)
    else:
        columns = _columns_of_list(features, table.feature_names)
    if len(columns) == 0:
        raise ValueError("features is empty, and an empty set has nothing to tell. Name at least one feature.")
    if len(np.unique(columns)) < len(columns):
        twice = next(column for column in columns if (columns == column).sum() > 1)
        raise ValueError(f"features names {shown(table.feature_names[twice])} more than once. Name it once.")
    names = tuple(table.feature_names[column] for column in columns)
    values = np.ascontiguousarray(table.X[:, columns])
    refuse_unusable(values, np.array(names, dtype=object), nan_is_allowed=False)
    return ChosenSet(values, np.asarray(table.target), names, columns, table.sample_names, table.n_features)


def same_set(function: str, chosen: ChosenSet, X: Any, y: Any) -> ChosenSet:
    """The same columns in test samples, which may be of one class."""
    table = table_for(function, X, y, None, of_classes=False)
    if table.n_features != chosen.n_features_of_table:
        raise DataError(
            f"X_test has {counted(table.n_features, 'feature')}, but X has {chosen.n_features_of_table}. Give both the "
            "same columns."
        )
    names = tuple(table.feature_names[column] for column in chosen.columns)
    if (isinstance(X, Table) or hasattr(X, "columns")) and names != chosen.names:
        other = next(pair for pair in zip(chosen.names, names, strict=True) if pair[0] != pair[1])
        raise DataError(
            f"Where X has the feature {shown(other[0])}, X_test has {shown(other[1])}. Give both the same columns in "
            "the same order."
        )
    values = np.ascontiguousarray(table.X[:, chosen.columns])
    refuse_unusable(values, np.array(chosen.names, dtype=object), nan_is_allowed=False)
    return replace(chosen, X=values, labels=np.asarray(table.target), sample_names=table.sample_names)


def _names_of(selector: Any) -> Any:
    check_is_fitted(selector)
    return getattr(selector, "feature_names_in_", None)


def _columns_of_selector(selector: Any, X: Any, table: Table, known: Any) -> Array:
    if selector.n_features_in_ != table.n_features:
        raise ValueError(
            f"features: the selector was fitted on {counted(selector.n_features_in_, 'feature')}, but X has "
            f"{table.n_features}. Pass the table that it was fitted on, or name the features."
        )
    if known is not None and [str(name) for name in known] != list(table.feature_names):
        raise ValueError(
            "features: the selector was fitted on features of other names, or in another order, than X has. Pass the "
            "table that it was fitted on, or name the features."
        )
    chosen = chosen_by(selector, table if isinstance(X, Table) else X)
    return np.asarray(chosen.indices[np.argsort(chosen.places, kind="stable")], dtype=np.int64)


def _columns_of_list(features: Any, names: tuple[str, ...]) -> Array:
    if isinstance(features, (str, int, np.integer)) or not isinstance(features, Iterable):
        features = [features]
    given = list(features)
    if len(given) == len(names) and all(isinstance(one, (bool, np.bool_)) for one in given):
        return np.flatnonzero(given)
    return np.array([_column_of(one, names) for one in given], dtype=np.int64)


def _column_of(feature: Any, names: tuple[str, ...]) -> int:
    if isinstance(feature, str):
        return _column_named(feature, names)
    if isinstance(feature, bool) or not isinstance(feature, (int, np.integer)):
        raise TypeError(
            f"features: {feature!r} is neither a name nor a column. Pass names, columns numbered from 0, a mask of "
            f"{len(names)} True and False, or a fitted selector."
        )
    if not 0 <= feature < len(names):
        raise ValueError(
            f"features names column {feature}, but X has {counted(len(names), 'feature')}, numbered from 0 to "
            f"{len(names) - 1}."
        )
    return int(feature)


def _column_named(feature: str, names: tuple[str, ...]) -> int:
    places = [place for place, name in enumerate(names) if name == feature]
    if not places:
        by_lower = {name.lower(): name for name in reversed(names)}
        near = nearest(feature, by_lower, n=1)
        hint = f" Did you mean {by_lower[near[0]]!r}?" if near else f" There are {listed(names)}."
        raise ValueError(f"There is no feature called {feature!r}.{hint}")
    if len(places) > 1:
        raise ValueError(
            f"{len(places)} features are called {feature!r} (columns {listed(places)}). Pass the number of the column."
        )
    return places[0]
