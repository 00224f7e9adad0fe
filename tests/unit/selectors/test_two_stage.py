"""BeeColony and MRMRGA alike: any classifier, score and splits, what changes nothing, progress, pickles."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import f1_score, make_scorer, matthews_corrcoef
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from holdfast import MRMRGA, BeeColony
from holdfast._progress import watching
from holdfast.measures.wrapper_score import WrapperScore
from oracles import datasets

BEES = {"n_bees": 3, "n_cycles": 2, "cv": 3, "outer_cv": None, "block_size": 8, "max_blocks": 2}
GENES = {"population": 4, "n_generations": 2, "cv": 3, "outer_cv": None, "pool_size": 8}
KINDS = [datasets.continuous, datasets.tied, datasets.copied, datasets.mixed]


@pytest.fixture(params=[(BeeColony, BEES), (MRMRGA, GENES)], ids=["bees", "genes"])
def fit(request):
    kind, small = request.param
    return lambda X, y, **parameters: kind(**{**small, **parameters}).fit(X, y)


@pytest.fixture
def data(seed):
    return datasets.continuous(seed, n_samples=36, n_features=20)


def _course(fitted):
    """All that a search did, to the bit."""
    told = [fitted.history_, fitted.queen_trace_, fitted.population_, fitted.population_fitness_, fitted.queens_]
    return fitted.inner_fitness_, fitted.outer_score_, fitted.n_evaluations_, [part.tobytes() for part in told]


def _rejudged(fitted, data, **options):
    """The fitness of the chosen set, asked for anew."""
    judged = WrapperScore(data.X[:, fitted.pool_], data.y, **{"estimator": "svm", "scoring": "accuracy", **options})
    return judged.score(np.flatnonzero(np.isin(fitted.pool_, fitted.indices_)))


@pytest.mark.parametrize(
    ("estimator", "scoring"),
    [
        (RidgeClassifier(), "accuracy"),
        (KNeighborsClassifier(3), "accuracy"),
        (SVC(), "accuracy"),
        (DecisionTreeClassifier(random_state=0), "balanced-accuracy"),
        (RidgeClassifier(), "auc"),
        (GaussianNB(), "auc"),
        (GaussianNB(), make_scorer(f1_score)),
    ],
    ids=str,
)
def test_any_classifier_and_any_score_will_do(fit, data, estimator, scoring):
    options = {"estimator": estimator, "scoring": scoring, "cv": list(StratifiedKFold(2).split(data.X, data.y))}
    fitted = fit(data.X, data.y, **options)
    assert fitted.inner_fitness_ == _rejudged(fitted, data, **options) == fitted.queen_trace_["fitness"].max()


def test_a_score_may_be_negative(fit, seed):
    X, y = np.random.default_rng(seed).normal(size=(24, 8)), np.arange(24) % 2
    fitted = fit(X, y, scoring=make_scorer(matthews_corrcoef), estimator=GaussianNB(), target_fitness=None)
    assert fitted.inner_fitness_ == fitted.queen_trace_["fitness"].max()
    assert fitted.history_["mean"][0] < fitted.inner_fitness_


@pytest.mark.parametrize("cv", [2, None, KFold(3), LeaveOneOut(), StratifiedKFold(4)], ids=str)
def test_any_splits_will_do(fit, data, cv):
    fitted = fit(data.X, data.y, cv=cv)
    n_splits = {2: 2, None: 10}.get(cv) if not hasattr(cv, "split") else cv.get_n_splits(data.X)
    assert fitted.n_evaluations_.classifier == n_splits * fitted.n_evaluations_.subset


def test_groups_come_as_a_list_of_splits(fit, data):
    splits = list(GroupKFold(3).split(data.X, data.y, np.arange(36) // 3))
    fitted = fit(data.X, data.y, cv=splits)
    assert fitted.inner_fitness_ == _rejudged(fitted, data, cv=splits)
    with pytest.raises(ValueError, match=r"^cv=GroupKFold.*needs groups"):
        fit(data.X, data.y, cv=GroupKFold(3))


@pytest.mark.parametrize("estimator", [None, GaussianNB()], ids=["svm", "bayes"])
def test_neither_jobs_nor_backend_change_a_bit(fit, data, estimator):
    parameters = {"estimator": estimator, "outer_cv": 2, "cv": 2}
    alone = fit(data.X, data.y, **parameters)
    others = [fit(data.X, data.y, **parameters, n_jobs=2)]
    for backend in ("threading", "loky"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            others.append(fit(data.X, data.y, **parameters))
    for other in others:
        assert _course(other) == _course(alone)
        assert other.scores_.tobytes() == alone.scores_.tobytes()
        assert other.outer_frequency_.tobytes() == alone.outer_frequency_.tobytes()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_neither_orders_nor_names_nor_scale_nor_direction_change_a_step(fit, kind, n_classes, seed):
    data = kind(seed, n_classes=n_classes)
    rng = np.random.default_rng([seed, 7])
    frame = datasets.Data("eighths", np.round(data.X * 8) / 8, data.y).frame
    rows, columns = rng.permutation(len(frame)), rng.permutation(frame.shape[1])
    plain = fit(frame, data.y, outer_cv=2)
    changed = pd.DataFrame(frame.to_numpy() * rng.choice([-4.0, -1.0, 0.25], frame.shape[1]) + 5, columns=frame.columns)
    for X, y in (
        (frame.iloc[rows], data.y[rows]),
        (frame.iloc[:, columns], data.y),
        (frame, np.array(["b", "c", "a"])[data.y]),
        (changed, data.y),
    ):
        other = fit(X, y, outer_cv=2)
        assert _course(other) == _course(plain)
        names = [fitted.feature_names_in_[fitted.indices_].tolist() for fitted in (plain, other)]
        assert names[0] == names[1]


def test_a_seed_gives_the_same_search_each_time_and_another_one_another(fit, data):
    runs = [_course(fit(data.X, data.y, random_state=number, outer_cv=2)) for number in (3, 3, 4)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
    rng = np.random.default_rng(0)
    drawn = [_course(fit(data.X, data.y, random_state=rng)) for _ in range(2)]
    assert drawn[0] != drawn[1]


def test_progress_tells_the_filter_the_best_fitness_and_the_outer_splits(fit, data):
    seen = []
    with watching(lambda what, done, total: seen.append((what, done, total))):
        fitted = fit(data.X, data.y, outer_cv=2, target_fitness=None)
    said = [entry[0] for entry in seen]
    assert ("Features chosen", 8, 8) in seen
    rounds = "Bee cycles" if "n_bees" in fitted.get_params() else "Generations"
    best = fitted.history_["best"]
    assert [entry for entry in seen if entry[0].startswith(f"{rounds}, best")] == [
        (f"{rounds}, best inner fitness {best[i]:.4g}", i, 2) for i in range(3)
    ]
    assert [entry for entry in seen if entry[0] == "Outer splits"] == [("Outer splits", i, 2) for i in range(3)]
    # What goes on inside of an outer split is not told.
    assert said.index("Outer splits") > max(i for i, what in enumerate(said) if what.startswith(rounds))


def test_the_pool_is_reported_with_its_fitness(data):
    seen = []
    with watching(lambda what, done, total: seen.append((what, done, total))):
        fitted = BeeColony(**BEES, pool_fitness=0.0).fit(data.X, data.y)
    assert (f"Pool of 8 features, fitness {fitted.pool_fitness_:.4g}", 1, 2) in seen


def test_a_pickle_keeps_everything_and_a_clone_only_the_parameters(fit, data):
    fitted = fit(data.X, data.y, outer_cv=2)
    again = pickle.loads(pickle.dumps(fitted))
    assert _course(again) == _course(fitted)
    assert (again._notes, again._details) == (fitted._notes, fitted._details)
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "indices_")


def test_a_pickle_does_not_hold_the_table(fit, seed):
    rng = np.random.default_rng(seed)
    sizes = []
    for n_samples in (30, 300):
        X = rng.normal(size=(n_samples, 20)) + (np.arange(n_samples) % 2)[:, np.newaxis]
        sizes.append(len(pickle.dumps(fit(X, np.arange(n_samples) % 2))))
    assert abs(sizes[1] - sizes[0]) < 2000


def test_a_second_fit_forgets_the_first(fit, data):
    fitted = fit(data.X, data.y, outer_cv=2)
    fresh = fit(data.X[:, ::-1], data.y)
    again = fitted.set_params(outer_cv=None).fit(data.X[:, ::-1], data.y)
    assert np.isnan(again.outer_score_)
    assert again.outer_frequency_ is None
    assert again.n_outer_splits_ == 0
    assert _course(again)[2:] == _course(fresh)[2:]
