"""How far features tell the classes apart together: samples split into blocks of equal levels, feature by feature.

A block whose samples are of one class stays so however it is split further, and adds nothing to any value here; so
only samples in mixed blocks are carried along, and a value costs the samples still mixed when each feature's turn
comes, not samples × features. Blocks are numbered through a table of (block, level), so no two different rows can
ever be taken for equal.

Values are integers that fall as features join: samples outside the majority class of their block (RISK), the entropy
of the class within blocks in units of ``information.log_table`` (ENTROPY), or 1 while any block is mixed (BINARY).

The partition lives in ``work`` (rows by name below, one column a sample), ``lookup`` (-1 for every block × level) and
``counts`` (0 for every block × class), which kernels leave as they found them, and ``at``: how many samples are in
mixed blocks, how many such blocks there are, and the value.
"""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel

RISK, ENTROPY, BINARY = 0, 1, 2
SAMPLE, BLOCK, _NEW_BLOCK, _SIZE, _LARGEST, _NUMBER = 0, 1, 2, 3, 4, 5
MIXED, _BLOCKS, VALUE = 0, 1, 2
N_AT = 3


def scratch(n_samples: int, n_levels: int, n_classes: int, n_at: int = N_AT) -> tuple[Array, Array, Array, Array]:
    """Work, look-up table, counts and state for features of at most so many levels."""
    return (
        np.empty((6, n_samples), dtype=np.int64),
        np.full(n_samples * n_levels, -1, dtype=np.int64),
        np.zeros(n_samples * n_classes, dtype=np.int64),
        np.zeros(n_at, dtype=np.int64),
    )


@kernel
def start(y: Array, n_classes: int, kind: int, table: Array, work: Array, counts: Array, at: Array) -> None:
    """All samples in one block."""
    n_samples = y.shape[0]
    largest = 0
    for r in range(n_samples):
        work[SAMPLE, r] = r
        work[BLOCK, r] = 0
        counts[y[r]] += 1
        if counts[y[r]] > largest:
            largest = counts[y[r]]
    entropy = table[n_samples]
    for c in range(n_classes):
        entropy -= table[counts[c]]
        counts[c] = 0
    is_mixed = largest < n_samples
    at[MIXED] = n_samples if is_mixed else 0
    at[_BLOCKS] = 1 if is_mixed else 0
    at[VALUE] = n_samples - largest if kind == RISK else entropy if kind == ENTROPY else at[_BLOCKS]


@kernel
def split(
    column: Array, n_levels: int, y: Array, n_classes: int, kind: int, table: Array,
    work: Array, lookup: Array, counts: Array, at: Array,
) -> bool:  # fmt: skip
    """Split the mixed blocks by one more feature; whether any of them fell apart."""
    n_mixed = at[MIXED]
    n_new = 0
    for a in range(n_mixed):
        key = work[BLOCK, a] * n_levels + column[work[SAMPLE, a]]
        b = lookup[key]
        if b < 0:
            b = n_new
            lookup[key] = b
            work[_NUMBER, b] = key
            n_new += 1
        work[_NEW_BLOCK, a] = b
    for b in range(n_new):
        lookup[work[_NUMBER, b]] = -1
    if n_new == at[_BLOCKS]:
        return False
    for b in range(n_new):
        work[_SIZE, b] = 0
        work[_LARGEST, b] = 0
    entropy = 0
    for a in range(n_mixed):
        b = work[_NEW_BLOCK, a]
        place = b * n_classes + y[work[SAMPLE, a]]
        count = counts[place] + 1
        counts[place] = count
        size = work[_SIZE, b] + 1
        work[_SIZE, b] = size
        if count > work[_LARGEST, b]:
            work[_LARGEST, b] = count
        if kind == ENTROPY:
            entropy += (table[size] - table[size - 1]) - (table[count] - table[count - 1])
    n_blocks = 0
    risk = 0
    for b in range(n_new):
        outside = work[_SIZE, b] - work[_LARGEST, b]
        risk += outside
        work[_NUMBER, b] = n_blocks if outside > 0 else -1
        if outside > 0:
            n_blocks += 1
    n_kept = 0
    for a in range(n_mixed):
        b = work[_NEW_BLOCK, a]
        sample = work[SAMPLE, a]
        counts[b * n_classes + y[sample]] = 0
        if work[_NUMBER, b] >= 0:
            work[SAMPLE, n_kept] = sample
            work[BLOCK, n_kept] = work[_NUMBER, b]
            n_kept += 1
    at[MIXED] = n_kept
    at[_BLOCKS] = n_blocks
    at[VALUE] = risk if kind == RISK else entropy if kind == ENTROPY else 1 if n_blocks > 0 else 0
    return True


@kernel
def split_by_each(
    levels: Array, n_levels: Array, y: Array, n_classes: int, kind: int, table: Array,
    work: Array, lookup: Array, counts: Array, at: Array, values: Array,
) -> None:  # fmt: skip
    """Split by one feature after the other; the value after each."""
    for f in range(levels.shape[0]):
        if at[MIXED] > 0:
            split(levels[f], n_levels[f], y, n_classes, kind, table, work, lookup, counts, at)
        values[f] = at[VALUE]


@kernel
def value_of(
    levels: Array, n_levels: Array, y: Array, n_classes: int, kind: int, table: Array,
    members: Array, enough: int, work: Array, lookup: Array, counts: Array, at: Array,
) -> int:  # fmt: skip
    """Value of a subset, its features taken in the given order; any value up to ``enough`` may stand for a lower."""
    start(y, n_classes, kind, table, work, counts, at)
    for position in range(members.shape[0]):
        if at[VALUE] <= enough or at[MIXED] == 0:
            break
        f = members[position]
        split(levels[f], n_levels[f], y, n_classes, kind, table, work, lookup, counts, at)
    value: int = at[VALUE]
    return value
