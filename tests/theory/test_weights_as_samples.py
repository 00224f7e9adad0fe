"""Variance and the number of samples, and importance sampling (Han 2012, section 3.2; V2 of the specification)."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.stability.bias_variance import bias_variance

G = np.array([1.0, 2.0, 3.0, 4.0])


def draws(h, n_draws, rng):
    h = np.asarray(h)
    points = rng.choice(len(G), size=n_draws, p=h)
    return G[points] / h[points]


def variance_of_one_draw(h):
    return float((G**2 / np.asarray(h)).sum() - G.sum() ** 2)


@pytest.mark.parametrize(
    ("h", "variance"),
    [([0.25] * 4, 20.0), ([0.15, 0.2, 0.3, 0.35], 2.380952), ([0.1, 0.2, 0.3, 0.4], 0.0)],
    ids=["uniform", "near", "proportional"],
)
def test_drawing_more_where_more_is_to_be_found_lowers_the_variance(h, variance, seed):
    assert variance_of_one_draw(h) == pytest.approx(variance, abs=1e-6)
    rng = np.random.default_rng([seed, 95])
    sums = draws(h, 20_000, rng)
    # All values are below 27, so five standard errors of mean and variance are bounded by these.
    assert abs(sums.mean() - G.sum()) <= 5 * np.sqrt(variance / 20_000) + 1e-9
    assert abs(sums.var() - variance) <= 0.05 * variance + 1e-9


def test_no_other_distribution_beats_the_proportional_one(seed):
    rng = np.random.default_rng([seed, 96])
    assert all(variance_of_one_draw(rng.dirichlet(np.ones(4))) >= 0.0 for _ in range(200))


def test_the_variance_of_a_mean_of_draws_falls_with_their_number(seed):
    rng = np.random.default_rng([seed, 97])
    means = draws([0.25] * 4, 4000 * 10, rng).reshape(4000, 10).mean(axis=1)
    assert means.var() == pytest.approx(20.0 / 10, rel=5 * np.sqrt(2 / 4000))


@pytest.mark.parametrize("n_samples", [10, 40, 160])
def test_a_score_that_is_a_mean_over_samples_has_variance_over_n_and_a_bias_of_its_own(n_samples, seed):
    # Score of a feature: mean of class times value, with values around class times 0.5 and of variance 1.
    rng = np.random.default_rng([seed, 98])
    n_sets, n_features = 400, 20
    side = np.where(np.arange(n_samples) % 2 == 0, 1.0, -1.0)
    X = rng.standard_normal((n_sets, n_samples, n_features)) + 0.5 * side[:, None]
    weights = (side[:, None] * X).mean(axis=1)
    found = bias_variance(weights, truth=np.full(n_features, 0.7))
    n_values = n_sets * n_features
    assert found.variance == pytest.approx(1 / n_samples, rel=5 * np.sqrt(2 / n_values) + 1 / n_sets)
    # The bias is (0.7 - 0.5) squared whatever n; the mean of each feature has an error of 1 / sqrt(n n_sets).
    noise = 1 / (n_samples * n_sets)
    assert found.bias == pytest.approx(0.04 + noise, abs=5 * np.sqrt(4 * 0.04 * noise / n_features) + 5 * noise)
