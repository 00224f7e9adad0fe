"""Consensus signatures: the worked example of the specification (V8), forms of input, ties and edges."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast import FTest
from holdfast.stability import Frequency
from holdfast.stability.consensus import consensus

LISTS = [[0, 1, 2], [0, 1, 3], [0, 2, 4], [0, 1, 2]]
GENES = np.array(["TP53", "KRAS", "EGFR", "MYC", "RB1", "BRAF"])


@pytest.fixture
def matrix():
    runs = np.zeros((4, 6), dtype=bool)
    for row, chosen in zip(runs, LISTS, strict=True):
        row[chosen] = True
    return runs


def test_the_worked_example_of_the_specification(matrix):
    found = consensus(matrix)
    assert found.counts.tolist() == [4, 3, 3, 1, 1]
    assert found.indices.tolist() == [0, 1, 2]
    assert consensus(matrix, threshold=0.85).indices.tolist() == [0]
    assert found.table() == {"at least once": 5, "more than 50 %": 3, "more than 85 %": 1}
    assert found.counts.sum() == 12
    assert found.overlap == pytest.approx(10 / 12)


def test_the_curve_is_the_share_of_runs_in_falling_order(matrix):
    found = consensus(matrix)
    assert found.curve.tolist() == [1.0, 0.75, 0.75, 0.25, 0.25]
    assert found.frequency.tolist() == [1.0, 0.75, 0.75]


@pytest.mark.parametrize(
    "runs", [LISTS, [set(chosen) for chosen in LISTS], "matrix", "frequency"], ids=["lists", "sets", "matrix", "object"]
)
def test_every_form_of_runs_gives_the_same_signature(runs, matrix):
    runs = {"matrix": matrix, "frequency": Frequency(matrix)}.get(runs) if isinstance(runs, str) else runs
    found = consensus(runs)
    assert found.names.tolist() == [0, 1, 2]
    assert found.indices.tolist() == [0, 1, 2]
    assert found.overlap == pytest.approx(10 / 12)


def test_lists_of_names_have_no_columns():
    found = consensus([GENES[chosen].tolist() for chosen in LISTS])
    assert found.names.tolist() == ["TP53", "EGFR", "KRAS"]
    assert found.indices is None


def test_features_chosen_equally_often_come_by_name_wherever_their_columns_are(matrix, seed):
    order = np.random.default_rng([seed, 71]).permutation(6)
    plain, moved = consensus(matrix, names=GENES), consensus(matrix[:, order], names=GENES[order])
    assert plain.ranked_names.tolist() == ["TP53", "EGFR", "KRAS", "MYC", "RB1"]
    assert moved.ranked_names.tolist() == plain.ranked_names.tolist()
    assert np.array_equal(order[moved.ranked_columns], plain.ranked_columns)


def test_names_can_be_given_for_lists_of_columns():
    found = consensus(LISTS, names=GENES)
    assert found.names.tolist() == ["TP53", "EGFR", "KRAS"]
    assert found.indices.tolist() == [0, 2, 1]


def test_fitted_selectors_bring_their_names():
    frames = pytest.importorskip("pandas")
    X = frames.DataFrame({"b": [0, 0, 5, 6.0], "a": [1, 2, 1, 2.0], "c": [3, 1, 2, 3.0]})
    selectors = [FTest(1).fit(X, [0, 0, 1, 1]) for _ in range(2)]
    assert consensus(selectors).names.tolist() == ["b"]


def test_a_feature_at_the_threshold_misses_it_and_is_near():
    runs = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 1]], dtype=bool)
    found = consensus(runs)
    assert found.names.tolist() == [0]
    assert found.near_names.tolist() == [1]
    assert found.near_frequency.tolist() == [0.5]


@pytest.mark.parametrize(("count", "n_runs", "threshold"), [(29, 50, 0.58), (55, 100, 0.55), (7, 100, 0.07)])
def test_rounding_does_not_lift_a_feature_over_the_threshold(count, n_runs, threshold):
    runs = np.zeros((n_runs, 2), dtype=bool)
    runs[:, 0] = True
    runs[:count, 1] = True
    assert consensus(runs, threshold=threshold).names.tolist() == [0]
    assert consensus(runs, threshold=threshold - 0.001).names.tolist() == [0, 1]


def test_near_misses_end_a_tenth_below_the_threshold():
    runs = np.zeros((10, 5), dtype=bool)
    for column, count in enumerate((6, 5, 4, 3, 0)):
        runs[:count, column] = True
    found = consensus(runs)
    assert found.names.tolist() == [0]
    assert found.near_names.tolist() == [1, 2]


def test_perfect_agreement_fills_the_rectangle():
    assert consensus(np.tile([True, True, False], (5, 1))).overlap == 1.0


def test_lists_of_different_lengths_are_compared_with_a_rectangle_of_the_mean_length():
    found = consensus([[0], [0, 1], [0, 1, 2]], n_features=9)
    assert found.list_size == 2.0
    assert found.overlap == pytest.approx(5 / 6)


def test_runs_that_chose_nothing_have_an_empty_signature():
    found = consensus(np.zeros((3, 4), dtype=bool))
    assert len(found.names) == len(found.near_names) == 0
    assert found.table() == {"at least once": 0, "more than 50 %": 0, "more than 85 %": 0}
    assert np.isnan(found.overlap)


def test_other_shares_can_be_counted(matrix):
    assert consensus(matrix).table((0.2, 0.75)) == {"at least once": 5, "more than 20 %": 5, "more than 75 %": 1}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"threshold": 1.0}, "threshold=1.0"),
        ({"threshold": -0.1}, "threshold=-0.1"),
        ({"names": ["a", "b"]}, "2 names for 6 features"),
        ({"n_features": 9}, "n_features=9"),
    ],
)
def test_values_that_cannot_be_are_named(options, says, matrix):
    with pytest.raises(ValueError, match=says):
        consensus(matrix, **options)


def test_names_that_do_not_fit_the_lists_are_refused():
    with pytest.raises(ValueError, match="names already"):
        consensus([["a"], ["b"]], names=["x", "y"])
    with pytest.raises(ValueError, match="column 4, but there are only 3 names"):
        consensus(LISTS, names=["x", "y", "z"])


def test_a_share_to_count_must_be_a_share(matrix):
    with pytest.raises(ValueError, match="threshold=85"):
        consensus(matrix).table((85,))
