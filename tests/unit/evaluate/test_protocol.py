"""Protocols: what their names mean, which samples train and test, and what is refused."""

from __future__ import annotations

import re
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, StratifiedKFold

from holdfast import DataError
from holdfast.evaluate import protocol
from holdfast.evaluate.protocol import Samples, Split, shared_by_training_parts, splits_of

KINDS = {
    "10x10cv": ("10x10cv", "10 times 10-fold cross-validation"),
    "5cv": ("5cv", "5-fold cross-validation"),
    "1x5cv": ("5cv", "5-fold cross-validation"),
    " 3 X 4 CV ": ("3x4cv", "3 times 4-fold cross-validation"),
    "5-fold-cv": ("5cv", "5-fold cross-validation"),
    "5foldcv": ("5cv", "5-fold cross-validation"),
    "2x5-cv": ("2x5cv", "2 times 5-fold cross-validation"),
    "loocv": ("loocv", "leave-one-out cross-validation"),
    "LOO": ("loocv", "leave-one-out cross-validation"),
    "loo-cv": ("loocv", "leave-one-out cross-validation"),
    "leave-one-out": ("loocv", "leave-one-out cross-validation"),
    "bootstrap": ("bootstrapx100", "100 bootstraps, tested on the samples that were not drawn"),
    "bootstraps": ("bootstrapx100", "100 bootstraps, tested on the samples that were not drawn"),
    "bootstrapx7": ("bootstrapx7", "7 bootstraps, tested on the samples that were not drawn"),
    "holdout": ("holdout", "one random split, 2/3 of the samples to train on"),
    "holdout-0.7": ("holdout-0.7", "one random split, 7/10 of the samples to train on"),
    "random-2/3x100": ("random-2/3x100", "100 random splits, 2/3 of the samples to train on"),
    "random-75%x3": ("random-75%x3", "3 random splits, 3/4 of the samples to train on"),
    "random-.5x2": ("random-.5x2", "2 random splits, 1/2 of the samples to train on"),
}


def _samples(classes, groups=None, seed=0):
    classes = np.asarray(classes)
    rows = np.arange(len(classes))
    return Samples(np.zeros((len(classes), 1)), classes, groups, rows, classes, groups, seed)


def _splits(name, classes, groups=None, seed=0):
    return splits_of(name, _samples(classes, groups, seed))[3]


def _trains(splits):
    return [split.train.tolist() for split in splits]


@pytest.mark.parametrize("text", KINDS)
def test_a_name_in_any_spelling_means_one_protocol(text):
    found = protocol(text)
    assert (found.name, found.words) == KINDS[text]


@pytest.mark.parametrize("text", KINDS)
def test_only_leaving_one_out_judges_all_test_parts_together(text):
    assert protocol(text).pools_test_parts is KINDS[text][0].startswith("loocv")


@pytest.mark.parametrize(
    "text",
    ["", "cv", "10fold", "10x", "x5cv", "5cvx2", "bootstrap-7", "loocvx3", "holdout-2", "holdout0.7", "-5cv", "5.5cv"],
)
def test_an_unknown_name_is_refused_with_examples(text):
    with pytest.raises(ValueError, match=re.escape(f"protocol={text!r} is not known. Write it as one of 10x10cv, 5cv")):
        protocol(text)


@pytest.mark.parametrize("text", ["1cv", "0cv", "0x5cv", "3x1cv"])
def test_too_few_folds_or_repeats_are_refused(text):
    with pytest.raises(ValueError, match=f"protocol='{text}' needs at least 1 repeat and 2 folds, as in 10x10cv"):
        protocol(text)


@pytest.mark.parametrize("share", ["0/3", "3/0", "3/2", "1/1", "0%", "100%", "0.0"])
def test_what_is_no_share_is_refused(share):
    with pytest.raises(ValueError, match=f"{share} is no share of the samples. Write one such as 2/3, 0.7 or 70%"):
        protocol(f"holdout-{share}")


@pytest.mark.parametrize("text", ["bootstrapx0", "randomx0", "holdout-0.5x0"])
def test_no_draws_at_all_are_refused(text):
    with pytest.raises(ValueError, match=f"protocol='{text}' draws nothing. Write a number of at least 1"):
        protocol(text)


@pytest.mark.parametrize("given", [5, None, ["5cv"]])
def test_what_is_no_text_is_no_name(given):
    with pytest.raises(TypeError, match=r"is no name. Pass one such as 10x10cv"):
        protocol(given)


@pytest.mark.parametrize("given", [5, None, [], 2.5, object()])
def test_what_gives_no_split_is_refused(given):
    with pytest.raises(ValueError, match=r"gives no split. Pass 10x10cv.*, a splitter, or a list of"):
        _splits(given, [0, 1] * 6)


sizes_of_classes = st.lists(st.integers(2, 14), min_size=2, max_size=4)


