"""SALCC: its slow twin, the sets of TOY12, what is counted, who decides ties, any classifier, and the errors."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from holdfast import DataError, NothingSelected
from holdfast._progress import watching
from holdfast.measures import bayesian_risk
from holdfast.measures.wrapper_score import WrapperScore
from holdfast.selectors.consistency.lcc import LCC
from holdfast.selectors.consistency.salcc import SALCC
from oracles import annealing, datasets
from oracles.worked import TOY12

KINDS = [datasets.continuous, datasets.tied, datasets.copied, datasets.mixed]
SMALL = {"cv": 3, "max_steps": 25, "step": 0.4}


def _fit(X, y, *args, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        return SALCC(*args, **parameters).fit(X, y)


@pytest.fixture
def data(seed):
    return datasets.continuous(seed, n_samples=40)


VARIANTS = [
    {},
    {"search": "sweep"},
    {"keep": "current", "temperature": 1.0, "min_temperature": 0.2},
    {"scoring": "accuracy", "random_state": 3},
    {"scoring": "balanced-accuracy", "search": "sweep"},
    {"estimator": GaussianNB(), "gap": 0.0},
    {"gap": 0.1, "discretizer": "equal-frequency"},
    {"measure": "conditional-entropy", "search": "sweep"},
    {"measure": "conditional-entropy"},
    {"measure": "binary"},
    {"delta_max": 0.2, "n_features_to_select": 2},
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("parameters", VARIANTS, ids=lambda p: ",".join(p) or "plain")
def test_the_slow_twin_picks_the_same(kind, parameters, seed):
    for n_classes in (2, 3):
        data = kind(seed, n_classes=n_classes)
        selector = SALCC(**{**SMALL, **parameters})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NothingSelected)
            fitted = selector.fit(data.X, data.y)
        order, scores = annealing.salcc(data.X.tolist(), data.y.tolist(), selector.get_params())
        assert fitted.indices_.tolist() == order
        np.testing.assert_allclose(fitted.scores_[order], scores, rtol=1e-9, atol=1e-9)


def test_a_sweep_over_toy12_meets_its_five_sets():
    X, y = TOY12
    fitted = SALCC(discretizer=None, search="sweep").fit(X, y)
    assert fitted.trace_["risk"].tolist() == pytest.approx([4 / 12, 3 / 12, 2 / 12, 1 / 12, 0])
    assert fitted.trace_["n_features"].tolist() == [0, 1, 2, 3, 2]
    assert fitted.trace_["score"][0] == 0.5
    assert fitted.n_lcc_runs_ == 5
    # Four folds, as the smaller class has four samples; nothing is trained for the set without features.
    assert fitted.n_evaluations_.classifier == 4 * 4
    assert fitted.n_cache_hits_ == 0


@pytest.mark.parametrize("keep", ["best", "current"])
def test_what_annealing_ends_at_on_toy12_is_one_of_the_five_sets(keep):
    X, y = TOY12
    sets = [[], [2], [2, 4], [2, 4, 0], [0, 1]]
    for number in range(20):
        fitted = _fit(X, y, discretizer=None, step=0.3, keep=keep, random_state=number)
        assert fitted.indices_.tolist() in sets
        assert fitted.n_evaluations_.classifier <= 4 * 4
        assert len(fitted.trace_) == 148


def _all_sets(data, delta_max=0.4):
    """What LCC keeps under every threshold."""
    n = len(data.y)
    found = [_lcc(data, delta / n) for delta in range(int(delta_max * n + 1e-9) + 1)]
    return {tuple(indices) for indices in found}


def _lcc(data, delta):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        return LCC(delta=delta).fit(data.X, data.y).indices_.tolist()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_sweep_meets_every_set_of_lcc_once_and_annealing_only_those(kind, seed):
    data = kind(seed)
    sets = _all_sets(data)
    swept = _fit(data.X, data.y, search="sweep", cv=3)
    assert len(swept.trace_) == len(sets) == swept.n_lcc_runs_
    assert tuple(swept.indices_) in sets
    walked = _fit(data.X, data.y, cv=3, step=0.4)
    assert tuple(walked.indices_) in sets
    n_judged = len(walked.trace_) - walked.n_cache_hits_
    assert n_judged == len(set(walked.trace_["risk"].tolist())) <= len(sets)
    assert walked.n_evaluations_.classifier <= 3 * n_judged
    assert walked.score_ <= swept.score_ == swept.trace_["score"].max()


def test_the_best_is_the_smallest_of_the_best_scores(data):
    fitted = SALCC(cv=3, search="sweep", scoring="accuracy").fit(data.X, data.y)
    best = fitted.trace_[fitted.trace_["score"] == fitted.trace_["score"].max()]
    assert len(fitted.indices_) == best["n_features"].min()
    assert fitted.score_ == best["score"][0]


def test_the_trace_tells_every_step(data):
    fitted = SALCC(**SMALL).fit(data.X, data.y)
    trace = fitted.trace_
    assert trace.dtype.names == ("proposed", "risk", "n_features", "score", "temperature", "accepted")
    assert len(trace) == 26
    assert np.isnan(trace["temperature"][0])
    assert trace["temperature"][1:].tolist() == [0.1 / np.log(t + 1) for t in range(1, 26)]
    assert trace["proposed"].min() == trace["proposed"][0] == fitted.risk_of_all_
    assert (trace["risk"] <= trace["proposed"] + 1e-9).all()
    assert trace["proposed"].max() <= fitted.delta_ == fitted.risk_of_all_ + 0.4
    assert fitted.score_ == trace["score"].max()


def test_risk_and_contributions_are_those_of_the_chosen_features():
    X, y = TOY12
    fitted = SALCC(discretizer=None, search="sweep").fit(X, y)
    chosen = fitted.indices_
    assert fitted.risk_ == pytest.approx(bayesian_risk(X[:, chosen], y))
    for f in chosen:
        rest = bayesian_risk(X[:, chosen[chosen != f]], y)
        assert fitted.contributions_[f] == pytest.approx(rest - fitted.risk_)
    assert np.isnan(np.delete(fitted.contributions_, chosen)).all()


def test_a_cut_keeps_the_most_relevant_and_scores_them():
    X, y = TOY12
    splits = list(StratifiedKFold(3).split(X, y))
    parameters = {"discretizer": None, "search": "sweep", "delta_max": 0.1, "estimator": GaussianNB(), "cv": splits}
    whole, cut = SALCC(**parameters).fit(X, y), SALCC(1, **parameters).fit(X, y)
    assert cut.indices_.tolist() == whole.indices_[:1].tolist()
    assert cut.n_evaluations_.classifier == whole.n_evaluations_.classifier + 3
    assert cut.risk_ == pytest.approx(bayesian_risk(X[:, cut.indices_], y))
    alone = WrapperScore(X[:, cut.indices_].astype(float), y, estimator=GaussianNB(), cv=splits)
    assert cut.score_ == alone.score([0]) not in whole.trace_["score"]


def test_the_number_of_jobs_changes_nothing(data):
    for search in ("annealing", "sweep"):
        alone, together = (SALCC(**SMALL, search=search, n_jobs=n).fit(data.X, data.y) for n in (None, 2))
        assert alone.indices_.tolist() == together.indices_.tolist()
        assert alone.trace_.tobytes() == together.trace_.tobytes()
        assert alone.n_evaluations_ == together.n_evaluations_


def test_another_seed_walks_elsewhere(data):
    walks = {SALCC(**SMALL, random_state=s).fit(data.X, data.y).trace_.tobytes() for s in range(3)}
    assert len(walks) == 3


def test_a_generator_gives_a_walk_of_its_own_each_time(data):
    rng = np.random.default_rng(0)
    assert len({SALCC(**SMALL, random_state=rng).fit(data.X, data.y).trace_.tobytes() for _ in range(3)}) == 3


def _changed(X, rng):
    return X * rng.choice([-4.0, -1.0, -0.5, 0.25, 2.0, 8.0], X.shape[1]) + rng.choice([-16.0, 0.0, 5.0], X.shape[1])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("scoring", ["auc", "accuracy"])
def test_neither_orders_nor_names_nor_scale_nor_direction_change_a_step(kind, scoring, seed):
    rng = np.random.default_rng([seed, 7])
    for n_classes in (2, 3):
        data = kind(seed, n_classes=n_classes)
        frame = datasets.Data("eighths", np.round(data.X * 8) / 8, data.y).frame
        rows, columns = rng.permutation(len(frame)), rng.permutation(frame.shape[1])
        parameters = {**SMALL, "scoring": scoring}
        plain = _fit(frame, data.y, **parameters)
        changed = frame.copy()
        changed.loc[:, :] = _changed(frame.to_numpy(), rng)
        others = [
            (frame.iloc[rows], data.y[rows]),
            (frame.iloc[:, columns], data.y),
            (frame, np.array(["b", "c", "a"])[data.y]),
            (frame, 2 - data.y),
            (changed, data.y),
        ]
        for X, y in others:
            other = _fit(X, y, **parameters)
            assert other.trace_.tobytes() == plain.trace_.tobytes()
            names = [fitted.feature_names_in_[fitted.indices_].tolist() for fitted in (plain, other)]
            assert names[0] == names[1]


@pytest.mark.parametrize(
    "estimator",
    [GaussianNB(), LogisticRegression(), KNeighborsClassifier(3), DecisionTreeClassifier(max_depth=2, random_state=0)],
    ids=lambda estimator: type(estimator).__name__,
)
@pytest.mark.parametrize("scoring", ["auc", "accuracy", "balanced-accuracy", make_scorer(f1_score, average="macro")])
def test_any_classifier_and_any_score_will_do(estimator, scoring, data):
    fitted = _fit(data.X, data.y, **SMALL, estimator=estimator, scoring=scoring)
    assert 0 <= fitted.score_ <= 1
    assert fitted.score_ == fitted.trace_["score"].max()


@pytest.mark.parametrize("cv", [3, None, KFold(3), StratifiedKFold(4), LeaveOneOut()], ids=lambda cv: type(cv).__name__)
def test_any_splits_will_do(cv, data):
    fitted = _fit(data.X, data.y, cv=cv, max_steps=5, step=0.4)
    assert 0 <= fitted.score_ <= 1


def test_no_features_at_all_is_a_choice_and_is_said(seed):
    y = np.arange(40) % 4 == 0
    X = np.random.default_rng([seed, 9]).integers(0, 2, size=(40, 6))
    always = DummyClassifier(strategy="constant", constant=True)
    with pytest.warns(NothingSelected, match="the classifier does no better with any set of features tried"):
        fitted = SALCC(search="sweep", discretizer=None, scoring="accuracy", estimator=always).fit(X, y)
    assert len(fitted.indices_) == 0
    assert fitted.score_ == 0.75
    assert fitted.risk_ == 0.25
    assert fitted.trace_["score"].tolist() == [0.75] + [0.25] * (len(fitted.trace_) - 1)


def test_a_walk_that_ends_at_nothing_says_what_to_do(seed):
    y = np.arange(40) % 4 == 0
    X = np.column_stack([y, np.random.default_rng([seed, 9]).integers(0, 2, size=(40, 3))])
    X[:3, 0] = 1 - X[:3, 0]
    hot = {"temperature": 1e6, "min_temperature": 1e5, "step": 2.0, "discretizer": None, "keep": "current", "cv": 3}
    for number in range(200):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", NothingSelected)
            fitted = SALCC(**hot, max_steps=2, random_state=number).fit(X, y)
        if len(fitted.indices_) == 0:
            assert "keep='best'" in str(said[0].message)
            return
    pytest.fail("No walk ended at nothing.")


def test_nothing_is_found_where_nothing_varies(seed):
    y = np.arange(12) % 2
    with pytest.warns(NothingSelected, match="leave as much undecided together as none"):
        fitted = SALCC(discretizer=None).fit(np.ones((12, 3), dtype=int), y)
    assert fitted.score_ == 0.5
    assert fitted.n_evaluations_.classifier == 0


def test_a_result_says_that_its_score_is_hopeful(data):
    fitted = SALCC(**SMALL).fit(data.X, data.y)
    assert any("chosen on" in note and "expect less" in note for note in fitted._notes)
    assert fitted._details["score"] == fitted.score_


def test_a_walk_that_cannot_leave_its_start_says_so():
    X, y = TOY12
    stuck = SALCC(discretizer=None).fit(X, y)
    assert any("search='sweep'" in note for note in stuck._notes)
    swept = SALCC(discretizer=None, search="sweep").fit(X, y)
    assert not any("search='sweep'" in note for note in swept._notes)


def test_steps_are_reported(data):
    seen = []
    with watching(lambda what, done, total: seen.append((what, done, total))):
        SALCC(cv=3, max_steps=4).fit(data.X, data.y)
    assert [entry for entry in seen if entry[0] == "Annealing steps"] == [
        ("Annealing steps", i, 4) for i in (1, 2, 3, 4)
    ]


def test_an_interruption_goes_through(data):
    def stop(what, done, total):
        raise KeyboardInterrupt

    with watching(stop), pytest.raises(KeyboardInterrupt):
        SALCC(cv=3).fit(data.X, data.y)


def test_a_pickle_keeps_the_trace(data):
    fitted = SALCC(**SMALL).fit(data.X, data.y)
    assert pickle.loads(pickle.dumps(fitted)).trace_.tobytes() == fitted.trace_.tobytes()


def test_a_threshold_that_cannot_be_met_is_refused_with_the_smallest_possible(seed):
    X, y = np.zeros((20, 2), dtype=int), np.arange(20) % 2
    with pytest.raises(DataError, match=r"delta_max=0\.4 cannot be met.* 0\.5, .*delta_max=0\.5 or more"):
        SALCC(delta_mode="absolute", discretizer=None).fit(X, y)


def test_an_absolute_threshold_is_the_largest_itself(data):
    fitted = _fit(data.X, data.y, **SMALL, delta_mode="absolute", delta_max=0.3)
    assert fitted.delta_ == 0.3


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"estimator": StandardScaler()}, r"^estimator=StandardScaler\(\) .*fit and predict"),
        ({"scoring": "roc_auc"}, r"^scoring='roc_auc' .*'auc', 'accuracy', 'balanced-accuracy'"),
        ({"scoring": f1_score.__class__}, r"^scoring="),
        ({"cv": 1}, r"^cv=1 "),
        ({"cv": GroupKFold(3)}, r"GroupKFold.*groups"),
        ({"search": "walk"}, r"^search='walk'"),
        ({"delta_max": 1.0}, r"^delta_max=1\.0"),
        ({"min_temperature": 0.2}, r"min_temperature=0\.2 is not below the first temperature"),
        ({"min_temperature": 0.001}, r"more than 100,000 steps"),
        ({"estimator": LinearRegression()}, r"neither predict_proba nor decision_function"),
        ({"estimator": LinearRegression(), "scoring": "accuracy"}, r"LinearRegression predicted .*none of the classes"),
        ({"cv": [(np.arange(5), np.arange(5, 99))]}, r"test part of split 0 names row 40"),
    ],
    ids=lambda value: "" if isinstance(value, str) else ",".join(map(str, value)),
)
def test_what_cannot_be_used_is_refused(parameters, message, data):
    with pytest.raises(ValueError, match=message):
        SALCC(**parameters).fit(data.X, data.y)


def test_a_class_of_one_sample_is_refused_by_name(data):
    y = np.where(data.y == 1, "case", "control")
    y[0] = "odd"
    with pytest.raises(DataError, match="'odd' has 1 sample"):
        SALCC().fit(data.X, y)


def test_a_function_may_measure(data):
    def share_wrong(levels, y):
        return bayesian_risk(levels, y)

    own, named = (_fit(data.X, data.y, **SMALL, measure=m) for m in (share_wrong, "bayesian-risk"))
    assert own.indices_.tolist() == named.indices_.tolist()
    assert own.trace_["risk"].tolist() == pytest.approx(named.trace_["risk"].tolist())
