"""The colour matrix of steps and the agreement of methods."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from holdfast.report import agreement, colour_matrix


def _steps(seed, n_features, n_steps, n_runs=25):
    rng = np.random.default_rng(seed)
    matrix = np.zeros((n_features, n_steps))
    for _ in range(n_runs):
        matrix[rng.permutation(n_features)[:n_steps], np.arange(n_steps)] += 1 / n_runs
    return matrix


def test_one_order_in_all_runs_is_a_diagonal(seed):
    order = np.random.default_rng(seed).permutation(8)
    cells = colour_matrix(np.eye(8)[order]).data[0].z
    assert np.array_equal(cells, np.eye(8))


def test_rows_go_by_their_mean_step(seed):
    cells = np.asarray(colour_matrix(_steps(seed, 15, 15)).data[0].z)
    mean_step = (cells @ np.arange(15)) / cells.sum(axis=1)
    assert (np.diff(mean_step) >= -1e-12).all()


def test_features_beyond_the_last_row_are_summed_and_counted(seed):
    matrix = _steps(seed, 100, 12)
    figure = colour_matrix(matrix, max_rows=20)
    cells = np.asarray(figure.data[0].z)
    n_other = int((matrix.sum(axis=1) > 0).sum()) - 20
    assert cells.shape == (21, 12)
    assert np.allclose(cells.sum(axis=0), 1)
    assert figure.layout.yaxis.ticktext[-1] == f"<i>{n_other} others</i>"
    assert figure.data[0].customdata[-1][0] == f"{n_other} other features together"


def test_the_rows_shown_are_those_added_most_often(seed):
    matrix = _steps(seed, 40, 10)
    names = [str(i) for i in range(40)]
    shown = [int(name) for name in colour_matrix(matrix, names, max_rows=5).layout.yaxis.ticktext[:-1]]
    totals = matrix.sum(axis=1)
    assert totals[shown].min() >= np.delete(totals, shown).max()


def test_features_that_no_run_added_have_no_row():
    figure = colour_matrix([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]], names=["a", "never", "b"])
    assert list(figure.layout.yaxis.ticktext) == ["a", "b"]


@pytest.mark.parametrize(
    ("matrix", "words"),
    [([[0.5], [0.5]], "At no step"), ([[0.9, 0.0], [0.1, 0.4]], "At 1 of 2 steps")],
    ids=["none", "one"],
)
def test_the_title_counts_the_steps_of_which_runs_are_sure(matrix, words):
    assert words in colour_matrix(matrix).layout.title.text


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([0.5, 0.5], "a table of numbers"),
        (np.zeros((0, 3)), "empty"),
        ([[0.5, np.nan]], r"the first at \(0, 1\)"),
        ([[12, 3]], "Divide counts"),
        ([[0.9], [0.9]], "Column 0 of matrix sums to 1.8"),
        ([[0.0], [0.0]], "zero everywhere"),
    ],
    ids=["list", "empty", "gap", "counts", "membership", "nothing"],
)
def test_an_unusable_matrix_of_steps_is_refused(matrix, message):
    with pytest.raises(ValueError, match=message):
        colour_matrix(matrix)


def test_names_that_do_not_fit_the_rows_are_refused():
    with pytest.raises(ValueError, match="There are 2 features but 1 names"):
        colour_matrix([[1.0], [0.0]], names=["a"])


def test_like_methods_stand_side_by_side(seed):
    family = np.random.default_rng(seed).permutation([0, 0, 0, 1, 1, 1, 2, 2])
    matrix = np.where(family[:, None] == family, 0.8, 0.1)
    np.fill_diagonal(matrix, 1)
    figure = agreement(matrix, [f"{kind}" for kind in family])
    shown = list(figure.layout.xaxis.ticktext)
    assert sum(a != b for a, b in pairwise(shown)) == 2
    assert shown == list(figure.layout.yaxis.ticktext)


def test_cells_keep_the_values_of_their_pair(seed):
    values = np.corrcoef(np.random.default_rng(seed).normal(size=(6, 9)))
    values = (values + values.T) / 2
    figure = agreement(values, list("abcdef"))
    order = ["abcdef".index(name) for name in figure.layout.xaxis.ticktext]
    assert np.array_equal(np.asarray(figure.data[0].z), values[np.ix_(order, order)])


@pytest.mark.parametrize(("n_methods", "has_numbers"), [(2, True), (12, True), (13, False)])
def test_few_methods_have_numbers_and_many_a_scale(n_methods, has_numbers):
    (cells,) = agreement(np.eye(n_methods), range(n_methods)).data
    assert (cells.texttemplate is not None) == has_numbers
    assert cells.showscale != has_numbers


@pytest.mark.parametrize(
    ("lowest", "limits", "ends"),
    [(0.2, None, (0, 1)), (-0.2, None, (-1, 1)), (0.2, (-0.5, 1), (-1, 1)), (0.2, (0, 2), (0, 2))],
)
def test_colours_span_the_range_of_the_measure_and_keep_zero_in_the_middle(lowest, limits, ends):
    (cells,) = agreement([[1, lowest], [lowest, 1]], ["a", "b"], limits=limits).data
    assert (cells.zmin, cells.zmax) == ends


@pytest.mark.parametrize(
    ("matrix", "more", "message"),
    [
        ([[1, 0.2]], {}, "square"),
        ([[1.0]], {}, "at least 2 methods"),
        ([[1, 0.2], [0.3, 1]], {}, "not symmetric"),
        ([[1, np.nan], [np.nan, 1]], {}, "missing or infinite"),
        ([[1, 3], [3, 1]], {}, "Pass the range of the measure as limits"),
        ([[1, 0.5], [0.5, 1]], {"limits": (1, 0)}, "limits="),
        ([[1, 0.5], [0.5, 1]], {"theme": "blue"}, "'light' or 'dark'"),
    ],
    ids=["flat", "one", "one-sided", "gap", "wide", "turned", "theme"],
)
def test_an_unusable_agreement_is_refused(matrix, more, message):
    with pytest.raises(ValueError, match=message):
        agreement(matrix, ["a", "b"][: len(matrix)], **more)


def test_pairs_that_all_agree_alike_are_said_to():
    assert "All pairs agree alike (0.50)" in agreement([[1, 0.5], [0.5, 1]], ["a", "b"]).layout.title.text