def _of(sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


@given(sizes_of_classes, st.integers(2, 6), st.integers(1, 3), st.integers(0, 2**32))
def test_folds_test_every_sample_once_per_repeat_and_spread_the_classes(sizes, n_folds, n_repeats, seed):
    classes = _of(sizes)
    name = f"{n_repeats}x{n_folds}cv"
    if n_folds > len(classes) or min(size - ceil(size / n_folds) for size in sizes) < 2:
        with pytest.raises(DataError):
            _splits(name, classes, seed=seed)
        return
    splits = _splits(name, classes, seed=seed)
    assert len(splits) == n_folds * n_repeats
    for start in range(0, len(splits), n_folds):
        parts = splits[start : start + n_folds]
        assert sorted(np.concatenate([split.test for split in parts])) == list(range(len(classes)))
        lengths = [len(split.test) for split in parts]
        assert max(lengths) - min(lengths) <= 1
        for code in range(len(sizes)):
            counts = [int((classes[split.test] == code).sum()) for split in parts]
            assert max(counts) - min(counts) <= 1
    for split in splits:
        assert sorted([*split.train, *split.test]) == list(range(len(classes)))


@given(sizes_of_classes, st.integers(0, 2**32))
def test_bootstraps_draw_from_each_class_as_many_as_it_has_and_test_the_rest(sizes, seed):
    classes = _of(sizes)
    try:
        splits = _splits("bootstrapx4", classes, seed=seed)
    except DataError as error:
        # All of a few samples can be drawn.
        refused = str(error)
        assert "leaves no sample to test on" in refused
        return
    for split in splits:
        assert np.bincount(classes[split.train]).tolist() == sizes
        assert min(np.bincount(classes[np.unique(split.train)])) >= 2
        assert set(split.test) == set(range(len(classes))) - set(split.train)
        assert (np.diff(split.train) >= 0).all()


@given(sizes_of_classes, st.sampled_from(["1/2", "2/3", "0.8", "25%"]), st.integers(0, 2**32))
def test_random_splits_draw_a_share_of_every_class(sizes, share, seed):
    classes = _of(sizes)
    part = {"1/2": 1 / 2, "2/3": 2 / 3, "0.8": 0.8, "25%": 0.25}[share]
    expected = [min(size, max(2, int(part * size + 0.5))) for size in sizes]
    if expected == sizes:
        with pytest.raises(DataError, match="leaves no sample to test on"):
            _splits(f"random-{share}x3", classes, seed=seed)
        return
    for split in _splits(f"random-{share}x3", classes, seed=seed):
        assert np.bincount(classes[split.train]).tolist() == expected
        assert sorted([*split.train, *split.test]) == list(range(len(classes)))


@given(st.lists(st.integers(3, 8), min_size=2, max_size=3))
def test_leaving_one_out_tests_each_sample_alone(sizes):
    splits = _splits("loocv", _of(sizes))
    assert [split.test.tolist() for split in splits] == [[row] for row in range(sum(sizes))]


@settings(max_examples=30)
@given(
    st.sampled_from(["2x3cv", "bootstrapx4", "random-1/2x4", "holdout", "loocv"]),
    st.lists(st.integers(0, 9), min_size=28, max_size=28),
    st.integers(0, 2**32),
)
def test_a_group_stays_on_one_side(name, numbers, seed):
    classes = np.arange(28) % 2
    # Every group has both classes, so that no training part can lack one.
    groups = np.repeat(numbers[:14], 2)
    groups[:8] = np.repeat([10, 11, 12, 13], 2)
    try:
        splits = _splits(name, classes, groups, seed)
    except DataError as error:
        assert "no sample to test on" in str(error)  # noqa: PT017
        return
    for split in splits:
        assert not set(groups[split.train]) & set(groups[split.test])
        assert set(split.train) | set(split.test) == set(range(28))


@pytest.mark.parametrize(
    ("few", "many"), [("bootstrapx2", "bootstrapx5"), ("random-1/2x2", "random-1/2x5"), ("5cv", "4x5cv")]
)
def test_a_split_depends_on_the_seed_and_its_number_only(few, many, seed):
    classes = np.arange(40) % 2
    first = _trains(_splits(few, classes, seed=seed))
    assert _trains(_splits(many, classes, seed=seed))[: len(first)] == first


@pytest.mark.parametrize("name", ["2x5cv", "bootstrapx3", "holdout", "random-2/3x2"])
def test_the_seed_decides_the_splits(name, seed):
    classes = np.arange(40) % 2
    assert _trains(_splits(name, classes, seed=seed)) == _trains(_splits(name, classes, seed=seed))
    assert _trains(_splits(name, classes, seed=seed)) != _trains(_splits(name, classes, seed=seed + 1))


def test_leaving_one_group_out_takes_whole_groups():
    groups = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    splits = _splits("loocv", np.array([0, 1] * 4), groups)
    assert [split.test.tolist() for split in splits] == [[0, 1], [2, 3], [4, 5], [6, 7]]


@pytest.mark.parametrize(
    "splitter", [StratifiedKFold(3), StratifiedKFold(3, shuffle=True, random_state=0), GroupKFold(3)]
)
def test_a_splitter_is_asked_with_classes_and_groups(splitter):
    classes, groups = np.arange(24) % 2, np.repeat(np.arange(6), 4)
    given_groups = groups if isinstance(splitter, GroupKFold) else None
    found = _splits(splitter, classes, given_groups)
    expected = list(splitter.split(np.zeros((24, 1)), classes, given_groups))
    assert [(one.train.tolist(), one.test.tolist()) for one in found] == [(a.tolist(), b.tolist()) for a, b in expected]


def test_given_rows_are_those_of_the_table_as_it_came():
    classes = np.arange(12) % 2
    samples = Samples(np.zeros((12, 1)), classes, None, np.arange(12)[::-1], classes[::-1], None, 0)
    (split,) = splits_of([(np.arange(8), np.arange(8, 12))], samples)[3]
    # Row r of the table is place 11 - r of the order.
    assert split.train.tolist() == list(range(4, 12))
    assert split.test.tolist() == [0, 1, 2, 3]


def test_given_splits_say_so_and_pool_test_parts_of_one_sample_only():
    classes = np.arange(12) % 2
    name, words, pools, _ = splits_of(KFold(4), _samples(classes))
    assert (name, words, pools) == ("given splits", "4 splits as given", False)
    assert splits_of(LeaveOneOut(), _samples(classes))[2] is True


def test_splits_may_come_one_by_one():
    classes = np.arange(12) % 2
    given_splits = list(KFold(3).split(classes))
    assert _trains(_splits(iter(given_splits), classes)) == _trains(_splits(given_splits, classes))


def test_given_splits_may_be_masks_and_may_repeat_samples_to_train_on():
    classes = np.arange(12) % 2
    is_train = np.arange(12) < 8
    (split,) = _splits([(is_train, ~is_train)], classes)
    assert split.test.tolist() == [8, 9, 10, 11]
    (split,) = _splits([([0, 0, 1, 1, 2, 3], [4, 5])], classes)
    assert split.train.tolist() == [0, 0, 1, 1, 2, 3]


REFUSED = {
    "the same samples": ([([0, 1, 2, 3, 4], [4, 5])], "Split 1 of given splits trains and tests on the same samples"),
    "no class": ([([0, 2, 4, 6], [1, 3])], "training part of split 1 of given splits has no sample of a class"),
    "one sample": ([([0, 2, 4, 1], [3])], "training part of split 1 of given splits has 1 sample of a class"),
    "outside": ([([0, 1, 2, 99], [3])], "names row 99, but X has 12 samples"),
    "negative": ([([0, 1, 2, 3], [-1])], "names row -1, but X has 12 samples"),
    "no pair": ([3], "a split is a pair"),
    "numbers": ([([0.5, 1.5], [3])], "must be a list of row numbers"),
    "empty": ([([], [3])], "must be a list of row numbers with at least one"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_splits_that_cannot_be_used_are_refused(case):
    given_splits, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        _splits(given_splits, np.arange(12) % 2)


def test_given_splits_that_tear_a_group_apart_are_refused():
    with pytest.raises(ValueError, match=r"Split 2 of given splits has a group in both parts. Split by groups"):
        _splits([([0, 1, 2, 3], [4, 5]), ([0, 1, 2, 4, 5], [3])], np.arange(6) % 2, groups=np.array([0, 0, 1, 1, 2, 2]))


def test_a_splitter_that_needs_groups_is_refused_without():
    with pytest.raises(ValueError, match="needs groups, which did not come"):
        _splits(GroupKFold(3), np.arange(12) % 2)


def test_more_folds_than_samples_or_groups_are_refused():
    with pytest.raises(DataError, match=r"13 folds of 12 samples cannot be made. Use fewer folds"):
        _splits("13cv", np.arange(12) % 2)
    with pytest.raises(DataError, match="5 folds of 4 groups cannot be made"):
        _splits("5cv", np.arange(12) % 2, np.arange(12) // 3)


def test_a_class_too_small_for_a_training_part_is_refused_with_a_way_out():
    with pytest.raises(DataError, match=r"has 1 sample of a class; 2 of each are needed. Drop or join small classes"):
        _splits("2cv", [0] * 10 + [1] * 2)
    with pytest.raises(DataError, match="of loocv has 1 sample of a class"):
        _splits("loocv", [0] * 10 + [1] * 2)


def test_training_parts_of_ten_folds_share_eight_ninths_of_their_samples():
    splits = _splits("10cv", np.arange(40) % 2)
    assert shared_by_training_parts(splits, 40) == pytest.approx(8 / 9)


def test_shared_samples_count_once_and_one_split_shares_nothing():
    one = Split(np.array([0, 0, 1, 2]), np.array([3]))
    other = Split(np.array([1, 1, 1]), np.array([0]))
    # A third of the first is in the second, all of the second in the first.
    assert shared_by_training_parts([one, other], 4) == pytest.approx((1 / 3 + 1) / 2)
    assert np.isnan(shared_by_training_parts([one], 4))
