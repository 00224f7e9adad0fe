"""Selections on AnnData objects, with results where scanpy's users look for them: in ``var`` and ``uns``."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast import __version__
from holdfast._errors import DataError
from holdfast.bridges._parts import column_of, matrix_of, names_of, require_anndata
from holdfast.bridges._result import Result, filling, found, model_of
from holdfast.data import Table, is_measured
from holdfast.data._wording import counted, listed
from holdfast.stability._repeat import last_of

Array = npt.NDArray[Any]

_COLUMNS = ("selected", "rank", "score", "frequency")


def select(
    adata: Any,
    target: str | None,
    method: Any = "mrmr+",
    n_features_to_select: int | float | None = None,
    *,
    layer: str | None = None,
    key_added: str = "holdfast",
    groups: str | None = None,
    n_runs: int | None = None,
    perturb: Any = None,
    impute: str | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    copy: bool = False,
    **parameters: Any,
) -> Any:
    """Select features of an AnnData object and write down which hold.

    Use it in place of a filter for highly variable genes when samples have a condition: the selection is repeated on
    halves of the samples, and both the list and how often each feature came back are kept with the data. The values are
    made dense, so choose a subset of the features first if there are very many cells.

    Parameters
    ----------
    adata : AnnData
        Samples or cells with their features; X dense, sparse or in a file. A view becomes an object of its own.
    target : str or None
        Column of ``obs`` with the classes or measured values; None for methods that take none, such as "laplacian".
    method : str, selector or Pipeline, default="mrmr+"
        A method's name (see ``holdfast.methods``), a selector, or a Pipeline that ends in one.
    n_features_to_select : int, float or None, default=None
        How many features, or which share of them; None leaves it to the method.
    layer : str or None, default=None
        Layer to take the values from; None is X.
    key_added : str, default="holdfast"
        Name that the results begin with.
    groups : str or None, default=None
        Column of ``obs`` with samples that resamples keep together, such as those of one patient.
    n_runs : int or None, default=None
        Number of resamples; 0 for none. None is 50, or the own number of a method that resamples by itself.
    perturb : str, splitter, function, list or None, default=None
        What each resample is, as in ``selection_frequency``. None is "half-samples", or the method's own.
    impute : {"mean", "median", "most_frequent"} or None, default=None
        What missing values are filled with, inside each selection; None refuses them, unless the method takes them.
    random_state : int, default=0
        Seed of the draws.
    n_jobs : int or None, default=None
        Parallel threads; no result depends on it.
    copy : bool, default=False
        Whether to leave ``adata`` as it is and return a copy, which of a file is one in memory.
    **parameters : Any
        Further parameters of the method.

    Returns
    -------
    adata : AnnData or None
        The copy, if one is asked for. Written are, with the default key, ``var["holdfast_selected"]``,
        ``var["holdfast_rank"]`` (1 for the best, NaN if not selected), ``var["holdfast_score"]``,
        ``var["holdfast_frequency"]`` (share of the resamples that chose the feature), and ``uns["holdfast"]`` with
        the method, its parameters as JSON, the features in order, and the stability with its 95 % interval.

    Examples
    --------
    >>> import anndata
    >>> from holdfast.bridges.anndata import select
    >>> from holdfast.data import copies
    >>> made = copies(n_samples=60, n_features=40, n_relevant=3, n_copies=0, shift=2.0, random_state=0)
    >>> adata = anndata.AnnData(made.X)
    >>> adata.obs["condition"] = ["sick" if label else "well" for label in made.y]
    >>> select(adata, "condition", "f-test", 3, key_added="stable")
    >>> int(adata.var["stable_selected"].sum()), adata.uns["stable"]["method"]
    (3, 'f-test')
    """
    require_anndata(adata)
    _require_key(key_added)
    if getattr(adata, "isbacked", False) and adata.is_view and not copy:
        raise ValueError(
            "adata is a view of an object that is kept in a file, which has no place for results. Pass copy=True, or "
            "call adata = adata.to_memory() first."
        )
    name, model = model_of(method, n_features_to_select, n_runs, perturb, random_state, n_jobs, parameters)
    takes = getattr(last_of(model), "_takes", None)
    if target is None and takes != "anything":
        raise ValueError(
            f"{name} needs to know the class of each sample. Pass the name of a column of adata.obs as target; "
            "without classes there is method='laplacian'."
        )
    data = table(adata, None if takes == "anything" else target, layer)
    if takes == "classes" and is_measured(np.asarray(data.target)):
        raise ValueError(
            f"{name} takes classes, but the obs column {target!r} holds measured values. Use method='pearson' or "
            "'spearman', or cut the values into classes, for example with pandas.cut."
        )
    together = None if groups is None else column_of(adata, groups, "groups")
    if impute is not None:
        model = filling(model, impute)
    elif not getattr(model, "_takes_missing", True):
        _refuse_missing(data)
    result = found(model, data, together, n_runs, perturb, random_state, n_jobs)
    if copy:
        adata = adata.to_memory() if getattr(adata, "isbacked", False) else adata.copy()
    asked = {"target": target, "layer": layer, "groups": groups, "impute": impute, "random_state": random_state}
    about = {
        "method": name,
        "parameters": _as_json(last_of(model).get_params(deep=False)),
        # None has no form in the files of older versions of anndata.
        **{key: value for key, value in asked.items() if isinstance(value, (str, int))},
    }
    _write(adata, key_added, result, {**about, **result.about(data.feature_names), "version": __version__})
    return adata if copy else None


def table(adata: Any, target: str | None = None, layer: str | None = None) -> Table:
    """An AnnData object as a Table.

    Use it to bring the data to the rest of Holdfast, such as ``compare``, ``screen`` or the ``fit`` of any selector.

    Parameters
    ----------
    adata : AnnData
        Samples or cells with their features; X dense, sparse or in a file.
    target : str or None, default=None
        Column of ``obs`` to take as target: classes or measured values.
    layer : str or None, default=None
        Layer to take the values from; None is X.

    Returns
    -------
    table : Table
        The values as a dense matrix, with names and target.

    Examples
    --------
    >>> import anndata, numpy as np
    >>> from holdfast.bridges.anndata import table
    >>> adata = anndata.AnnData(np.eye(4))
    >>> adata.obs["condition"] = ["sick", "sick", "well", "well"]
    >>> table(adata, "condition")
    Table(4 samples x 4 features, 2 classes in 'condition')
    """
    require_anndata(adata)
    names = names_of(adata)
    labels = None if target is None else column_of(adata, target, "target")
    path = getattr(adata, "filename", None)
    return Table(
        matrix_of(adata, layer),
        names,
        [str(name) for name in adata.obs_names],
        labels,
        target,
        None if path is None else str(path),
    )


def _require_key(key: Any) -> None:
    if not isinstance(key, str) or not key or "/" in key:
        raise ValueError(f"key_added={key!r} is not allowed: it must be a text without '/', which h5ad files reserve.")


def _refuse_missing(data: Table) -> None:
    n_missing = np.isnan(data.X).sum(axis=0)
    if n_missing.any():
        names = [data.feature_names[j] for j in np.flatnonzero(n_missing)]
        raise DataError(
            f"{counted(len(names), 'feature has', 'features have')} missing values "
            f"({counted(int(n_missing.sum()), 'value')}): {listed(names)}. Pass impute='median' to fill them inside "
            "each selection, leave these features out, or use a method that takes missing values, such as 'relieff'."
        )


def _as_json(parameters: dict[str, Any]) -> str:
    """Parameters as text; what JSON has no form for is written as Python shows it."""
    return json.dumps(parameters, default=lambda value: value.tolist() if hasattr(value, "tolist") else repr(value))


def _write(adata: Any, key: str, result: Result, about: dict[str, Any]) -> None:
    columns = result.columns()
    if getattr(adata, "is_view", False):
        # Setting the whole of it is what makes a view an object of its own.
        adata.var = adata.var.copy()
    for end in _COLUMNS:
        if end in columns:
            adata.var[f"{key}_{end}"] = columns[end]
        elif f"{key}_{end}" in adata.var:
            del adata.var[f"{key}_{end}"]
    adata.uns[key] = about
