"""What scikit-learn users expect of every selector: pipelines, names, pickles, and errors that name the culprit."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import has_fit_parameter

import holdfast
from holdfast import DataError
from oracles import datasets
from oracles.datasets import build, fit, stops_by_itself

METHODS = holdfast.methods()
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)


@pytest.fixture
def data(method, seed):
    return datasets.suited(method, datasets.continuous(seed))


@every_method
def test_a_fitted_selector_has_what_the_base_contract_promises(method, data):
    fitted = build(method, 4).fit(data.frame, data.y)
    n_features, chosen = data.X.shape[1], fitted.indices_.tolist()
    assert fitted.n_features_in_ == n_features
    assert fitted.feature_names_in_.tolist() == data.names.tolist()
    assert sorted(chosen) == np.flatnonzero(fitted.support_).tolist() == np.flatnonzero(fitted.get_support()).tolist()
    assert fitted.ranking_[chosen].tolist() == list(range(1, len(chosen) + 1))
    assert (np.delete(fitted.ranking_, chosen) > len(chosen)).all()
    assert len(fitted.scores_) == n_features
    assert not np.isnan(fitted.scores_[chosen]).any()
    assert fitted.n_evaluations_.relevance >= n_features
    assert fitted.n_ties_ >= 0


@every_method
def test_a_pickled_selector_transforms_as_before(method, data):
    fitted = build(method, 3).fit(data.X, data.y)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.transform(data.X), fitted.transform(data.X))
    assert again.indices_.tolist() == fitted.indices_.tolist()


@every_method
def test_a_pickle_grows_with_the_features_not_with_the_samples(method, seed):
    few, many = (datasets.suited(method, datasets.continuous(seed, n_samples=n)) for n in (40, 800))
    short, long = (len(pickle.dumps(build(method, 3).fit(d.X, d.y))) for d in (few, many))
    lists = 8 * method.kept_per_sample
    assert abs(long - short) < 200 + lists * (800 - 40)
    # Names of parameters and fields are in it too.
    assert long < 3000 + 50 * many.X.shape[1] + lists * 800


@every_method
def test_a_clone_has_the_same_parameters_and_the_same_choice(method, data):
    selector = build(method, 3)
    again = clone(selector.fit(data.X, data.y))
    assert again.get_params() == selector.get_params()
    assert not hasattr(again, "indices_")
    assert again.fit(data.X, data.y).indices_.tolist() == selector.indices_.tolist()


@every_method
def test_fitting_changes_no_parameter(method, data):
    selector = build(method, 3)
    before = dict(selector.get_params())
    selector.fit(data.X, data.y)
    assert selector.get_params() == before


@every_method
@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_chosen_columns_keep_names_and_order_in_data_frames(method, data, container):
    selector = build(method, 4).set_output(transform=container).fit(data.frame, data.y)
    expected = [name for name, kept in zip(data.names, selector.support_, strict=True) if kept]
    out = selector.transform(data.frame)
    assert type(out).__module__.startswith(container)
    assert list(out.columns) == expected == selector.get_feature_names_out().tolist()
    assert np.array_equal(out.to_numpy(), data.X[:, selector.support_])


@every_method
def test_a_polars_frame_gives_the_same_choice_as_a_pandas_frame(method, data):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({name: data.X[:, i] for i, name in enumerate(data.names)})
    plain, other = build(method, 4).fit(data.frame, data.y), build(method, 4).fit(frame, data.y)
    assert plain.indices_.tolist() == other.indices_.tolist()
    assert other.feature_names_in_.tolist() == data.names.tolist()


@every_method
def test_inverse_transform_puts_chosen_columns_back(method, data):
    fitted = build(method, 3).fit(data.X, data.y)
    back = fitted.inverse_transform(fitted.transform(data.X))
    assert np.array_equal(back, np.where(fitted.support_, data.X, 0.0))


@every_method
def test_the_number_of_features_can_be_tuned_inside_a_pipeline(method, data):
    pipeline = make_pipeline(build(method, 1), KNeighborsClassifier(3))
    name = pipeline.steps[0][0]
    search = GridSearchCV(pipeline, {f"{name}__n_features_to_select": [1, 2, 0.3]}, cv=3, error_score="raise")
    search.fit(data.X, data.y)
    assert search.predict(data.X).shape == data.y.shape


@every_method
def test_a_share_is_the_number_it_comes_to(method, data):
    count = round(0.4 * data.X.shape[1])
    by_share, by_count = build(method, 0.4).fit(data.X, data.y), build(method, count).fit(data.X, data.y)
    assert by_share.indices_.tolist() == by_count.indices_.tolist()
    if not stops_by_itself(method):
        assert len(by_share.indices_) == count


@every_method
def test_too_many_features_asked_for_is_an_error_with_both_numbers(method, data):
    n_features = data.X.shape[1]
    with pytest.raises(ValueError, match="n_features_to_select") as error:
        build(method, n_features + 7).fit(data.X, data.y)
    assert str(n_features + 7) in str(error.value)
    assert str(n_features) in str(error.value).replace(str(n_features + 7), "")


def _refused_parameters():
    for method in METHODS:
        for name, rule in datasets.plain(method).allowed.items():
            for number, value in enumerate(rule.refused):
                yield pytest.param(method, name, value, id=f"{method.name}-{name}-{number}")


@pytest.mark.parametrize(("method", "name", "value"), list(_refused_parameters()))
def test_a_wrong_parameter_is_refused_by_name(method, name, value, data):
    selector = datasets.plain(method).set_params(**{"n_features_to_select": 1, name: value})
    with pytest.raises(ValueError, match=f"^{name}="):
        selector.fit(data.X, data.y)


@every_method
def test_every_parameter_is_declared_and_can_be_refused(method):
    selector = datasets.plain(method)
    assert set(selector.allowed) == set(selector.get_params())
    assert all(rule.refused for rule in selector.allowed.values())


HOLES = [[np.nan], [np.inf], [-np.inf], [np.inf, -np.inf], [np.nan, np.inf]]


@pytest.mark.parametrize(
    ("method", "holes"),
    [(m, holes) for m in METHODS for holes in HOLES if not m.takes_missing or holes != [np.nan]],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_missing_and_infinite_values_are_refused_naming_the_feature(method, data, holes):
    frame = data.frame
    for row, hole in enumerate(holes):
        frame.iloc[row, 2] = hole
    with pytest.raises(DataError, match=data.names[2]):
        build(method, 3).fit(frame, data.y)
    with pytest.raises(DataError, match="column 2"):
        build(method, 3).fit(frame.to_numpy(), data.y)


@pytest.mark.parametrize("method", [m for m in METHODS if m.takes_missing], ids=lambda method: method.name)
def test_missing_values_are_taken_and_say_no_more_than_the_class(method, data):
    """A feature of which nothing is known is worth as much as a constant one; one with gaps keeps a score."""
    frame = data.frame
    frame.iloc[::5, 2] = np.nan
    frame.iloc[:, 4] = np.nan
    fitted = build(method, len(data.names)).fit(frame, data.y)
    assert np.isfinite(fitted.scores_[2])
    # Sums of ranks over resamples are finite, whatever is summed.
    assert fitted.scores_[4] == -np.inf or method.family == "stability"
    assert fitted.indices_[-1] == 4


@every_method
def test_only_rows_that_say_so_take_weights(method):
    assert has_fit_parameter(datasets.plain(method), "sample_weight") == method.takes_weights


@pytest.mark.parametrize("method", [m for m in METHODS if m.takes_weights], ids=lambda method: method.name)
def test_weights_count_by_their_proportions_or_multiply_a_cost(method, data, seed):
    weights = np.random.default_rng([seed, 30]).random(len(data.y))
    multiplied = method.weights_multiply
    larger = {multiplied: 4 * getattr(build(method, 5), multiplied)} if multiplied else {}
    plain = build(method, 5, **larger).fit(data.X, data.y, sample_weight=weights)
    assert build(method, 5).fit(data.X, data.y, sample_weight=4 * weights).indices_.tolist() == plain.indices_.tolist()
    equal = build(method, 5).fit(data.X, data.y, sample_weight=np.full(len(data.y), 1.0 if multiplied else 0.1))
    assert equal.indices_.tolist() == build(method, 5).fit(data.X, data.y).indices_.tolist()
    with pytest.raises(ValueError, match="sample_weight"):
        build(method, 5).fit(data.X, data.y, sample_weight=weights[:-1])
    with pytest.raises(ValueError, match=r"(?i)negative"):
        build(method, 5).fit(data.X, data.y, sample_weight=-weights)


@every_method
@pytest.mark.parametrize("size", [1e308, 1e200])
def test_values_too_large_to_add_or_square_give_a_selection_or_an_error_that_names_the_feature(method, data, size):
    frame = data.frame
    frame.iloc[:, 2] = np.where(np.arange(len(frame)) % 2, 1.5 * size, 1.0 * size)
    try:
        fitted = fit(build(method, 3), frame, data.y)
    except DataError as error:
        assert data.names[2] in str(error)  # noqa: PT017
    else:
        assert not np.isnan(fitted.scores_[fitted.indices_]).any()


@pytest.mark.parametrize("method", [m for m in METHODS if "unlabelled" not in m.takes], ids=lambda m: m.name)
def test_a_target_that_does_not_vary_is_refused(method, data):
    with pytest.raises(DataError, match=r"one (class|value)"):
        build(method, 3).fit(data.X, np.ones(len(data.y), dtype=int))


@pytest.mark.parametrize("method", [m for m in METHODS if m.takes == ("binary",)], ids=lambda method: method.name)
def test_a_two_class_method_refuses_three_classes_and_offers_another(method, seed):
    data = datasets.continuous(seed, n_classes=3)
    with pytest.raises(DataError, match=r"3.*f-test"):
        build(method, 3).fit(data.X, data.y)


@every_method
def test_an_unfitted_selector_says_so(method, data):
    with pytest.raises(NotFittedError):
        build(method, 3).transform(data.X)


@every_method
def test_every_alias_builds_the_same_selector(method):
    for alias in (method.name, method.name.upper(), *method.aliases):
        again = holdfast.selector(alias, **({"prior": None} if method.takes_prior else {}))
        assert type(again) is method.selector_class
        assert again.get_params() == datasets.plain(method).get_params()
