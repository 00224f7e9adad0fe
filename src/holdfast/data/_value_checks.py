"""What screening finds in the numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from holdfast.data._finding import Finding
from holdfast.data._wording import counted, listed, percent, shown

_BLOCK = 2048
# Sums of squares of larger values overflow.
LARGEST = 1e150


def value_findings(X: NDArray[np.float64], features: tuple[str, ...], samples: tuple[str, ...]) -> Iterator[Finding]:
    """Missing, infinite, constant and copied features, row numbers, copied samples."""
    is_nan = np.isnan(X)
    yield from _missing(is_nan, features)
    yield from _infinite(X, features)
    yield from _too_large(X, features)
    # fmin and fmax pass over NaN; a feature without any value compares unequal to itself.
    is_constant = np.fmin.reduce(X, axis=0) == np.fmax.reduce(X, axis=0)
    if is_constant.any():
        names = _named(features, is_constant)
        yield Finding(
            "constant",
            "note",
            f"{counted(len(names), 'feature has', 'features have')} the same value in every sample and "
            "cannot tell "
            f"classes apart: {listed(names)}.",
            names,
        )
    yield from _copied_features(X, is_constant | is_nan.all(axis=0), features)
    yield from _row_numbers(X, features)
    yield from _copied_samples(X, samples)
    if X.shape[0] > 1000 and X.shape[0] > 20 * X.shape[1]:
        yield Finding(
            "orientation",
            "note",
            f"The table has {X.shape[0]} samples and only {counted(X.shape[1], 'feature')}; if the genes "
            "are in the "
            "rows of the file, read it with genes_in='rows' (--genes-in rows).",
        )


def _named(names: tuple[str, ...], mask: NDArray[np.bool_] | np.bool_) -> tuple[str, ...]:
    return tuple(names[j] for j in np.flatnonzero(mask))


def _missing(is_nan: NDArray[np.bool_], features: tuple[str, ...]) -> Iterator[Finding]:
    n_cells = int(is_nan.sum())
    if not n_cells:
        return
    names = _named(features, is_nan.any(axis=0))
    n_never = int(is_nan.all(axis=0).sum())
    never = f"; {n_never} of them {'was' if n_never == 1 else 'were'} not measured in any sample" if n_never else ""
    yield Finding(
        "missing",
        "error",
        f"{counted(len(names), 'feature has', 'features have')} missing values ({counted(n_cells, 'cell')}, "
        f"{percent(n_cells / is_nan.size)} of the table){never}: {listed(names)}. Fill them inside each "
        "training "
        "fold, with scikit-learn's SimpleImputer in a Pipeline in front of the selector or with --impute "
        "median on "
        "the command line, or remove these features.",
        names,
    )


def _too_large(X: NDArray[np.float64], features: tuple[str, ...]) -> Iterator[Finding]:
    is_large = np.isfinite(X) & (np.abs(X) > LARGEST)
    if is_large.any():
        names = _named(features, is_large.any(axis=0))
        yield Finding(
            "too-large",
            "error",
            f"{counted(len(names), 'feature has', 'features have')} values too large to be squared (beyond "
            f"{LARGEST:g}): {listed(names)}. Rescale them, for example by taking logarithms.",
            names,
        )


def _infinite(X: NDArray[np.float64], features: tuple[str, ...]) -> Iterator[Finding]:
    is_infinite = np.isinf(X)
    if is_infinite.any():
        names = _named(features, is_infinite.any(axis=0))
        yield Finding(
            "infinite",
            "error",
            f"{counted(len(names), 'feature has', 'features have')} infinite values "
            f"({counted(int(is_infinite.sum()), 'cell')}), often the logarithm of zero: {listed(names)}. "
            "Add a small number before taking logarithms, or remove these features.",
            names,
        )


def _copied_features(
    X: NDArray[np.float64], is_skipped: NDArray[np.bool_], features: tuple[str, ...]
) -> Iterator[Finding]:
    seen: dict[bytes, int] = {}
    pairs = []
    for start in range(0, X.shape[1], _BLOCK):
        for j, digest in enumerate(_digests(X[:, start : start + _BLOCK].T), start=start):
            if not is_skipped[j] and (original := seen.setdefault(digest, j)) != j:
                pairs.append((j, original))
    if pairs:
        shown_pairs = ", ".join(f"{shown(features[j])} (of {shown(features[i])})" for j, i in pairs[:5])
        more = f" and {len(pairs) - 5} more" if len(pairs) > 5 else ""
        yield Finding(
            "duplicate",
            "warning",
            f"{counted(len(pairs), 'feature is an exact copy', 'features are exact copies')} of another one: "
            f"{shown_pairs}{more}. Their values cannot tell them apart: which of them is listed goes by name, so "
            "read a selected one as any of its copies.",
            tuple(features[j] for j, _ in pairs),
        )


def _digests(rows: NDArray[np.float64]) -> Iterator[bytes]:
    # Adding zero turns -0.0 into 0.0; NaNs get one bit pattern, so that equal means equal bytes.
    plain = np.ascontiguousarray(rows) + 0.0
    plain[np.isnan(plain)] = np.nan
    for row in plain:
        yield hashlib.blake2b(row.tobytes(), digest_size=16).digest()


def _row_numbers(X: NDArray[np.float64], features: tuple[str, ...]) -> Iterator[Finding]:
    if X.shape[0] < 5:
        return
    with np.errstate(invalid="ignore"):
        columns = np.flatnonzero(X[1] - X[0] == 1)
        counting = columns[np.all(np.diff(X[:, columns], axis=0) == 1, axis=0)]
    if len(counting):
        names = tuple(features[j] for j in counting)
        yield Finding(
            "row-number",
            "warning",
            f"{counted(len(names), 'feature counts', 'features count')} the samples one by one: "
            f"{listed(names)}. "
            "If the file is sorted by class this gives the label away; remove it, or name the column "
            "'sample'.",
            names,
        )


def _copied_samples(X: NDArray[np.float64], samples: tuple[str, ...]) -> Iterator[Finding]:
    seen: dict[bytes, int] = {}
    copied = tuple(samples[i] for i, digest in enumerate(_digests(X)) if seen.setdefault(digest, i) != i)
    if copied:
        yield Finding(
            "duplicate-sample",
            "warning",
            f"{counted(len(copied), 'sample has', 'samples have')} exactly the values of another one: "
            f"{listed(copied)}. Copies on both sides of a split make an accuracy look better than it is.",
            copied,
        )
