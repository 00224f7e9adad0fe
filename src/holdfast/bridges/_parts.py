"""Parts of an AnnData object, checked: the matrix, columns of obs and the names. Nothing here imports anndata."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.data._wording import counted, listed, shown

Array = npt.NDArray[Any]
_NEEDED = ("X", "obs", "var", "uns", "layers", "obs_names", "var_names")


def require_anndata(adata: Any) -> None:
    """Refuse what is no AnnData object."""
    if all(hasattr(adata, part) for part in _NEEDED):
        return
    how = "Read a file with anndata.read_h5ad(path)."
    if find_spec("anndata") is None:
        how = f"The package anndata is not installed. Run: pip install 'holdfast[anndata]'. Then: {how}"
    raise TypeError(f"adata must be an AnnData object, but {type(adata).__name__} came. {how}")


def names_of(adata: Any) -> list[str]:
    """Names of the features, which must tell them apart."""
    if not adata.var_names.is_unique:
        twice = [str(name) for name in adata.var_names[adata.var_names.duplicated()].unique()]
        raise DataError(
            f"{counted(len(twice), 'name')} in adata.var_names come{'s' if len(twice) == 1 else ''} more than once: "
            f"{listed(twice)}. Call adata.var_names_make_unique() first."
        )
    return [str(name) for name in adata.var_names]


def matrix_of(adata: Any, layer: str | None) -> Array:
    """X or a layer as a dense array, whatever it is kept in."""
    if layer is not None and layer not in adata.layers:
        has = listed(list(adata.layers.keys()), 10) if len(adata.layers) else "none"
        raise ValueError(f"layer={layer!r} is not in adata.layers. It has: {has}.")
    found = adata.X if layer is None else adata.layers[layer]
    if found is None:
        raise DataError("adata has no matrix X. Store the values to select on in adata.X, or name a layer=.")
    # Files hold sparse matrices that are loaded first, and turned into arrays then.
    for turn in ("to_memory", "toarray"):
        found = getattr(found, turn)() if hasattr(found, turn) else found
    return np.asarray(found)


def column_of(adata: Any, name: Any, what: str) -> Array:
    """A column of obs without gaps: numbers as they are, classes and words as text."""
    if not isinstance(name, str):
        raise TypeError(f"{what} must be the name of a column of adata.obs, but {type(name).__name__} came.")
    if name not in adata.obs.columns:
        raise ValueError(
            f"{what}={name!r} is no column of adata.obs. It has: "
            f"{listed([str(column) for column in adata.obs.columns], 10) or 'none'}."
        )
    column = adata.obs[name]
    is_missing = column.isna().to_numpy()
    keep = f"adata.obs[{name!r}].notna()"
    if not is_missing.any():
        is_missing = (column == "").fillna(False).to_numpy(dtype=bool)
        keep = f"adata.obs[{name!r}] != ''"
    if is_missing.any():
        who = listed([str(sample) for sample in adata.obs_names[is_missing]], 3)
        raise DataError(
            f"{counted(int(is_missing.sum()), 'sample')} of {len(column)} {'has' if is_missing.sum() == 1 else 'have'} "
            f"no value in the obs column {shown(name)}: {who}. Leave them out: adata = adata[{keep}].copy()"
        )
    # Categories such as the numbers of clusters are names, also where they look like numbers.
    if hasattr(column, "cat") or column.dtype.kind not in "iuf":
        return np.array([str(value) for value in column.tolist()], dtype=np.str_)
    return np.asarray(column.to_numpy(dtype=np.int64 if column.dtype.kind in "iu" else np.float64))
