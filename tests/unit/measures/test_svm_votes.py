"""Hits of radial support vector machines: scikit-learn's, to the bit whichever way distances were summed."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import LeaveOneOut, StratifiedKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC, NuSVC

from holdfast import DataError
from holdfast.kernels.rbf import decay
from holdfast.measures import _svm_votes, _threads
from holdfast.measures._folds import Folds
from holdfast.measures._svm_votes import Machine, SvmVotes
from holdfast.measures.wrapper_score import WrapperScore
from oracles import datasets

# A decision nearer to 0 than this may go either way: the last digits of two solvers differ.
_CLEAR = 1e-4


class Weighted(SVC):
    """Somebody's own machine, which may do anything."""


def _scaled(**options):
    return make_pipeline(StandardScaler(), SVC(**{"gamma": "auto", **options}))


def _data(seed, n_classes=2, n_samples=40, n_features=10):
    rng = np.random.default_rng([seed, 11])
    y = rng.permutation(np.arange(n_samples) % n_classes)
    X = rng.normal(size=(n_samples, n_features)) + np.outer(y, rng.choice([0.0, 0.5, 1.5], n_features))
    return X * rng.choice([0.01, 1.0, 3.0], n_features), y


def _splits(X, y, n_folds=4):
    return list(StratifiedKFold(n_folds, shuffle=True, random_state=1).split(X, y))


def _subsets(seed, n_features=10):
    rng = np.random.default_rng([seed, 12])
    return [np.sort(rng.permutation(n_features)[:size]) for size in (1, 2, 3, 5, n_features)]


def _hits(X, y, estimator, subsets, splits=None, n_jobs=None):
    classes, target = np.unique(y, return_inverse=True)
    folds = Folds.of(_splits(X, y) if splits is None else splits)
    machine = estimator if isinstance(estimator, Machine) else Machine.behind(estimator)
    return SvmVotes(X, target, classes, folds, machine, n_jobs).hits([np.asarray(one) for one in subsets])


def _learnt(X, y, estimator, subset, splits):
    """Hits of scikit-learn by class, and whether all decisions are clear."""
    classes = np.unique(y)
    hits, is_clear = np.zeros(len(classes), dtype=int), True
    for train, test in splits:
        model = clone(estimator)
        machine = model[-1] if isinstance(model, Pipeline) else model
        machine.set_params(tol=1e-8, decision_function_shape="ovo")
        model.fit(X[train][:, subset], y[train])
        is_clear &= bool((np.abs(model.decision_function(X[test][:, subset])) > _CLEAR).all())
        is_hit = model.predict(X[test][:, subset]) == y[test]
        hits += [(is_hit & (y[test] == c)).sum() for c in classes]
    return hits.tolist(), is_clear


def assert_hits_are_learnt(X, y, estimator, subsets, splits=None):
    """Compare with scikit-learn where that is clear, which most sets must be."""
    splits = _splits(X, y) if splits is None else splits
    found = _hits(X, y, estimator, subsets, splits)
    n_clear = 0
    for subset, hits in zip(subsets, found.tolist(), strict=True):
        learnt, is_clear = _learnt(X, y, estimator, subset, splits)
        assert hits == learnt or not is_clear
        n_clear += is_clear
    assert 2 * n_clear > len(subsets)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(
    "estimator",
    [
        _scaled(),
        _scaled(gamma="scale"),
        _scaled(gamma=0.05, C=10.0),
        _scaled(C=0.2, class_weight="balanced"),
        _scaled(class_weight={0: 3.0, 1: 0.5}),
        _scaled(C=100.0),
        make_pipeline(StandardScaler(with_mean=False), SVC(gamma=0.3)),
        SVC(),
        SVC(gamma="auto", C=3.0),
        SVC(gamma=0.2, class_weight="balanced"),
    ],
    ids=str,
)
def test_hits_are_those_of_scikit_learn(seed, estimator, n_classes):
    X, y = _data(seed, n_classes)
    assert_hits_are_learnt(X, y, estimator, _subsets(seed))


@pytest.mark.parametrize("cost", [1000.0, 1e4])
def test_hits_are_those_of_scikit_learn_also_where_errors_cost_much(seed, cost):
    X, y = _data(seed, n_samples=60)
    assert_hits_are_learnt(X, y, _scaled(C=cost), [[f] for f in range(10)])


