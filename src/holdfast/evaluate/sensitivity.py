"""How far a result hangs on which samples train and which test (Hosseini 2018, §4.4, Fig. 4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import delayed

from holdfast._errors import DataError
from holdfast._parallel import in_order
from holdfast._parameters import jobs, nothing, seed, whole_number
from holdfast._progress import report
from holdfast._random import generators
from holdfast.data._target import as_labels
from holdfast.data._wording import counted, listed
from holdfast.evaluate._sets import chosen_set, require
from holdfast.evaluate._trained import POOLED, SCALED_BY, Units, in_units, right
from holdfast.evaluate.cell import alone
from holdfast.evaluate.classifiers import Classifier
from holdfast.evaluate.classifiers import classifier as as_classifier

Array = npt.NDArray[Any]

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
# Splits that a worker gets at a time; one alone takes less than handing it over.
_AT_ONCE = 25
_NOTE = (
    "The features were the same in every split, and nobody told on which samples they were chosen. If samples that "
    "are tested here took part in the choice, the accuracies are too high, all of them."
)


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Accuracies of one classifier with one set of features over many splits of the samples.

    Use ``split_sensitivity`` to make one, and ``report.sensitivity_histogram`` to see it.

    Parameters
    ----------
    features : tuple of str
        Names of the set, in the order in which it was given.
    columns : ndarray of shape (n_features,)
        Their columns.
    classifier : str
        Name of the classifier.
    n_train : dict of class to int
        Samples of each class that every split trains on.
    n_test : dict of class to int
        Samples of each class that every split tests on.
    errors : ndarray of shape (n_splits,)
        Test samples told wrong in each split.
    note : str
        What has to be known to read the accuracies.

    Examples
    --------
    >>> from holdfast.evaluate import split_sensitivity
    >>> X, y = [[0], [1], [3], [4], [5], [6], [2], [8]], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = split_sensitivity(X, y, [0], "1nn", n_splits=20, train_size=0.5)
    >>> result.n_train, result.scores.shape
    ({0: 2, 1: 2}, (20,))
    """

    features: tuple[str, ...]
    columns: Array
    classifier: str
    n_train: Mapping[Any, int]
    n_test: Mapping[Any, int]
    errors: Array
    note: str = _NOTE

    @cached_property
    def scores(self) -> Array:
        """Accuracy of each split."""
        scores: Array = 1.0 - self.errors / sum(self.n_test.values())
        return scores

    @property
    def n_splits(self) -> int:
        """How many splits there are."""
        return len(self.errors)

    @property
    def mean(self) -> float:
        """Mean accuracy."""
        return float(self.scores.mean())

    @property
    def perfect(self) -> float:
        """Share of the splits without an error."""
        return float((self.errors == 0).mean())

    @property
    def quantiles(self) -> dict[float, float]:
        """Accuracy that so large a share of the splits stays below or reaches."""
        return dict(zip(QUANTILES, np.quantile(self.scores, QUANTILES).tolist(), strict=True))

    @property
    def counts(self) -> dict[float, int]:
        """How many splits had each accuracy that occurred, lowest first."""
        return {row["score"]: row["splits"] for row in self.table()}

    def table(self) -> list[dict[str, Any]]:
        """One row for each accuracy that occurred, lowest first: errors, splits and their share."""
        n_test = sum(self.n_test.values())
        errors, splits = np.unique(self.errors, return_counts=True)
        return [
            {"score": 1.0 - wrong / n_test, "errors": wrong, "splits": n, "share": n / self.n_splits}
            for wrong, n in zip(errors[::-1].tolist(), splits[::-1].tolist(), strict=True)
        ]


