"""All subsets of one size, one after the other, until one has a small enough value.

A subset is a beginning and a last feature. The partition by every beginning of the beginning is kept, one a depth, so
that a subset costs its last feature only. Features are tried in the order of their rows, so subsets come in
lexicographic order. Values are those of ``partitions``; pure blocks have no part in them and are dropped.

A mixed block is a list of the words in which it has samples, each with a mask of its samples of every class: a feature
splits it by AND, and values are counted by popcount. The lists of a depth stand one behind the other in ``words`` and
``masks`` (a mask a class); ``ends`` says where each block's ends, ``sizes`` how many samples of each class it has.
Samples sorted by the features that are tried most need fewer words. Where features or classes have so many levels that
masks are more work than samples, ``try_subsets_by_samples`` does the same through ``partitions``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.kernels._jit import Array, inlined, kernel, popcount
from holdfast.kernels.partitions import BLOCK, ENTROPY, MIXED, SAMPLE, VALUE, split

STALE, BEST, LAST, IS_OVER = 0, 1, 2, 3
N_STATE = 4


@kernel
def renumber(levels: Array, number: Array, n_levels: Array) -> None:
    """Number the levels of every feature in the order of their appearance, so that equal partitions have equal rows.

    ``number`` is -1 for every level there may be, and left so.
    """
    for f in range(levels.shape[0]):
        n = 0
        for r in range(levels.shape[1]):
            level = levels[f, r]
            if number[level] < 0:
                number[level] = n
                n += 1
            levels[f, r] = number[level]
        n_levels[f] = n
        number[:] = -1


@inlined
def _start_of(ends: Array, b: int) -> int:
    start: int = ends[b - 1] if b > 0 else 0
    return start


@kernel
def _refine(
    bits: Array, n_classes: int,
    words: Array, masks: Array, ends: Array, sizes: Array, n_blocks: int,
    new_words: Array, new_masks: Array, new_ends: Array, new_sizes: Array,
) -> int:  # fmt: skip
    """Split blocks by a feature; how many mixed blocks there are then."""
    n_new = 0
    n_entries = 0
    for b in range(n_blocks):
        for level in range(bits.shape[0]):
            end = n_entries
            for c in range(n_classes):
                new_sizes[n_new * n_classes + c] = 0
            for entry in range(_start_of(ends, b), ends[b]):
                word = bits[level, words[entry]]
                any_left = np.uint64(0)
                for c in range(n_classes):
                    mask = masks[entry * n_classes + c] & word
                    new_masks[end * n_classes + c] = mask
                    new_sizes[n_new * n_classes + c] += np.int64(popcount(mask))
                    any_left |= mask
                if any_left:
                    new_words[end] = words[entry]
                    end += 1
            n_present = 0
            for c in range(n_classes):
                n_present += new_sizes[n_new * n_classes + c] > 0
            if n_present > 1:
                new_ends[n_new] = end
                n_new += 1
                n_entries = end
    return n_new


@inlined
def _risk_of_two(bits: Array, words: Array, masks: Array, ends: Array, sizes: Array, n_blocks: Any, enough: int) -> Any:
    """Samples outside the majority of two classes once a feature has split the blocks."""
    risk: Any = 0
    for b in range(n_blocks):
        start = _start_of(ends, b)
        left_of_first = sizes[2 * b]
        left_of_second = sizes[2 * b + 1]
        for level in range(1, bits.shape[0]):
            n_first = np.uint64(0)
            n_second = np.uint64(0)
            for entry in range(start, ends[b]):
                word = bits[level, words[entry]]
                n_first += popcount(masks[2 * entry] & word)
                n_second += popcount(masks[2 * entry + 1] & word)
            risk += min(np.int64(n_first), np.int64(n_second))
            left_of_first -= np.int64(n_first)
            left_of_second -= np.int64(n_second)
        risk += min(left_of_first, left_of_second)
        if risk >= enough:
            break
    return risk


@inlined
def _value_of_many(
    bits: Array, n_classes: int, kind: int, table: Array,
    words: Array, masks: Array, ends: Array, sizes: Array, n_blocks: Any, left: Array, enough: int,
) -> Any:  # fmt: skip
    """Value once a feature has split the blocks."""
    value = 0
    for b in range(n_blocks):
        start = _start_of(ends, b)
        for c in range(n_classes):
            left[c] = sizes[b * n_classes + c]
        for level in range(bits.shape[0] - 1, -1, -1):
            size = 0
            largest = 0
            entropy = 0
            for c in range(n_classes):
                count = left[c]
                if level > 0 and count > 0:
                    n = np.uint64(0)
                    for entry in range(start, ends[b]):
                        n += popcount(masks[entry * n_classes + c] & bits[level, words[entry]])
                    count = np.int64(n)
                    left[c] -= count
                size += count
                largest = max(largest, count)
                entropy -= table[count]
            value += entropy + table[size] if kind == ENTROPY else size - largest
        if value >= enough:
            break
    return value


@inlined
def _next_beginning(beginning: Array, n_features: int) -> int:
    """Go to the next beginning; the first place that changed, or -1 after the last."""
    depth: int = beginning.shape[0]
    d = depth - 1
    while d >= 0 and beginning[d] == n_features - 1 - depth + d:
        d -= 1
    if d >= 0:
        beginning[d] += 1
        for later in range(d + 1, depth):
            beginning[later] = beginning[later - 1] + 1
    return d


@kernel
def try_subsets(
    bits: Array, starts: Array, n_classes: int, kind: int, table: Array,
    limit: int, n_tries: int, beginning: Array, state: Array,
    words: Array, masks: Array, ends: Array, sizes: Array, n_blocks: Array, left: Array,
) -> int:  # fmt: skip
    """Try subsets from ``beginning`` on, at least ``n_tries`` of them if there are so many; how many were tried.

    The rows of ``bits`` from ``starts[f]`` on are masks of the samples at each level of feature f, one for every level.
    Stops behind the first whose value is at most ``limit``: ``state[LAST]`` is its last feature, otherwise -1. When
    none is left, ``state[IS_OVER]`` is 1. ``state[BEST]`` is the lowest value seen, above the limit until then.
    ``state[STALE]`` is the depth behind which partitions do not fit the beginning.
    """
    n_features = starts.shape[0] - 1
    depth = beginning.shape[0]
    last_words, last_masks, last_ends, last_sizes = words[depth], masks[depth], ends[depth], sizes[depth]
    is_risk_of_two = n_classes == 2 and kind != ENTROPY
    best = state[BEST]
    n_tried = 0
    while n_tried < n_tries:
        for d in range(state[STALE], depth):
            f = beginning[d]
            n_blocks[d + 1] = _refine(
                bits[starts[f] : starts[f + 1]], n_classes, words[d], masks[d], ends[d], sizes[d], n_blocks[d],
                words[d + 1], masks[d + 1], ends[d + 1], sizes[d + 1],
            )  # fmt: skip
        state[STALE] = depth
        for f in range(beginning[depth - 1] + 1 if depth > 0 else 0, n_features):
            splits = bits[starts[f] : starts[f + 1]]
            if is_risk_of_two:
                value = _risk_of_two(splits, last_words, last_masks, last_ends, last_sizes, n_blocks[depth], best)
            else:
                value = _value_of_many(
                    splits, n_classes, kind, table,
                    last_words, last_masks, last_ends, last_sizes, n_blocks[depth], left, best,
                )  # fmt: skip
            n_tried += 1
            if value < best:
                best = state[BEST] = value
                if value <= limit:
                    state[LAST] = f
                    return n_tried
        state[STALE] = _next_beginning(beginning, n_features)
        if state[STALE] < 0:
            state[IS_OVER] = 1
            break
    return n_tried


@kernel
def try_subsets_by_samples(
    levels: Array, n_levels: Array, y: Array, n_classes: int, kind: int, table: Array,
    limit: int, n_tries: int, beginning: Array, state: Array, work: Array, lookup: Array, counts: Array, at: Array,
) -> int:  # fmt: skip
    """The same as ``try_subsets``, for features of any number of levels."""
    n_features = levels.shape[0]
    depth = beginning.shape[0]
    n_tried = 0
    while n_tried < n_tries:
        for d in range(state[STALE], depth):
            f = beginning[d]
            _copy(work[d], at[d], work[d + 1], at[d + 1])
            split(levels[f], n_levels[f], y, n_classes, kind, table, work[d + 1], lookup, counts, at[d + 1])
        state[STALE] = depth
        for f in range(beginning[depth - 1] + 1 if depth > 0 else 0, n_features):
            _copy(work[depth], at[depth], work[depth + 1], at[depth + 1])
            split(levels[f], n_levels[f], y, n_classes, kind, table, work[depth + 1], lookup, counts, at[depth + 1])
            n_tried += 1
            if at[depth + 1, VALUE] < state[BEST]:
                state[BEST] = at[depth + 1, VALUE]
                if state[BEST] <= limit:
                    state[LAST] = f
                    return n_tried
        state[STALE] = _next_beginning(beginning, n_features)
        if state[STALE] < 0:
            state[IS_OVER] = 1
            break
    return n_tried


@inlined
def _copy(work: Array, at: Array, new_work: Array, new_at: Array) -> None:
    for a in range(at[MIXED]):
        new_work[SAMPLE, a] = work[SAMPLE, a]
        new_work[BLOCK, a] = work[BLOCK, a]
    for i in range(at.shape[0]):
        new_at[i] = at[i]
