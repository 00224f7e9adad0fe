"""A table of a plan, and the npz file that it is read from."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.data._wording import counted, listed

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Table:
    """A data set as it was found; gaps are NaN, ``y`` are the numbers of the classes, or the target itself.

    ``more`` holds what else is in the file, such as ``split``.
    """

    name: str
    X: Array
    y: Array
    feature_names: Array | None = None
    class_names: Array | None = None
    more: Mapping[str, Array] = field(default_factory=dict)


def read_table(name: str, place: Path, is_of_classes: bool) -> Table:
    """A table from a file; whole numbers are classes if ``is_of_classes``, and else may be a target."""
    arrays = _arrays(place)
    if "X" not in arrays or "y" not in arrays:
        raise DataError(f"{place} holds {', '.join(arrays) or 'nothing'}, but must hold X and y.")
    X, y = _numbers(place, arrays.pop("X")), arrays.pop("y")
    if X.ndim != 2 or y.shape != (len(X),):
        raise DataError(f"{place}: X is of shape {X.shape} and y of {y.shape}, but must be (n, p) and (n,).")
    if np.isinf(X).any():
        raise DataError(f"{place}: X holds infinite values. Write what is missing as NaN, and nothing as infinite.")
    if y.dtype.kind not in "iuf" or (y.dtype.kind == "f" and not np.isfinite(y).all()):
        raise DataError(f"{place}: y must hold the number of a class, or a finite number, for every sample.")
    if len(np.unique(y)) < 2:
        raise DataError(f"{place}: y is the same for all samples, so there is nothing to choose features for.")
    if is_of_classes and y.dtype.kind == "f" and (y == np.rint(y)).all():
        y = y.astype(np.int64)
    if "split" in arrays:
        _check_split(place, arrays["split"], len(X))
    features, classes = arrays.pop("feature_names", None), arrays.pop("class_names", None)
    if features is not None and features.shape != (X.shape[1],):
        raise DataError(
            f"{place}: feature_names is of shape {features.shape}, but must be ({X.shape[1]},), a name for each column "
            "of X. Mend it, or leave it out."
        )
    if classes is not None and classes.size and y.dtype.kind in "iu" and not 0 <= y.min() <= y.max() < len(classes):
        raise DataError(
            f"{place}: y runs from {y.min()} to {y.max()}, but class_names has {len(classes)} names. Number the "
            "classes from 0, or leave class_names out."
        )
    return Table(name, X, y, features, classes, arrays)


def _arrays(place: Path) -> dict[str, Array]:
    try:
        with open(place, "rb") as raw:
            data = np.load(raw, allow_pickle=False)
            if isinstance(data, np.ndarray):
                raise ValueError("it is one array, as in an npy file")
            return {key: np.asarray(data[key]) for key in data.files}
    # A zip file can be locked or packed in a way that Python does not know: RuntimeError.
    except (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise DataError(f"{place} cannot be read ({error}). It must be an npz file with X and y.") from error


def _numbers(place: Path, X: Array) -> Array:
    if X.dtype.kind not in "biufUS":
        raise DataError(f"{place}: X holds values of type {X.dtype}, but must hold real numbers. Write them as such.")
    try:
        return np.asarray(X, dtype=np.float64)
    except ValueError as error:
        raise DataError(f"{place}: X holds what is no number ({error}).") from error


def _check_split(place: Path, split: Array, n_samples: int) -> None:
    if split.shape != (n_samples,):
        came = f"is of shape {split.shape} for {counted(n_samples, 'sample')}"
    elif split.dtype.kind != "U" or not np.isin(split, ["train", "test"]).all():
        came = f"holds {listed([str(one) for one in np.unique(split)], 5)}"
    elif "train" not in split:
        came = "holds test only"
    else:
        return
    raise DataError(
        f"{place}: split {came}, but must say of every sample train or test, and of some train. Mend it, or take "
        "another copy."
    )
