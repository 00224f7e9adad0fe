"""Broken tables, labels, prior knowledge, groups and reports, with what each has to lead to."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

GENES = ("TP53", "MYC", "EGFR", "BRCA1")
SAMPLES = tuple(f"p{i:02d}" for i in range(1, 13))
STATES = tuple("sick" if i % 2 else "well" for i in range(12))
VALUES = np.round(np.random.default_rng(0).normal(size=(12, 4)) + np.outer(np.arange(12) % 2, [2, 1, 0, 0]), 2)
LOTS = 70_000


def lines(genes=GENES, samples=SAMPLES, states=STATES, values=VALUES, target="state", mark=","):
    """The good table, or one with parts of it changed."""
    header = ["sample", target, *genes]
    rows = [[name, state, *row] for name, state, row in zip(samples, states, values, strict=False)]
    return "".join(mark.join(map(str, row)) + "\n" for row in [header, *rows])


GOOD = lines()
RUBBISH = bytes(np.random.default_rng(0).integers(0, 256, 4000, dtype=np.uint8))


def with_cell(row, gene, text):
    """The good table with one other cell."""
    values = VALUES.astype(object)
    values[row, gene] = text
    return lines(values=values)


def turned(text=GOOD):
    """The same table with genes in rows."""
    return "".join(",".join(cells) + "\n" for cells in zip(*(row.split(",") for row in text.splitlines()), strict=True))


def packed(**arrays):
    """An npz file."""
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def matlab(**variables):
    """A MATLAB file."""
    from scipy.io import savemat

    stream = io.BytesIO()
    savemat(stream, variables)
    return stream.getvalue()


def parquet(columns):
    """A parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def zipped(text):
    """A gzip file, the same at any time."""
    return gzip.compress(text.encode(), mtime=0)


PARQUET = parquet({"sample": SAMPLES, "state": STATES, "TP53": VALUES[:, 0], "MYC": VALUES[:, 1]})
NPZ = packed(X=VALUES, y=np.arange(12) % 2)
ARFF = "@relation r\n@attribute TP53 real\n@attribute state {x,y}\n@data\n" + "1.5,x\n2,y\n" * 6


TARGET = ("--target", "state")


class Bad(NamedTuple):
    """A file: its name, what is in it, and words that the error has to hold."""

    name: str
    content: str | bytes
    words: str
    flags: tuple[Any, ...] = TARGET


