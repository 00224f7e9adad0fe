"""A small stable sort of values with a companion code: what binning, ranks and ties all need."""

from __future__ import annotations

from holdfast.kernels._jit import Array, kernel

_RUN = 12


@kernel
def sort_pairs(values: Array, codes: Array, spare_values: Array, spare_codes: Array) -> None:
    """Sort by value, then by code, in place: insertion sort of short runs, then merges."""
    n = values.shape[0]
    for start in range(0, n, _RUN):
        for i in range(start + 1, min(start + _RUN, n)):
            value = values[i]
            code = codes[i]
            j = i
            while j > start and (values[j - 1] > value or (values[j - 1] == value and codes[j - 1] > code)):
                values[j] = values[j - 1]
                codes[j] = codes[j - 1]
                j -= 1
            values[j] = value
            codes[j] = code
    width = _RUN
    while width < n:
        for start in range(0, n, 2 * width):
            middle = min(start + width, n)
            end = min(start + 2 * width, n)
            left = start
            right = middle
            for position in range(start, end):
                take_left = left < middle
                if take_left and right < end:
                    take_left = values[left] < values[right] or (
                        values[left] == values[right] and codes[left] <= codes[right]
                    )
                if take_left:
                    spare_values[position] = values[left]
                    spare_codes[position] = codes[left]
                    left += 1
                else:
                    spare_values[position] = values[right]
                    spare_codes[position] = codes[right]
                    right += 1
        for position in range(n):
            values[position] = spare_values[position]
            codes[position] = spare_codes[position]
        width *= 2
