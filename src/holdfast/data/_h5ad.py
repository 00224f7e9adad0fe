"""AnnData files; needs the extra `anndata`."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from holdfast._errors import DataError
from holdfast.data._files import reading
from holdfast.data._wording import listed, shown
from holdfast.data.table import Table


def read_h5ad(path: Path, target: str | None) -> Table:
    """X with its obs and var names; the target is a column of obs."""
    try:
        import anndata
    except ImportError as error:
        raise DataError(
            f"{path} needs the package anndata, which is not installed. Run: pip install 'holdfast[anndata]'"
        ) from error
    # Repeated names are for screening to report.
    with reading(path, "an h5ad file"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        adata = anndata.read_h5ad(path)
        X = adata.X.toarray() if hasattr(adata.X, "toarray") else adata.X
        columns = [str(name) for name in adata.obs.columns]
        labels = adata.obs[target].astype(object).to_numpy() if target in columns else None
        features, samples = [str(name) for name in adata.var_names], [str(name) for name in adata.obs_names]
    if X is None:
        raise DataError(f"{path} has no matrix X. Store the values to select on in adata.X.")
    if target is not None and labels is None:
        raise DataError(f"{path} has no obs column {shown(target)}. Pass one of {listed(columns, 10)} as target.")
    return Table(np.asarray(X, dtype=np.float64), features, samples, labels, target, str(path))
