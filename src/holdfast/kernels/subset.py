"""Merit of a subset with every sum computed from scratch: CFS as it was before it learnt to remember."""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel
from holdfast.kernels.information import joint_sum
from holdfast.kernels.lazy import TIE


@kernel
def subset_merits(
    bits: Array, sizes: Array, n_levels: Array, levels: Array, margins: Array,
    y_bits: Array, y_sizes: Array, y_n_levels: Array, y_levels: Array, y_margin: int,
    subset: Array, candidates: Array, table: Array, unit: float, scratch: Array, merits: Array,
) -> None:  # fmt: skip
    """CFS merit of ``subset`` with its last place taken by each candidate in turn."""
    size = subset.shape[0]
    whole = table[table.shape[0] - 1]
    for position in range(candidates.shape[0]):
        subset[size - 1] = candidates[position]
        relevance = 0.0
        redundancy = 0.0
        for i in range(size):
            f = subset[i]
            joint = joint_sum(
                bits, sizes, n_levels, levels, f, y_bits, y_sizes, y_n_levels, y_levels, 0, table, scratch
            )
            information = (whole - margins[f] - y_margin + joint) * unit
            if information >= TIE:
                relevance += 2.0 * information / ((whole - margins[f] + whole - y_margin) * unit)
            shared = 0.0
            for j in range(i):
                g = subset[j]
                joint = joint_sum(bits, sizes, n_levels, levels, f, bits, sizes, n_levels, levels, g, table, scratch)
                information = (whole - margins[f] - margins[g] + joint) * unit
                if information >= TIE:
                    shared += 2.0 * information / ((whole - margins[f] + whole - margins[g]) * unit)
            redundancy += shared
        merits[position] = relevance / np.sqrt(size + 2.0 * redundancy)
