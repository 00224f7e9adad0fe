"""Joint counts of binned features and the entropy sums made from them.

A level of a feature is a mask of n bits, so a joint count is AND + popcount. Level 0 has no mask: its counts follow
from the margins. Entropy sums are integers (c·log2(c) in fixed point, see ``log_table``), so neither the order of
the samples nor that of the levels or classes can change a bit of them.

Coded variables travel as four arrays: ``bits`` (variables × levels-1 × words), ``sizes`` (how many samples each mask
holds), ``n_levels``, and ``levels``, the byte codes (variables × samples), which may be empty when every variable
is packed. Counts are unsigned because numba then skips its test for negative indices: a third of the time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from holdfast.kernels._jit import Array, inlined, kernel, popcount

# Counting by masks grows with the product of the levels; past this a variable is counted from its byte codes.
MAX_PACKED_LEVELS = 16
MAX_LEVELS = 255


@lru_cache(maxsize=64)
def log_table(n_samples: int) -> tuple[Array, float]:
    """Fixed-point c·log2(c) for c = 0 … n, and what one unit of it is worth in bits per sample.

    The largest entry stays below 2**60, so that the few entries an entropy adds and subtracts cannot overflow.
    """
    counts = np.arange(n_samples + 1, dtype=np.float64)
    exact = counts * np.log2(np.maximum(counts, 1.0))
    scale = 2.0 ** (59 - int(np.ceil(np.log2(max(exact[-1], 2.0)))))
    table = np.rint(exact * scale).astype(np.int64)
    return table, 1.0 / (scale * n_samples)


def joint_scratch() -> Array:
    """Zeros for the joint counts of two byte-coded variables; kernels leave them zero."""
    return np.zeros((MAX_LEVELS + 1) ** 2, dtype=np.int64)


@kernel
def pack(levels: Array, n_levels: Array, bits: Array, sizes: Array) -> None:
    """Write masks and sizes of byte codes; a variable with more levels than masks is left out."""
    n_variables, n_samples = levels.shape
    for f in range(n_variables):
        if n_levels[f] > bits.shape[1] + 1 or n_levels[f] == 1:
            continue
        for mask in range(n_levels[f] - 1):
            level = np.uint8(mask + 1)
            size = np.uint64(0)
            for w in range(bits.shape[2]):
                codes = levels[f, 64 * w : min(64 * w + 64, n_samples)]
                word = np.uint64(0)
                for r in range(codes.shape[0]):
                    word |= np.uint64(codes[r] == level) << np.uint64(r)
                bits[f, mask, w] = word
                size += popcount(word)
            sizes[f, mask] = size


@kernel
def unpack(bits: Array, levels: Array) -> None:
    """Write the byte codes of packed variables into ``levels``, which comes as zeros."""
    n_variables, n_masks, _ = bits.shape
    n_samples = levels.shape[1]
    for f in range(n_variables):
        for mask in range(n_masks):
            for r in range(n_samples):
                if (bits[f, mask, r >> 6] >> np.uint64(r & 63)) & np.uint64(1):
                    levels[f, r] = mask + 1


@kernel
def marginal_sums(sizes: Array, n_levels: Array, levels: Array, table: Array, scratch: Array, sums: Array) -> None:
    """Σ T[count] over the levels of each variable; n·log2(n) less it is n times the entropy."""
    n_variables, n_masks = sizes.shape
    n_samples = np.uint64(table.shape[0] - 1)
    for f in range(n_variables):
        total = np.int64(0)
        if n_levels[f] <= n_masks + 1:
            rest = n_samples
            for mask in range(n_masks):
                total += table[sizes[f, mask]]
                rest -= sizes[f, mask]
            total += table[rest]
        else:
            for r in range(levels.shape[1]):
                scratch[levels[f, r]] += 1
            for level in range(n_levels[f]):
                total += table[scratch[level]]
                scratch[level] = 0
        sums[f] = total


@inlined
def _joint_of_three_levels(
    bits: Array, sizes: Array, f: int, z_bits: Array, z_sizes: Array, z: int, table: Array
) -> Any:
    c11 = c12 = c21 = c22 = np.uint64(0)
    for w in range(bits.shape[2]):
        a1 = bits[f, 0, w]
        a2 = bits[f, 1, w]
        b1 = z_bits[z, 0, w]
        b2 = z_bits[z, 1, w]
        c11 += popcount(a1 & b1)
        c12 += popcount(a1 & b2)
        c21 += popcount(a2 & b1)
        c22 += popcount(a2 & b2)
    a1_size = sizes[f, 0]
    a2_size = sizes[f, 1]
    c10 = a1_size - c11 - c12
    c20 = a2_size - c21 - c22
    c01 = z_sizes[z, 0] - c11 - c21
    c02 = z_sizes[z, 1] - c12 - c22
    c00 = np.uint64(table.shape[0] - 1) - a1_size - a2_size - c01 - c02
    upper = table[c00] + table[c01] + table[c02] + table[c10] + table[c11]
    return upper + table[c12] + table[c20] + table[c21] + table[c22]


@inlined
def joint_sum(
    bits: Array, sizes: Array, n_levels: Array, levels: Array, f: int,
    z_bits: Array, z_sizes: Array, z_n_levels: Array, z_levels: Array, z: int,
    table: Array, scratch: Array,
) -> Any:  # fmt: skip
    """Σ T[joint count] over all pairs of levels of variable f of one coding and variable z of another."""
    n_masks = bits.shape[1]
    n_z_masks = z_bits.shape[1]
    if n_masks == 2 and n_z_masks == 2 and n_levels[f] <= 3 and z_n_levels[z] <= 3:
        return _joint_of_three_levels(bits, sizes, f, z_bits, z_sizes, z, table)
    total = np.int64(0)
    if n_levels[f] <= n_masks + 1 and z_n_levels[z] <= n_z_masks + 1:
        corner = np.int64(table.shape[0] - 1)
        n_z = z_n_levels[z] - 1
        for j in range(n_z):
            scratch[j] = np.int64(z_sizes[z, j])
        for i in range(n_levels[f] - 1):
            rest = sizes[f, i]
            for j in range(n_z):
                count = np.uint64(0)
                for w in range(bits.shape[2]):
                    count += popcount(bits[f, i, w] & z_bits[z, j, w])
                total += table[count]
                rest -= count
                scratch[j] -= np.int64(count)
            total += table[rest]
            corner -= np.int64(sizes[f, i])
        for j in range(n_z):
            total += table[scratch[j]]
            corner -= scratch[j]
            scratch[j] = 0
        total += table[corner]
    else:
        width = z_n_levels[z]
        for r in range(levels.shape[1]):
            scratch[np.int64(levels[f, r]) * width + z_levels[z, r]] += 1
        for r in range(levels.shape[1]):
            cell = np.int64(levels[f, r]) * width + z_levels[z, r]
            total += table[scratch[cell]]
            scratch[cell] = 0
    return total


@kernel
def joint_sums(
    bits: Array, sizes: Array, n_levels: Array, levels: Array, candidates: Array,
    z_bits: Array, z_sizes: Array, z_n_levels: Array, z_levels: Array, z: int,
    table: Array, scratch: Array, sums: Array,
) -> None:  # fmt: skip
    """Joint sums of each candidate with one variable z."""
    for position in range(candidates.shape[0]):
        sums[position] = joint_sum(
            bits, sizes, n_levels, levels, candidates[position],
            z_bits, z_sizes, z_n_levels, z_levels, z, table, scratch,
        )  # fmt: skip


@kernel
def shared_with_others(
    bits: Array, sizes: Array, n_levels: Array, levels: Array, margins: Array,
    table: Array, scratch: Array, totals: Array,
) -> None:  # fmt: skip
    """Sum, for each variable, of what it shares with every other, in units of the table."""
    whole = table[table.shape[0] - 1]
    for f in range(margins.shape[0]):
        for z in range(f):
            joint = joint_sum(bits, sizes, n_levels, levels, f, bits, sizes, n_levels, levels, z, table, scratch)
            shared = whole - margins[f] - margins[z] + joint
            totals[f] += shared
            totals[z] += shared
