"""Which samples train and which test, drawn once and blind to the order of the samples and the names of the classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import KFold, StratifiedKFold

from holdfast._errors import DataError
from holdfast._random import generator
from holdfast.prepare.ranks import ranks

Array = npt.NDArray[Any]
DEFAULT_FOLDS = 10
_BLOCK = 64


@dataclass(frozen=True)
class Folds:
    """Splits one after the other: split s trains on ``train[train_starts[s]:train_starts[s + 1]]``; so for test."""

    train: Array
    train_starts: Array
    test: Array
    test_starts: Array

    @classmethod
    def of(cls, splits: Sequence[tuple[Array, Array]]) -> Folds:
        """Join splits; rows are sorted, so that the order in which a splitter names them does not matter."""
        train, test = ([np.sort(part) for part in parts] for parts in zip(*splits, strict=True))
        return cls(np.concatenate(train), _starts(train), np.concatenate(test), _starts(test))

    def __iter__(self) -> Iterator[tuple[Array, Array]]:
        """Rows to train on and rows to test on, split by split."""
        for s in range(len(self)):
            yield (
                self.train[self.train_starts[s] : self.train_starts[s + 1]],
                self.test[self.test_starts[s] : self.test_starts[s + 1]],
            )

    def __len__(self) -> int:
        return len(self.train_starts) - 1

    @property
    def arrays(self) -> tuple[Array, Array, Array, Array]:
        """What a kernel reads."""
        return self.train, self.train_starts, self.test, self.test_starts

    @property
    def smallest_training_part(self) -> int:
        """Samples in the smallest training part."""
        return int(np.diff(self.train_starts).min())


def _starts(parts: Sequence[Array]) -> Array:
    return np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)


def draw_folds(X: Array, y: Array, order: Array, cv: Any, random_state: Any, *, measured: bool = False) -> Folds:
    """Splits as places in ``order``, the samples sorted by content.

    A number of folds is drawn from the sorted samples; a splitter sees the samples as they came. Folds hold like shares
    of the classes; with ``measured`` y they are plain ones.
    """
    if cv is None or isinstance(cv, (int, np.integer)):
        n_folds = DEFAULT_FOLDS if cv is None else int(cv)
        return Folds.of((_plain if measured else _stratified)(y[order], n_folds, random_state))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return Folds.of([(place[train], place[test]) for train, test in checked_splits(cv, X, y)])


def _stratified(y: Array, n_folds: int, random_state: Any) -> list[tuple[Array, Array]]:
    classes, sizes = np.unique(y, return_counts=True)
    smallest = int(sizes.min())
    if smallest < 2:
        raise DataError(
            f"The class {str(classes[sizes.argmin()])!r} has 1 sample, but cross-validation trains and tests on every "
            "class: at least 2 samples of each are needed. Drop that class, join it to another, or pass your own "
            "splits as cv."
        )
    seed = int(generator(random_state).integers(2**31))
    folds = StratifiedKFold(min(n_folds, smallest), shuffle=True, random_state=seed)
    return list(folds.split(np.zeros(len(y)), y))


def _plain(y: Array, n_folds: int, random_state: Any) -> list[tuple[Array, Array]]:
    seed = int(generator(random_state).integers(2**31))
    folds = KFold(min(n_folds, len(y)), shuffle=True, random_state=seed)
    return list(folds.split(np.zeros(len(y))))


def checked_splits(
    cv: Any, X: Array, y: Array, groups: Array | None = None, name: str = "cv"
) -> list[tuple[Array, Array]]:
    """Splits of a splitter or from a list, checked; ``name`` is the parameter that messages speak of."""
    if not hasattr(cv, "split"):
        pairs = list(cv)
    else:
        try:
            pairs = list(cv.split(X, y, groups))
        except ValueError as error:
            if "groups" not in str(error) or groups is not None:
                raise
            raise ValueError(
                f"{name}={cv!r} needs groups, which did not come. Make the splits yourself and pass the list: "
                f"{name}=list(splitter.split(X, y, groups))."
            ) from error
    if not pairs:
        raise ValueError(
            f"{name}={cv!r} gives no split. Pass a number of folds, a splitter, or a list of (train, test)."
        )
    return [_checked(pair, number, len(y), name) for number, pair in enumerate(pairs)]


def _checked(pair: Any, number: int, n_samples: int, name: str) -> tuple[Array, Array]:
    try:
        train, test = (np.asarray(part) for part in pair)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name}: split {number} is {pair!r}, but a split is a pair (train, test) of arrays of row numbers."
        ) from None
    train, test = (np.flatnonzero(part) if part.dtype == bool else part for part in (train, test))
    for part, rows in (("train", train), ("test", test)):
        if rows.ndim != 1 or len(rows) == 0 or rows.dtype.kind not in "iu":
            raise ValueError(
                f"{name}: the {part} part of split {number} must be a list of row numbers with at least one."
            )
        outside = rows[(rows < 0) | (rows >= n_samples)]
        if len(outside):
            raise ValueError(
                f"{name}: the {part} part of split {number} names row {outside[0]}, but X has {n_samples} samples. "
                f"Rows are numbered from 0 to {n_samples - 1}."
            )
    return train.astype(np.int64), test.astype(np.int64)


def sample_order(X: Array, target: Array) -> Array:
    """Samples sorted by how far from the middle they rank in the first feature, in the second …; then by side.

    No order of the samples, direction or scale of a feature changes it. Samples that are equal in every feature go by
    class, and the classes are known by where their samples lie, not by their names.
    """
    group = _groups_by_content(X)
    counts = np.zeros((target.max() + 1, group.max() + 1), dtype=np.int64)
    np.add.at(counts, (target, group), 1)
    class_place = np.empty(len(counts), dtype=np.int64)
    class_place[np.lexsort(-counts.T[::-1])] = np.arange(len(counts))
    return np.lexsort((class_place[target], group))


def _groups_by_content(X: Array) -> Array:
    """Number of the group of equal samples each sample belongs to."""
    n_samples, n_features = X.shape
    n_groups = len({(row + 0.0).tobytes() for row in X})
    group = np.zeros(n_samples, dtype=np.int64)
    for key_of in (_distance, _side):
        for first in range(0, n_features, _BLOCK):
            places = 2 * ranks(X[:, first : first + _BLOCK]) - (n_samples + 1)
            for place in places.T:
                if group.max() + 1 == n_groups:
                    return group
                _, group = np.unique(group * 4 * n_samples + key_of(place, group), return_inverse=True)
    return group


def _distance(place: Array, group: Array) -> Array:
    return np.abs(place)


def _side(place: Array, group: Array) -> Array:
    """Places in the direction in which the first group that is not balanced around the middle lies above it."""
    balance = np.bincount(group, weights=place)
    is_reversed = (balance[balance != 0][:1] < 0).any()
    return -place if is_reversed else place