# No command can read these: exit code 3, always the same sentence.
UNREADABLE = {
    "nothing in it": Bad("t.csv", "", "empty"),
    "white space": Bad("t.csv", " \n\t\n \n", "empty"),
    "header only": Bad("t.csv", GOOD.partition("\n")[0] + "\n", "single line"),
    "binary rubbish": Bad("t.csv", RUBBISH, "t.csv"),
    "an Excel file": Bad("t.xlsx", b"PK\x03\x04" + RUBBISH, "extension"),
    "an Excel file called csv": Bad("t.csv", b"PK\x03\x04" + RUBBISH, "t.csv"),
    "no extension": Bad("table", GOOD, "extension"),
    "half a UTF-16 character": Bad("t.csv", GOOD.encode("utf-16")[:-1], "UTF"),
    "latin-1": Bad("t.csv", GOOD.replace("p03", "p\u00e9").encode("latin-1"), "byte 0xe9"),
    "NUL bytes": Bad("t.csv", GOOD.replace("p03", "p\0"), "NUL"),
    "decimal commas between commas": Bad("t.csv", GOOD.replace(".", ","), "cells"),
    "decimal commas in some cells": Bad("t.csv", with_cell(3, 1, "1,5"), "line 5 has 7 cells"),
    "mixed decimal marks": Bad("t.csv", GOOD.replace(",", ";").replace("1.", "1,", 1), "decimal comma"),
    "a short line": Bad("t.csv", GOOD.replace("p04,sick,", "p04,"), "line 5 has 5 cells"),
    "a long line": Bad("t.csv", GOOD.replace("p04,sick,", "p04,sick,1,"), "line 5 has 7 cells"),
    "an unclosed quote": Bad("t.csv", GOOD.replace("p04", '"p04'), "line 5: a quote"),
    "text after a quote": Bad("t.csv", GOOD.replace("p04", '"p"04'), "line 5: a quote"),
    "a word among numbers": Bad("t.csv", with_cell(3, 1, "high"), "'high' in sample 'p04', feature 'MYC'"),
    "a spreadsheet error": Bad("t.csv", with_cell(3, 1, "#DIV/0!"), "'#DIV/0!' in sample 'p04', feature 'MYC'"),
    "a dash that is no minus": Bad("t.csv", with_cell(3, 1, "\u22124"), "sample 'p04', feature 'MYC'"),
    "a word in the last of 70,000 columns": Bad(
        "t.csv",
        f"sample,state,{','.join(f'g{j}' for j in range(LOTS))}\n"
        + "".join(f"{name},{state}{',1' * (LOTS - 1)},oops\n" for name, state in zip(SAMPLES, STATES, strict=True)),
        "'g69999', such as 'oops' in sample 'p01'",
    ),
    "a first column that repeats": Bad(
        "t.csv", lines(samples=["a", "b"] * 6).replace("sample,", "patient's,"), "holds text that repeats"
    ),
    "no such target": Bad("t.csv", GOOD.replace("state", "stage"), "Did you mean 'stage'"),
    "the target twice": Bad("t.csv", GOOD.replace("MYC", "state"), "2 columns named 'state'"),
    "target and nothing else": Bad("t.csv", "sample,state\np01,sick\np02,well\n", "no features"),
    "a target in both directions": Bad("t.csv", GOOD.replace("p04", "state"), "column and of a row"),
    "gzip cut short": Bad("t.csv.gz", zipped(GOOD)[:-12], "damaged gzip"),
    "gzip of rubbish": Bad("t.csv.gz", gzip.compress(RUBBISH, mtime=0), "t.csv.gz"),
    "parquet cut short": Bad("t.parquet", PARQUET[:-30], "parquet"),
    "parquet that is a csv": Bad("t.parquet", GOOD, "parquet"),
    "npz cut short": Bad("t.npz", NPZ[:-30], "numpy archive"),
    "npz of objects": Bad("t.npz", packed(X=np.array([[{}]], dtype=object)), "Python objects"),
    "npz of text": Bad("t.npz", packed(X=np.array([["a"]]), state=np.array([1])), "not numbers"),
    "npz without rows": Bad("t.npz", packed(X=np.zeros((0, 5)), state=np.zeros(0)), r"shape (0, 5)"),
    "npz without X": Bad("t.npz", packed(), "t.npz"),
    "npz of other lengths": Bad("t.npz", packed(X=VALUES, state=np.arange(5)), "t.npz"),
    "mat cut short": Bad("t.mat", matlab(X=VALUES, state=np.arange(12.0))[:-30], "MATLAB"),
    "mat of rubbish": Bad("t.mat", RUBBISH, "MATLAB"),
    "h5ad of rubbish": Bad("t.h5ad", RUBBISH, "h5ad"),
    "arff without data": Bad("t.arff", ARFF.partition("@data")[0], "no @data"),
    "arff with a short row": Bad("t.arff", ARFF + "3\n", "1 value"),
    "arff that is a csv": Bad("t.arff", GOOD, "@data"),
    "genes in rows, not said": Bad("t.csv", turned().replace("state,", "other,"), "'state'"),
    "no direction given": Bad("t.csv", GOOD, "--genes-in", ()),
}

# Read, but not usable; the code of `select`, of `compare` and of `check`, which says so on stdout.
UNUSABLE = {
    "one sample": (3, 3, 3, Bad("t.csv", "".join(GOOD.splitlines(keepends=True)[:2]), "'well'")),
    "two samples": (3, 3, 0, Bad("t.csv", "".join(GOOD.splitlines(keepends=True)[:3]), "sample")),
    "one class": (3, 3, 3, Bad("t.csv", GOOD.replace("well", "sick"), "Every sample has the label 'sick'")),
    "a class of one sample": (3, 3, 0, Bad("t.csv", GOOD.replace("p04,sick", "p04,odd"), "1")),
    "no labels at all": (3, 3, 3, Bad("t.csv", lines(states=["", "NA"] * 6), "No sample has a label")),
    "a label missing": (3, 3, 3, Bad("t.csv", GOOD.replace("p04,sick", "p04,"), "1 sample has no label: 'p04'")),
    "a label per sample": (3, 3, 3, Bad("t.csv", lines(states=[f"s{i}" for i in range(12)]), "an identifier")),
    "a measured target": (2, 2, 0, Bad("t.csv", lines(states=[f"{i / 7:.3f}" for i in range(12)]), "classes")),
    "a missing value": (3, 3, 3, Bad("t.csv", with_cell(3, 1, ""), "'MYC'")),
    "nothing but missing values": (3, 3, 3, Bad("t.csv", lines(values=np.full((12, 4), "NA")), "missing values")),
    "an infinity": (3, 3, 3, Bad("t.csv", with_cell(3, 1, "-Inf"), "infinite values (1 cell)")),
    "a number too large": (3, 3, 3, Bad("t.csv", with_cell(3, 1, "1e999"), "'MYC'")),
    "a number too large to square": (3, 3, 3, Bad("t.csv", with_cell(3, 1, "-1e308"), "'MYC'")),
    "genes in rows, said to be in columns": (3, 3, 3, Bad("t.csv", turned(), "", (*TARGET, "--genes-in", "columns"))),
}  # fmt: skip

