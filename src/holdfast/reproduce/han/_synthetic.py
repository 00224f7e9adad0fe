"""SVM-RFE and its weighted kin on drawn data (section 6.1): weights, subsets and accuracy over the elimination.

A part draws some of the training sets and keeps what the whole needs: sums of weights, a number for every set, which
features stay how long, and all weights of the one iteration of which standard errors of bias and variance are told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn import config_context
from sklearn.svm import SVC

from holdfast.data import blocks
from holdfast.reproduce.han._weighing import (
    CONTROL,
    MEAN,
    PLAIN,
    SEED,
    SIGNATURE,
    WEIGHTED,
    Value,
    ki,
    mean_of,
    standard_error,
    svm_rfe,
)
from holdfast.reproduce.shelf import Shelf

Array = npt.NDArray[Any]

ARMS = (PLAIN, WEIGHTED, MEAN, CONTROL)
# Iterations of the elimination from 1,000 features; the 28th has 48 features, the 40th 10.
ITERATIONS = tuple(range(0, 41, 4))
NEAREST_50 = 28
N_TEST = 5000


class Drawn(NamedTuple):
    """A table in the order before its columns were shuffled, in which the relevant features come first."""

    X: Array
    y: Array
    n_relevant: int


@dataclass(frozen=True)
class Round:
    """One arm in one iteration of the elimination, over all training sets; KI is NaN while all features are left.

    Standard errors of bias and variance are NaN but for the iteration nearest to 50 features.
    """

    size: int
    error: Value
    bias: Value
    variance: Value
    ki: Value
    accuracy: Value
    n_relevant: Value


@dataclass(frozen=True)
class Synthetic:
    """All arms on training sets of one size; ``weights`` are least, largest and spread of n times a sample's weight."""

    n_samples: int
    n_sets: int
    arms: Mapping[str, Mapping[int, Round]]
    weights: tuple[float, float, float]

    def bias_itself(self, arm: str, iteration: int) -> float:
        """The bias without what the variance of a mean of so many sets adds to it."""
        one = self.arms[arm][iteration]
        return one.bias.value - one.variance.value / (self.n_sets - 1)


def on_block(
    n_samples: int, n_sets: int, first: int, stop: int, iterations: Sequence[int], shelf: Shelf, **options: Any
) -> dict[str, Any]:
    """A part: all arms on the training sets from ``first`` to ``stop`` of ``n_sets``, and the one test set."""
    seeds = np.random.SeedSequence([SEED, n_samples]).spawn(n_sets + 1)
    tests = in_place(blocks(N_TEST, random_state=np.random.default_rng(seeds[-1]), **options))
    found = [
        on_one_set(blocks(n_samples, random_state=np.random.default_rng(seed), **options), tests, iterations)
        for seed in seeds[first:stop]
    ]
    scaled = np.concatenate([one["weights"] for one in found]) * n_samples
    truth = _truth(tests.X.shape[1], tests.n_relevant)
    return {
        "n_samples": n_samples,
        "iterations": list(iterations),
        "n_features": tests.X.shape[1],
        "n_relevant": tests.n_relevant,
        "weights": [float(scaled.min()), float(scaled.max()), float(scaled.sum()), float((scaled**2).sum())],
        "arms": {arm: _kept([one[arm] for one in found], iterations, truth) for arm in ARMS},
    }


def _kept(found: Sequence[tuple[Array, Array, Array]], iterations: Sequence[int], truth: Array) -> dict[str, Any]:
    paths, active, accuracy = (np.array(part) for part in zip(*found, strict=True))
    kept: dict[str, Any] = {
        "sum": paths.sum(axis=0).tolist(),
        "error": ((paths - truth) ** 2).mean(axis=2).tolist(),
        "square": (paths**2).mean(axis=2).tolist(),
        "accuracy": accuracy.tolist(),
        "stays": active.sum(axis=1).tolist(),
    }
    if NEAREST_50 in iterations:
        at = list(iterations).index(NEAREST_50)
        kept["near"] = [path[is_left].tolist() for path, is_left in zip(paths[:, at], active[:, at], strict=True)]
    return kept


