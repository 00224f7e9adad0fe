"""Differences in one feature that has missing values or names for values, between all samples.

A missing value is what the samples of its class have instead (Kononenko 1994): the difference to a known value is the
mean over the known values of that class, and two missing values differ by the mean over both classes. For a nominal
feature that is 1 - P(value | class).
"""

from __future__ import annotations

from holdfast.kernels._jit import Array, inlined, kernel


@inlined
def _difference(a: float, b: float, is_nominal: bool) -> float:
    if is_nominal:
        return 1.0 if a != b else 0.0
    return abs(a - b)


@kernel
def sample_differences(
    column: Array, is_nominal: bool, target: Array, expected: Array, between: Array, counts: Array, differences: Array
) -> None:
    """Difference between every two samples; NaN is a missing value, and a class without known values is all samples.

    ``expected`` (samples × classes), ``between`` (classes × classes) and ``counts`` (classes) are scratch.
    """
    n_samples, n_classes = expected.shape
    n_known = 0
    for c in range(n_classes):
        counts[c] = 0
    for r in range(n_samples):
        if column[r] == column[r]:
            counts[target[r]] += 1
            n_known += 1
    for i in range(n_samples):
        if column[i] != column[i]:
            continue
        overall = 0.0
        for c in range(n_classes):
            expected[i, c] = 0.0
        for t in range(n_samples):
            if column[t] == column[t]:
                difference = _difference(column[i], column[t], is_nominal)
                expected[i, target[t]] += difference
                overall += difference
        for c in range(n_classes):
            expected[i, c] = expected[i, c] / counts[c] if counts[c] else overall / n_known
    for c in range(n_classes):
        for d in range(n_classes):
            total = 0.0
            count = 0
            for i in range(n_samples):
                if column[i] == column[i] and (counts[c] == 0 or target[i] == c):
                    total += expected[i, d]
                    count += 1
            between[c, d] = total / count
    for i in range(n_samples):
        for t in range(n_samples):
            if column[i] == column[i]:
                if column[t] == column[t]:
                    differences[i, t] = _difference(column[i], column[t], is_nominal)
                else:
                    differences[i, t] = expected[i, target[t]]
            elif column[t] == column[t]:
                differences[i, t] = expected[t, target[i]]
            else:
                differences[i, t] = between[target[i], target[t]]
        differences[i, i] = 0.0
