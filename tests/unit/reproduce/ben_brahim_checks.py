"""Facts on the reruns of chapters 2 and 3 that hold whatever the numbers are."""

import numpy as np

from holdfast.reproduce.ben_brahim._ensembles import ECA
from holdfast.reproduce.cells import noise


def assert_best_is_sound(one, n_samples, n_in_smaller_class):
    """Of chapter 2: a best point and the curves it is on."""
    assert one.n_samples == n_samples
    assert 0 <= one.mce <= one.fixed_mce <= 1
    assert one.mce <= one.mce_chosen <= 1
    assert -1 < one.stability <= 1
    assert -1 < one.fixed_stability <= 1
    for curve in one.curves.values():
        weight = curve.n_tested.mean() / curve.n_tested
        pooled, of_folds = curve.mce("pooled"), curve.mce("mean of folds")
        assert (pooled * weight.min() <= of_folds + 1e-12).all()
        assert (of_folds <= pooled * weight.max() + 1e-12).all()
        assert curve.n_tested.sum() == n_samples
        assert (curve.n_wrong <= curve.n_tested[:, np.newaxis]).all()
        assert (np.diff(curve.sizes) > 0).all()
    by_chance = n_in_smaller_class / n_samples
    assert one.mce <= by_chance + noise(one.mce, by_chance, n_samples)


def assert_outcomes_are_sound(results, n_samples, sizes):
    """Of chapter 3: errors and stabilities by size."""
    for one in results:
        assert one.n_samples == n_samples
        assert tuple(one.errors) == tuple(sizes)
        assert 0 <= one.mce < 0.6
        assert (one.stability is None) == (one.method == ECA)
        assert all(-1 <= value <= 1 for value in one.stabilities.values())
