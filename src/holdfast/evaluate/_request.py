"""What was asked of ``compare``, checked before any work is done, as a plan."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast._registry import BINARY, MULTICLASS, UNLABELLED
from holdfast._registry import methods as all_methods
from holdfast.data import Table, is_measured, screen
from holdfast.data._wording import counted, listed, percent
from holdfast.evaluate._contestants import OWN, Contestant
from holdfast.evaluate.cell import N_INNER_FOLDS
from holdfast.evaluate.classifiers import Classifier, classifier
from holdfast.evaluate.plan import Plan
from holdfast.evaluate.protocol import Samples, Split, splits_of
from holdfast.selectors._base import Problem
from holdfast.stability._doubt import in_order_of_appearance
from holdfast.stability._members import order_of_samples
from holdfast.stability.perturb import folds, group_numbers

Array = npt.NDArray[Any]

SIZES = (5, 10, 20, 50)
# What the class is called that a test is not made to find.
_USUAL = frozenset(
    ["0", "benign", "control", "ctrl", "false", "healthy", "neg", "negative", "no", "non-responder", "none", "normal"]
) | {"unaffected", "well", "wildtype", "wt"}


def table_of(X: Any, y: Any) -> Table:
    """Data of any form as a Table with classes."""
    if isinstance(X, Table):
        table = X if y is None else Table(X.X, X.feature_names, X.sample_names, y, X.target_name, X.source)
    else:
        table = _from_arrays(X, y)
    if table.target is None:
        raise DataError(
            "compare needs the class of each sample. Pass y, or read the file with target='the column that has it'."
        )
    return table


def _from_arrays(X: Any, y: Any) -> Table:
    is_frame = hasattr(X, "columns")
    try:
        values = X.to_numpy() if is_frame else X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    except ValueError as error:
        raise DataError(f"X is no table: its rows differ in length ({error}).") from error
    n_columns = values.shape[1] if values.ndim == 2 else 0
    names = [str(name) for name in X.columns] if is_frame else [f"x{j}" for j in range(n_columns)]
    samples = [str(name) for name in X.index] if is_frame and hasattr(X, "index") else None
    target_name = getattr(y, "name", None)
    return Table(values, names, samples, y, None if target_name is None else str(target_name))


def plan_for(
    table: Table,
    groups: Any,
    methods: tuple[Contestant, ...],
    sizes: Sequence[int | float | str] | None,
    classifiers: tuple[Classifier, ...],
    protocol: Any,
    seed: int,
    impute: str | None,
    tune_size: bool,
    positive: Any,
) -> Plan:
    _require_usable(table, impute)
    _require_classes(table)
    kept = _sizes(sizes, table.n_features)
    n_classes = len(np.unique(np.asarray(table.target)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for method in methods:
            _require_takes(method, n_classes)
            method.require(kept, table.n_features)
    if tune_size and len(kept) < 2:
        raise ValueError(f"tune_size chooses between sizes, but sizes={list(kept)} is only one. Give two or more.")
    given_groups = None if groups is None else group_numbers(groups, table.n_samples)
    samples = _samples(table, given_groups, seed)
    name, words, pools, splits = splits_of(protocol, samples)
    smallest = _smallest_part(samples, splits, tuned=tune_size)
    _require_fit(classifiers, smallest, kept, table.n_features)
    return Plan(
        table=table.take(samples.order),
        groups=samples.groups,
        methods=methods,
        sizes=kept,
        classifiers=classifiers,
        protocol=name,
        protocol_words=words,
        pools_test_parts=pools,
        splits=tuple(splits),
        seed=int(seed),
        tune_size=tune_size,
        impute=impute,
        positive=_positive(table, positive),
        remarks=tuple(dict.fromkeys(str(warning.message) for warning in caught)),
    )


def _require_fit(
    classifiers: tuple[Classifier, ...], classes: Array, sizes: Sequence[int | str], n_features: int
) -> None:
    """Try every classifier on noise like a small training part, before any work is done."""
    n_columns = min((int(size) for size in sizes if size != OWN), default=n_features)
    noise = np.random.default_rng(0).normal(size=(len(classes), n_columns))
    for one in classifiers:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                one.unfitted().fit(noise, classes).predict(noise[:1])
        except (ValueError, TypeError, ArithmeticError, AttributeError) as error:
            raise ValueError(
                f"classifiers: {one.name} cannot be fitted to {len(classes)} samples, as a training part has. "
                f"{str(error).rstrip('.')}."
            ) from error


def _smallest_part(samples: Samples, splits: Sequence[Split], *, tuned: bool) -> Array:
    """Classes of the smallest training part; tuning leaves out a fold of it once more."""
    classes: Array = samples.classes[min((split.train for split in splits), key=len)]
    if not tuned:
        return classes
    _, sizes = np.unique(classes, return_counts=True)
    n_folds = min(N_INNER_FOLDS, max(2, int(sizes.min())))
    return classes[folds(classes, n_folds, 0)[0]]


def _samples(table: Table, groups: Array | None, seed: int) -> Samples:
    """Samples in an order of their own, so that the order of the rows decides nothing."""
    by_name = np.array(sorted(range(table.n_samples), key=table.sample_names.__getitem__), dtype=np.int64)
    target = np.asarray(table.target)
    codes = np.unique(target, return_inverse=True)[1]
    order, classes = order_of_samples(Problem(table.X[by_name], codes[by_name], None))
    rows = by_name[order]
    own_groups = None if groups is None else in_order_of_appearance(groups[rows])
    return Samples(table.X, target, groups, rows, classes[order], own_groups, seed)


def _require_classes(table: Table) -> None:
    target = np.asarray(table.target)
    if is_measured(target):
        raise ValueError(
            f"compare judges lists by classifiers, but the target has {len(np.unique(target))} different values, as a "
            "measured quantity has. Pass classes; cut a quantity into a few, such as low and high."
        )


def _require_usable(table: Table, impute: str | None) -> None:
    errors = []
    for finding in screen(table):
        if finding.kind == "missing" and finding.severity == "error":
            if impute is None:
                errors.append(_missing(table, finding.names))
        elif finding.severity == "error":
            errors.append(finding.message)
    if errors:
        raise DataError(f"{table.source or 'The table'} cannot be used yet. {' '.join(errors)}")


def _missing(table: Table, names: Sequence[str]) -> str:
    """Which features have missing values, and what to do."""
    is_missing = np.isnan(table.X)
    n_empty = int(is_missing.all(axis=0).sum())
    empty = f" {counted(n_empty, 'of them was', 'of them were')} not measured at all: remove these." if n_empty else ""
    return (
        f"{counted(len(names), 'feature has', 'features have')} missing values "
        f"({counted(int(is_missing.sum()), 'cell')}, {percent(is_missing.mean())} of the table): {listed(names)}."
        f"{empty} Pass impute='median' to fill missing values inside each training part, or remove these features."
    )


def _require_takes(contestant: Contestant, n_classes: int) -> None:
    takes = (UNLABELLED,) if contestant.method is None else contestant.method.takes
    kind = BINARY if n_classes == 2 else MULTICLASS
    if kind not in takes and UNLABELLED not in takes:
        others = [row.name for row in all_methods() if kind in row.takes and UNLABELLED not in row.takes]
        raise ValueError(
            f"{contestant.name} takes two classes, but the target has {n_classes}. Methods that take it: "
            f"{', '.join(others[:4])} …"
        )


def _sizes(given: Sequence[int | float | str] | None, n_features: int) -> tuple[int | str, ...]:
    """Numbers of features, ascending, and "own" last."""
    if given is None:
        return tuple(size for size in SIZES if size <= n_features) or (n_features,)
    if isinstance(given, (str, int, float, np.number)):
        given = [given]
    found: set[int | str] = set()
    for size in given:
        if isinstance(size, str) and size.strip().lower() == OWN:
            found.add(OWN)
        else:
            found.add(_size(size, n_features))
    if not found:
        raise ValueError("sizes is empty. Pass at least one number of features, such as 10.")
    return (*sorted(size for size in found if not isinstance(size, str)), *([OWN] if OWN in found else []))


def _size(size: Any, n_features: int) -> int:
    is_number = isinstance(size, (int, float, np.number)) and not isinstance(size, bool)
    if not is_number or not size > 0 or not np.isfinite(size):
        raise ValueError(
            f"sizes: {_shown(size)} is no number of features. Pass whole numbers such as 10, shares such as 0.05, or "
            f"{OWN}."
        )
    if size >= 1 and size != int(size):
        raise ValueError(f"sizes: {size} is no whole number of features. Round it, or pass a share below 1.")
    number = max(1, round(float(size) * n_features)) if size < 1 else int(size)
    if number > n_features:
        raise ValueError(f"sizes: {number} asks for more than the {n_features} features of the table. Lower it.")
    return number


def _shown(size: Any) -> str:
    return f"{size:g}" if isinstance(size, float) else repr(size)


def judges(given: Any) -> tuple[Classifier, ...]:
    if isinstance(given, dict):
        found = [classifier(one, str(label)) for label, one in given.items()]
    else:
        found = [classifier(one) for one in (given if isinstance(given, (list, tuple)) else [given])]
    if not found:
        raise ValueError("classifiers is empty. Name at least one, such as svm.")
    names = [one.name for one in found]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(
            f"classifiers has {twice[0]!r} more than once. Name it once; a mapping of labels tells two apart."
        )
    return tuple(found)


def _positive(table: Table, positive: Any) -> str | None:
    names = [str(name) for name in np.unique(np.asarray(table.target))]
    if positive is None:
        if len(names) != 2:
            return None
        return names[0] if names[1].lower() in _USUAL and names[0].lower() not in _USUAL else names[1]
    if str(positive) not in names:
        raise ValueError(f"positive={str(positive)!r} is no class of the target. The classes are {', '.join(names)}.")
    if len(names) > 2:
        raise ValueError(f"positive={str(positive)!r} is for two classes, but there are {len(names)}. Leave it out.")
    return str(positive)
