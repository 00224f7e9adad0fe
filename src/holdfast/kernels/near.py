"""What nearest neighbours get wrong when a feature joins a set whose distances are known.

``whole`` holds the squared distances of the set, from every test sample (in the order of ``test``) to the training
samples of its split (in the order of ``train``); infinity keeps a sample from being its own neighbour. ``ranked`` has
the same, smallest first, and ``order`` whose they are. Split s is ``starts[s]`` to ``starts[s + 1]`` in ``train`` and
``test``; ``factors[s, f]`` is the square of the factor by which feature f is measured there.

Neighbours are found in one of two ways, which find the same. ``by_rank``: one more feature only adds to a distance, so
samples are looked at in their order in the set, up to the first that was farther away already than those found are
now; few are, for one or few neighbours among many samples. Otherwise all are looked at, many at a time.

Distances that differ by less than ``TIE`` of their size are equal, and among equal ones the training sample that comes
first is nearest, so that rounding chooses no neighbour.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.kernels._jit import Array, inlined, kernel
from holdfast.kernels.knn import TIE

BLOCK = 8
LARGEST = int(np.iinfo(np.int64).max)


@inlined
def _changed(before: Array, values: Array, n_rows: int, value: float, factor: float, distances: Array) -> None:
    for i in range(n_rows):
        step = values[i] - value
        distances[i] = before[i] + step * step * factor


@inlined
def _nearest_by_definition(distances: Array, n_rows: int, n_near: int, places: Array) -> None:
    """Take the first of all that are as near as the nearest, again and again."""
    for j in range(n_near):
        least = np.inf
        for i in range(n_rows):
            least = min(least, distances[i])
        reach = least + least * TIE
        first = 0
        while distances[first] > reach or distances[first] == np.inf:
            first += 1
        distances[first] = np.inf
        places[j] = first


@inlined
def _sorted_keys(keys: Array, n_rows: int, n_low: int, n_kept: int, heads: Array, found: Array) -> None:
    """The smallest keys in order; a key is a distance with the place of its sample in the lowest bits.

    Distances from 0 on compare as whole numbers do, and of whole numbers the smallest is found many at a time.
    """
    low = (1 << n_low) - 1
    for i in range(n_rows):
        keys[i] = (keys[i] & ~low) | i
    n_blocks = (n_rows + BLOCK - 1) // BLOCK
    for i in range(n_rows, n_blocks * BLOCK):
        keys[i] = LARGEST
    for b in range(n_blocks):
        least = LARGEST
        for i in range(b * BLOCK, b * BLOCK + BLOCK):
            least = min(least, keys[i])
        heads[b] = least
    for j in range(n_kept):
        least = LARGEST
        for b in range(n_blocks):
            least = min(least, heads[b])
        found[j] = least
        place = least & low
        keys[place] = LARGEST
        b = place // BLOCK
        least = LARGEST
        for i in range(b * BLOCK, b * BLOCK + BLOCK):
            least = min(least, keys[i])
        heads[b] = least


@inlined
def _next_after(keys: Array, n_rows: int, n_low: int, key: int) -> Any:
    """The smallest key that is left of a larger distance than that of a key; the largest number if there is none."""
    last = key | ((1 << n_low) - 1)
    least = LARGEST
    for i in range(n_rows):
        least = min(least, keys[i] if keys[i] > last else LARGEST)
    return least


@inlined
def _are_told_apart(found: Array, distances: Array, n_low: int, n_kept: int) -> Any:
    """Whether what follows each other is equal or farther apart than rounding goes; ``distances`` views ``found``."""
    low = (1 << n_low) - 1
    for j in range(n_kept):
        found[j] = found[j] & ~low
    is_so = True
    for j in range(1, n_kept):
        gap = distances[j] - distances[j - 1]
        if gap > 0.0 and gap <= distances[j - 1] * TIE:
            is_so = False
    return is_so


@inlined
def _find_among_all(
    before: Array,
    values: Array,
    n_rows: int,
    value: float,
    factor: float,
    n_near: int,
    n_low: int,
    distances: Array,
    keys: Array,
    heads: Array,
    found: Array,
    found_distances: Array,
    places: Array,
) -> None:
    """Places of the nearest training samples, nearest first; ``distances`` and ``keys`` are one memory."""
    _changed(before, values, n_rows, value, factor, distances)
    n_kept = min(n_near + 1, n_rows)
    _sorted_keys(keys, n_rows, n_low, n_kept, heads, found)
    for j in range(n_near):
        places[j] = found[j] & ((1 << n_low) - 1)
    if n_kept > n_near and found[n_near] >> n_low == found[n_near - 1] >> n_low:
        # Others as far away as the last that is near: what counts is whether rounding parts any more from them.
        found[n_near] = _next_after(keys, n_rows, n_low, found[n_near])
    if not _are_told_apart(found, found_distances, n_low, n_kept):
        _changed(before, values, n_rows, value, factor, distances)
        _nearest_by_definition(distances, n_rows, n_near, places)


@inlined
def _find_by_rank(
    ranked: Array, order: Array, n_rows: int, values: Array, value: float, factor: float, near: Array, distances: Array,
    places: Array,
) -> None:  # fmt: skip
    """Places of the nearest training samples, nearest first, from samples sorted by their distances in the set."""
    n_near = places.shape[0]
    n_found = 0
    n_seen = 0
    reach = np.inf
    for i in range(n_rows):
        before = ranked[i]
        if before > reach:
            break
        place = order[i]
        step = values[place] - value
        distance = before + step * step * factor
        distances[n_seen] = distance
        n_seen += 1
        if n_found < n_near:
            j = n_found
            n_found += 1
        elif distance < near[n_near - 1] or (distance == near[n_near - 1] and place < places[n_near - 1]):
            j = n_near - 1
        else:
            continue
        while j > 0 and (distance < near[j - 1] or (distance == near[j - 1] and place < places[j - 1])):
            near[j] = near[j - 1]
            places[j] = places[j - 1]
            j -= 1
        near[j] = distance
        places[j] = place
        if n_found == n_near:
            reach = near[n_near - 1] + near[n_near - 1] * TIE
    last = near[n_near - 1]
    is_plain = True
    for i in range(n_seen):
        if distances[i] <= reach and distances[i] > last:
            is_plain = False
    for j in range(1, n_near):
        gap = near[j] - near[j - 1]
        if gap > 0.0 and gap <= near[j - 1] * TIE:
            is_plain = False
    if not is_plain:
        for i in range(n_rows):
            step = values[order[i]] - value
            distances[order[i]] = ranked[i] + step * step * factor
        _nearest_by_definition(distances, n_rows, n_near, places)


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
    ranked: Array,
    order: Array,
    by_rank: bool,
    target: Array,
    wrong: Array,
    n_low: int,
    values: Array,
    distances: Array,
    keys: Array,
    heads: Array,
    found: Array,
    found_distances: Array,
    places: Array,
    votes: Array,
) -> None:
    """Test samples that 1, 2, … neighbours misclassify when a feature joins.

    ``wrong[i, s, k - 1]`` counts for feature ``features[i]``, split s and k neighbours; the smaller class wins if two
    have as many votes.
    """
    n_near = wrong.shape[2]
    wrong[:] = 0
    for s in range(test_starts.shape[0] - 1):
        rows = train[train_starts[s] : train_starts[s + 1]]
        n_rows = rows.shape[0]
        for f in range(features.shape[0]):
            column = columns[features[f]]
            factor = factors[s, features[f]]
            for i in range(n_rows):
                values[i] = column[rows[i]]
            for position in range(test_starts[s], test_starts[s + 1]):
                t = test[position]
                if by_rank:
                    _find_by_rank(
                        ranked[position],
                        order[position],
                        n_rows,
                        values,
                        column[t],
                        factor,
                        found_distances,
                        distances,
                        places,
                    )
                else:
                    _find_among_all(
                        whole[position],
                        values,
                        n_rows,
                        column[t],
                        factor,
                        n_near,
                        n_low,
                        distances,
                        keys,
                        heads,
                        found,
                        found_distances,
                        places,
                    )
                for c in range(votes.shape[0]):
                    votes[c] = 0
                first = target[rows[places[0]]]
                for k in range(n_near):
                    c = target[rows[places[k]]]
                    votes[c] += 1
                    if votes[c] > votes[first] or (votes[c] == votes[first] and c < first):
                        first = c
                    if first != target[t]:
                        wrong[f, s, k] += 1


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
    ranked: Array,
    order: Array,
    by_rank: bool,
    target: Array,
    squares: Array,
    n_low: int,
    values: Array,
    distances: Array,
    keys: Array,
    heads: Array,
    found: Array,
    found_distances: Array,
    places: Array,
) -> None:
    """Squared errors of the mean of 1, 2, … neighbours, summed over the test samples of each split."""
    n_near = squares.shape[2]
    squares[:] = 0.0
    for s in range(test_starts.shape[0] - 1):
        rows = train[train_starts[s] : train_starts[s + 1]]
        n_rows = rows.shape[0]
        for f in range(features.shape[0]):
            column = columns[features[f]]
            factor = factors[s, features[f]]
            for i in range(n_rows):
                values[i] = column[rows[i]]
            for position in range(test_starts[s], test_starts[s + 1]):
                t = test[position]
                if by_rank:
                    _find_by_rank(
                        ranked[position],
                        order[position],
                        n_rows,
                        values,
                        column[t],
                        factor,
                        found_distances,
                        distances,
                        places,
                    )
                else:
                    _find_among_all(
                        whole[position],
                        values,
                        n_rows,
                        column[t],
                        factor,
                        n_near,
                        n_low,
                        distances,
                        keys,
                        heads,
                        found,
                        found_distances,
                        places,
                    )
                total = 0.0
                for k in range(n_near):
                    total += target[rows[places[k]]]
                    error = target[t] - total / (k + 1)
                    squares[f, s, k] += error * error


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
    """Add a feature to the distances of the set; ``factors`` holds its factor for every split."""
    for s in range(test_starts.shape[0] - 1):
        rows = train[train_starts[s] : train_starts[s + 1]]
        for position in range(test_starts[s], test_starts[s + 1]):
            value = column[test[position]]
            so_far = whole[position]
            for i in range(rows.shape[0]):
                step = column[rows[i]] - value
                so_far[i] += step * step * factors[s]