def test_classes_may_be_of_any_size_and_name(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(["a", "z", "k"], [24, 12, 4]))
    X = rng.normal(size=(40, 6)) + np.array([0.0, 1.0, 2.0])[np.unique(y, return_inverse=True)[1]][:, np.newaxis]
    for estimator in (_scaled(class_weight={"k": 5.0}), _scaled(class_weight="balanced")):
        assert_hits_are_learnt(X, y, estimator, _subsets(seed, 6))


def test_a_class_that_a_training_part_lacks_gets_no_vote(seed):
    X, y = _data(seed, 3)
    order = np.argsort(y, kind="stable")
    X, y = X[order], y[order]
    splits = [(np.r_[0:10, 14:24], np.r_[10:14, 24:40]), (np.r_[0:10, 30:40], np.r_[10:14, 20:30])]
    for estimator in (_scaled(), _scaled(class_weight="balanced"), _scaled(class_weight={0: 1.0, 1: 2.0, 2: 3.0})):
        assert_hits_are_learnt(X, y, estimator, _subsets(seed), splits)


def test_one_sample_at_a_time_may_be_left_out(seed):
    X, y = _data(seed, n_samples=16)
    assert_hits_are_learnt(X, y, _scaled(), _subsets(seed), list(LeaveOneOut().split(X)))


@pytest.mark.parametrize("gamma", ["auto", "scale", 0.3])
def test_constants_and_copies_count_as_they_do_for_scikit_learn(seed, gamma):
    X, y = _data(seed)
    X = np.column_stack([X[:, :3], X[:, 0], -X[:, 1], np.full(len(y), 7.5), np.zeros(len(y))])
    subsets = [[0, 3], [1, 4, 5], [0, 1, 2, 5, 6], [2, 6], [0, 3, 5]]
    assert_hits_are_learnt(X, y, _scaled(gamma=gamma), subsets)
    assert_hits_are_learnt(X, y, SVC(gamma=gamma), subsets)


def test_with_constants_alone_a_class_gets_all_votes(seed):
    X, y = np.ones((20, 2)), np.repeat([0, 1], [12, 8])
    for estimator in (_scaled(), _scaled(gamma="scale"), SVC()):
        assert _hits(X, y, estimator, [[0], [0, 1]]).tolist() == [[12, 0], [12, 0]]


@pytest.mark.parametrize("gamma", ["auto", "scale", 0.1])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_set_has_the_same_hits_alone_and_among_others(seed, gamma, n_classes, monkeypatch):
    X, y = _data(seed, n_classes, n_features=30)
    rng = np.random.default_rng([seed, 13])
    core = rng.permutation(30)[:15]
    # Most have most of the core; some have nothing of it, so that all of it is taken away again.
    subsets = [np.union1d(rng.permutation(core)[:12], rng.permutation(30)[:k]) for k in range(10)]
    subsets += [np.setdiff1d(np.arange(30), core), core[:1], np.arange(30)]
    among = _hits(X, y, _scaled(gamma=gamma), subsets)
    alone = [_hits(X, y, _scaled(gamma=gamma), [one])[0].tolist() for one in subsets]
    assert among.tolist() == alone
    monkeypatch.setattr(_svm_votes, "_MOST_KEPT", 0)
    assert _hits(X, y, _scaled(gamma=gamma), subsets).tolist() == alone


def test_distances_of_a_set_are_an_update_of_what_sets_have_in_common(seed, monkeypatch):
    X, y = _data(seed, n_features=30)
    kept = []
    keep = _svm_votes.keep_distances
    monkeypatch.setattr(_svm_votes, "keep_distances", lambda *given: (kept.append(given[8].tolist()), keep(*given)))
    _hits(X, y, _scaled(), [np.r_[0:10, 20], np.r_[0:10, 21], np.r_[0:9, 22]])
    assert kept == [list(range(10))]
    _hits(X, y, _scaled(), [[1, 2], [3, 4], [5, 6]])
    _hits(X, y, SVC(), [np.r_[0:10, 20], np.r_[0:10, 21], np.r_[0:9, 22]])
    assert len(kept) == 1


def test_the_number_of_jobs_changes_nothing(seed, monkeypatch):
    X, y = _data(seed, 3)
    subsets = _subsets(seed) + [one[:1] for one in _subsets(seed + 1)]
    alone = _hits(X, y, _scaled(), subsets).tolist()
    monkeypatch.setattr(_threads, "_WORTH_A_THREAD", 1)
    for n_jobs in (2, 3, -1):
        assert _hits(X, y, _scaled(), subsets, n_jobs=n_jobs).tolist() == alone