def split_sensitivity(
    X: Any,
    y: Any,
    features: Any,
    classifier: Any,
    *,
    n_splits: int = 1000,
    train_size: Any = 2 / 3,
    scale: str | None = "train",
    feature_names: Any = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> Sensitivity:
    """How the accuracy with a fixed set of features varies over random splits into training and test samples.

    Use it where one split was published: it shows how lucky the split was. The set stays the same, so the accuracies
    are honest only if it was chosen on samples that are not among these; ``compare`` chooses anew in every split.

    Parameters
    ----------
    X : Table, data frame or array-like of shape (n_samples, n_features)
        All samples.
    y : array-like of shape (n_samples,) or None
        The classes; a Table brings its own.
    features : list of str or int, mask, or fitted selector
        The set: names, columns numbered from 0, or what a selector chose.
    classifier : str or classifier
        A name such as "nb" or "knn", or any of scikit-learn's.
    n_splits : int, default=1000
        How many splits to draw.
    train_size : int, float or dict of class to int, default=2/3
        Samples to train on: so many or this share of all, each class by its share; or so many of each class. The others
        are tested.
    scale : {"train", "pooled", "per-set"} or None, default="train"
        Whose range makes the features go from 0 to 1: that of the training part, of all samples, or of each part for
        itself. None leaves them as they came, and so does a classifier that is a pipeline.
    feature_names : list of str, default=None
        Names of all columns, where X has none.
    random_state : int, Generator or None, default=0
        Seed; split i depends on it and on i only.
    n_jobs : int or None, default=None
        Parallel jobs, as in joblib; no result depends on it.

    Returns
    -------
    result : Sensitivity
        The accuracies, their mean, quantiles and counts; ``result.table()`` has the counts as rows.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> from holdfast.evaluate import split_sensitivity
    >>> made = copies(n_samples=40, n_features=20, n_relevant=2, n_copies=2, random_state=0)
    >>> result = split_sensitivity(made.X, made.y, made.relevant, "nb", n_splits=50, train_size=30)
    >>> result.n_splits, sum(result.counts.values()), 0.5 < result.mean <= 1
    (50, 50, True)
    """
    require("split_sensitivity", _ALLOWED, n_splits=n_splits, scale=scale, random_state=random_state, n_jobs=n_jobs)
    judged = as_classifier(classifier)
    chosen = chosen_set("split_sensitivity", X, y, features, feature_names)
    codes, classes = chosen.codes, chosen.classes
    sizes = np.bincount(codes)
    n_train = _training_counts(train_size, classes, sizes)
    splits = [_drawn(codes, n_train, rng) for rng in generators(random_state, n_splits)]
    values, by = chosen.X, None if judged.scales_itself else scale
    if by == POOLED:
        values, by = Units.of(values, "range")(values), None
    blocks = [splits[first : first + _AT_ONCE] for first in range(0, n_splits, _AT_ONCE)]
    errors: list[int] = []
    with alone():
        tasks = (delayed(_errors)(judged, values, codes, block, by) for block in blocks)
        for found in in_order(tasks, n_jobs):
            errors += found
            report("Splits tried", len(errors), n_splits)
    return Sensitivity(
        features=chosen.names,
        columns=chosen.columns,
        classifier=judged.name,
        n_train=dict(zip(classes, n_train.tolist(), strict=True)),
        n_test=dict(zip(classes, (sizes - n_train).tolist(), strict=True)),
        errors=np.array(errors, dtype=np.int64),
    )


_ALLOWED = {
    "n_splits": whole_number(at_least=1),
    "scale": SCALED_BY | nothing(),
    "random_state": seed(),
    "n_jobs": jobs(),
}
_Split = tuple[Array, Array, int]


def _drawn(codes: Array, n_train: Array, rng: np.random.Generator) -> _Split:
    """Rows to train on, rows to test on, and a seed for the classifier."""
    shuffled = [rng.permutation(np.flatnonzero(codes == code)) for code in range(len(n_train))]
    train = np.concatenate([rows[:n] for rows, n in zip(shuffled, n_train, strict=True)])
    test = np.concatenate([rows[n:] for rows, n in zip(shuffled, n_train, strict=True)])
    return np.sort(train), np.sort(test), int(rng.integers(2**31))


def _errors(judged: Classifier, values: Array, codes: Array, splits: Sequence[_Split], by: str | None) -> list[int]:
    """Test samples told wrong, split by split."""
    found = []
    for train, test, drawn in splits:
        parts = values[train], values[test]
        X, asked = parts if by is None else in_units(*parts, by)
        (hits,) = right(judged, X, codes[train], [(asked, codes[test])], drawn)
        found.append(len(test) - hits)
    return found


def _training_counts(train_size: Any, classes: list[Any], sizes: Array) -> Array:
    """How many samples of each class to train on, if both parts then have enough of each."""
    if isinstance(train_size, Mapping):
        counts = _counts_given(train_size, classes)
    else:
        counts = _by_share(_total(train_size, int(sizes.sum())), sizes)
    for label, n, size in zip(classes, counts.tolist(), sizes.tolist(), strict=True):
        if n > size:
            raise ValueError(
                f"train_size asks for {counted(n, 'sample')} of class {label!r}, which has {size}. Pass at most "
                f"{size - 1}, so that one is left to test on."
            )
        if n == size:
            raise ValueError(
                f"train_size={train_size!r} puts all {size} samples of class {label!r} into the training part, and "
                "none is left to test on. Lower it."
            )
        if n < 2:
            raise DataError(
                f"train_size={train_size!r} trains on {counted(n, 'sample')} of class {label!r}, which has {size}; 2 "
                "of each class are needed. Raise it, or drop or join small classes."
            )
    return counts


def _counts_given(train_size: Mapping[Any, Any], classes: list[Any]) -> Array:
    asked = dict(zip(map(str, as_labels(list(train_size)).tolist()), train_size.values(), strict=True))
    known = [str(label) for label in classes]
    unknown, missing = [name for name in asked if name not in known], [name for name in known if name not in asked]
    if unknown:
        raise ValueError(f"train_size names the class {unknown[0]!r}, but y has {listed(known)}.")
    if missing:
        raise ValueError(f"train_size does not say how many of class {missing[0]!r} to train on. Name every class.")
    for name, n in asked.items():
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
            raise ValueError(f"train_size asks for {n!r} samples of class {name!r}. Pass a whole number.")
    return np.array([int(asked[name]) for name in known], dtype=np.int64)


def _total(train_size: Any, n_samples: int) -> int:
    is_number = isinstance(train_size, (int, float, np.number)) and not isinstance(train_size, bool)
    if is_number and isinstance(train_size, (int, np.integer)):
        if 1 <= train_size < n_samples:
            return int(train_size)
        raise ValueError(
            f"train_size={train_size} but there are {n_samples} samples. Pass a number from 1 to {n_samples - 1}, so "
            "that some are left to test on, or a share such as 2/3."
        )
    if is_number and 0 < train_size < 1:
        return int(train_size * n_samples + 0.5)
    raise ValueError(
        f"train_size={train_size!r} is not allowed: it must be a whole number, a share above 0 and below 1, or a dict "
        "with a whole number for each class."
    )


def _by_share(total: int, sizes: Array) -> Array:
    """Whole numbers that add up to the total, as near to the shares of the classes as they can be."""
    exact = total * sizes / sizes.sum()
    counts: Array = np.floor(exact + 1e-9).astype(np.int64)
    most_left = np.lexsort((-sizes, -(exact - counts).round(9)))
    counts[most_left[: total - counts.sum()]] += 1
    return counts
