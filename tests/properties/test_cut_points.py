"""Discretisers: blind to direction, class names and sample order where promised, and equal to their slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from holdfast.prepare import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MeanSigmaDiscretizer,
)
from oracles import discretize as oracle


def _from_groups(groups):
    """Values 0, 1, 2, … and labels from the class counts at each value."""
    x = [value for value, counts in enumerate(groups) for _ in range(sum(counts))]
    y = [c for counts in groups for c, count in enumerate(counts) for _ in range(count)]
    return np.array(x, dtype=float), np.array(y)


@st.composite
def labelled_columns(draw):
    """Class counts along the values; half of the time the second half mirrors the first, up to the class names."""
    n_classes = draw(st.integers(2, 3))
    counts = st.tuples(*[st.sampled_from([0, 0, 1, 1, 2, 6])] * n_classes)
    groups = draw(st.lists(counts, min_size=1, max_size=7))
    if draw(st.booleans()):
        names = draw(st.permutations(range(n_classes)))
        middle = [(1,) * n_classes] if draw(st.booleans()) else []
        groups = groups + middle + [tuple(g[c] for c in names) for g in reversed(groups)]
    x, y = _from_groups([g for g in groups if sum(g)])
    assume(len(set(y.tolist())) > 1)
    return x, y


def _levels(x, y):
    return MDLDiscretizer().fit_transform(x[:, np.newaxis], y)[:, 0].astype(int)


ALIKE_FROM_BOTH_ENDS = (np.arange(10.0), np.array([0, 0, 0, 0, 1, 0, 1, 1, 1, 1]))
ALIKE_WHATEVER_THE_NAMES = _from_groups([(1, 1), (7, 0), (1, 1), (0, 7), (1, 1)])


@example(ALIKE_FROM_BOTH_ENDS)
@example(ALIKE_WHATEVER_THE_NAMES)
@given(labelled_columns())
def test_a_negated_feature_is_cut_in_mirror_image(column):
    x, y = column
    levels, mirrored = _levels(x, y), _levels(-x, y)
    assert np.array_equal(levels, mirrored.max() - mirrored)


@example(ALIKE_FROM_BOTH_ENDS)
@example(ALIKE_WHATEVER_THE_NAMES)
@given(labelled_columns())
def test_renamed_classes_leave_the_cuts(column):
    x, y = column
    levels = _levels(x, y)
    assert np.array_equal(levels, _levels(x, y.max() - y))
    assert np.array_equal(levels, _levels(x, np.array(["m", "z", "a"])[y]))


@given(labelled_columns(), st.randoms(use_true_random=False))
def test_shuffled_samples_leave_the_cuts(column, random):
    x, y = column
    rows = random.sample(range(len(x)), len(x))
    assert np.array_equal(_levels(x, y)[rows], _levels(x[rows], y[rows]))


@given(labelled_columns(), st.sampled_from([np.exp, np.cbrt, lambda x: x**3 - 7, lambda x: 1e6 + x / 3]))
def test_an_increasing_map_leaves_the_levels(column, change):
    x, y = column
    assert np.array_equal(_levels(x, y), _levels(change(x), y))


@example(ALIKE_FROM_BOTH_ENDS)
@example(ALIKE_WHATEVER_THE_NAMES)
@given(labelled_columns())
def test_mdl_cuts_where_its_slow_twin_cuts(column):
    x, y = column
    cuts = MDLDiscretizer().fit(x[:, np.newaxis], y).cut_points_[0]
    assert cuts.tolist() == oracle.mdl_cuts(x.tolist(), y.tolist())


def test_the_more_even_of_two_cuts_of_equal_entropy_wins():
    """Behind 8 samples and behind 14 of 32 the entropy is the same; neither side of the even cut pays for another."""
    x, y = _from_groups([(0, 8), (2, 4), (14, 4)])
    assert MDLDiscretizer().fit(x[:, np.newaxis], y).cut_points_[0].tolist() == [1.5]
    assert MDLDiscretizer().fit(-x[:, np.newaxis], y).cut_points_[0].tolist() == [-1.5]


def test_a_clean_change_of_class_is_cut_by_the_published_rule():
    """Labels 0,0,0,0,1,1,1,1: gain 1 against a threshold of 0.451839."""
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    assert oracle._pays(y, 4)
    threshold = (np.log2(7) + np.log2(7) - 2 * 1.0) / 8
    assert threshold == pytest.approx(0.451839, abs=5e-7)
    assert MDLDiscretizer().fit(np.arange(8.0)[:, np.newaxis], y).cut_points_[0].tolist() == [3.5]


whole = arrays(np.int64, st.integers(3, 40), elements=st.integers(-6, 6)).map(lambda x: x.astype(float))


def _one(discretizer, x):
    return discretizer.fit_transform(x[:, np.newaxis])[:, 0].tolist()


@given(whole)
def test_mean_sigma_gives_the_levels_of_its_slow_twin(x):
    assert _one(MeanSigmaDiscretizer(), x) == oracle.mean_sigma(x)


@given(whole)
def test_the_packed_levels_of_mean_sigma_are_those_it_transforms_to(x):
    own = MeanSigmaDiscretizer()
    assert own.codes(x[:, np.newaxis]).as_bytes()[0].tolist() == _one(own, x)


@given(whole, st.sampled_from([0.25, 3.0, 7.0, 1e3]), st.sampled_from([-100.0, 0.0, 0.1, 5.0]))
def test_mean_sigma_is_blind_to_affine_maps(x, factor, shift):
    levels = np.array(_one(MeanSigmaDiscretizer(), x))
    assert _one(MeanSigmaDiscretizer(), factor * x + shift) == levels.tolist()
    assert _one(MeanSigmaDiscretizer(), shift - factor * x) == (2 - levels).tolist()


@example(x=np.arange(-8.0, -1.0) / 8, n_bins=3)
@given(x=whole, n_bins=st.integers(2, 12))
def test_equal_width_gives_the_levels_of_its_slow_twin(x, n_bins):
    """A value on a cut point belongs below it, however the cut point was rounded."""
    assert _one(EqualWidthDiscretizer(n_bins=n_bins), x) == oracle.equal_width(x, n_bins)


@given(x=whole, n_bins=st.integers(2, 12))
def test_equal_frequency_gives_the_levels_of_its_slow_twin(x, n_bins):
    assert _one(EqualFrequencyDiscretizer(n_bins=n_bins), x) == oracle.equal_frequency(x, n_bins)


@given(x=st.permutations([float(v) for v in range(60)]), n_bins=st.sampled_from([2, 3, 4, 5, 6]))
def test_equal_frequency_fills_its_bins_evenly_where_values_differ(x, n_bins):
    counts = np.bincount(_one(EqualFrequencyDiscretizer(n_bins=n_bins), np.array(x)))
    assert counts.tolist() == [60 // n_bins] * n_bins


@given(x=whole, n_bins=st.integers(2, 12))
def test_equal_frequency_parts_the_samples_alike_in_either_direction(x, n_bins):
    # Of an odd number of samples the places themselves may round to either side.
    x = np.concatenate([x, x])
    levels, mirrored = (np.array(_one(EqualFrequencyDiscretizer(n_bins=n_bins), v)) for v in (x, -x))
    assert (levels.max() - levels == mirrored).all()


@pytest.mark.parametrize(
    ("counts", "n_bins", "levels"),
    [((30, 10, 5, 5), 5, (0, 1, 2, 2)), ((70, 30), 2, (0, 1)), ((45, 3, 2), 3, (0, 1, 1)), ((1, 2, 1), 2, (0, 0, 0))],
)
def test_equal_frequency_moves_a_cut_among_equal_values_to_where_they_end(counts, n_bins, levels):
    """Many zeros, as in counts: cuts fall among equal values. The last: either end would hang on the direction."""
    x = np.repeat(np.arange(len(counts)) ** 2.0, counts)
    assert _one(EqualFrequencyDiscretizer(n_bins=n_bins), x) == np.repeat(levels, counts).tolist()
