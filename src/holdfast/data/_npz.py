"""numpy archives with X, and perhaps y, feature_names, class_names and sample_ids."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from holdfast._errors import DataError
from holdfast.data._arrays import table_from_arrays
from holdfast.data._files import reading
from holdfast.data._grid import GenesIn
from holdfast.data._wording import listed, shown
from holdfast.data.table import Table


def read_npz(path: Path, target: str | None, genes_in: GenesIn | None) -> Table:
    """Return the arrays of the archive; class numbers become class names where these are given."""
    # numpy leaves a file open when it opens it by name and then fails, so it gets a stream.
    with reading(path, "a numpy archive"), path.open("rb") as stream:
        archive = np.load(stream, allow_pickle=False)
        arrays = {name: archive[name] for name in archive.files}
    if "X" not in arrays:
        there = f"only {listed(list(arrays))}" if arrays else "nor any other"
        raise DataError(f"{path} has no array 'X', {there}. Save the values under the name X.")
    if target is not None and target not in arrays:
        raise DataError(f"{path} has no array {shown(target)}. Pass one of {listed(list(arrays), 10)} as target.")
    y = arrays.get(target or "y")
    classes = arrays.get("class_names", np.array([]))
    if target in (None, "y") and y is not None and len(classes) and y.dtype.kind in "iu" and y.ndim == 1:
        if y.min(initial=0) < 0 or y.max(initial=0) >= len(classes):
            raise DataError(
                f"{path}: y runs from {y.min()} to {y.max()}, but class_names has {len(classes)} names. "
                "Number the classes from 0, or leave class_names out."
            )
        y = classes[y]
    return table_from_arrays(
        path,
        arrays["X"],
        y,
        target_name=None if y is None else target or "y",
        feature_names=arrays.get("feature_names"),
        sample_names=arrays.get("sample_ids", arrays.get("sample_names")),
        genes_in=genes_in,
    )
