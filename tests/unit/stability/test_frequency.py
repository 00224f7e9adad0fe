"""Halves of the samples, and how often features are chosen on them."""

from __future__ import annotations

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

from holdfast import (
    CFS,
    Correlation,
    DataError,
    FTest,
    LaplacianScore,
    SmallSampleWarning,
    SymmetricalUncertainty,
    Table,
    selection_frequency,
)
from holdfast.data import copies
from holdfast.stability import Frequency, half_samples


@pytest.fixture
def wide(seed):
    rng = np.random.default_rng([seed, 41])
    y = np.arange(40) % 2
    return rng.normal(size=(40, 12)) + np.outer(y, np.r_[3.0, np.zeros(11)]), y


def test_a_half_has_half_of_every_class():
    y = np.array([0] * 10 + [1] * 7 + [2] * 3)
    for rows in half_samples(y, n_runs=5, random_state=0):
        assert np.bincount(y[rows]).tolist() == [5, 4, 2]
        assert (np.diff(rows) > 0).all()


def test_a_run_depends_on_the_seed_and_its_number_only(seed):
    y = np.arange(30) % 2
    few, many = half_samples(y, 3, seed), half_samples(y, 9, seed)
    assert all(np.array_equal(a, b) for a, b in zip(few, many[:3], strict=True))


def test_halves_differ_from_run_to_run_and_from_seed_to_seed():
    y = np.arange(30) % 2
    one, other = half_samples(y, 5, 0), half_samples(y, 5, 1)
    assert len({rows.tobytes() for rows in one + other}) == 10


def test_halves_do_not_depend_on_the_names_of_the_classes(seed):
    y = np.arange(30) % 2
    named = np.array(["b", "c"])[y]
    drawn = zip(half_samples(y, 4, seed), half_samples(named, 4, seed), strict=True)
    assert all(np.array_equal(a, b) for a, b in drawn)


def test_a_feature_that_separates_the_classes_is_always_chosen(wide):
    found = selection_frequency(FTest(2), *wide, n_runs=10)
    assert found.frequency[0] == 1.0
    assert found.runs.shape == (10, 12)
    assert found.runs.sum(axis=1).tolist() == [2] * 10


def test_the_selector_itself_stays_unfitted(wide):
    selector = FTest(2)
    selection_frequency(selector, *wide, n_runs=2)
    assert not hasattr(selector, "indices_")


def test_each_run_can_be_repeated_alone(wide, seed):
    X, y = wide
    found = selection_frequency(FTest(3), X, y, n_runs=6, random_state=seed)
    rows = half_samples(y, 6, seed)[4]
    assert np.array_equal(found.runs[4], FTest(3).fit(X[rows], y[rows]).support_)


def test_names_reach_the_selector(wide):
    X, y = wide
    frame = pd.DataFrame(X, columns=[f"g{i}" for i in range(12)])
    assert np.array_equal(
        selection_frequency(FTest(2), frame, y, n_runs=4).runs, selection_frequency(FTest(2), X, y, n_runs=4).runs
    )


def test_progress_is_told_after_every_run(wide):
    heard = []
    selection_frequency(FTest(1), *wide, n_runs=5, progress=heard.append)
    assert heard == [1, 2, 3, 4, 5]


def test_few_samples_of_a_class_are_warned_about(wide):
    X, y = wide
    with pytest.warns(SmallSampleWarning, match="smallest class has 5"):
        selection_frequency(FTest(1), X[:10], y[:10], n_runs=2)


def test_a_class_of_one_sample_cannot_be_halved(wide):
    X, _ = wide
    with pytest.raises(DataError, match=r"'1' has 1 sample\(s\)"):
        selection_frequency(FTest(1), X, [1] + [0] * 39, n_runs=2)


def test_a_run_that_chooses_nothing_counts_as_nothing(seed):
    rng = np.random.default_rng([seed, 42])
    found = selection_frequency(CFS(), rng.permutation(np.arange(80.0)).reshape(40, 2), np.arange(40) % 2, n_runs=3)
    assert found.runs.shape == (3, 2)


def test_frequency_is_the_share_of_runs():
    runs = np.array([[True, False, True], [True, False, False]])
    assert Frequency(runs).frequency.tolist() == [1.0, 0.0, 0.5]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_of_either_kind_keep_their_names_in_the_halves(library):
    frames = pytest.importorskip(library)
    made = copies(n_samples=60, n_features=12, n_relevant=2, n_copies=2, random_state=3)
    frame = frames.DataFrame({str(name): column for name, column in zip(made.feature_names, made.X.T, strict=True)})
    table = Table(made.X, made.feature_names, [f"s{i}" for i in range(60)], made.y)
    selector = SymmetricalUncertainty(4)
    from_frame = selection_frequency(selector, frame, made.y, n_runs=6).runs
    assert np.array_equal(from_frame, selection_frequency(selector, table, n_runs=6).runs)


def test_a_pipeline_of_selectors_is_traced_back_to_the_columns_of_x(wide):
    X, y = wide
    both = make_pipeline(FTest(5), FTest(1))
    assert np.array_equal(
        selection_frequency(both, X, y, n_runs=8).runs, selection_frequency(FTest(1), X, y, n_runs=8).runs
    )


@pytest.mark.filterwarnings("ignore:Skipping features without any observed values:UserWarning")
def test_an_imputer_that_drops_an_empty_feature_does_not_shift_the_others(wide):
    X, y = wide
    holed = np.column_stack([np.full(len(X), np.nan), X])
    runs = selection_frequency(make_pipeline(SimpleImputer(strategy="median"), FTest(2)), holed, y, n_runs=5).runs
    assert runs.shape == (5, 13)
    assert not runs[:, 0].any()
    assert np.array_equal(runs[:, 1:], selection_frequency(FTest(2), X, y, n_runs=5).runs)


def test_a_pipeline_that_makes_new_features_is_refused(wide):
    with pytest.raises(ValueError, match="cannot be traced back"):
        selection_frequency(make_pipeline(PCA(3), FTest(1)), *wide, n_runs=2)


def test_labels_of_another_length_are_refused(wide):
    X, y = wide
    with pytest.raises(ValueError, match="X has 40 samples but y has 10"):
        selection_frequency(FTest(1), X, y[:10])


def test_no_runs_at_all_are_refused(wide):
    with pytest.raises(ValueError, match="n_runs=0"):
        selection_frequency(FTest(1), *wide, n_runs=0)


def test_without_a_target_all_samples_are_halved_alike(wide):
    X, _ = wide
    assert selection_frequency(LaplacianScore(2), X, n_runs=3).runs.sum() == 6


def test_a_class_whose_half_would_be_all_of_it_is_refused():
    with pytest.raises(DataError, match="'1' has 2 sample"):
        selection_frequency(FTest(1), np.arange(12.0).reshape(6, 2), [0, 0, 0, 0, 1, 1])


def test_a_backend_that_cannot_give_results_one_by_one_gives_the_same(wide):
    plain = selection_frequency(FTest(2), *wide, n_runs=4).runs
    with joblib.parallel_config(backend="multiprocessing", n_jobs=2):
        assert np.array_equal(selection_frequency(FTest(2), *wide, n_runs=4).runs, plain)


def test_a_grade_is_halved_around_its_median_by_a_method_for_measures(wide):
    X, _ = wide
    grades = np.arange(40) % 10
    grades[0] = 10
    assert selection_frequency(Correlation(2), X, grades, n_runs=3).runs.sum() == 6
    with pytest.raises(DataError, match="'10' has 1 sample"):
        selection_frequency(FTest(2), X, grades, n_runs=3)
