"""What a feature's ranks alone say about the classes: how far apart they sit, and in which sequence."""

from __future__ import annotations

from holdfast.kernels._jit import Array, kernel
from holdfast.kernels.classes import appears_before


@kernel
def _class_rank_sums(values: Array, labels: Array, rank_sums: Array, sizes: Array, first_seen: Array) -> None:
    """Sum of doubled mid-ranks less their expectation, size, and first position of each class; all integers."""
    n = values.shape[0]
    for c in range(sizes.shape[0]):
        rank_sums[c] = 0
        sizes[c] = 0
        first_seen[c] = n
    start = 0
    while start < n:
        end = start + 1
        while end < n and values[end] == values[start]:
            end += 1
        for i in range(start, end):
            c = labels[i]
            rank_sums[c] += start + end + 1 - (n + 1)
            sizes[c] += 1
            first_seen[c] = min(first_seen[c], start)
        start = end


@kernel
def _write_sequence(values: Array, labels: Array, new_name: Array, counts: Array, sequence: Array) -> None:
    """Class names along the sorted values; equal values list theirs in order and the first is marked."""
    n = values.shape[0]
    n_classes = new_name.shape[0]
    start = 0
    while start < n:
        end = start
        for c in range(n_classes):
            counts[c] = 0
        # A value that is not even equal to itself must not keep the loop where it is.
        while end < n and (end == start or values[end] == values[start]):
            counts[new_name[labels[end]]] += 1
            end += 1
        position = start
        for c in range(n_classes):
            for _ in range(counts[c]):
                sequence[position] = 2 * c + (1 if position == start else 0)
                position += 1
        start = end


@kernel
def _name_classes(
    values: Array, labels: Array, sizes: Array, rank_sums: Array, first_seen: Array, new_name: Array
) -> None:
    """Number the classes by mean rank, then size, then first appearance: never by what they are called."""
    n_classes = sizes.shape[0]
    for c in range(n_classes):
        before = 0
        for d in range(n_classes):
            mean_c = rank_sums[c] * sizes[d]
            mean_d = rank_sums[d] * sizes[c]
            if mean_d != mean_c:
                ahead = mean_d < mean_c
            elif sizes[d] != sizes[c]:
                ahead = sizes[d] < sizes[c]
            elif first_seen[d] != first_seen[c]:
                ahead = first_seen[d] < first_seen[c]
            else:
                ahead = d != c and appears_before(values, labels, 0, 1, values.shape[0], d, c)
            before += 1 if ahead else 0
        new_name[c] = before


@kernel
def rank_profiles(
    columns: Array, order: Array, target: Array, separation: Array, sequences: Array,
    values: Array, labels: Array, per_class: Array, backwards: Array,
) -> None:  # fmt: skip
    """Rank separation of the classes and the direction-blind class sequence of each row of ``columns``.

    Separation is Kruskal and Wallis' between-class sum of squares. ``sequences`` may have no rows: then only the
    separation is computed. ``per_class`` is 5 × classes of int64.
    """
    n = columns.shape[1]
    rank_sums, sizes, first_seen, new_name, counts = (
        per_class[0], per_class[1], per_class[2], per_class[3], per_class[4],
    )  # fmt: skip
    n_classes = sizes.shape[0]
    for position in range(columns.shape[0]):
        for i in range(n):
            values[i] = columns[position, order[position, i]]
            labels[i] = target[order[position, i]]
        _class_rank_sums(values, labels, rank_sums, sizes, first_seen)
        # Terms are added in order of size so that renaming the classes cannot change the rounding.
        total = 0.0
        smallest = -1.0
        used = 0
        while used < n_classes:
            following = -1.0
            same = 0
            for c in range(n_classes):
                term = 0.0
                if sizes[c] > 0:
                    term = float(rank_sums[c]) * float(rank_sums[c]) / sizes[c]
                if term > smallest:
                    if following < 0.0 or term < following:
                        following = term
                        same = 1
                    elif term == following:
                        same += 1
            total += same * following
            used += same
            smallest = following
        # A constant column comes after every other.
        separation[position] = total if values[0] < values[n - 1] else -1.0
        if sequences.shape[0] == 0:
            continue
        _name_classes(values, labels, sizes, rank_sums, first_seen, new_name)
        _write_sequence(values, labels, new_name, counts, sequences[position])
        for i in range(n // 2):
            values[i], values[n - 1 - i] = values[n - 1 - i], values[i]
            labels[i], labels[n - 1 - i] = labels[n - 1 - i], labels[i]
        _class_rank_sums(values, labels, rank_sums, sizes, first_seen)
        _name_classes(values, labels, sizes, rank_sums, first_seen, new_name)
        _write_sequence(values, labels, new_name, counts, backwards)
        for i in range(n):
            if backwards[i] != sequences[position, i]:
                if backwards[i] < sequences[position, i]:
                    for j in range(n):
                        sequences[position, j] = backwards[j]
                break


@kernel
def mid_ranks(columns: Array, order: Array, ranks: Array) -> None:
    """Ranks from 1 of each row of ``columns``, equal values sharing their mean rank."""
    n_features, n = columns.shape
    for f in range(n_features):
        start = 0
        while start < n:
            end = start + 1
            while end < n and columns[f, order[f, end]] == columns[f, order[f, start]]:
                end += 1
            for i in range(start, end):
                ranks[f, order[f, i]] = 0.5 * (start + end + 1)
            start = end
