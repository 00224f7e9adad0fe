"""The soft margin: printed numbers of the specifications, for the exact machine of the twins."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from oracles.svm import NotSeparable, decimals, hyperplane

# Han 2012 as specified, V3 without and with an outlier; weights of samples by their margins, to six digits.
CLEAN = [(0, 0), (1, 0.5), (0.5, 2), (4, 4), (5, 3), (3, 5.5)]
OUTLIER = [(0, 0), (1, 0.5), (3.5, 4.5), (4, 4), (5, 3), (3, 5.5)]
WEIGHTS = {
    "clean": np.array([0.156311, 0.194282, 0.154685, 0.215838, 0.147719, 0.131165]),
    "outlier": np.array([0.169828, 0.211191, 0.070622, 0.215754, 0.170069, 0.162536]),
}
SIGNS = [-1, -1, -1, 1, 1, 1]


def exact(X, signs, cost):
    cost = [None if c is None else Decimal(float(c)) for c in cost]
    return tuple(np.asarray(part, dtype=float) for part in hyperplane(decimals(X), signs, cost))


@pytest.mark.parametrize(
    ("name", "cost", "weights", "intercept"),
    [
        ("outlier", np.ones(6), (0.375, 0.25), -1.5),
        ("outlier", 6 * WEIGHTS["outlier"], (0.375, 0.25), -1.5),
        ("outlier", WEIGHTS["outlier"], (0.320157, 0.297009), -1.468661),
        ("outlier", np.full(6, 1 / 6), (0.333333, 0.266667), -1.466667),
        *[
            ("clean", cost, (0.413793, 0.275862), -1.758621)
            for cost in (np.ones(6), 6 * WEIGHTS["clean"], WEIGHTS["clean"], np.full(6, 1 / 6), [None] * 6)
        ],
    ],
)
def test_exact_machines_of_han(name, cost, weights, intercept):
    w, b, _ = exact(CLEAN if name == "clean" else OUTLIER, SIGNS, cost)
    assert w.tolist() == pytest.approx(weights, abs=2e-6)
    assert b == pytest.approx(intercept, abs=2e-6)


def test_exact_multipliers_of_han():
    _, _, a = exact(OUTLIER, SIGNS, WEIGHTS["outlier"])
    assert a.tolist() == pytest.approx([0, 0.094948, 0.070622, 0.165571, 0, 0], abs=2e-6)
    _, _, a = exact(OUTLIER, SIGNS, 6 * WEIGHTS["outlier"])
    assert a[2] == pytest.approx(0.423733, abs=2e-6)


def test_the_exact_machine_says_when_classes_cannot_be_separated():
    with pytest.raises(NotSeparable):
        exact([(0, 0), (1, 1), (0, 1), (1, 0)], [1, 1, -1, -1], [None] * 4)
