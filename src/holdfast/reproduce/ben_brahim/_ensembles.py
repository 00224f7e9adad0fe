"""The experiment E4 of chapter 3: rules that make one list of features out of several.

Ten stratified folds. On nine, lists of 100 features are made: by one filter on 40 stratified bootstraps (data
perturbation, DP) or by three filters on all samples (function perturbation, FP). The first N of every list are joined
by a rule, N = 10, 20 … 100, and a linear support vector machine (C = 1) with the best N is tried on the tenth. ECA
joins no lists: a machine for each list, and the majority decides. Errors of all folds are pooled, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from holdfast.reproduce.ben_brahim._sets import filled_by, prepared, with_values
from holdfast.reproduce.protocol import Fold, folds, predict_svm
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.table import Table
from holdfast.selectors.neighbours import Relief
from holdfast.selectors.pairwise import MRMR
from holdfast.selectors.ranking import TTest
from holdfast.stability import bootstraps, kuncheva
from holdfast.stability._given import lists_of
from holdfast.stability._repeat import Chosen, lists
from holdfast.stability.aggregate import combine
from holdfast.stability.lists import Lists

Array = npt.NDArray[Any]

SEED = 0
LIST_SIZE = 100
FILTERS = {"Relief": Relief(LIST_SIZE), "mRMR": MRMR(LIST_SIZE), "t-test": TTest(LIST_SIZE)}
DP_RELIEF, FP = "DP-Relief", "FP"
# The thesis names no scaling. mRMR and the t-test are the same without it.
UNSCALED = "DP-Relief, unscaled"
SETTINGS = (DP_RELIEF, "DP-mRMR", "DP-t-test", FP)
RULES = ("RAA", "WMA", "CLA", "CAA", "RRA", "OFA", "WRA")
ECA = "ECA"
# What may be behind the printed CLA: a feature outside a list has the rank 0, so rare ones win.
ABSENT_IS_0 = "CLA, absent 0"


@dataclass(frozen=True)
class Scale:
    """How much is run: folds, bootstraps, and numbers of features."""

    n_folds: int
    n_bootstraps: int
    sizes: tuple[int, ...]


FULL = Scale(10, 40, tuple(range(10, 101, 10)))
FEW = Scale(3, 4, (10, 50))


@dataclass(frozen=True)
class Outcome:
    """One method in one setting on one table: errors and stabilities by size; ECA has no stability."""

    data: str
    setting: str
    method: str
    n_samples: int
    errors: Mapping[int, float]
    stabilities: Mapping[int, float]

    @property
    def mce(self) -> float:
        """Share of all samples classified wrongly, averaged over sizes."""
        return float(np.mean(list(self.errors.values())))

    @property
    def stability(self) -> float | None:
        """Kuncheva's index over the folds, averaged over sizes; None for ECA."""
        return float(np.mean(list(self.stabilities.values()))) if self.stabilities else None


def run(data: str, setting: str, scale: Scale, shelf: Shelf) -> dict[str, Any]:
    """Every method in one setting on one table; what a fold draws depends on the seed and on its number only."""
    table = prepared(shelf, data)
    return _summed(table, [(table, fold) for fold in folds(table, SEED, scale.n_folds)], data, setting, scale)


def run_filled_by_fold(data: str, setting: str, scale: Scale, shelf: Shelf) -> dict[str, Any]:
    """The same on a table with gaps, which are filled anew for each fold, from its training part."""
    with_gaps = with_values(shelf.load(data))
    split = []
    for number, fold in enumerate(folds(prepared(shelf, data), SEED, scale.n_folds)):
        filled = filled_by(with_gaps, fold.train)
        split.append((filled, folds(filled, SEED, scale.n_folds)[number]))
    return _summed(with_gaps, split, data, setting, scale)


def _summed(table: Table, split: Sequence[tuple[Table, Fold]], data: str, setting: str, scale: Scale) -> dict[str, Any]:
    """Errors and stability over folds, each with the values that it has of the table."""
    # Most of the time of so many small machines would go into checks of their input.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        by_fold = [
            on_one_fold(values, fold, [SEED, number], setting, scale) for number, (values, fold) in enumerate(split)
        ]
    methods = {}
    for method in by_fold[0]:
        n_wrong = np.zeros(len(scale.sizes), dtype=np.int64)
        stable = []
        for (_, fold), found in zip(split, by_fold, strict=True):
            n_wrong += [int((labels != table.y[fold.test]).sum()) for _, labels in found[method].values()]
        for size in scale.sizes if method != ECA else ():
            chosen = [found[method][size][0].tolist() for found in by_fold]
            stable.append(kuncheva(chosen, n_features=table.X.shape[1], when_all_chosen=1.0))
        methods[method] = {"n_wrong": n_wrong.tolist(), "stability": stable}
    return {
        "data": data,
        "setting": setting,
        "n_samples": len(table.y),
        "sizes": list(scale.sizes),
        "methods": methods,
    }


def outcomes(made: Iterable[Mapping[str, Any]]) -> list[Outcome]:
    """What the parts come to."""
    return [
        Outcome(
            part["data"],
            part["setting"],
            method,
            part["n_samples"],
            {size: n / part["n_samples"] for size, n in zip(part["sizes"], one["n_wrong"], strict=True)},
            dict(zip(part["sizes"], one["stability"], strict=True)) if one["stability"] else {},
        )
        for part in made
        for method, one in part["methods"].items()
    ]


