"""A Table from bare arrays, with names made up where the file has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._errors import DataError
from holdfast.data._grid import GenesIn
from holdfast.data.table import Table


def table_from_arrays(
    path: Path,
    X: NDArray[Any],
    y: NDArray[Any] | None,
    *,
    target_name: str | None,
    feature_names: NDArray[Any] | None,
    sample_names: NDArray[Any] | None,
    genes_in: GenesIn | None,
) -> Table:
    """Take X as it stands, or turned if genes are in its rows; f1 … and s1 … where names are missing."""
    if X.ndim != 2:
        raise DataError(f"{path}: X has shape {X.shape}, but a matrix of samples and features is needed.")
    if genes_in == "rows":
        X = X.T
    if feature_names is None:
        feature_names = np.array([f"f{j}" for j in range(1, X.shape[1] + 1)])
    samples = None if sample_names is None else sample_names.ravel()
    try:
        return Table(X, feature_names.ravel(), samples, y, target_name, str(path))
    except DataError as error:
        turn = "" if genes_in else " If the genes are in its rows, pass genes_in='rows'."
        raise DataError(f"{path}: {error}{turn}") from error
