"""read: one door for every file format."""

from __future__ import annotations

import os
from pathlib import Path

from holdfast._errors import DataError
from holdfast.data._files import existing_file
from holdfast.data._grid import GenesIn
from holdfast.data._orient import oriented
from holdfast.data._wording import shown
from holdfast.data.table import Table

_DELIMITED = (".csv", ".tsv", ".txt", ".tab")
_ALL = (*_DELIMITED, ".parquet", ".arff", ".mat", ".npz", ".h5ad")


def read(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    labels: str | os.PathLike[str] | None = None,
    genes_in: GenesIn | None = None,
) -> Table:
    r"""Read a table of samples and features from a file.

    Use it for csv, tsv and txt (plain or .gz), parquet, arff, mat, npz and h5ad. It never guesses which way
    round the table is: when the target or the labels do not tell, it asks for `genes_in`.

    Parameters
    ----------
    path : str or path
        The file.
    target : str, default=None
        The column (genes in rows: the row; h5ad: the obs column; npz and mat: the array) with the labels.
        With `labels`, the column of that file. By default y or Y in npz and mat files, and in arff files the
        attribute named class, or the last one if it is the only nominal one.
    labels : str or path, default=None
        A second csv or tsv file with sample names in the first column and the label in another, in any order.
    genes_in : {"rows", "columns"}, default=None
        Where the features are. None means: as the target or the labels show, or refuse.

    Returns
    -------
    table : Table
        Samples in rows. Nominal attributes of arff files are the place of their level, from 0 (levels that
        are numbers stay as they are).

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from holdfast.data import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "blood.csv"
    ...     _ = file.write_text("sample,TP53,MYC,state\na,1,2,sick\nb,3,4,well\n")
    ...     table = read(file, target="state")
    >>> table.feature_names
    ('TP53', 'MYC')
    >>> table.target.tolist()
    ['sick', 'well']
    """
    if genes_in not in (None, "rows", "columns"):
        raise ValueError(f"genes_in={genes_in!r}. Pass 'rows', 'columns' or None.")
    file = existing_file(Path(path).expanduser())
    kind = _kind(file)
    if labels is None:
        return _read(file, kind, target, genes_in, None)
    from holdfast.data._labels import labelled, read_labels

    label_path = existing_file(Path(labels).expanduser())
    if _kind(label_path) not in _DELIMITED:
        raise DataError(f"{label_path}: labels are read from csv, tsv or txt files. Export them as one of these.")
    label_file = read_labels(label_path)
    return labelled(_read(file, kind, None, genes_in, label_file.ids), label_file, target)


def _kind(file: Path) -> str:
    name = file.name.lower()
    packed = name.endswith(".gz")
    kind = Path(name.removesuffix(".gz")).suffix
    if kind not in _ALL or (packed and kind not in (*_DELIMITED, ".arff")):
        raise DataError(
            f"{file} has {_ending(name)}. "
            f"Files that can be read end in {', '.join(_ALL)}, or in .gz after one of "
            f"{', '.join(_DELIMITED)}."
        )
    return kind


def _ending(name: str) -> str:
    suffixes = "".join(Path(name).suffixes[-2:])
    hint = "; save it as CSV (UTF-8) there" if suffixes.endswith((".xlsx", ".xls", ".ods")) else ""
    return f"the extension {shown(suffixes)}{hint}" if suffixes else "no extension"


def _read(file: Path, kind: str, target: str | None, genes_in: GenesIn | None, label_ids: set[str] | None) -> Table:
    # Each format is imported when it is met, so that `import holdfast` stays quick.
    if kind in _DELIMITED:
        from holdfast.data import _csv

        return oriented(_csv.read_grid(file, target, genes_in), target, label_ids, str(file))
    if kind == ".parquet":
        from holdfast.data import _parquet

        return oriented(_parquet.read_grid(file, target, genes_in), target, label_ids, str(file))
    if kind == ".npz":
        from holdfast.data._npz import read_npz

        return read_npz(file, target, genes_in)
    if kind == ".mat":
        from holdfast.data._mat import read_mat

        return read_mat(file, target, genes_in)
    if genes_in == "rows":
        raise DataError(f"{file}: {kind[1:]} files have the samples in rows by definition. Leave genes_in out.")
    if kind == ".arff":
        from holdfast.data._arff import read_arff

        return read_arff(file, target)
    from holdfast.data._h5ad import read_h5ad

    return read_h5ad(file, target)
