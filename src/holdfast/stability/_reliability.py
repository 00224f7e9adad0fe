"""Reliability assessment: opinions of accurate lists count, unless others contradict them (Ben Brahim 2015, 3.3.2).

A list's confidence in a feature is its weight times the logarithm of one over the list's error (Eq. 3.12). A list is in
conflict where its weight differs from the others' although all are about as confident (Eq. 3.13 and 3.14); confidence
less conflict is reliability (Eq. 3.15), and weights times reliability are added up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.stability._rules import Aggregated, added, mean_weight, required_errors
from holdfast.stability.lists import Lists

Array = npt.NDArray[Any]


def raa(
    lists: Lists,
    *,
    n_samples: int | None = None,
    beta: str = "error",
    rel_norm: str = "global",
    over_lists: str = "sum",
) -> Aggregated:
    """Reliability: weights of lists of small error and little conflict with the others."""
    _require("beta", beta, ("error", "odds"))
    _require("rel_norm", rel_norm, ("global", "per-feature"))
    _require("over_lists", over_lists, ("sum", "max"))
    opinion = lists.weights
    if not ((opinion >= 0) & (opinion <= 1)).all():
        raise ValueError("The rule 'raa' compares the weights of lists, so each must be from 0 to 1. Rescale them.")
    evidence = _evidence(required_errors(lists, "raa"), n_samples, beta)
    confidence = _by_largest(opinion * evidence[:, None])
    conflict = similarity(confidence) * (1.0 - similarity(opinion))
    reliability = confidence * (1.0 - conflict)
    reliability = _by_largest(reliability) if rel_norm == "global" else _shares(reliability)
    adjusted = opinion * reliability
    scores = added(adjusted) if over_lists == "sum" else adjusted.max(axis=0)
    extra = {"confidence_": confidence, "conflict_": conflict, "reliability_": reliability}
    return Aggregated(scores, False, mean_weight(lists), np.ones(len(scores), dtype=bool), extra)


def similarity(values: Array) -> Array:
    """How near the value of each list is to those of the others: 1 less the mean absolute difference; 1 if alone."""
    n_lists = len(values)
    if n_lists == 1:
        return np.ones_like(values, dtype=float)
    order = np.argsort(values, axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0)
    # One place up, a step is added to the distances from all values below and taken from those above.
    below = np.arange(1, n_lists)[:, None]
    steps = np.diff(ordered, axis=0) * (2 * below - n_lists)
    first = (ordered - ordered[0]).sum(axis=0)
    distances = np.concatenate([first[None], first + np.cumsum(steps, axis=0)])
    similar = np.empty(values.shape)
    np.put_along_axis(similar, order, 1.0 - np.maximum(distances, 0.0) / (n_lists - 1), axis=0)
    return similar


def _evidence(errors: Array, n_samples: int | None, beta: str) -> Array:
    """Logarithm of one over the error, or over its odds; never below 0."""
    if n_samples is not None:
        errors = np.maximum(errors, 0.5 / n_samples)
    if (errors == 0).any():
        raise ValueError(
            "The rule 'raa' takes the logarithm of one over the error, and the error of a list is 0. "
            "Pass n_samples=…, the number of samples behind the errors: an error is then at least half a sample."
        )
    with np.errstate(divide="ignore"):
        logarithm = -np.log(errors) if beta == "error" else np.log1p(-errors) - np.log(errors)
    return np.maximum(logarithm, 0.0)


def _by_largest(values: Array) -> Array:
    largest = values.max(initial=0.0)
    return values / largest if largest > 0 else values


def _shares(values: Array) -> Array:
    total = added(values)
    shares: Array = np.divide(values, total, out=np.zeros_like(values), where=total > 0)
    return shares


def _require(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name}={value!r} is not allowed: it must be one of {', '.join(map(repr, choices))}.")
