"""Perturbations by name, from a splitter or a function, or as lists of rows, checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast._parameters import Rule, having, one_of
from holdfast.stability.noise import FeatureNoise, Noise
from holdfast.stability.perturb import bootstraps, complementary_pairs, folds, half_samples, leave_one_out, subsamples

Array = npt.NDArray[Any]

PERTURBATIONS: Mapping[str, Callable[..., list[Any]]] = {
    "bootstrap": bootstraps,
    "complementary-pairs": complementary_pairs,
    "half-samples": half_samples,
    "subsample": subsamples,
    "folds": lambda target, n_runs, seed, **more: _n_runs_folds(target, n_runs, seed, **more),
    "leave-one-out": lambda target, n_runs, seed, **more: leave_one_out(target, **more),
    "feature-noise": lambda target, n_runs, seed, **more: FeatureNoise()(target, n_runs, seed),
}
PERTURB = (
    one_of(*PERTURBATIONS)
    | having("split", "get_n_splits", words="a splitter such as ShuffleSplit(100)")
    | having(
        "__call__", words="a function of (target, n_runs, random_state) that gives lists of rows, FeatureNoise(0.1)"
    )
    | Rule(lambda value: isinstance(value, (list, tuple)) and len(value) > 0, "a list of lists of rows", ([],))
)


def draw(perturb: Any, target: Array, n_runs: int, random_state: Any, groups: Any = None) -> list[Any]:
    """Lists of rows (or noise) by the name of a perturbation, from a splitter (its training parts), or as given."""
    if isinstance(perturb, str):
        return PERTURBATIONS[perturb](target, n_runs, random_state, groups=groups)
    if hasattr(perturb, "split"):
        lists = [train for train, _ in perturb.split(np.zeros((len(target), 1)), target, groups)]
    elif callable(perturb):
        lists = _called(perturb, target, n_runs, random_state)
    else:
        lists = list(perturb)
    if not lists:
        raise ValueError(f"perturb={perturb!r} gives no run. At least one list of rows is needed.")
    return [_rows(rows, number, len(target)) for number, rows in enumerate(lists)]


def _called(perturb: Any, target: Array, n_runs: int, random_state: Any) -> list[Any]:
    try:
        signature(perturb).bind(target, n_runs, random_state)
        return list(perturb(target, n_runs, random_state))
    except TypeError as error:
        raise ValueError(
            f"perturb={perturb!r} could not be called with (target, n_runs, random_state) for lists of rows: {error}."
        ) from error


def _n_runs_folds(target: Array, n_runs: int, random_state: Any, groups: Any = None) -> list[Array]:
    n_units = len(target if groups is None else np.unique(groups))
    if not 2 <= n_runs <= n_units:
        what = "samples" if groups is None else "groups"
        if n_units < 2:
            raise DataError(f"There is only one of the {what}, and folds need two. Use 'bootstrap', or other groups.")
        raise ValueError(f"n_runs={n_runs} folds of {n_units} {what} cannot be made. Pass n_runs from 2 to {n_units}.")
    return folds(target, n_runs, random_state, groups=groups)


def _rows(rows: Any, number: int, n_samples: int) -> Any:
    if isinstance(rows, Noise):
        return rows
    if isinstance(rows, tuple) and len(rows) == 2 and all(hasattr(part, "__len__") for part in rows):
        raise ValueError(
            f"perturb: run {number} is a pair, as a splitter's (train, test). Pass the splitter itself, or the "
            "training parts alone."
        )
    found = np.asarray(rows)
    if found.dtype == bool:
        if found.shape != (n_samples,):
            raise ValueError(
                f"perturb: run {number} is a mask of shape {found.shape}, but there are {n_samples} samples: one True "
                "or False for each."
            )
        found = np.flatnonzero(found)
    if found.ndim != 1 or len(found) == 0 or found.dtype.kind not in "iu":
        raise ValueError(f"perturb: run {number} must be a list of row numbers with at least one, but is {rows!r}.")
    if found.min() < 0 or found.max() >= n_samples:
        outside = found[(found < 0) | (found >= n_samples)][0]
        raise ValueError(
            f"perturb: run {number} names row {outside}, but there are {n_samples} samples, numbered from 0."
        )
    return np.sort(found)