# Odd, but every command gets along with them.
FINE = {
    "a byte order mark": ("t.csv", "\ufeff" + GOOD),
    "UTF-16 from Excel": ("t.txt", GOOD.replace(",", "\t").encode("utf-16")),
    "decimal commas between semicolons": ("t.csv", GOOD.replace(",", ";").replace(".", ",")),
    "old Mac line ends": ("t.csv", GOOD.replace("\n", "\r")),
    "blank lines": ("t.csv", GOOD.replace("\n", "\n\n")),
    "quotes around all": ("t.csv", "".join('"' + line.replace(",", '","') + '"\n' for line in GOOD.splitlines())),
    "a gene twice": ("t.csv", GOOD.replace("MYC", "TP53")),
    "a gene without a name": ("t.csv", GOOD.replace("MYC", "")),
    "a gene that Excel took for a date": ("t.csv", GOOD.replace("MYC", "2-Sep")),
    "a name of other letters": ("t.csv", GOOD.replace("MYC", "\u03b2-actin <b>&amp;\u202e").replace("p04", "Zo\u00eb")),
    "a name of 100,000 letters": ("t.csv", GOOD.replace("MYC", "M" * 100_000)),
    "gzip": ("t.csv.gz", zipped(GOOD)),
    "gzip without saying so": ("t.csv", zipped(GOOD)),
    "genes in rows": ("t.csv", turned()),
    "70,000 columns": ("t.csv", lines(genes=[f"g{j}" for j in range(LOTS)], values=np.tile(VALUES, LOTS // 4))),
    "nothing that varies": ("t.csv", lines(values=np.ones((12, 4)))),
}  # fmt: skip

# A second file that does not go with the table.
LABELS = {
    "labels that are not there": (None, "does not exist"),
    "empty labels": ("", "empty"),
    "labels of other samples": ("sample,state\n" + "".join(f"q{i},{i % 2}\n" for i in range(12)), "same sample names"),
    "labels of some samples": ("sample,state\np01,sick\np02,well\n", "without a label"),
    "a sample twice": ("sample,state\n" + "".join(f"{name},x\n" for name in (*SAMPLES, "p03")), "more than once"),
    "labels without the column": ("sample,stage\n" + "".join(f"{name},x\n" for name in SAMPLES), "'state'"),
    "ragged labels": ("sample,state\np01,sick\np02\n", "line 3"),
    "rubbish as labels": (RUBBISH, "labels.csv"),
}


def of_samples(groups, samples=SAMPLES, header="sample,patient"):
    """A file that gives each sample a group."""
    return f"{header}\n" + "".join(f"{sample},{group}\n" for sample, group in zip(samples, groups, strict=False))


GROUPS = {
    "groups that are not there": (None, "does not exist"),
    "empty groups": ("", "empty"),
    "groups of some samples": (of_samples("ab"), "without a group"),
    "groups of other samples": (of_samples("ab" * 6, [f"q{i}" for i in range(12)]), "same sample names"),
    "a sample in two groups": (of_samples("abc" * 5, (*SAMPLES, "p03")), "more than once"),
    "one group": (of_samples("a" * 12), "group"),
    "a sample without a group": (of_samples(["", *"abcdefghijk"]), "no group: 'p01'"),
    "two columns of groups": (of_samples(["a,b"] * 12, header="sample,patient,ward"), "--groups-column"),
    "groups that go with the classes": (of_samples(STATES), "group"),
    "rubbish as groups": (RUBBISH, "groups.csv"),
}

PRIORS = {
    "a list that is not there": ("known.txt", None, "does not exist"),
    "an empty list": ("known.txt", "", "known.txt"),
    "remarks only": ("known.txt", "# nothing\n", "remarks only"),
    "genes of another table": ("known.txt", "KRAS\nPTEN\n", "'KRAS'"),
    "rubbish as a list": ("known.txt", RUBBISH, "known.txt"),
    "gene sets without genes": ("sets.gmt", "ONE\tna\n", "sets.gmt"),
    "weights that are words": ("known.csv", "gene,weight\nTP53,much\n", "'much'"),
    "weights below zero": ("known.csv", "gene,weight\nTP53,-3\n", "-3"),
    "two weights for a gene": ("known.csv", "gene,weight\nTP53,3\nTP53,4\n", "TP53"),
}


def report(**changes):
    """A report that can be read, or one with parts of it changed."""
    return {"schema": "holdfast.study", "schema_version": 1, "holdfast_version": "0.1", **changes}


REPORTS = {
    "an empty file": ("", "damaged or cut short"),
    "not JSON": ("accuracy: 0.9\n", "damaged or cut short"),
    "rubbish": (RUBBISH, "damaged or cut short"),
    "a list": ("[1, 2]", "report of a study"),
    "a number": ("3", "report of a study"),
    "null": ("null", "report of a study"),
    "a result of select": (json.dumps({"schema": "holdfast.selection", "schema_version": 1}), "'holdfast.selection'"),
    "no schema": ("{}", "report of a study"),
    "a later version": (json.dumps(report(schema_version=2)), "version 2"),
    "a version that is a word": (json.dumps(report(schema_version="new")), "version new"),
    "keys missing": (json.dumps(report()), "report.json"),
    "results that are a number": (json.dumps(report(results=3)), "report.json"),
}


def put(folder: Path, name: str, content: str | bytes | None) -> Path:
    """Write a file, unless its content is None."""
    path = folder / name
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder with its bytes, and every folder."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


# Flags that are wrong with a good table: what is typed, the exit code and words of the answer.
OF_BOTH = (
    (("--seed", "-1"), 2, "--seed"),
    (("--seed", "x"), 2, "--seed"),
    (("--genes-in", "diagonal"), 2, "--genes-in"),
    (("--genes-in", "rows"), 3, "If the genes are in columns, pass --genes-in columns"),
    (("--impute", "magic"), 2, "--impute"),
    (("--target", "stat"), 3, "Did you mean 'state'"),
    (("--target", ""), 3, "target"),
    (("--target", "sample"), 3, "very first cell"),
    (("--target", "TP53"), 3, "'state'"),
    (("--labels", "."), 3, "folder"),
    (("--prior", "gone.txt"), 2, "takes no prior knowledge"),
    (("--prior-sets", "A"), 2, "--prior-sets A says how to read --prior"),
    (("--aliases", "a.csv"), 2, "--aliases a.csv says how to read --prior"),
    (("--probes", "p.csv"), 2, "--probes p.csv says how to read --prior"),
    (("--no-such-flag",), 2, "--no-such-flag"),
    (("another.csv",), 2, "another.csv"),
)
OF_SELECT = (
    *(((("-k", value), 2, "is no number of features")) for value in ("0", "-1", "abc", "1.5", "", "nan", "inf", "1_0")),
    (("-k", "1e9"), 2, "1e9"),
    (("-k", "1000000000"), 2, "4 features"),
    (("-m", "mrmrr"), 2, "'mrmr'"),
    (("-m", ""), 2, "method"),
    (("--jobs", "0"), 2, "--jobs"),
    (("--jobs", "x"), 2, "--jobs"),
    (("--repeats", "-1"), 2, "--repeats"),
    (("--discretizer", "mdl"), 2, "discretizer"),
    (("--set", "n_neighbors"), 2, "--set n_neighbors"),
    (("--set", "n_neighbors=5"), 2, "n_neighbors"),
)
PROTOCOLS = ("", "foo", "0cv", "1cv", "0x5cv", "99999x5cv", "bootstrapx0", "bootstrapx-1", "holdout-1.5", "holdout-0",
             "holdout-101%", "random-2/3x0", "random-1/0x3")  # fmt: skip
OF_COMPARE = (
    *((("--sizes", value), 2, "--sizes") for value in ("0", "-1", "abc", "1e9", "1.5", "", ",", "5", "nan", "inf")),
    (("-k", "0"), 2, "--sizes"),
    (("--sizes", "own"), 2, "own"),
    (("--methods", "mrmrr"), 2, "'mrmr'"),
    (("-m", "mrmrr"), 2, "'mrmr'"),
    (("--methods", ""), 2, "--methods is empty"),
    (("--methods", " , "), 2, "--methods is empty"),
    (("--methods", "f-test,f-test"), 2, "more than once"),
    (("--methods", "f-test,anova"), 2, "more than once"),
    (("--methods", "f-test("), 2, "f-test("),
    (("--methods", "f-test)"), 2, "f-test)"),
    (("--methods", "f-test;mrmr+"), 2, "f-test;mrmr+"),
    (("--methods", "()"), 2, "()"),
    (("--methods", "f-test(x)"), 2, "'x' is no setting"),
    (("--methods", "f-test(x=1)"), 2, "'x'"),
    (("--methods", "svm-rfe(C=1,C=2)"), 2, "sets C twice"),
    (("--methods", "svm-rfe(C=1)(C=2)"), 2, "svm-rfe(C=1)(C=2)"),
    (("--methods", "svm-rfe(C=-1)"), 2, "a number above 0"),
    (("--methods", "svm-rfe(C=abc)"), 2, "a number above 0"),
    (("--methods", "svm-rfe(C=)"), 2, "C"),
    (("--methods", "f-test,relieff(n_neighbors=0)"), 2, "n_neighbors"),
    (("--methods", "mrmr+(discretizer=nonsense)"), 2, "nonsense"),
    (("--classifiers", "svmm"), 2, "'svm'"),
    (("--classifiers", ""), 2, "--classifiers is empty"),
    (("--classifiers", "nb,nb"), 2, "more than once"),
    (("--classifiers", "nb("), 2, "nb("),
    (("--classifiers", "knn(foo=1)"), 2, "foo"),
    (("--classifiers", "knn(n_neighbors=0)"), 2, "n_neighbors"),
    (("--classifiers", "knn(n_neighbors=abc)"), 2, "n_neighbors"),
    (("--classifiers", "nb,knn(n_neighbors=100)"), 2, "n_neighbors"),
    (("--classifiers", "svm(C=-1)"), 2, "C"),
    (("--classifiers", "svm(kernel=foo)"), 2, "kernel"),
    (("--classifiers", "logistic(C=0)"), 2, "C"),
    (("--classifiers", "logistic(penalty=l1)"), 2, "logistic(penalty=l1)"),
    (("--classifiers", "forest(n_estimators=0)"), 2, "n_estimators"),
    (("--classifiers", "tree(max_depth=-1)"), 2, "max_depth"),
    (("--classifiers", "nb(priors=3)"), 2, "priors"),
    *((("--protocol", value), 2, "--protocol") for value in PROTOCOLS),
    (("--protocol", "13cv"), 3, "13 folds of 12 samples"),
    (("--protocol", "holdout-0.99"), 3, "no sample to test on"),
    (("--workers", "0"), 2, "--workers"),
    (("--workers", "x"), 2, "--workers"),
    (("--cluster", "nonsense"), 2, "--cluster nonsense"),
    (("--cluster", ""), 2, "--cluster"),
    (("--cluster", "http://127.0.0.1:1"), 2, "--cluster http://127.0.0.1:1"),
    (("--positive", "nobody"), 2, "sick, well"),
    (("--positive", ""), 2, "--positive"),
    (("--tune-size",), 2, "--tune-size"),
    (("--groups-column", "patient"), 2, "--groups-column patient says how to read --groups"),
    (("--groups", "gone.csv"), 3, "gone.csv does not exist"),
    (("--so-far",), 3, "study"),
)  # fmt: skip
# Whole command lines without a table.
ALONE = (
    (("methods", "mrmrr"), 2, "'mrmr'"),
    (("methods", ""), 2, "''"),
    (("methods", "mrmrr", "--cite"), 2, "'mrmr'"),
    (("methods", "--nope"), 2, "--nope"),
    (("methods", "mrmr", "relief"), 2, "relief"),
    (("demo", "--jobs", "0"), 2, "--jobs"),
    (("demo", "--jobs", "many"), 2, "--jobs"),
    (("demo", "data.csv"), 2, "data.csv"),
    (("check",), 2, "--versions"),
    (("check", "--labels"), 2, "--labels"),
    (("select",), 2, "FILE"),
    (("compare",), 2, "FILE"),
    (("report",), 2, "STUDY"),
    (("report", "a", "b"), 2, "b"),
    (("evaluate",), 2, "evaluate"),
    (("--nonsense",), 2, "--nonsense"),
    (("report", "gone"), 3, "gone does not exist"),
    (("report", "gone/report.json"), 3, "report.json does not exist"),
)
