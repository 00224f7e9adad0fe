"""The values of a set of features, group by group: how far the classes overlap (Hosseini 2018, §4.2, Fig. 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast._parameters import nothing
from holdfast.data._wording import listed
from holdfast.evaluate._sets import chosen_set, require
from holdfast.evaluate._trained import PER_SET, SCALED_BY, TRAIN, Units

Array = npt.NDArray[Any]

WHOLE = "all"
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, eq=False)
class FeatureValues:
    """Values of a set of features in all samples, with the class and the part of each sample.

    Use ``feature_values`` to make one, and ``report.value_strips`` to see it.

    Parameters
    ----------
    features : tuple of str
        Names of the set, in the order in which it was given.
    columns : ndarray of shape (n_features,)
        Their columns.
    values : ndarray of shape (n_samples, n_features)
        Scaled values.
    samples : tuple of str
        Names of the samples.
    labels : ndarray of shape (n_samples,)
        Class of each sample.
    part : ndarray of shape (n_samples,), dtype=object
        Part of each sample, such as "train" or "test".
    scale : {"pooled", "train", "per-set"} or None
        Whose range makes the values go from 0 to 1.

    Examples
    --------
    >>> from holdfast.evaluate import feature_values
    >>> result = feature_values([[0.0], [2.0], [1.0], [4.0]], ["sick", "sick", "well", "well"], [0])
    >>> result.overlaps()
    [{'feature': 'x0', 'part': 'all', 'class': 'sick', 'other': 'well', 'overlap': 0.25, 'is_apart': False}]
    """

    features: tuple[str, ...]
    columns: Array
    values: Array
    samples: tuple[str, ...]
    labels: Array
    part: Array
    scale: str | None = None

    @property
    def classes(self) -> list[Any]:
        """Classes in the order of their names."""
        found: list[Any] = np.unique(self.labels).tolist()
        return found

    @property
    def parts(self) -> list[str]:
        """Parts in the order in which they appear."""
        return list(dict.fromkeys(self.part.tolist()))

    def of(self, feature: int, part: str, label: Any) -> Array:
        """Values of a feature, by its place in the set, in the samples of one part and class."""
        values: Array = self.values[(self.part == part) & (self.labels == label), feature]
        return values

    def table(self) -> list[dict[str, Any]]:
        """One row for each feature and sample."""
        labels = self.labels.tolist()
        return [
            {
                "feature": name,
                "sample": self.samples[row],
                "class": labels[row],
                "part": self.part[row],
                "value": float(self.values[row, i]),
            }
            for i, name in enumerate(self.features)
            for row in range(len(self.values))
        ]

    def quantiles(self) -> list[dict[str, Any]]:
        """One row for each feature, part and class that has samples: how many, and five quantiles."""
        return [
            {
                "feature": name,
                "part": part,
                "class": label,
                "n_samples": len(found),
                **{f"q{round(100 * share)}": float(np.quantile(found, share)) for share in _SHARES},
            }
            for i, name in enumerate(self.features)
            for part in self.parts
            for label in self.classes
            if len(found := self.of(i, part, label))
        ]

    def overlaps(self) -> list[dict[str, Any]]:
        """One row for each feature, part and pair of classes: the length that their ranges share.

        ``is_apart`` says that they share no point at all.
        """
        rows = []
        for i, name in enumerate(self.features):
            for part in self.parts:
                groups = [(label, self.of(i, part, label)) for label in self.classes]
                for (a, one), (b, other) in combinations([group for group in groups if len(group[1])], 2):
                    shared = float(min(one.max(), other.max()) - max(one.min(), other.min()))
                    found = {"feature": name, "part": part, "class": a, "other": b}
                    rows.append({**found, "overlap": max(0.0, shared), "is_apart": shared < 0})
        return rows


def feature_values(
    X: Any,
    y: Any,
    features: Any,
    part: Any = None,
    *,
    scale: str | None = "pooled",
    feature_names: Any = None,
) -> FeatureValues:
    """The values of a set of features, with the class and the part of each sample.

    Use it to see what a set rests on: classes that are told apart without error have ranges that hardly overlap, and
    where they do so in the training part only, new samples will be told wrong.

    Parameters
    ----------
    X : Table, data frame or array-like of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,) or None
        The classes; a Table brings its own.
    features : list of str or int, mask, or fitted selector
        The set: names, columns numbered from 0, or what a selector chose.
    part : array-like of shape (n_samples,), default=None
        The part of each sample, such as "train" and "test"; None for one part.
    scale : {"pooled", "train", "per-set"} or None, default="pooled"
        Whose range makes the features go from 0 to 1: that of all samples, of those whose part is "train", or of each
        part for itself. None leaves them as they came.
    feature_names : list of str, default=None
        Names of all columns, where X has none.

    Returns
    -------
    result : FeatureValues
        ``result.table()`` has a row for each feature and sample, ``result.quantiles()`` and ``result.overlaps()`` tell
        of groups.

    Examples
    --------
    >>> from holdfast.evaluate import feature_values
    >>> X, part = [[0.0], [2.0], [3.0], [4.0], [3.5], [4.0]], ["train"] * 4 + ["test"] * 2
    >>> result = feature_values(X, ["sick", "sick", "well", "well", "sick", "well"], [0], part, feature_names=["MYC"])
    >>> [(row["part"], row["overlap"], row["is_apart"]) for row in result.overlaps()]
    [('train', 0.0, True), ('test', 0.0, True)]
    """
    require("feature_values", {"scale": SCALED_BY | nothing()}, scale=scale)
    chosen = chosen_set("feature_values", X, y, features, feature_names)
    parts = _parts(part, len(chosen.X))
    values = chosen.X
    if scale is not None:
        values = values.copy()
        for rows, source in _sources(scale, parts):
            values[rows] = Units.of(chosen.X[source], "range")(chosen.X[rows])
    return FeatureValues(chosen.names, chosen.columns, values, chosen.sample_names, chosen.labels, parts, scale)


def _parts(part: Any, n_samples: int) -> Array:
    if part is None:
        return np.full(n_samples, WHOLE, dtype=object)
    if isinstance(part, str) or np.shape(part) != (n_samples,):
        raise DataError(
            f"part has the shape {np.shape(part)}, but X has {n_samples} samples. Give one word for each sample."
        )
    return np.array([str(one) for one in np.asarray(part).tolist()], dtype=object)


def _sources(scale: str, parts: Array) -> list[tuple[Array, Array]]:
    """Rows, and the rows whose range they are measured by."""
    every = np.ones(len(parts), dtype=bool)
    if scale == PER_SET:
        return [(parts == name, parts == name) for name in dict.fromkeys(parts.tolist())]
    if scale == TRAIN:
        if TRAIN not in parts:
            raise ValueError(
                f"scale='train' needs samples whose part is 'train'; part has {listed(list(dict.fromkeys(parts)))}."
            )
        return [(every, parts == TRAIN)]
    return [(every, every)]
