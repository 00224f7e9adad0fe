"""The experiment E4 of Ben Brahim 2015, chapter 3: rules that make one list of features out of several.

Ten stratified folds. On nine, lists of 100 features are made: by one filter on 40 stratified bootstraps (data
perturbation, DP) or by three filters on all samples (function perturbation, FP). The first N of every list are joined
by a rule, N = 10, 20 … 100, and a linear support vector machine (C = 1) with the best N is tried on the tenth. ECA
joins no lists: a machine for each list, and the majority decides. Errors of all folds are pooled, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from joblib import Parallel, delayed
from scipy.spatial.distance import cdist
from sklearn import config_context
from sklearn.base import clone
from sklearn.impute import KNNImputer
from sklearn.model_selection import StratifiedKFold

from holdfast import MRMR, Relief, TTest
from holdfast.stability import bootstraps
from holdfast.stability._given import lists_of
from holdfast.stability._repeat import Chosen, lists
from holdfast.stability.aggregate import combine
from holdfast.stability.lists import Lists
from reproduction.protocol import Fold, Table, kuncheva, load_plain, predict_svm
from reproduction.protocol import load as load_shared

SIZES = tuple(range(10, 101, 10))
N_BOOTSTRAPS = 40
FILTERS = {"Relief": Relief(SIZES[-1]), "mRMR": MRMR(SIZES[-1]), "t-test": TTest(SIZES[-1])}
# The thesis names no scaling. mRMR and the t-test are the same without it.
UNSCALED = "DP-Relief, unscaled"
SETTINGS = ("DP-Relief", "DP-mRMR", "DP-t-test", "FP", UNSCALED)
RULES = ("RAA", "WMA", "CLA", "CAA", "RRA", "OFA", "WRA")
# What the audit suspects behind the printed CLA: a feature outside a list has the rank 0, so rare ones win.
ABSENT_IS_0 = "CLA, absent 0"

# Files of the tables of this chapter beside those that chapters share. Bladder is a stand-in: 31 tumours of the same
# study (TA and T1), but 1,203 genes of another filter instead of 3,036.
FILES = {"Bladder": "bladder_dyrskjot2003_filtered", "Lymph": "dlbcl_stanford", "Breast": "breast_vantveer"}
SETS = ("DLBCL", "Bladder", "Lymph", "Prostate", "Breast", "CNS", "Lung")


@dataclass(frozen=True)
class Result:
    """One method in one setting on one table: samples classified rightly, and features by fold (ECA has none)."""

    data: str
    setting: str
    method: str
    is_right: Mapping[int, np.ndarray] = field(repr=False)
    subsets: Mapping[int, list[np.ndarray]] = field(repr=False)
    n_features: int

    @property
    def n_samples(self) -> int:
        return len(next(iter(self.is_right.values())))

    @property
    def mce(self) -> float:
        """Share of all samples classified wrongly, averaged over sizes."""
        return 1.0 - float(np.mean([right.mean() for right in self.is_right.values()]))

    @property
    def stability(self) -> float:
        """Kuncheva's index over the folds, averaged over sizes; NaN for ECA."""
        if not self.subsets:
            return float("nan")
        return float(np.mean([kuncheva(found, self.n_features) for found in self.subsets.values()]))

    def error(self, size: int) -> float:
        """Share of all samples classified wrongly."""
        return 1.0 - float(self.is_right[size].mean())


def load(name: str) -> Table | None:
    """A table by the thesis's name, gaps filled beforehand and without the classes."""
    if name not in FILES:
        return load_shared(name)
    table = load_plain(name, FILES[name])
    if table is None:
        return None
    X, y = table.X, table.y
    if name == "Bladder":
        X, y = X[y < 2], y[y < 2]
    X = X[:, ~np.isnan(X).all(axis=0)]
    if name == "Breast":
        X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    elif np.isnan(X).any():
        X = KNNImputer(n_neighbors=10, weights="distance").fit_transform(X.T).T
    return Table(name, np.ascontiguousarray(X), y)


def experiment(
    table: Table,
    split: Sequence[Fold],
    seed: int,
    sizes: Sequence[int] = SIZES,
    settings: Sequence[str] = SETTINGS,
) -> list[Result]:
    """Every method in every setting; what a fold draws depends on the seed and on its number only."""
    by_fold = Parallel(n_jobs=2)(
        delayed(_unchecked)(table, fold, [seed, number], sizes, settings) for number, fold in enumerate(split)
    )
    results = []
    for setting, method in by_fold[0]:
        is_right = {size: np.zeros(len(table.y), dtype=bool) for size in sizes}
        subsets: dict[int, list[np.ndarray]] = {}
        for fold, found in zip(split, by_fold, strict=True):
            for size, (columns, labels) in found[setting, method].items():
                is_right[size][fold.test] = labels == table.y[fold.test]
                if columns is not None:
                    subsets.setdefault(size, []).append(columns)
        results.append(Result(table.name, setting, method, is_right, subsets, table.X.shape[1]))
    return results


Found = dict[int, tuple[np.ndarray | None, np.ndarray]]


def _unchecked(*given) -> dict[tuple[str, str], Found]:
    # Most of the time of so many small machines would go into checks of their input.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        return _on_one_fold(*given)


