"""The outer score of BeeColony and MRMRGA: an independent loop, what is said about it, and when there is none."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score, f1_score, make_scorer, roc_auc_score
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from holdfast import MRMRGA, BeeColony
from oracles import datasets

BEES = {"n_bees": 3, "n_cycles": 1, "cv": 3, "block_size": 8, "max_blocks": 1}
GENES = {"population": 4, "n_generations": 1, "cv": 3, "pool_size": 8}


@pytest.fixture(params=[BeeColony(**BEES), MRMRGA(**GENES)], ids=["bees", "genes"])
def small(request):
    return request.param


@pytest.fixture
def data(seed):
    return datasets.continuous(seed, n_samples=36, n_features=20)


def _seeds(n_splits, random_state=0):
    """Seeds of the outer searches: the third of three, and of its two children the second, has one for each."""
    parts = np.random.SeedSequence(random_state).spawn(3)[2].spawn(2)[1].spawn(n_splits)
    return [int(part.generate_state(1)[0]) for part in parts]


def _looped(selector, data, splits, inner=None):
    """Chosen features and the fitted classifier of each split, by plain fitting on its training part."""
    for number, ((train, test), seed) in enumerate(zip(splits, _seeds(len(splits)), strict=True)):
        part = clone(selector).set_params(outer_cv=None, random_state=seed)
        if inner is not None:
            part.set_params(cv=inner[number])
        chosen = np.sort(part.fit(data.X[train], data.y[train]).indices_)
        model = make_pipeline(StandardScaler(), SVC(gamma="auto")) if selector.estimator is None else selector.estimator
        yield chosen, clone(model).fit(data.X[train][:, chosen], data.y[train]), test


def _predicted(data, loop):
    predicted = np.empty_like(data.y)
    for chosen, model, test in loop:
        predicted[test] = model.predict(data.X[test][:, chosen])
    return predicted


def _splits(data, n_folds=3):
    return list(StratifiedKFold(n_folds, shuffle=True, random_state=2).split(data.X, data.y))


@pytest.mark.parametrize("estimator", [None, GaussianNB()], ids=["svm", "bayes"])
def test_the_outer_score_is_that_of_a_loop_around_the_whole_selection(small, data, estimator):
    splits = _splits(data)
    selector = clone(small).set_params(outer_cv=splits, estimator=estimator)
    fitted = clone(selector).fit(data.X, data.y)
    loop = list(_looped(selector, data, splits))
    assert fitted.outer_score_ == pytest.approx((_predicted(data, loop) == data.y).mean())
    frequency = np.mean([np.isin(np.arange(20), chosen) for chosen, _, _ in loop], axis=0)
    assert fitted.outer_frequency_.tolist() == pytest.approx(frequency.tolist())
    assert fitted.n_outer_splits_ == 3


def test_any_score_may_be_the_outer_one(small, data):
    splits = _splits(data)
    selector = clone(small).set_params(outer_cv=splits, estimator=GaussianNB(), cv=2)
    balanced = clone(selector).set_params(scoring="balanced-accuracy")
    found = clone(balanced).fit(data.X, data.y).outer_score_
    assert found == pytest.approx(balanced_accuracy_score(data.y, _predicted(data, _looped(balanced, data, splits))))
    area = clone(selector).set_params(scoring="auc")
    values = np.empty(36)
    for chosen, model, test in _looped(area, data, splits):
        values[test] = model.predict_proba(data.X[test][:, chosen])[:, 1]
    assert clone(area).fit(data.X, data.y).outer_score_ == pytest.approx(roc_auc_score(data.y, values))
    scorer = make_scorer(f1_score)
    mean = clone(selector).set_params(scoring=scorer)
    parts = [scorer(m, data.X[test][:, chosen], data.y[test]) for chosen, m, test in _looped(mean, data, splits)]
    fitted = clone(mean).fit(data.X, data.y)
    assert fitted.outer_score_ == pytest.approx(np.mean(parts))
    assert np.isnan(fitted.outer_interval_).all()


def test_where_inner_splits_are_a_list_outer_searches_have_what_is_left_of_them(small, data):
    groups = np.arange(36) // 3
    splits = list(GroupKFold(4).split(data.X, data.y, groups))
    inner = []
    for train, _ in splits:
        place = {row: i for i, row in enumerate(train)}
        parts = [[[place[row] for row in part if row in place] for part in split] for split in splits]
        inner.append([(a, b) for a, b in parts if a and b])
    assert [len(left) for left in inner] == [3] * 4
    selector = clone(small).set_params(cv=splits, outer_cv=7)
    fitted = clone(selector).fit(data.X, data.y)
    assert fitted.n_outer_splits_ == 4
    predicted = _predicted(data, _looped(selector, data, splits, inner))
    assert fitted.outer_score_ == pytest.approx((predicted == data.y).mean())
    # Outer splits of one's own are taken as they are.
    assert clone(selector).set_params(outer_cv=splits[:2]).fit(data.X, data.y).n_outer_splits_ == 2


@pytest.mark.parametrize("outer_cv", [2, 3, KFold(2), LeaveOneOut()], ids=str)
def test_any_outer_splits_will_do(small, seed, outer_cv):
    data = datasets.continuous(seed, n_samples=14)
    fitted = clone(small).set_params(outer_cv=outer_cv, cv=2).fit(data.X, data.y)
    n_splits = outer_cv if isinstance(outer_cv, int) else outer_cv.get_n_splits(data.X)
    assert fitted.n_outer_splits_ == n_splits
    assert 0 <= fitted.outer_score_ <= 1
    assert (fitted.outer_frequency_ * n_splits).sum() >= n_splits


def test_outer_folds_are_no_more_than_the_smallest_class_has_samples(small, seed):
    data = datasets.continuous(seed, n_samples=30)
    y = np.repeat([0, 1], [26, 4])
    assert clone(small).set_params(outer_cv=9, cv=2).fit(data.X, y).n_outer_splits_ == 4


def test_an_accuracy_has_wilsons_interval(small, data):
    fitted = clone(small).set_params(outer_cv=3).fit(data.X, data.y)
    share, n, z = fitted.outer_score_, 36, 1.959963984540054
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    assert fitted.outer_interval_ == pytest.approx((centre - half, centre + half))


def test_the_outer_score_costs_nothing_that_is_counted(small, data):
    with_outer, without = (clone(small).set_params(outer_cv=n).fit(data.X, data.y) for n in (3, None))
    assert with_outer.n_evaluations_ == without.n_evaluations_
    assert with_outer.history_.tobytes() == without.history_.tobytes()
    assert with_outer.indices_.tolist() == without.indices_.tolist()


def test_both_scores_are_told_each_by_its_name(small, data):
    fitted = clone(small).set_params(outer_cv=3).fit(data.X, data.y)
    inner, outer, _ = fitted._notes
    assert inner.startswith(f"Inner fitness: accuracy {fitted.inner_fitness_:.4g}, ")
    assert f"the best of {fitted.n_evaluations_.subset} sets. It is what was maximised, not what to expect." in inner
    low, high = fitted.outer_interval_
    assert outer.startswith(f"Outer score: accuracy {fitted.outer_score_:.4g} (95 % interval {low:.4g} to {high:.4g})")
    assert outer.endswith("in 3 outer splits. Expect this of new samples.")
    assert fitted._details["inner_fitness"] == fitted.inner_fitness_
    assert fitted._details["outer_score"] == fitted.outer_score_
    assert (fitted._details["n_outer_splits"], fitted._details["outer_interval"]) == (3, [low, high])


def test_without_an_outer_score_it_is_said_to_be_unknown_and_why(small, data):
    fitted = clone(small).set_params(outer_cv=None).fit(data.X, data.y)
    assert np.isnan(fitted.outer_score_)
    assert fitted.outer_frequency_ is None
    assert fitted._notes[1].startswith("Outer score: not known, for outer_cv=None asked for none. Without it")
    assert (fitted._details["outer_score"], fitted._details["outer_interval"]) == (None, [None, None])


def test_a_class_of_two_samples_has_no_outer_score_and_the_reason_is_told(small, seed):
    data = datasets.continuous(seed, n_samples=30)
    y = np.where(np.arange(30) < 2, "rare", "common")
    fitted = clone(small).set_params(outer_cv=5).fit(data.X, y)
    assert len(fitted.indices_) > 0
    assert np.isnan(fitted.outer_score_)
    assert fitted.n_outer_splits_ == 0
    assert "Outer score: not known, for " in fitted._notes[1]
    assert "'rare' has 1 sample" in fitted._notes[1]
    assert ".." not in fitted._notes[1]


def test_a_training_part_of_one_class_is_told_too(small, data):
    only = np.flatnonzero(data.y == 0)
    others = np.setdiff1d(np.arange(36), only[:9])
    fitted = clone(small).set_params(outer_cv=[(only[:9], others)]).fit(data.X, data.y)
    assert np.isnan(fitted.outer_score_)
    assert "one class only, '0'" in fitted._notes[1]


@pytest.mark.parametrize("name", ["cv", "outer_cv"])
def test_splits_that_test_on_what_they_train_on_are_refused(small, data, name):
    splits = [(np.arange(18), np.arange(18, 36)), (np.arange(20), np.arange(18, 36))]
    with pytest.raises(ValueError, match=rf"^{name}: split 1 tests on 2 samples that it trains on"):
        clone(small).set_params(outer_cv=5).set_params(**{name: splits}).fit(data.X, data.y)


def test_samples_that_are_tested_again_do_not_narrow_the_interval(small, data):
    once, often = (
        clone(small).set_params(outer_cv=RepeatedStratifiedKFold(n_splits=2, n_repeats=n, random_state=0))
        .fit(data.X, data.y)
        for n in (1, 5)
    )  # fmt: skip
    width = [high - low for low, high in (once.outer_interval_, often.outer_interval_)]
    n_right = often.outer_score_ * 36
    exact = binomtest(round(n_right), 36).proportion_ci(method="wilson")
    assert often.outer_interval_ == (exact.low, exact.high)
    assert width[1] > 0.8 * width[0]


def test_a_classifier_that_an_outer_part_is_too_small_for_does_not_cost_the_list(small, data):
    options = {"estimator": KNeighborsClassifier(16), "cv": [(np.arange(30), np.arange(30, 36))]}
    alone = clone(small).set_params(**options, outer_cv=None).fit(data.X, data.y)
    halves = [(np.arange(12), np.arange(12, 36))]
    fitted = clone(small).set_params(**{**options, "cv": 2}, outer_cv=halves).fit(data.X, data.y)
    assert len(alone.indices_) > 0
    assert len(fitted.indices_) > 0
    assert np.isnan(fitted.outer_score_)
    assert fitted.outer_note_.startswith("an outer search failed: ")
    assert fitted.outer_note_[:20] in fitted._notes[1]


def test_there_is_nothing_to_note_of_a_whole_outer_score(small, data):
    assert clone(small).set_params(outer_cv=2).fit(data.X, data.y).outer_note_ == ""
    assert clone(small).set_params(outer_cv=None).fit(data.X, data.y).outer_note_ == "outer_cv=None asked for none"


def test_an_outer_search_that_finds_nothing_guesses_the_larger_class(seed):
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(10) % 2, np.arange(30) % 3 == 0].astype(int)
    X = np.zeros((40, 2))
    X[:10] = rng.normal(size=(10, 2))
    splits = [(np.arange(10, 40), np.arange(10))]
    for selector in (BeeColony(**BEES, outer_cv=splits), MRMRGA(**GENES, outer_cv=splits)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            fitted = selector.fit(X, y)
        assert fitted.outer_score_ == (y[:10] == 0).mean()
        assert fitted.outer_frequency_.tolist() == [0.0, 0.0]


def test_on_noise_the_inner_fitness_is_well_above_the_outer_score(seed):
    rng = np.random.default_rng([seed, 3])
    X, y = rng.normal(size=(60, 100)), np.arange(60) % 2
    selectors = [
        BeeColony(n_bees=12, n_cycles=6, cv=3, outer_cv=3, block_size=30, max_blocks=1),
        MRMRGA(population=20, n_generations=10, cv=3, outer_cv=3, pool_size=30),
    ]
    for fitted in (selector.fit(X, y) for selector in selectors):
        assert fitted.inner_fitness_ > fitted.outer_score_ + 0.05
