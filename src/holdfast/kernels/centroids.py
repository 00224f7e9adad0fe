"""How far apart classes lie around their centroids when one more feature joins a set (the LW index)."""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel

FARTHEST, MEAN, ROOT_MEAN_SQUARE = 0, 1, 2


@kernel
def class_means(columns: Array, y: Array, sizes: Array, means: Array) -> None:
    """Mean of every column in every class."""
    means[:] = 0.0
    for f in range(columns.shape[0]):
        for r in range(columns.shape[1]):
            means[f, y[r]] += columns[f, r]
        for c in range(means.shape[1]):
            means[f, c] /= sizes[c]


@kernel
def separations(
    columns: Array,
    means: Array,
    features: Array,
    y: Array,
    sizes: Array,
    own: Array,
    apart: Array,
    radius: int,
    radii: Array,
    answer: Array,
) -> None:
    """LW index of a set with each feature joined.

    ``own`` holds each sample's squared distance from the centroid of its class, ``apart`` those between centroids.
    """
    n_classes = sizes.shape[0]
    for i in range(features.shape[0]):
        column, mean = columns[features[i]], means[features[i]]
        for c in range(n_classes):
            radii[c] = 0.0
        for r in range(column.shape[0]):
            step = column[r] - mean[y[r]]
            square = own[r] + step * step
            if radius == FARTHEST:
                radii[y[r]] = max(radii[y[r]], square)
            elif radius == MEAN:
                radii[y[r]] += np.sqrt(square)
            else:
                radii[y[r]] += square
        for c in range(n_classes):
            if radius == FARTHEST:
                radii[c] = np.sqrt(radii[c])
            elif radius == MEAN:
                radii[c] /= sizes[c]
            else:
                radii[c] = np.sqrt(radii[c] / sizes[c])
        total = 0.0
        for a in range(n_classes):
            least = np.inf
            for b in range(n_classes):
                if a != b:
                    step = mean[a] - mean[b]
                    distance = np.sqrt(apart[a, b] + step * step)
                    least = min(least, distance - (radii[a] + radii[b]))
            total += least
        answer[i] = total / n_classes
