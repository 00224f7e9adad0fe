"""Test samples that nearest-neighbour classifiers get wrong, for subsets of features and for changes of one subset.

Samples are columns here: ``columns`` is features × samples. Splits lie one after the other in ``train`` and ``test``;
split s is ``starts[s]`` to ``starts[s + 1]``. Centring cancels in a difference, so a standardised distance needs only
the factor ``scales[s, f]``, one over the deviation of feature f in training part s.

Distances that differ by less than ``TIE`` of their size are equal, and among equal ones the training sample that comes
first is nearest. So rounding, and with it the order in which features are summed, chooses no neighbour. Distances out
of which features were taken carry the rounding of what they were, so they tie within ``LEFT_OVER`` of that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.kernels._jit import Array, inlined, kernel

TIE = 1e-10
LEFT_OVER = 1e-12
_ROUNDING = float(np.finfo(np.float64).eps)


@kernel
def training_scales(columns: Array, train: Array, train_starts: Array, scales: Array) -> None:
    """One over the deviation of every feature in every training part; 0 where it is constant up to rounding."""
    for s in range(scales.shape[0]):
        rows = train[train_starts[s] : train_starts[s + 1]]
        n_rows = rows.shape[0]
        for f in range(columns.shape[0]):
            column = columns[f]
            mean = 0.0
            for r in rows:
                mean += column[r]
            mean /= n_rows
            # The second sum takes out what rounding left in the first.
            rest = 0.0
            for r in rows:
                rest += column[r] - mean
            mean += rest / n_rows
            variance = 0.0
            for r in rows:
                variance += (column[r] - mean) * (column[r] - mean)
            variance /= n_rows
            noise = n_rows * mean * _ROUNDING
            is_constant = variance <= n_rows * _ROUNDING * variance + noise * noise
            scales[s, f] = 0.0 if is_constant else 1.0 / np.sqrt(variance)


@inlined
def _voted(
    distances: Array, slack: float, rows: Array, target: Array, n_neighbors: int, near: Array, votes: Array
) -> Any:
    """Class of most of the nearest training samples; the smaller class if two have as many."""
    for i in range(rows.shape[0]):
        near[i] = distances[rows[i]]
    for c in range(votes.shape[0]):
        votes[c] = 0
    for _ in range(n_neighbors):
        least = np.inf
        for i in range(rows.shape[0]):
            least = min(least, near[i])
        reach = least + abs(least) * TIE + slack
        first = 0
        while near[first] > reach:
            first += 1
        near[first] = np.inf
        votes[target[rows[first]]] += 1
    winner = 0
    for c in range(votes.shape[0]):
        if votes[c] > votes[winner]:
            winner = c
    return winner


@kernel
def count_wrong(
    columns: Array,
    target: Array,
    scales: Array,
    train: Array,
    train_starts: Array,
    test: Array,
    test_starts: Array,
    n_neighbors: int,
    features: Array,
    starts: Array,
    wrong: Array,
    distances: Array,
    near: Array,
    votes: Array,
) -> None:
    """Test samples misclassified with each subset; subset i is ``features[starts[i]:starts[i + 1]]``."""
    n_samples = columns.shape[1]
    for i in range(wrong.shape[0]):
        wrong[i] = 0
        subset = features[starts[i] : starts[i + 1]]
        for s in range(scales.shape[0]):
            rows = train[train_starts[s] : train_starts[s + 1]]
            for t in test[test_starts[s] : test_starts[s + 1]]:
                for r in range(n_samples):
                    distances[r] = 0.0
                for f in subset:
                    column = columns[f]
                    value = column[t]
                    scale = scales[s, f]
                    for r in range(n_samples):
                        step = (column[r] - value) * scale
                        distances[r] += step * step
                if _voted(distances, 0.0, rows, target, n_neighbors, near, votes) != target[t]:
                    wrong[i] += 1


@kernel
def count_wrong_without(
    columns: Array,
    target: Array,
    scales: Array,
    train: Array,
    train_starts: Array,
    test: Array,
    test_starts: Array,
    n_neighbors: int,
    whole: Array,
    features: Array,
    starts: Array,
    wrong: Array,
    distances: Array,
    near: Array,
    votes: Array,
) -> None:
    """Test samples misclassified when features leave one subset.

    ``whole`` holds the squared distances of the subset, from each test sample (in the order of ``test``) to all;
    change i is ``features[starts[i]:starts[i + 1]]``.
    """
    n_samples = columns.shape[1]
    for i in range(wrong.shape[0]):
        wrong[i] = 0
    for s in range(scales.shape[0]):
        rows = train[train_starts[s] : train_starts[s + 1]]
        for position in range(test_starts[s], test_starts[s + 1]):
            t = test[position]
            before = whole[position]
            slack = 0.0
            for r in range(n_samples):
                slack = max(slack, before[r] * LEFT_OVER)
            for i in range(wrong.shape[0]):
                for r in range(n_samples):
                    distances[r] = before[r]
                for f in features[starts[i] : starts[i + 1]]:
                    column = columns[f]
                    value = column[t]
                    scale = scales[s, f]
                    for r in range(n_samples):
                        step = (column[r] - value) * scale
                        distances[r] -= step * step
                if _voted(distances, slack, rows, target, n_neighbors, near, votes) != target[t]:
                    wrong[i] += 1


@kernel
def add_feature(columns: Array, scales: Array, test: Array, test_starts: Array, feature: int, whole: Array) -> None:
    """Add a feature to the squared distances ``whole``."""
    column = columns[feature]
    for s in range(scales.shape[0]):
        scale = scales[s, feature]
        for position in range(test_starts[s], test_starts[s + 1]):
            so_far = whole[position]
            value = column[test[position]]
            for r in range(column.shape[0]):
                step = (column[r] - value) * scale
                so_far[r] += step * step