@pytest.mark.parametrize("kind", [datasets.continuous, datasets.tied, datasets.copied, datasets.mixed])
@pytest.mark.parametrize("estimator", [_scaled(), _scaled(gamma="scale", C=5.0)], ids=["auto", "scale"])
def test_neither_scale_nor_shift_nor_direction_of_a_feature_matters_once_it_is_standardised(kind, estimator, seed):
    data = kind(seed)
    X, y = np.round(data.X * 8) / 8, data.y
    n_features = X.shape[1]
    rng = np.random.default_rng([seed, 6])
    subsets = [np.sort(rng.permutation(n_features)[:size]) for size in (1, 2, 4, 6)]
    plain = _hits(X, y, estimator, subsets).tolist()
    for factor, shift in ((-1.0, 0.0), (4.0, 64.0), (-0.25, 5.0), (2.0**-60, 0.0), (2.0**60, 0.0), (1.0, 2.0**20)):
        assert _hits(X * factor + shift, y, estimator, subsets).tolist() == plain
    factors, shifts = rng.choice([-4.0, -1.0, -0.5, 0.25, 2.0], n_features), rng.choice([-16.0, 0.0, 64.0], n_features)
    assert _hits(X * factors + shifts, y, estimator, subsets).tolist() == plain


@pytest.mark.parametrize("shift", [2.0**10, 2.0**27])
def test_a_width_by_the_variance_does_not_hang_on_where_zero_is(seed, shift):
    X, y = _data(seed)
    X = np.round(X * 64) / 64
    assert _hits(X + shift, y, SVC(), _subsets(seed)).tolist() == _hits(X, y, SVC(), _subsets(seed)).tolist()


@pytest.mark.parametrize("scoring", ["accuracy", "balanced-accuracy", "auc"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_neither_order_of_samples_nor_names_of_classes_change_a_score(seed, n_classes, scoring):
    data = datasets.continuous(seed, n_samples=36, n_classes=n_classes)
    rng = np.random.default_rng([seed, 5])
    rows, subsets = rng.permutation(36), _subsets(seed)
    options = {"estimator": "svm", "scoring": scoring, "cv": 4, "random_state": 0}
    plain = WrapperScore(data.X, data.y, **options).scores(subsets)
    assert WrapperScore(data.X[rows], data.y[rows], **options).scores(subsets) == plain
    for names in (np.array([2, 1, 0]), np.array(["b", "c", "a"])):
        assert WrapperScore(data.X, names[data.y], **options).scores(subsets) == plain


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (_scaled(), Machine(1.0, "auto", None, True)),
        (_scaled(C=2, gamma=0.5, class_weight="balanced"), Machine(2.0, 0.5, "balanced", True)),
        (SVC(), Machine(1.0, "scale", None, False)),
        (SVC(gamma=np.float32(0.5)), Machine(1.0, 0.5, None, False)),
        (SVC(tol=1e-5, shrinking=False, cache_size=1), Machine(1.0, "scale", None, False)),
        (make_pipeline(StandardScaler(with_mean=False), SVC()), Machine(1.0, "scale", None, True)),
        (Pipeline([("one", StandardScaler()), ("two", SVC())]), Machine(1.0, "scale", None, True)),
    ],
    ids=str,
)
def test_machines_with_a_radial_kernel_are_recognised(estimator, expected):
    assert Machine.behind(estimator) == expected


@pytest.mark.parametrize(
    "estimator",
    [
        SVC(kernel="linear"), SVC(kernel="poly"), pytest.param(SVC(kernel=np.dot), id="SVC(kernel=np.dot)"),
        SVC(max_iter=10), SVC(break_ties=True),
        SVC(C=0.0), SVC(C=np.inf), SVC(gamma=0.0), SVC(gamma="wide"), NuSVC(), LinearSVC(), Weighted(), None, "svm",
        make_pipeline(SVC()), make_pipeline(MinMaxScaler(), SVC()), make_pipeline(PCA(), StandardScaler(), SVC()),
        make_pipeline(StandardScaler(with_std=False), SVC()), make_pipeline(StandardScaler(), SVC(kernel="linear")),
        make_pipeline(StandardScaler(), StandardScaler(), SVC()), make_pipeline(StandardScaler(), Weighted()),
        make_pipeline("passthrough", SVC()),
    ],
    ids=str,
)  # fmt: skip
def test_anything_else_is_not_recognised(estimator):
    assert Machine.behind(estimator) is None


