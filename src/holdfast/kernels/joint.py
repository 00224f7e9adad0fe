"""What a set of discrete features tells about the class when one more joins it."""

from __future__ import annotations

from holdfast.kernels._jit import Array, kernel


@kernel
def joint_information(
    labels: Array,
    levels: Array,
    n_levels: int,
    y: Array,
    n_classes: int,
    table: Array,
    counts: Array,
    both: Array,
    sums: Array,
) -> None:
    """Σ c·log(c) over the joint levels with the class, less the same without it, for each feature joined.

    ``labels`` numbers the joint levels of the set, ``levels[f]`` those of feature f; ``counts`` and ``both`` are zero
    and are left so.
    """
    n_samples = labels.shape[0]
    for f in range(levels.shape[0]):
        total = 0
        for r in range(n_samples):
            key = labels[r] * n_levels + levels[f, r]
            total -= table[counts[key] + 1] - table[counts[key]]
            counts[key] += 1
            key = key * n_classes + y[r]
            total += table[both[key] + 1] - table[both[key]]
            both[key] += 1
        for r in range(n_samples):
            key = labels[r] * n_levels + levels[f, r]
            counts[key] = 0
            both[key * n_classes + y[r]] = 0
        sums[f] = total
