"""Newton's method for a penalised linear model whose coefficients keep their signs."""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel

SETTLED, LEAVING, FLAT, UNSETTLED = 0, 1, 2, 3
_NO_GAIN = 1e-26


@kernel
def mean_loss(predicted: Array, target: Array, is_logistic: bool) -> float:
    """Mean loss of log-odds for a target of 0 and 1, or half the mean squared error."""
    total = 0.0
    for i in range(len(target)):
        value = predicted[i]
        if is_logistic:
            total += max(value, 0.0) + np.log1p(np.exp(-abs(value))) - target[i] * value
        else:
            total += (target[i] - value) ** 2 / 2
    return total / len(target)


@kernel
def solve_symmetric(matrix: Array, scale: Array, right: Array, least: float) -> bool:
    """Solve for the right side in place by Cholesky's factors, each row and column scaled to a diagonal of 1 first.

    Answers whether it could: no if a squared pivot is not above the least. The matrix is overwritten.
    """
    n = len(right)
    for i in range(n):
        scale[i] = np.sqrt(matrix[i, i]) if matrix[i, i] > 0.0 else 1.0
    for i in range(n):
        for j in range(i + 1):
            total = matrix[i, j] / (scale[i] * scale[j])
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            if i == j:
                if not total > least:
                    return False
                matrix[i, i] = np.sqrt(total)
            else:
                matrix[i, j] = total / matrix[j, j]
    for i in range(n):
        total = right[i] / scale[i]
        for k in range(i):
            total -= matrix[i, k] * right[k]
        right[i] = total / matrix[i, i]
    for i in range(n - 1, -1, -1):
        total = right[i]
        for k in range(i + 1, n):
            total -= matrix[k, i] * right[k]
        right[i] = total / matrix[i, i]
    for i in range(n):
        right[i] /= scale[i]
    return True


@kernel
def newton(
    rows: Array, target: Array, is_logistic: bool, l1: float, l2: float, signs: Array, at: Array,
    predicted: Array, moved: Array, residual: Array, curvature: Array, hessian: Array, scale: Array, slope: Array,
    direction: Array, leaves: Array, max_steps: int, small_step: float, least: float,
) -> int:  # fmt: skip
    """Go down to the minimum over an intercept (the first of ``at``, its row is all ones) and some coefficients.

    SETTLED: there. LEAVING: coefficients marked in ``leaves`` have come to zero. FLAT: the features depend on each
    other, and the next step is for someone else. UNSETTLED: too many steps.
    """
    n_rows, n_samples = rows.shape
    for _ in range(max_steps):
        for i in range(n_samples):
            predicted[i] = 0.0
        for r in range(n_rows):
            for i in range(n_samples):
                predicted[i] += at[r] * rows[r, i]
        for i in range(n_samples):
            if is_logistic:
                chance = 1.0 / (1.0 + np.exp(-predicted[i]))
                residual[i] = target[i] - chance
                curvature[i] = chance * (1.0 - chance)
            else:
                residual[i] = target[i] - predicted[i]
                curvature[i] = 1.0
        for r in range(n_rows):
            total = 0.0
            for i in range(n_samples):
                total += rows[r, i] * residual[i]
            slope[r] = -total / n_samples
            if r > 0:
                slope[r] += l1 * signs[r - 1] + l2 * at[r]
            direction[r] = -slope[r]
            for i in range(n_samples):
                moved[i] = rows[r, i] * curvature[i]
            for s in range(r + 1):
                total = 0.0
                for i in range(n_samples):
                    total += moved[i] * rows[s, i]
                hessian[r, s] = total / n_samples
            if r > 0:
                hessian[r, r] += l2
        if not solve_symmetric(hessian, scale, direction, least):
            return FLAT
        step = 1.0
        for r in range(1, n_rows):
            if signs[r - 1] * direction[r] < 0.0:
                step = min(step, abs(at[r] / direction[r]))
        for i in range(n_samples):
            moved[i] = 0.0
        for r in range(n_rows):
            for i in range(n_samples):
                moved[i] += direction[r] * rows[r, i]
        linear, signed, square = 0.0, 0.0, 0.0
        descent, largest, largest_step = slope[0] * direction[0], 0.0, abs(direction[0])
        for r in range(1, n_rows):
            descent += slope[r] * direction[r]
            linear += l1 * signs[r - 1] * at[r] + l2 * at[r] ** 2 / 2
            signed += l1 * signs[r - 1] * direction[r] + l2 * at[r] * direction[r]
            square += l2 * direction[r] ** 2 / 2
            largest_step = max(largest_step, abs(direction[r]))
        here = mean_loss(predicted, target, is_logistic) + linear
        slack = 1e-14 * (1.0 + abs(here))
        while step > 1e-10:
            for i in range(n_samples):
                residual[i] = predicted[i] + step * moved[i]
            turn = mean_loss(residual, target, is_logistic) + linear + step * signed + step * step * square
            if not turn > here + 1e-4 * step * descent + slack:
                break
            step /= 2
        is_leaving = False
        for r in range(n_rows):
            if r > 0:
                leaves[r - 1] = signs[r - 1] * direction[r] < 0.0 and abs(at[r] / direction[r]) <= step
                is_leaving = is_leaving or leaves[r - 1]
            at[r] += step * direction[r]
            largest = max(largest, abs(at[r]))
        if is_leaving:
            return LEAVING
        # Coefficients that are all zero but for rounding have no size to compare a step with, but nothing to gain.
        if largest_step <= small_step * max(largest, small_step) or -descent <= _NO_GAIN * (1.0 + abs(here)):
            return SETTLED
    return UNSETTLED