# By size, the features (none for ECA) and the classes predicted for the test part.
Found = dict[int, tuple[Array, Array]]


def on_one_fold(table: Table, fold: Fold, seed: Sequence[int], setting: str, scale: Scale) -> dict[str, Found]:
    """Features and predicted classes, for each method and size."""
    X, y = table.X[fold.train], table.y[fold.train]
    draws, parts = map(np.random.default_rng, np.random.SeedSequence(list(seed)).spawn(2))
    everything = [np.arange(len(y))]
    if setting == FP:
        alone = {name: lists_from(selector, X, y, everything)[0] for name, selector in FILTERS.items()}
        members = list(alone.values())
    else:
        name = setting.removeprefix("DP-").partition(",")[0]
        selector = clone(FILTERS[name])
        if setting == UNSCALED:
            selector.set_params(scale="none")
        members = lists_from(selector, X, y, bootstraps(y, scale.n_bootstraps, draws))
        alone = {name: lists_from(selector, X, y, everything)[0]}
    found: dict[str, Found] = {
        one: {size: _classified(table, fold, chosen.indices[:size]) for size in scale.sizes}
        for one, chosen in alone.items()
    }
    found[ECA] = voted(table, fold, members, scale.sizes)
    distances = Distances.of(fold, y, int(parts.integers(2**31)))
    errors = [distances.errors(one.indices, scale.sizes) for one in members]
    for at, size in enumerate(scale.sizes):
        together = gathered(members, size, table.X.shape[1], np.array([one[at] for one in errors]))
        for rule in (*RULES, ABSENT_IS_0):
            columns = ordered(together, rule, len(y))[:size]
            found.setdefault(rule, {})[size] = _classified(table, fold, columns)
    return found


def lists_from(selector: Any, X: Array, y: Array, drawn: Sequence[Array]) -> list[Chosen]:
    """What a filter chooses from each draw, in order."""
    return lists(selector, X, y, drawn, complete=False, n_jobs=1, tick=lambda _: None)


def gathered(members: Sequence[Chosen], size: int, n_features: int, errors: Array) -> Lists:
    """The first so many features of every list; a method that only orders them weighs them by their places."""
    orders = [one.indices[:size].tolist() for one in members]
    by_place = 1.0 - np.arange(size) / size
    is_scored = [not np.allclose(np.diff(one.weights), -1.0 / len(one.weights)) for one in members]
    weights = [one.weights[:size] if scored else by_place for one, scored in zip(members, is_scored, strict=True)]
    return lists_of(orders, n_features=n_features, weights=weights, errors=errors, list_size=None)[0]


def ordered(together: Lists, rule: str, n_samples: int) -> Array:
    """Columns by a rule, best first; ties by the rule's second criterion, then by column."""
    if rule == ABSENT_IS_0:
        levels = np.where(together.is_listed, together.ranks, 0).sum(axis=0)
    else:
        options = {"n_samples": n_samples} if rule == "RAA" else {}
        levels = combine(together, rule.lower(), **options).levels
    columns: Array = together.features[np.argsort(levels, kind="stable")]
    return columns


def _classified(table: Table, fold: Fold, columns: Array) -> tuple[Array, Array]:
    return columns, next(predict_svm(fold.Z, table.y, fold, iter([columns])))


def voted(table: Table, fold: Fold, members: Sequence[Chosen], sizes: Sequence[int]) -> Found:
    """Majority of machines, one for each list; the class with more training samples wins a tie."""
    classes, n_of_class = np.unique(table.y[fold.train], return_counts=True)
    votes = {size: np.zeros((len(classes), len(fold.test))) for size in sizes}
    for one in members:
        for size, labels in zip(sizes, predict_svm(fold.Z, table.y, fold, _runs(one.indices, sizes)), strict=True):
            votes[size] += labels == classes[:, np.newaxis]
    tie_break = (0.5 * n_of_class / n_of_class.sum())[:, np.newaxis]
    none = np.zeros(0, dtype=np.int64)
    return {size: (none, classes[(counts + tie_break).argmax(axis=0)]) for size, counts in votes.items()}


def _runs(columns: Array, sizes: Sequence[int]) -> Iterator[Array]:
    return (columns[start:stop] for start, stop in zip((0, *sizes[:-1]), sizes, strict=True))


@dataclass(frozen=True)
class Distances:
    """Cross-validation of the nearest neighbour in the training part, for lists that grow."""

    Z: Array
    y: Array
    is_same_part: Array

    @classmethod
    def of(cls, fold: Fold, y: Array, seed: int) -> Distances:
        """Ten parts, or as many as the smaller class has samples."""
        part = np.empty(len(y), dtype=int)
        n_parts = min(10, int(np.bincount(y).min()))
        for number, (_, rows) in enumerate(StratifiedKFold(n_parts, shuffle=True, random_state=seed).split(y, y)):
            part[rows] = number
        return cls(fold.Z[fold.train], y, part[:, np.newaxis] == part)

    def errors(self, columns: Array, sizes: Sequence[int]) -> list[float]:
        """Share of samples whose nearest neighbour in the other parts has another class, for each size."""
        found = []
        distance = np.where(self.is_same_part, np.inf, 0.0)
        for run in _runs(columns, sizes):
            distance += cdist(self.Z[:, run], self.Z[:, run], "sqeuclidean")
            found.append(float((self.y[distance.argmin(axis=1)] != self.y).mean()))
        return found
