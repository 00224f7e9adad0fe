"""What must not change a selection: the order of columns and rows, the names of classes, harmless rescaling.

Every test runs on every row of the registry; what a row promises it says itself (``invariant_to``, ``is_prefix``,
``sees_redundancy``, ``takes``). Named data (a data frame) are compared by name. Unnamed data are compared by
content, because identical columns cannot be told apart.
"""

from __future__ import annotations

import numpy as np
import pytest

import holdfast
from oracles import datasets
from oracles.datasets import Data, build, fit, suited

METHODS = holdfast.methods()
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)


def _bundle(method, seed):
    return datasets.bundle(method, seed)


def _k(data):
    return max(2, data.X.shape[1] // 2)


def _chosen_names(fitted):
    return fitted.feature_names_in_[fitted.indices_].tolist()


def _rank_by_name(fitted):
    return dict(zip(fitted.feature_names_in_, fitted.ranking_.tolist(), strict=True))


def assert_same_choice(plain, other):
    assert plain.indices_.tolist() == other.indices_.tolist()
    assert plain.ranking_.tolist() == other.ranking_.tolist()


def assert_same_scores(plain, other):
    np.testing.assert_allclose(plain.scores_, other.scores_, rtol=1e-9, atol=1e-9)


@every_method
def test_shuffled_named_columns_give_the_same_names_and_ranks(method, seed):
    for data in _bundle(method, seed):
        order = np.random.default_rng([seed, 11]).permutation(data.X.shape[1])
        plain = fit(build(method, _k(data)), data.frame, data.y)
        moved = fit(build(method, _k(data)), data.frame.iloc[:, order], data.y)
        assert _chosen_names(plain) == _chosen_names(moved), data.name
        assert _rank_by_name(plain) == _rank_by_name(moved), data.name


@every_method
def test_shuffled_unnamed_columns_give_the_same_columns(method, seed):
    for data in _bundle(method, seed):
        order = np.random.default_rng([seed, 12]).permutation(data.X.shape[1])
        plain = fit(build(method, _k(data)), data.X, data.y)
        moved = fit(build(method, _k(data)), data.X[:, order], data.y)
        chosen, again = data.X[:, plain.indices_], data.X[:, order[moved.indices_]]
        assert np.array_equal(chosen, again), data.name


@every_method
def test_shuffled_unnamed_columns_give_the_same_ranks(method, seed):
    # No two columns of these data are equal.
    data = suited(method, datasets.tied(seed))
    order = np.random.default_rng([seed, 13]).permutation(data.X.shape[1])
    plain = fit(build(method, 7), data.X, data.y)
    moved = fit(build(method, 7), data.X[:, order], data.y)
    assert plain.ranking_[order].tolist() == moved.ranking_.tolist()


def _zeros_and_ones(seed, method):
    """Presence or absence on few samples: many columns have the same counts per class, on different samples."""
    rng = np.random.default_rng([seed, 20])
    y = np.arange(14) % 2
    X = rng.random((14, 40)) < 0.3 + 0.4 * y[:, np.newaxis]
    return suited(method, Data("zeros and ones", X.astype(float), y, True))


@every_method
def test_shuffled_unnamed_columns_of_zeros_and_ones_give_the_same_columns(method, seed):
    data = _zeros_and_ones(seed, method)
    order = np.random.default_rng([seed, 21]).permutation(data.X.shape[1])
    plain = fit(build(method, 8), data.X, data.y)
    moved = fit(build(method, 8), data.X[:, order], data.y)
    assert np.array_equal(data.X[:, plain.indices_], data.X[:, order[moved.indices_]])


@every_method
def test_shuffled_samples_of_zeros_and_ones_give_the_same_columns(method, seed):
    data = _zeros_and_ones(seed, method)
    rows = np.random.default_rng([seed, 22]).permutation(len(data.X))
    plain = fit(build(method, 8), data.X, data.y)
    moved = fit(build(method, 8), data.X[rows], data.y[rows])
    assert np.array_equal(data.X[:, plain.indices_], data.X[:, moved.indices_])


@every_method
def test_shuffled_samples_give_the_same_choice(method, seed):
    for data in _bundle(method, seed):
        rows = np.random.default_rng([seed, 14]).permutation(len(data.X))
        plain = fit(build(method, _k(data)), data.X, data.y)
        moved = fit(build(method, _k(data)), data.X[rows], None if data.y is None else data.y[rows])
        assert_same_choice(plain, moved)
        assert_same_scores(plain, moved)


def _renamings(method, y):
    """Other names for the classes: in reverse order, and as words where the method takes words."""
    classes = np.unique(y)
    yield classes[::-1]
    yield 10 - 3 * np.arange(len(classes))
    if "regression" not in method.takes:
        yield np.array(["control", "case", "after"], dtype=object)[: len(classes)]
        yield np.roll(["a", "b", "c"][: len(classes)], 1)


@every_method
def test_renamed_classes_give_the_same_choice(method, seed):
    for data in _bundle(method, seed):
        if data.y is None or data.name == "measured":
            continue
        plain = fit(build(method, _k(data)), data.X, data.y)
        for names in _renamings(method, data.y):
            renamed = fit(build(method, _k(data)), data.X, names[np.unique(data.y, return_inverse=True)[1]])
            assert_same_choice(plain, renamed)
            assert_same_scores(plain, renamed)


@every_method
def test_renamed_classes_of_different_size_give_the_same_choice(method, seed):
    rng = np.random.default_rng([seed, 15])
    for n_of_first in (3, 6) * 10:
        y = (np.arange(9) >= n_of_first).astype(int)
        data = suited(method, Data("small", rng.integers(0, 3, size=(9, 12)).astype(float), y))
        plain = fit(build(method, 5), data.frame, y)
        assert_same_choice(plain, fit(build(method, 5), data.frame, 1 - y))


def _monotone(column, rng):
    """A strictly increasing or decreasing map that keeps different values different."""
    maps = [
        lambda x: -x,
        lambda x: np.cbrt(x) * 7 + 3,
        lambda x: np.exp(x / 8),
        lambda x: -(x**3 + x),
        lambda x: np.searchsorted(np.unique(x), x) * 2.0,
    ]
    return maps[rng.integers(len(maps))](column)


def _affine(column, rng):
    """a·x + b with a ≠ 0; powers of two and whole numbers, so that the map itself rounds nothing away."""
    return rng.choice([-4.0, -1.0, -0.5, 0.25, 2.0, 8.0]) * column + rng.choice([-16.0, 0.0, 5.0, 64.0])


def _shifted(column, rng):
    return column + rng.choice([-16.0, 0.5, 3.0, 64.0])


def _by_column(change):
    return lambda X, rng: np.column_stack([change(column, rng) for column in X.T])


CHANGES = {
    "monotone": [_by_column(_monotone), _by_column(_affine), lambda X, rng: -X],
    "affine": [_by_column(_affine), lambda X, rng: -X],
    "shift": [_by_column(_shifted)],
    "scale-up": [lambda X, rng: X * 4.0, lambda X, rng: X * 0.125],
}


def _eighths(data):
    """Data on multiples of 1/8: maps of powers of two are exact on them."""
    return Data(data.name, np.round(data.X * 8) / 8, data.y, data.is_discrete)


@every_method
def test_changes_a_method_is_invariant_to_leave_the_choice(method, seed):
    for data in map(_eighths, _bundle(method, seed)):
        plain = fit(build(method, _k(data)), data.frame, data.y)
        for number, change in enumerate(CHANGES[method.invariant_to]):
            changed = data.frame.copy()
            changed.loc[:, :] = change(data.X, np.random.default_rng([seed, 16, number]))
            assert_same_choice(plain, fit(build(method, _k(data)), changed, data.y))


@every_method
def test_a_copy_ranks_next_to_its_original(method, seed):
    """A copy never passes its original by more than the tie rule.

    Judged one by one, both have the same score, and whatever stands between them in the full ranking ties with both.
    A method that looks at what is chosen already takes the original first: the copy's name comes later.
    """
    for data in _bundle(method, seed):
        frame = data.frame
        original = frame.columns[int(np.argmax(data.X.std(axis=0)))]
        frame["zzz copy"] = frame[original]
        fitted = fit(build(method, frame.shape[1]), frame, data.y)
        ranks = _rank_by_name(fitted)
        # A list may have had room for one of the two, and been thrown away.
        if not method.keeps_copies and not fitted.support_[frame.columns.get_loc(original)]:
            continue
        assert ranks[original] <= ranks["zzz copy"], data.name
        if method.family == "ranking":
            scores = dict(zip(frame.columns, fitted.scores_, strict=True))
            between = [n for n in frame.columns if ranks[original] <= ranks[n] <= ranks["zzz copy"]]
            np.testing.assert_allclose([scores[n] for n in between], scores[original], rtol=1e-12, atol=1e-12)


def _two_alike_and_a_copy(seed):
    """Features a and b tell the same about the class but err on different samples; a2 is a copy of a.

    b is a with the samples of each class permuted, so every score against the class is equal, and the errors of the
    two are on different samples, so they share less with each other than a shares with its copy.
    """
    y = np.repeat([0, 1], 24)
    error = np.zeros(48)
    error[:3] = error[24:27] = 1
    pattern = np.where(error == 1, 1 - y, y) * 8 + np.tile(np.arange(24) % 3, 2)
    moved = np.concatenate([np.roll(pattern[:24], 3), np.roll(pattern[24:], 3)])
    rows = np.random.default_rng([seed, 17]).permutation(48)
    X = np.column_stack([pattern, moved, pattern])[rows].astype(float)
    return Data("copy", X, y[rows]), ["a", "b", "a2"]


@pytest.mark.parametrize("method", [m for m in METHODS if m.sees_redundancy], ids=lambda method: method.name)
def test_a_method_that_sees_redundancy_takes_an_equally_informative_feature_before_a_copy(method, seed):
    """With one of a and a2 taken, b tells as much about the class and repeats less, so b comes before the copy.

    That holds for differences and quotients of relevance and redundancy, for CFS and FCBF, and for what
    a pair tells together (JMI, CMIM, DISR). A method that keeps only what it cannot do without may do without b.
    """
    data, names = _two_alike_and_a_copy(seed)
    frame = data.frame.set_axis(names, axis=1)
    first = _chosen_names(fit(build(method, 2), frame, data.y))
    assert "b" in first or (len(first) == 1 and datasets.stops_by_itself(method))
    assert not {"a", "a2"} <= set(first)


@every_method
def test_a_constant_feature_is_never_taken_while_others_are_open(method, seed):
    rng = np.random.default_rng([seed, 18])
    for kind in ("noise", "levels"):
        X = rng.normal(size=(24, 9)) + 5 if kind == "noise" else rng.integers(0, 2, size=(24, 9)).astype(float)
        X[:, [0, 4, 8]] = [0.0, 3.0, 0.1]
        data = suited(method, Data(kind, X, np.arange(24) % 2))
        chosen = fit(build(method, 6), data.X, data.y).indices_
        assert not set(chosen) & {0, 4, 8}


@pytest.mark.parametrize(
    "method",
    [m for m in METHODS if m.family == "ranking" and "unlabelled" not in m.takes],
    ids=lambda method: method.name,
)
def test_added_noise_does_not_reorder_a_ranking_by_single_features(method, seed):
    """A filter that looks at one feature and the class at a time cannot see the others.

    A filter without classes looks at the neighbourhood of the samples, which noise does change; it promises nothing.
    """
    rng = np.random.default_rng([seed, 19])
    for data in _bundle(method, seed):
        noisy = data.frame
        for i in range(8):
            noisy.insert(int(rng.integers(noisy.shape[1])), f"noise{i}", rng.permutation(noisy.iloc[:, 0]) * 2 + 1)
        plain = fit(build(method, data.X.shape[1]), data.frame, data.y)
        more = fit(build(method, noisy.shape[1]), noisy, data.y)
        kept = [name for name in _chosen_names(more) if not name.startswith("noise")]
        assert kept == _chosen_names(plain)


@pytest.mark.parametrize("method", [m for m in METHODS if m.is_prefix], ids=lambda method: method.name)
def test_the_first_k_of_a_longer_list_is_the_list_for_k(method, seed):
    for data in _bundle(method, seed):
        longest = fit(build(method, data.X.shape[1]), data.X, data.y).indices_.tolist()
        for k in (1, 2, 3, 5, 8):
            assert fit(build(method, k), data.X, data.y).indices_.tolist() == longest[:k], (data.name, k)


def _layouts(X):
    yield "float32", X.astype(np.float32)
    yield "Fortran order", np.asfortranarray(X)
    read_only = X.copy()
    read_only.flags.writeable = False
    yield "read-only", read_only
    yield "strided", np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3]
    yield "reversed view", X[::-1, ::-1].copy()[::-1, ::-1]
    yield "nested lists", X.tolist()


@every_method
def test_layout_and_precision_of_the_input_do_not_change_a_bit(method, seed):
    # Multiples of 1/8 of this size are exact in float32.
    for data in map(_eighths, _bundle(method, seed)):
        plain = fit(build(method, _k(data)), data.X, data.y)
        for layout, X in _layouts(data.X):
            other = fit(build(method, _k(data)), X, data.y)
            assert_same_choice(plain, other)
            assert np.array_equal(plain.scores_, other.scores_, equal_nan=True), (data.name, layout)


@every_method
def test_the_input_is_left_as_it_was(method, seed):
    for data in _bundle(method, seed):
        X, y = data.X.copy(), None if data.y is None else data.y.copy()
        fit(build(method, _k(data)), X, y)
        assert np.array_equal(X, data.X)
        assert y is None or np.array_equal(y, data.y)
