"""What selectors that repeat themselves say about doubt, and how they draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.selectors._base import Problem
from holdfast.stability._draw import draw
from holdfast.stability._members import order_of_features, order_of_samples
from holdfast.stability.nogueira import nogueira_interval
from holdfast.stability.noise import FeatureNoise, Noise
from holdfast.stability.perturb import group_numbers

Array = npt.NDArray[Any]


def drawn_for(perturb: Any, problem: Problem, n_runs: int, random_state: Any, groups: Any = None) -> list[Any]:
    """Lists of rows; those drawn by name know neither the order of the samples nor the names of the classes."""
    is_noise = perturb == "feature-noise" or isinstance(perturb, FeatureNoise)
    if not isinstance(perturb, str) and not is_noise:
        target = problem.target if problem.measured_target is None else problem.measured_target
        return draw(perturb, target, n_runs, random_state, groups)
    order, classes = order_of_samples(problem)
    if is_noise:
        features = order_of_features(problem)
        return [noise.among(order, features) for noise in draw(perturb, classes, n_runs, random_state)]
    if groups is not None:
        groups = in_order_of_appearance(group_numbers(groups, len(order))[order])
    return [np.sort(order[rows]) for rows in draw(perturb, classes[order], n_runs, random_state, groups)]


def in_order_of_appearance(numbers: Array) -> Array:
    """Groups numbered as they are met, so that a draw knows no group by its name."""
    first = np.unique(numbers, return_index=True)[1]
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    numbered: Array = place[numbers]
    return numbered


def smallest_class(problem: Problem, drawn: Sequence[Any]) -> int:
    """Fewest different samples of any class in any run."""
    every = np.arange(len(problem.target))
    runs = [every if isinstance(rows, Noise) else np.unique(rows) for rows in drawn]
    return min(int(np.unique(problem.target[rows], return_counts=True)[1].min()) for rows in runs)


def doubt_about(lists: Sequence[Array], n_features: int) -> dict[str, Any]:
    """How often each feature was chosen, and how far the lists agree, with its interval."""
    runs = np.zeros((len(lists), n_features), dtype=bool)
    for run, columns in zip(runs, lists, strict=True):
        run[columns] = True
    found: dict[str, Any] = {"frequency_": runs.mean(axis=0), "stability_": np.nan}
    found["stability_interval_"] = (np.nan, np.nan)
    if len(lists) > 1:
        agreement = nogueira_interval(runs)
        found["stability_"] = agreement.value
        found["stability_interval_"] = (agreement.low, agreement.high)
    return found