def _on_one_fold(
    table: Table, fold: Fold, seed: Sequence[int], sizes: Sequence[int], settings: Sequence[str]
) -> dict[tuple[str, str], Found]:
    """Features (none for ECA) and predicted classes, for each setting, method and size."""
    X, y = table.X[fold.train], table.y[fold.train]
    draws, parts = map(np.random.default_rng, np.random.SeedSequence(list(seed)).spawn(2))
    everything = [np.arange(len(y))]
    drawn = bootstraps(y, N_BOOTSTRAPS, draws)
    unscaled = clone(FILTERS["Relief"]).set_params(scale="none")
    single = {name: _lists(selector, X, y, everything)[0] for name, selector in FILTERS.items()}
    distances = Distances.of(fold, y, int(parts.integers(2**31)))
    found: dict[tuple[str, str], Found] = {}
    for setting in settings:
        name = setting.removeprefix("DP-")
        if setting == "FP":
            members, alone = list(single.values()), single
        elif setting == UNSCALED:
            members, alone = _lists(unscaled, X, y, drawn), {"Relief": _lists(unscaled, X, y, everything)[0]}
        else:
            members, alone = _lists(FILTERS[name], X, y, drawn), {name: single[name]}
        for one, chosen in alone.items():
            found[setting, one] = {size: _classified(table, fold, chosen.indices[:size]) for size in sizes}
        found[setting, "ECA"] = _voted(table, fold, members, sizes)
        errors = [distances.errors(one.indices, sizes) for one in members]
        for at, size in enumerate(sizes):
            joined = _gathered(members, size, table.X.shape[1], np.array([one[at] for one in errors]))
            for rule in (*RULES, ABSENT_IS_0):
                columns = _joined(joined, rule, len(y))[:size]
                found.setdefault((setting, rule), {})[size] = _classified(table, fold, columns)
    return found


def _lists(selector, X: np.ndarray, y: np.ndarray, drawn: Sequence[np.ndarray]) -> list[Chosen]:
    return lists(selector, X, y, drawn, complete=False, n_jobs=1, tick=lambda _: None)


def _gathered(members: Sequence[Chosen], size: int, n_features: int, errors: np.ndarray) -> Lists:
    """The first so many features of every list; a method that only orders them weighs them by their places."""
    orders = [one.indices[:size].tolist() for one in members]
    by_place = 1.0 - np.arange(size) / size
    is_scored = [not np.allclose(np.diff(one.weights), -1.0 / len(one.weights)) for one in members]
    weights = [one.weights[:size] if scored else by_place for one, scored in zip(members, is_scored, strict=True)]
    return lists_of(orders, n_features=n_features, weights=weights, errors=errors, list_size=None)[0]


def _joined(joined: Lists, rule: str, n_samples: int) -> np.ndarray:
    """Columns by a rule, best first; ties by the rule's second criterion, then by column."""
    if rule == ABSENT_IS_0:
        sums = np.where(joined.is_listed, joined.ranks, 0).sum(axis=0)
        return joined.features[np.argsort(sums, kind="stable")]
    options = {"n_samples": n_samples} if rule == "RAA" else {}
    return joined.features[np.argsort(combine(joined, rule.lower(), **options).levels, kind="stable")]


def _classified(table: Table, fold: Fold, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return columns, next(predict_svm(fold.Z, table.y, fold, iter([columns])))


def _voted(table: Table, fold: Fold, members: Sequence[Chosen], sizes: Sequence[int]) -> Found:
    """Majority of machines, one for each list; the class with more training samples wins a tie."""
    classes, n_of_class = np.unique(table.y[fold.train], return_counts=True)
    votes = {size: np.zeros((len(classes), len(fold.test))) for size in sizes}
    for one in members:
        for size, labels in zip(sizes, predict_svm(fold.Z, table.y, fold, _runs(one.indices, sizes)), strict=True):
            votes[size] += labels == classes[:, np.newaxis]
    tie_break = (0.5 * n_of_class / n_of_class.sum())[:, np.newaxis]
    return {size: (None, classes[(counted + tie_break).argmax(axis=0)]) for size, counted in votes.items()}


def _runs(columns: np.ndarray, sizes: Sequence[int]) -> Iterator[np.ndarray]:
    return (columns[start:stop] for start, stop in zip((0, *sizes[:-1]), sizes, strict=True))


@dataclass(frozen=True)
class Distances:
    """Cross-validation of the nearest neighbour in the training part, for lists that grow."""

    Z: np.ndarray
    y: np.ndarray
    is_same_part: np.ndarray

    @classmethod
    def of(cls, fold: Fold, y: np.ndarray, seed: int) -> Distances:
        part = np.empty(len(y), dtype=int)
        n_parts = min(10, int(np.bincount(y).min()))
        for number, (_, rows) in enumerate(StratifiedKFold(n_parts, shuffle=True, random_state=seed).split(y, y)):
            part[rows] = number
        return cls(fold.Z[fold.train], y, part[:, np.newaxis] == part)

    def errors(self, columns: np.ndarray, sizes: Sequence[int]) -> list[float]:
        """Share of samples whose nearest neighbour in the other parts has another class, for each size."""
        found = []
        distance = np.where(self.is_same_part, np.inf, 0.0)
        for run in _runs(columns, sizes):
            distance += cdist(self.Z[:, run], self.Z[:, run], "sqeuclidean")
            found.append(float((self.y[distance.argmin(axis=1)] != self.y).mean()))
        return found
