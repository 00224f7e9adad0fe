"""MATLAB files (version 5), the way scikit-feature's collection stores X and Y."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._errors import DataError
from holdfast.data._arrays import table_from_arrays
from holdfast.data._files import reading
from holdfast.data._grid import GenesIn
from holdfast.data._wording import shown
from holdfast.data.table import Table

_VALUES = ("X", "x", "fea", "data")
_LABELS = ("Y", "y", "gnd", "label", "labels")
_FEATURE_NAMES = ("feature_names", "features", "genes", "gene_names")


def read_mat(path: Path, target: str | None, genes_in: GenesIn | None) -> Table:
    """X from the usual names or the only matrix, y from the usual names or the variable named as target."""
    variables = _variables(path)
    found = ", ".join(f"{name} {np.shape(value)}" for name, value in list(variables.items())[:10]) or "nothing"
    if target is not None and target not in variables:
        raise DataError(f"{path} has no variable {shown(target)}. It holds {found}; pass one of these as target.")
    label_name = target or next((name for name in _LABELS if name in variables), None)
    matrices = [
        name
        for name, value in variables.items()
        if name != label_name and np.ndim(value) == 2 and min(value.shape) > 1 and value.dtype.kind in "biuf"
    ]
    usual = [name for name in _VALUES if name in variables and name != label_name]
    if not usual and len(matrices) != 1:
        raise DataError(f"{path} has no variable X. It holds {found}; save the values under the name X.")
    X = variables[usual[0] if usual else matrices[0]]
    names = next((variables[name] for name in _FEATURE_NAMES if name in variables), None)
    return table_from_arrays(
        path,
        X.toarray() if hasattr(X, "toarray") else np.asarray(X),
        None if label_name is None else _unwrapped(variables[label_name]),
        target_name=label_name,
        feature_names=None if names is None else _unwrapped(names),
        sample_names=None,
        genes_in=genes_in,
    )


def _variables(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        start = stream.read(520)
    if b"MATLAB 7.3" in start[:128] or start.startswith(b"\x89HDF") or b"\x89HDF" in start[512:]:
        raise DataError(
            f"{path} is a MATLAB 7.3 (HDF5) file, which is not read here. Save it in MATLAB with save(…, '-v7')."
        )
    with reading(path, "a MATLAB file"), path.open("rb") as stream:
        from scipy.io import loadmat

        return {name: value for name, value in loadmat(stream).items() if not name.startswith("__")}


def _unwrapped(values: Any) -> NDArray[Any]:
    """Return a flat array; cells of a cell array hold one text or number each."""
    array = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
    if array.ndim == 2 and array.dtype.kind == "U" and array.shape[0] == 1:
        array = array.ravel()
    if array.dtype.kind != "O":
        return np.char.strip(array.ravel()) if array.dtype.kind == "U" else array.ravel()
    return np.array([np.asarray(cell).ravel()[0] if np.size(cell) else "" for cell in array.ravel()])
