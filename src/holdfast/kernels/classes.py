"""Telling classes apart without their names: by where along the sorted values they appear."""

from __future__ import annotations

from holdfast.kernels._jit import Array, kernel


@kernel
def appears_before(values: Array, labels: Array, start: int, step: int, n: int, d: int, c: int) -> bool:
    """Whether class d is ahead of class c: the more frequent one at the first value where they differ.

    Reads ``n`` samples from ``start`` in steps of 1 or -1. Classes that share every value evenly are one to the ranks,
    and any order of the two does.
    """
    lead = 0
    for i in range(n):
        position = start + step * i
        if i > 0 and lead != 0 and values[position] != values[position - step]:
            break
        lead += (labels[position] == d) - (labels[position] == c)
    return lead > 0 or (lead == 0 and d < c)


@kernel
def number_by_appearance(values: Array, labels: Array, start: int, step: int, n: int, number: Array) -> None:
    """Number the classes in the order in which they appear."""
    for c in range(number.shape[0]):
        number[c] = 0
        for d in range(number.shape[0]):
            if d != c and appears_before(values, labels, start, step, n, d, c):
                number[c] += 1