def on_one_set(made: Any, tests: Drawn, iterations: Sequence[int]) -> dict[str, Any]:
    """Weights, subsets and accuracy of every arm in some iterations, and the weights of the samples."""
    drawn = in_place(made)
    low, spread = drawn.X.min(axis=0), np.ptp(drawn.X, axis=0)
    Z = (drawn.X - low) / spread
    found: dict[str, Any] = {}
    planes, offsets = [], []
    for arm in ARMS:
        fitted = svm_rfe(arm, SIGNATURE, keep_path=True).fit(made.X, made.y)
        if arm == WEIGHTED:
            found["weights"] = fitted.weights_
        path = np.zeros((len(iterations), drawn.X.shape[1]))
        active = np.zeros(path.shape, dtype=bool)
        path[:, made.origin] = fitted.weight_path_[list(iterations)]
        active[:, made.origin] = fitted.rounds_ > np.array(iterations)[:, np.newaxis]
        found[arm] = (path, active)
        for is_left in active:
            w, b = _plane(Z[:, is_left], drawn.y)
            plane = np.zeros(drawn.X.shape[1])
            plane[is_left] = w / spread[is_left]
            planes.append(plane)
            offsets.append(b - plane @ low)
    decisions = tests.X @ np.array(planes).T + np.array(offsets)
    right = ((decisions > 0) == (tests.y > 0)[:, np.newaxis]).mean(axis=0).reshape(len(ARMS), -1)
    for arm, accuracy in zip(ARMS, right, strict=True):
        found[arm] = (*found[arm], accuracy)
    return found


def in_place(made: Any) -> Drawn:
    """Undo the shuffling of the columns."""
    X = np.empty_like(made.X)
    X[:, made.origin] = made.X
    return Drawn(X, made.y, len(made.relevant))


def _plane(Z: Array, y: Array) -> tuple[Array, float]:
    """Weights and offset of a linear support vector machine, C = 1."""
    with config_context(assume_finite=True, skip_parameter_validation=True):
        machine = SVC(kernel="precomputed", C=1.0).fit(Z @ Z.T, y)
    return machine.dual_coef_[0] @ Z[machine.support_], float(machine.intercept_[0])


def _truth(n_features: int, n_relevant: int) -> Array:
    truth = np.zeros(n_features)
    truth[:n_relevant] = 1.0 / n_relevant
    return truth


def gathered(parts: Sequence[Mapping[str, Any]]) -> Synthetic:
    """The parts of one sample size, in the order of their training sets."""
    one = parts[0]
    truth = _truth(one["n_features"], one["n_relevant"])
    arms = {arm: _rounds([part["arms"][arm] for part in parts], one["iterations"], truth) for arm in one["arms"]}
    n_sets = sum(len(part["arms"][PLAIN]["error"]) for part in parts)
    low, high, total, squares = zip(*(part["weights"] for part in parts), strict=True)
    n_weights = n_sets * one["n_samples"]
    spread = np.sqrt(sum(squares) / n_weights - (sum(total) / n_weights) ** 2)
    return Synthetic(one["n_samples"], n_sets, arms, (min(low), max(high), float(spread)))


def _rounds(kept: Sequence[Mapping[str, Any]], iterations: Sequence[int], truth: Array) -> dict[int, Round]:
    error, square, accuracy, stays = (
        np.concatenate([part[name] for part in kept]) for name in ("error", "square", "accuracy", "stays")
    )
    means = np.sum([part["sum"] for part in kept], axis=0) / len(error)
    found = {}
    for at, iteration in enumerate(iterations):
        active, mean = stays > at, means[at]
        bias_se = variance_se = np.nan
        if iteration == NEAREST_50:
            weights = np.zeros(active.shape)
            weights[active] = np.concatenate([row for part in kept for row in part["near"]])
            off = weights - mean
            bias_se = standard_error(2 * (off * (mean - truth)).mean(axis=1))
            variance_se = standard_error((off**2).mean(axis=1))
        found[iteration] = Round(
            int(active[0].sum()),
            mean_of(error[:, at]),
            Value(float(((mean - truth) ** 2).mean()), bias_se),
            Value(float(square[:, at].mean() - (mean**2).mean()), variance_se),
            Value(np.nan, np.nan) if active.all() else ki(active),
            mean_of(accuracy[:, at]),
            mean_of(active[:, truth > 0].sum(axis=1)),
        )
    return found
