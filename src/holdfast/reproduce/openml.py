"""Copies of data sets from OpenML, fetched once and then read from this machine."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError, StoreError
from holdfast._files import draft_of

Array = npt.NDArray[Any]


def copy_of(number: int) -> Path:
    """The npz file of a set, after asking OpenML if it is not there yet.

    It lies where scikit-learn keeps its data sets, and has X, y, feature_names and, where y are classes, class_names.
    Raises OSError if OpenML cannot be reached, and DataError if the set cannot be had or used.
    """
    place = _place(number)
    if not place.is_file():
        _keep(place, _fetched(number))
    return place


def is_kept(number: int) -> bool:
    """Whether a copy is there, so that OpenML need not be asked."""
    try:
        return _place(number).is_file()
    except OSError:
        # scikit-learn makes its folder when it is asked where that is.
        return False


def _place(number: int) -> Path:
    from sklearn.datasets import get_data_home

    return Path(get_data_home()) / "holdfast" / f"openml-{number}.npz"


def _fetched(number: int) -> dict[str, Array]:
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            # That there is no network is told in the report, in one place and in our own words.
            warnings.simplefilter("ignore", UserWarning)
            found = fetch_openml(data_id=number, as_frame=False, parser="liac-arff", n_retries=1, cache=False)
    except HTTPError as error:
        raise DataError(f"OpenML answered {error.code} ({error.reason})") from error
    except ValueError as error:
        raise DataError(str(error).rstrip(".")) from error
    X = found.data.toarray() if hasattr(found.data, "toarray") else found.data
    try:
        arrays = {"X": np.asarray(X, dtype=np.float64), "feature_names": np.asarray(found.feature_names, dtype=str)}
    except (TypeError, ValueError) as error:
        raise DataError("its values are no numbers") from error
    y = np.asarray(found.target)
    if y.dtype.kind not in "fiu":
        arrays["class_names"], y = np.unique(y.astype(str), return_inverse=True)
    return arrays | {"y": y}


def _keep(place: Path, arrays: dict[str, Any]) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = draft_of(place)
        try:
            with open(draft, "wb") as out:
                np.savez_compressed(out, **arrays)
            os.replace(draft, place)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            f"{place}, a copy from OpenML, could not be written: {error.strerror or error}. Mend that (space, rights), "
            "name another folder in SCIKIT_LEARN_DATA, or do not ask OpenML (--offline)."
        ) from error
