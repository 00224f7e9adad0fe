"""What nearest neighbours get wrong when a feature joins a set whose distances are known.

``whole`` holds the squared distances of the set, from every test sample (in the order of ``test``) to the training
samples of its split, nearest first, and ``order`` their places among these; infinity keeps a sample from being its own
neighbour. Split s is ``starts[s]`` to ``starts[s + 1]`` in ``train`` and ``test``; ``factors[s, f]`` is the square of
the factor by which feature f is measured there.

One more feature only adds to a distance, so the search for neighbours ends at the first sample that was farther away
already than those found are now. Features are looked at side by side, in lanes. A distance from 0 on compares as a
whole number does, so its lowest bits can carry the place of the sample, and sorting distances sorts samples.

Distances that differ by less than ``TIE`` of their size are equal, and among equal ones the training sample that comes
first is nearest, so that rounding chooses no neighbour. Where keys do not tell, neighbours are found by that rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.kernels._jit import Array, bits_of, inlined, kernel
from holdfast.kernels.knn import TIE

LANES = 32
# Samples up to this many have places that leave the bits alone in which equal distances differ.
MOST_SAMPLES = 1 << 18
_LARGEST = int(np.iinfo(np.int64).max)
# Steps between neighbouring numbers of 64 bits that a share of TIE spans at most.
_CLOSE = 1 << 19


@inlined
def _find_in_lanes(
    tile: Array, rows: Array, t: int, whole: Array, order: Array, factors: Array, low: int,
    keys: Array, best: Array, suspect: Array,
) -> None:  # fmt: skip
    """Keys of the nearest samples of every lane, nearest first.

    ``suspect`` says in which lanes two that follow each other may be parted by rounding, or more samples are as far
    away as the last.
    """
    n_kept = best.shape[0]
    at = tile[t]
    for j in range(n_kept):
        for lane in range(LANES):
            best[j, lane] = _LARGEST
    last = best[n_kept - 1]
    for i in range(rows.shape[0]):
        if i >= n_kept and i % 4 == 0:
            n_open, reach = 0, bits_of(whole[i]) - _CLOSE
            for lane in range(LANES):
                n_open += reach <= last[lane]
            if n_open == 0:
                break
        place, before = order[i], whole[i]
        line = tile[rows[place]]
        kept = best[0]
        for lane in range(LANES):
            step = line[lane] - at[lane]
            one, other = kept[lane], (bits_of(before + step * step * factors[lane]) & ~low) | place
            kept[lane] = min(one, other)
            keys[lane] = max(one, other)
        for j in range(1, n_kept):
            kept = best[j]
            for lane in range(LANES):
                one, other = kept[lane], keys[lane]
                kept[lane] = min(one, other)
                keys[lane] = max(one, other)
    for lane in range(LANES):
        suspect[lane] = (best[n_kept - 1, lane] & ~low) == (best[n_kept - 2, lane] & ~low)
    for j in range(1, n_kept):
        one, other = best[j - 1], best[j]
        for lane in range(LANES):
            gap = (other[lane] & ~low) - (one[lane] & ~low)
            suspect[lane] |= (gap > 0) & (gap <= _CLOSE)


@inlined
def _are_told_apart(
    best: Array, lane: int, tile: Array, rows: Array, t: int, whole: Array, order: Array, factor: float,
    low: int,
) -> Any:  # fmt: skip
    """Whether samples that follow each other are equally far away, or farther apart than rounding goes."""
    n_near = best.shape[0] - 1
    for j in range(n_near):
        gap = (best[j + 1, lane] & ~low) - (best[j, lane] & ~low)
        if 0 < gap <= _CLOSE:
            return False
    last = best[n_near - 1, lane] & ~low
    if best[n_near, lane] & ~low == last:
        # More samples are as far away as the last neighbour; rounding may have parted others from them.
        for i in range(rows.shape[0]):
            if bits_of(whole[i]) - _CLOSE > last:
                break
            step = tile[rows[order[i]], lane] - tile[t, lane]
            gap = (bits_of(whole[i] + step * step * factor) & ~low) - last
            if gap != 0 and -_CLOSE <= gap <= _CLOSE:
                return False
    return True


@inlined
def _find_by_definition(
    column: Array, rows: Array, t: int, whole: Array, order: Array, factor: float, distances: Array, places: Array
) -> None:
    """Take the first of all that are as near as the nearest, again and again."""
    n_rows = rows.shape[0]
    for i in range(n_rows):
        step = column[rows[order[i]]] - column[t]
        distances[order[i]] = whole[i] + step * step * factor
    for j in range(places.shape[0]):
        least = np.inf
        for i in range(n_rows):
            if distances[i] < least:
                least = distances[i]
        reach = least + least * TIE
        first = 0
        while distances[first] > reach or distances[first] == np.inf:
            first += 1
        distances[first] = np.inf
        places[j] = first


@inlined
def _fill(columns: Array, features: Array, first: int, tile: Array) -> None:
    """Values of the next features, sample by sample; the last one stands in for features that are not there."""
    for lane in range(LANES):
        column = columns[features[min(first + lane, features.shape[0] - 1)]]
        for r in range(column.shape[0]):
            tile[r, lane] = column[r]


@inlined
def _places(
    lane: int, column: Array, by_definition: bool, tile: Array, rows: Array, t: int, whole: Array,
    order: Array, factor: float, low: int, best: Array, suspect: Array, scratch: Array,
    places: Array,
) -> None:  # fmt: skip
    """Places of the neighbours of a lane."""
    if not by_definition and (
        suspect[lane] == 0 or _are_told_apart(best, lane, tile, rows, t, whole, order, factor, low)
    ):
        for j in range(places.shape[0]):
            places[j] = best[j, lane] & low
    else:
        _find_by_definition(column, rows, t, whole, order, factor, scratch, places)


@kernel
def vote_errors(
    columns: Array,
    features: Array,
    factors: Array,
    train: Array,
    train_starts: Array,
    test: Array,
    test_starts: Array,
    whole: Array,
    order: Array,
    by_definition: bool,
    target: Array,
    wrong: Array,
    low: int,
    tile: Array,
    own: Array,
    keys: Array,
    best: Array,
    suspect: Array,
    scratch: Array,
    places: Array,
    votes: Array,
) -> None:
    """Test samples that 1, 2, … neighbours misclassify when a feature joins.

    ``wrong[i, s, k - 1]`` counts for feature ``features[i]``, split s and k neighbours; the smaller class wins if two
    have as many votes. ``by_definition`` for few features, which are not worth lanes.
    """
    wrong[:] = 0
    for head in range(0, features.shape[0], LANES):
        n_lanes = min(LANES, features.shape[0] - head)
        _fill(columns, features, head, tile)
        for s in range(test_starts.shape[0] - 1):
            rows = train[train_starts[s] : train_starts[s + 1]]
            for lane in range(LANES):
                own[lane] = factors[s, features[head + min(lane, n_lanes - 1)]]
            for p in range(test_starts[s], test_starts[s + 1]):
                t = test[p]
                if not by_definition:
                    _find_in_lanes(tile, rows, t, whole[p], order[p], own, low, keys, best, suspect)
                for lane in range(n_lanes):
                    _places(
                        lane, columns[features[head + lane]], by_definition, tile, rows, t, whole[p],
                        order[p], own[lane], low, best, suspect, scratch, places,
                    )  # fmt: skip
                    for c in range(votes.shape[0]):
                        votes[c] = 0
                    first = target[rows[places[0]]]
                    for k in range(places.shape[0]):
                        c = target[rows[places[k]]]
                        votes[c] += 1
                        if votes[c] > votes[first] or (votes[c] == votes[first] and c < first):
                            first = c
                        if first != target[t]:
                            wrong[head + lane, s, k] += 1


@kernel
def mean_errors(
    columns: Array,
    features: Array,
    factors: Array,
    train: Array,
    train_starts: Array,
    test: Array,
    test_starts: Array,
    whole: Array,
    order: Array,
    by_definition: bool,
    target: Array,
    squares: Array,
    low: int,
    tile: Array,
    own: Array,
    keys: Array,
    best: Array,
    suspect: Array,
    scratch: Array,
    places: Array,
) -> None:
    """Squared errors of the mean of 1, 2, … neighbours, summed over the test samples of each split."""
    squares[:] = 0.0
    for head in range(0, features.shape[0], LANES):
        n_lanes = min(LANES, features.shape[0] - head)
        _fill(columns, features, head, tile)
        for s in range(test_starts.shape[0] - 1):
            rows = train[train_starts[s] : train_starts[s + 1]]
            for lane in range(LANES):
                own[lane] = factors[s, features[head + min(lane, n_lanes - 1)]]
            for p in range(test_starts[s], test_starts[s + 1]):
                t = test[p]
                if not by_definition:
                    _find_in_lanes(tile, rows, t, whole[p], order[p], own, low, keys, best, suspect)
                for lane in range(n_lanes):
                    _places(
                        lane, columns[features[head + lane]], by_definition, tile, rows, t, whole[p],
                        order[p], own[lane], low, best, suspect, scratch, places,
                    )  # fmt: skip
                    total = 0.0
                    for k in range(places.shape[0]):
                        total += target[rows[places[k]]]
                        error = target[t] - total / (k + 1)
                        squares[head + lane, s, k] += error * error


@kernel
def join(
    column: Array,
    factors: Array,
    train: Array,
    train_starts: Array,
    test: Array,
    test_starts: Array,
    whole: Array,
) -> None:
    """Add a feature to squared distances in the order of ``train``; ``factors`` holds its factor for every split."""
    for s in range(test_starts.shape[0] - 1):
        rows = train[train_starts[s] : train_starts[s + 1]]
        for position in range(test_starts[s], test_starts[s + 1]):
            value = column[test[position]]
            so_far = whole[position]
            for i in range(rows.shape[0]):
                step = column[rows[i]] - value
                so_far[i] += step * step * factors[s]
