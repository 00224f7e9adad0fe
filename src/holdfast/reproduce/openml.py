"""Copies of data sets from OpenML, fetched once and then read from this machine.

scikit-learn's fetch_openml would serve but for three things: it refuses classes that are text, gives whatever
is in memory for the class of rows that leave it out, as sparse files do with the first class, and takes minutes or
more for each of the large sparse sets.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError, StoreError
from holdfast._files import draft_of
from holdfast.data import read

Array = npt.NDArray[Any]

_ABOUT = "https://www.openml.org/api/v1/json/data/{}"
_PATIENCE = 60.0
_NO_DESCRIPTION = "what was answered is no description of a set"


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
    about = _description(_answer(_ABOUT.format(number)))
    target = about.get("default_target_attribute")
    if not target:
        raise DataError("OpenML names no column of it as the class")
    body = _answer(about["url"])
    if hashlib.md5(body, usedforsecurity=False).hexdigest() != about.get("md5_checksum"):
        raise DataError("what came is not what OpenML says that it holds")
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"openml-{number}.arff"
        file.write_bytes(body)
        try:
            table = read(file, target=target)
        except DataError as error:
            raise DataError(str(error).replace(str(file), "its file")) from error
    is_feature = ~np.isin(table.feature_names, _left_out(about))
    arrays = {"X": table.X[:, is_feature], "feature_names": np.array(table.feature_names)[is_feature]}
    y = np.asarray(table.target)
    if y.dtype.kind != "f":
        names, y = np.unique(y, return_inverse=True)
        arrays["class_names"] = names.astype(str)
    return arrays | {"y": y}


def _description(answer: bytes) -> Mapping[str, Any]:
    """What OpenML says of a set; a page of something in between, such as a log-in, is no such answer."""
    try:
        about: Mapping[str, Any] = json.loads(answer)["data_set_description"]
        is_whole = about["url"].startswith("http")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(_NO_DESCRIPTION) from error
    if not is_whole:
        raise DataError(_NO_DESCRIPTION)
    return about


def _left_out(about: Mapping[str, Any]) -> list[str]:
    """Columns that OpenML says are no features, such as the number of a sample."""
    named = [about.get("row_id_attribute"), about.get("ignore_attribute")]
    lists = [one.split(",") if isinstance(one, str) else one or [] for one in named]
    return [name.strip() for one in lists for name in one]


def _answer(address: str) -> bytes:
    try:
        with urlopen(address, timeout=_PATIENCE) as answer:
            body: bytes = answer.read()
    except HTTPError as error:
        raise DataError(f"OpenML answered {error.code} ({error.reason})") from error
    except HTTPException as error:
        raise DataError(f"OpenML broke off ({type(error).__name__})") from error
    return body


def _keep(place: Path, arrays: Mapping[str, Any]) -> None:
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
