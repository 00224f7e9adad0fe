"""Bounds on false features hold in simulations of complementary pairs; a mean may exceed its bound by four errors."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.stability.bounds import BOUNDS, expected_false

N_SAMPLES, N_FEATURES, N_PAIRS, N_REPEATS = 60, 200, 25, 60


def halves(rng):
    """Complementary pairs of balanced halves, as rows of +1, -1 (the two classes) and 0 (left out)."""
    side = np.tile([1.0, -1.0], N_SAMPLES // 2)
    signs = np.zeros((2 * N_PAIRS, N_SAMPLES))
    for pair in range(N_PAIRS):
        for start in (0, 1):
            members = rng.permutation(np.arange(start, N_SAMPLES, 2))
            signs[2 * pair, members[: N_SAMPLES // 4]] = side[start]
            signs[2 * pair + 1, members[N_SAMPLES // 4 :]] = side[start]
    return signs


def frequencies(X, list_size, rng):
    """Share of half-samples whose largest absolute t statistics include each feature."""
    signs = halves(rng)
    inside = signs != 0
    size = inside.sum(axis=1, keepdims=True)
    difference = signs @ X
    spread = inside @ X**2 - (inside @ X) ** 2 / size
    statistic = np.abs(difference) / np.sqrt(spread)
    chosen = np.argpartition(-statistic, list_size - 1, axis=1)[:, :list_size]
    return np.bincount(chosen.ravel(), minlength=N_FEATURES) / len(signs)


def noise(rng, correlation):
    """Features in blocks of ten."""
    shared = rng.standard_normal((N_SAMPLES, N_FEATURES // 10)).repeat(10, axis=1)
    own = rng.standard_normal((N_SAMPLES, N_FEATURES))
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own


def false_counts(design, list_size, threshold, seed):
    correlation, n_signal, shift = design
    rng = np.random.default_rng([seed, 91])
    side = np.tile([1.0, -1.0], N_SAMPLES // 2)
    counts = []
    for _ in range(N_REPEATS):
        X = noise(rng, correlation)
        X[:, :n_signal] += shift * side[:, None]
        counts.append((frequencies(X, list_size, rng)[n_signal:] >= threshold - 1e-9).sum())
    return np.array(counts)


@pytest.mark.parametrize(("list_size", "threshold"), [(10, 0.6), (20, 0.6), (20, 0.8), (40, 0.7)])
@pytest.mark.parametrize(
    "design",
    [(0.0, 0, 0.0), (0.0, 5, 0.3), (0.5, 0, 0.0), (0.5, 10, 0.2)],
    ids=["null", "weak", "blocks", "weak blocks"],
)
def test_the_mean_number_of_false_features_stays_below_every_bound(design, list_size, threshold, seed):
    counts = false_counts(design, list_size, threshold, seed)
    error = counts.std(ddof=1) / np.sqrt(N_REPEATS)
    for bound in BOUNDS:
        limit = expected_false(N_FEATURES, list_size, threshold, n_runs=2 * N_PAIRS, bound=bound)
        assert counts.mean() - 4 * error <= limit, bound


def test_the_r_concave_bound_says_more_than_the_length_of_the_list():
    assert expected_false(N_FEATURES, 20, 0.8, n_runs=2 * N_PAIRS) < 20 / 40


def test_a_bound_would_be_broken_if_it_were_much_lower(seed):
    # The designs are hard enough to tell a bound from a wrong one.
    counts = false_counts((0.0, 0, 0.0), 40, 0.6, seed)
    assert counts.mean() > expected_false(N_FEATURES, 40, 0.6, n_runs=2 * N_PAIRS) / 100
