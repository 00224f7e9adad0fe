"""Search by sampling: draw sets of features, know those met before, and move the probabilities of the features.

Set s of a population has the features ``members[starts[s]:starts[s + 1]]``, ascending.
"""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel

_FIRST = np.uint64(0xCBF29CE484222325)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@kernel
def draw_sets(uniforms: Array, inclusion: Array, members: Array, starts: Array) -> int:
    """Put feature j into set s where its number is below its probability; how many members there are in all.

    If they do not fit, the rest is only counted.
    """
    n_members = 0
    starts[0] = 0
    for s in range(uniforms.shape[0]):
        for j in range(inclusion.shape[0]):
            if uniforms[s, j] < inclusion[j]:
                if n_members < members.shape[0]:
                    members[n_members] = j
                n_members += 1
        starts[s + 1] = n_members
    return n_members


@kernel
def look_up(
    members: Array, starts: Array, slots: Array, known: Array, known_starts: Array, n_known: int, which: Array
) -> int:
    """Number of each set among the known ones, to which new ones are added; how many are known then.

    ``slots`` is a table of numbers, -1 where it is free, with a power of two of places, not all of them taken. Sets are
    compared member by member, so that no two are ever taken for one.
    """
    mask = np.uint64(slots.shape[0] - 1)
    for s in range(starts.shape[0] - 1):
        first = starts[s]
        size = starts[s + 1] - first
        mixed = _FIRST
        for i in range(first, first + size):
            mixed = (mixed ^ np.uint64(members[i])) * _FACTOR
            mixed ^= mixed >> _SHIFT
        slot = np.int64(mixed & mask)
        found = False
        while slots[slot] >= 0 and not found:
            other = slots[slot]
            begin = known_starts[other]
            if known_starts[other + 1] - begin == size:
                found = True
                for i in range(size):
                    if known[begin + i] != members[first + i]:
                        found = False
                        break
            if not found:
                slot = (slot + 1) & np.int64(mask)
        if not found:
            slots[slot] = n_known
            begin = known_starts[n_known]
            for i in range(size):
                known[begin + i] = members[first + i]
            n_known += 1
            known_starts[n_known] = begin + size
        which[s] = slots[slot]
    return n_known


@kernel
def move_probabilities(
    members: Array, starts: Array, values: Array, inclusion: Array, step: float, least: float, low: float, high: float,
    is_skipped: bool, counts: Array, sums: Array, history: Array,
) -> None:  # fmt: skip
    """Move each probability by the mean value of the sets with the feature less that of the sets without it.

    The step is 1 / (step · (best - mean) + least). A feature in no set or in all stays, or (not ``is_skipped``) the
    missing mean is 0. ``history`` gets best and mean value, step size, sum of probabilities and largest change.
    """
    n_sets = values.shape[0]
    for j in range(inclusion.shape[0]):
        counts[j] = 0
        sums[j] = 0.0
    best = values[0]
    total = 0.0
    for s in range(n_sets):
        best = max(best, values[s])
        total += values[s]
        for i in range(starts[s], starts[s + 1]):
            counts[members[i]] += 1
            sums[members[i]] += values[s]
    mean = total / n_sets
    size = 1.0 / (step * (best - mean) + least)
    expected = 0.0
    change = 0.0
    for j in range(inclusion.shape[0]):
        n_with = counts[j]
        n_without = n_sets - n_with
        if not is_skipped or (n_with > 0 and n_without > 0):
            importance = sums[j] / max(n_with, 1) - (total - sums[j]) / max(n_without, 1)
            moved = min(max(inclusion[j] + size * importance, low), high)
            change = max(change, abs(moved - inclusion[j]))
            inclusion[j] = moved
        expected += inclusion[j]
    history[0] = best
    history[1] = mean
    history[2] = size
    history[3] = expected
    history[4] = change