@pytest.mark.parametrize("machine", [Machine(), Machine(2.0, 0.5, "balanced", False)])
def test_a_machine_is_recognised_in_the_form_it_gives_itself(machine):
    assert Machine.behind(machine.as_estimator()) == machine


@pytest.mark.parametrize("estimator", ["svm", _scaled(), SVC()], ids=str)
def test_a_training_part_of_one_class_is_refused_by_name(seed, estimator):
    X, y = _data(seed)
    names = np.array(["sick", "well"])[y]
    own = np.flatnonzero(y == 1)
    splits = [(np.arange(40), np.arange(5)), (own[:8], own[8:])]
    with pytest.raises(DataError, match="cv: all training samples of split 1 are of one class, 'well'"):
        WrapperScore(X, names, estimator=estimator, scoring="accuracy", cv=splits)


def test_a_weight_for_a_class_that_does_not_exist_is_refused_as_by_scikit_learn(seed):
    X, y = _data(seed)
    for weights in ({"sick": 3.0}, {0: 2.0, 7: 3.0}):
        with pytest.raises(ValueError, match="class_weight"):
            WrapperScore(X, y, estimator=_scaled(class_weight=weights), scoring="accuracy", cv=3).score([0])


@pytest.mark.parametrize(("estimator", "n_classes"), [("svm", 2), (_scaled(), 2), (_scaled(), 3), (SVC(), 3)], ids=str)
def test_scores_are_those_of_scikit_learn(seed, estimator, n_classes):
    X, y = _data(seed, n_classes)
    y[:6] = 1
    splits = _splits(X, y)
    for scoring in ("accuracy", "balanced-accuracy"):
        judged = WrapperScore(X, y, estimator=estimator, scoring=scoring, cv=splits)
        for subset in _subsets(seed):
            hits, is_clear = _learnt(X, y, _scaled() if estimator == "svm" else estimator, subset, splits)
            by_class = np.array(hits) / np.bincount(y)
            expected = sum(hits) / len(y) if scoring == "accuracy" else by_class.mean()
            assert judged.score(subset) == pytest.approx(expected, abs=1e-12) or not is_clear


def test_areas_and_scorers_take_fitting_and_are_those_of_the_same_machine(seed):
    X, y = _data(seed)
    splits = _splits(X, y)
    macro = make_scorer(f1_score, average="macro")
    for scoring in ("auc", macro):
        own, given = (
            WrapperScore(X, y, estimator=estimator, scoring=scoring, cv=splits).scores(_subsets(seed))
            for estimator in ("svm", _scaled())
        )
        # Numbering the classes the other way round changes decisions within the tolerance of the solver.
        assert own == pytest.approx(given, abs=0.03)


@pytest.mark.parametrize("scoring", ["accuracy", "balanced-accuracy", "auc"])
def test_without_memory_scores_are_the_same_and_more_is_counted(seed, scoring):
    X, y = _data(seed)
    subsets = [[0, 1], [2], [1, 0], [], [0, 1], []]
    with_memory, without = (
        WrapperScore(X, y, estimator="svm", scoring=scoring, cv=4, random_state=0, remembers=remembers)
        for remembers in (True, False)
    )
    assert with_memory.scores(subsets) == without.scores(subsets)
    assert with_memory.score([2]) == without.score([2])
    assert [judged.n_requests for judged in (with_memory, without)] == [7, 7]
    assert [judged.n_cache_hits for judged in (with_memory, without)] == [4, 0]
    assert [judged.n_subsets for judged in (with_memory, without)] == [3, 7]
    assert [judged.n_trained for judged in (with_memory, without)] == [2 * 4, 5 * 4]
    assert without.scores([]) == []


def test_exponentials_are_exact_to_the_last_digits():
    distances = np.concatenate([np.linspace(0, 700, 5001), [0.0, 1e-300, 1e-17, 1e-9, 708.0]])
    found = distances.copy()
    decay(found, 1.0)
    assert np.abs(found / np.exp(-distances) - 1).max() < 1e-14
    assert found[0] == 1.0
    far = np.array([800.0, 1e6, 1e300])
    decay(far, 2.0)
    assert far.max() < 1e-300
    assert far.min() >= 0.0
