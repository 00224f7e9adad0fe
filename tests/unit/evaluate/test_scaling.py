"""Time and evaluations of searches by distance correlation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from holdfast import D2CORFS, DCORFS, DataError
from holdfast._progress import watching
from holdfast.data import Table
from holdfast.evaluate import bin_cost, search_cost

SHORT = D2CORFS(selector=DCORFS(n_iterations=4, n_subsets=20), confidence=None, max_rounds=2)


pytestmark = pytest.mark.filterwarnings("ignore::holdfast.NothingSelected")


@pytest.fixture
def made(seed):
    rng = np.random.default_rng([seed, 404])
    X = rng.normal(size=(24, 40))
    return X, (X[:, 3] + X[:, 7] > 0).astype(int)


def _draws(seed, n_repeats, n_features):
    """The features of every repeat, in the order in which they are taken, and its seed."""
    rngs = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(n_repeats)]
    return [(rng.permutation(n_features), int(rng.integers(2**31))) for rng in rngs]


def test_evaluations_are_those_of_searches_among_features_drawn_from_the_seed(made, seed):
    X, y = made
    search = DCORFS(n_subsets=20, confidence=None)
    found = search_cost(X, y, n_features=[5, 30], n_iterations=[3, 8], selector=search, n_repeats=2, random_state=seed)
    for repeat, (order, drawn) in enumerate(_draws(seed, 2, 40)):
        for i, size in enumerate((5, 30)):
            for j, level in enumerate((3, 8)):
                one = DCORFS(n_iterations=level, n_subsets=20, confidence=None, random_state=drawn)
                names = [f"x{column}" for column in order[:size]]
                fitted = one.fit(Table(X[:, order[:size]], names, target=y))
                assert found.steps[i, j, repeat] == fitted.n_iterations_
                assert found.evaluations[i, j, repeat] == fitted.n_evaluations_.subset


def test_counts_depend_on_the_seed_only_and_times_do_not_matter(made):
    one, two = (search_cost(*made, n_features=[10], n_iterations=[5], n_repeats=3) for _ in range(2))
    other = search_cost(*made, n_features=[10], n_iterations=[5], n_repeats=3, random_state=99)
    assert one.evaluations.tolist() == two.evaluations.tolist()
    assert one.evaluations.tolist() != other.evaluations.tolist()


def test_a_repeat_depends_on_its_number_only(made):
    one = search_cost(*made, n_features=[10], n_iterations=[5], n_repeats=1)
    three = search_cost(*made, n_features=[10], n_iterations=[5], n_repeats=3)
    assert three.evaluations[0, 0, 0] == one.evaluations[0, 0, 0]
    assert len(set(three.evaluations[0, 0].tolist())) > 1


def test_evaluations_rise_with_features_and_iterations_and_stay_below_the_bound(made):
    found = search_cost(*made, n_features=[5, 40], n_iterations=[2, 20], selector=DCORFS(confidence=None, step=80.0))
    mean = found.evaluations.mean(axis=2)
    assert (mean[1] > mean[0]).all()
    assert (mean[:, 1] >= mean[:, 0]).all()
    assert (found.evaluations <= found.bound[:, :, np.newaxis]).all()
    assert found.bound.tolist() == [[200.0, 2000.0]] * 2
    assert (found.seconds > 0).all()


def test_the_bound_of_bins_counts_rounds_bins_populations_and_sets(made):
    found = bin_cost(*made, n_features=[20], n_bins=[1, 5, 50], selector=SHORT, n_repeats=1)
    assert found.bound.tolist() == [[2 * 1 * 4 * 20, 2 * 5 * 4 * 20, 2 * 20 * 4 * 20]]
    assert found.steps[0, 0, 0] == 1


def test_evaluations_of_bins_are_those_of_the_search(made, seed):
    X, y = made
    found = bin_cost(X, y, n_features=[20], n_bins=[4], selector=SHORT, n_repeats=1, random_state=seed)
    ((order, drawn),) = _draws(seed, 1, 40)
    table = Table(X[:, order[:20]], [f"x{column}" for column in order[:20]], target=y)
    fitted = D2CORFS(**{**SHORT.get_params(deep=False), "n_bins": 4, "random_state": drawn}).fit(table)
    assert found.evaluations[0, 0, 0] == fitted.n_evaluations_.subset
    assert found.steps[0, 0, 0] == fitted.n_rounds_


def test_bins_searched_by_something_else_have_no_bound(made):
    search = D2CORFS(selector="f-test", list_size=2, confidence=None, max_rounds=2)
    found = bin_cost(*made, n_features=[20], n_bins=[4], selector=search, n_repeats=1)
    assert np.isnan(found.bound).all()


def test_the_usual_sizes_are_taken_as_far_as_there_are_features(made):
    assert search_cost(*made, n_iterations=[1], n_repeats=1).n_features == (10, 20, 40)
    assert bin_cost(*made, n_bins=[2], selector=SHORT, n_repeats=1).n_features == (40,)


def test_the_table_has_means_and_is_ready_for_a_data_frame(made):
    found = search_cost(*made, n_features=[20, 10], n_iterations=[4, 2], n_repeats=2)
    rows = pd.DataFrame(found.table())
    assert rows[["n_features", "n_iterations"]].to_numpy().tolist() == [[10, 2], [10, 4], [20, 2], [20, 4]]
    assert rows["evaluations"].tolist() == found.evaluations.mean(axis=2).ravel().tolist()
    assert rows["seconds"].tolist() == found.seconds.mean(axis=2).ravel().tolist()
    assert rows["populations"].max() <= 4
    bins = bin_cost(*made, n_features=[20], n_bins=[2], selector=SHORT, n_repeats=1).table()
    assert list(bins[0]) == ["n_features", "n_bins", "seconds", "evaluations", "rounds", "bound"]


def test_the_selector_that_was_given_is_left_as_it_was(made):
    search = DCORFS(confidence=None)
    search_cost(*made, n_features=[5], n_iterations=[2], selector=search, n_repeats=1)
    assert search.n_iterations == 100
    assert not hasattr(search, "indices_")


def test_progress_is_reported(made):
    told = []
    with watching(lambda what, done, total: told.append((done, total)) if what == "Searches timed" else None):
        search_cost(*made, n_features=[5], n_iterations=[2, 3], n_repeats=2)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"n_features": [10, 41]}, ValueError, "n_features asks for 41 features, but X has 40 features"),
        ({"n_features": []}, ValueError, r"n_features=\[\] is not allowed"),
        ({"n_features": [0]}, ValueError, r"n_features=\[0\] is not allowed.*at least 1"),
        ({"n_features": 10}, TypeError, "n_features=10 is not allowed. Pass a list"),
        ({"n_iterations": [5, 5]}, ValueError, "has a number twice"),
        ({"n_repeats": 0}, ValueError, "n_repeats=0 is not allowed for search_cost"),
        ({"random_state": "a"}, ValueError, "random_state='a' is not allowed"),
        ({"selector": D2CORFS()}, TypeError, r"it must be DCORFS\(…\) or None. See also bin_cost"),
    ],
)
def test_wrong_settings_are_refused(made, more, error, message):
    with pytest.raises(error, match=message):
        search_cost(*made, **more)


def test_bins_of_another_search_are_refused(made):
    with pytest.raises(TypeError, match=r"it must be D2CORFS\(…\) or None"):
        bin_cost(*made, selector=DCORFS())


def test_a_table_without_classes_is_refused(made):
    with pytest.raises(DataError, match="search_cost needs the class"):
        search_cost(made[0])
