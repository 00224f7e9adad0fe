"""screen: look a table over before anything is selected from it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from numpy.typing import ArrayLike, NDArray

from holdfast._errors import DataError
from holdfast.data._finding import Finding
from holdfast.data._label_checks import label_findings
from holdfast.data._name_checks import name_findings
from holdfast.data._value_checks import value_findings
from holdfast.data.table import Table, frozen_matrix

_ORDER = {"error": 0, "warning": 1, "note": 2}


def screen(
    X: Table | ArrayLike,
    y: ArrayLike | None = None,
    feature_names: Sequence[str] | NDArray[Any] | None = None,
    sample_names: Sequence[str] | NDArray[Any] | None = None,
) -> tuple[Finding, ...]:
    """List what is odd about a table, worst first.

    Use it on every new data set: missing and infinite values, constant features, exact copies, mangled or
    repeated names, missing labels and tiny classes all change what a selector finds.

    Parameters
    ----------
    X : Table or array-like of shape (n_samples, n_features)
        The values, or a whole table; then the other parameters are not needed.
    y : array-like of shape (n_samples,), default=None
        The labels.
    feature_names : sequence of str, default=None
        Names for the messages; f1, f2 … by default.
    sample_names : sequence of str, default=None
        Names for the messages; s1, s2 … by default.

    Returns
    -------
    findings : tuple of Finding
        Errors first, then warnings, then notes; empty for a table without blemish.

    Examples
    --------
    >>> from holdfast.data import screen
    >>> for finding in screen([[1.0, 5.0], [2.0, 5.0]], feature_names=["TP53", "MYC"]):
    ...     finding.kind, finding.message
    ('constant', "1 feature has the same value in every sample and cannot tell classes apart: 'MYC'.")
    """
    table = X if isinstance(X, Table) else _table(X, y, feature_names, sample_names)
    found = chain(
        value_findings(table.X, table.feature_names, table.sample_names),
        name_findings(table.feature_names, table.sample_names),
        () if table.target is None else label_findings(table.target, table.sample_names, table.target_name),
    )
    return tuple(sorted(found, key=lambda finding: _ORDER[finding.severity]))


def require_usable(table: Table) -> None:
    """Refuse a table that no selector can work on.

    Use it after `read` and before a selection; everything that is wrong is said at once.

    Parameters
    ----------
    table : Table
        The table to check.

    Examples
    --------
    >>> from holdfast.data import Table, require_usable
    >>> require_usable(Table([[1.0], [2.0]], ["TP53"], ["a", "b"], target=["sick", "well"]))
    """
    errors = [finding.message for finding in screen(table) if finding.severity == "error"]
    if errors:
        raise DataError("\n".join([f"{table.source or 'The table'} cannot be used yet.", *errors]))


def _table(
    X: ArrayLike,
    y: ArrayLike | None,
    feature_names: Sequence[str] | NDArray[Any] | None,
    sample_names: Sequence[str] | NDArray[Any] | None,
) -> Table:
    matrix = frozen_matrix(X)
    if feature_names is None:
        feature_names = [f"f{j}" for j in range(1, matrix.shape[1] + 1)]
    return Table(matrix, feature_names, sample_names, target=y)
