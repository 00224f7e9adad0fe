"""Chapter 2 of Ben Brahim 2015 rerun on real tables, and the harness on a small one so that it cannot rot.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from reproduction import chapter2
from reproduction.chapter2 import (
    BASELINES,
    CLASSIFIERS,
    HYBRIDS,
    INSTANCE_BASED,
    READINGS,
    WRAPPERS,
    Curve,
)
from reproduction.page import page
from reproduction.printed import Printed, noise
from reproduction.protocol import FILES, Table, folds, kuncheva, load
from reproduction.verdicts import beside, read_printed

FILTERS = (*INSTANCE_BASED, *BASELINES)


@pytest.fixture(scope="module")
def small():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [24, 20])
    X = rng.normal(size=(44, 60))
    X[:, :6] += 2.0 * y[:, np.newaxis]
    return Table("CNS", X, y)


@pytest.fixture(scope="module")
def small_results(small):
    split = folds(small, seed=0)
    sizes = (1, 2, 3, 5, 8)
    return [
        result
        for reading in READINGS
        for experiment in (chapter2.e1, chapter2.e2)
        for result in experiment(small, split, candidate_sizes=(2, 4), sizes=sizes, reading=reading)
    ]


@pytest.mark.parametrize(
    ("classifier", "plain"), [("1-nn", KNeighborsClassifier(1)), ("svm", SVC(kernel="linear", C=1.0))]
)
def test_growing_classifiers_predict_what_plain_ones_predict(small, classifier, plain):
    for fold in folds(small, seed=0):
        runs = [np.array([3]), np.array([0, 40]), np.array([7, 1, 59])]
        grown = chapter2.CLASSIFIERS[classifier](fold.Z, small.y, fold, iter(runs))
        for n_runs, predicted in enumerate(grown, start=1):
            columns = np.concatenate(runs[:n_runs])
            plain.fit(fold.Z[np.ix_(fold.train, columns)], small.y[fold.train])
            assert predicted.tolist() == plain.predict(fold.Z[np.ix_(fold.test, columns)]).tolist()


def test_both_averages_of_the_error_are_those_of_the_thesis():
    n_tested = np.array([7, 8, 7, 8, 8, 8, 8, 8, 8, 7])
    n_wrong = np.zeros((10, 1), dtype=int)
    n_wrong[:3] = 1
    curve = Curve(np.array([1]), n_wrong, n_tested, {}, 10)
    assert curve.mce("fold_mean")[0] == pytest.approx(0.041071, abs=1e-6)
    assert curve.mce("pooled")[0] == pytest.approx(3 / 77)


@pytest.mark.parametrize(
    ("subsets", "n_features", "index"),
    [
        ([[1, 2, 3], [2, 3, 4], [1, 5, 6]], 10, 0.047619),
        ([[0]] * 6 + [[1]] * 3 + [[2]], 7129, 0.399916),
        ([[0]] * 8 + [[1], [2]], 7129, 0.622169),
    ],
)
def test_stability_is_that_of_the_thesis(subsets, n_features, index):
    assert kuncheva([np.array(one) for one in subsets], n_features) == pytest.approx(index, abs=1e-6)


@pytest.mark.parametrize(
    ("classifier", "method", "average"),
    [("1-nn", "IB-OF", 0.1081), ("1-nn", "mRMR", 0.1149), ("svm", "IB-RedE", 0.0898), ("svm", "Entropy", 0.1715)],
)
def test_printed_rows_have_the_printed_average(classifier, method, average):
    rows = [printed.value for (_, *key), printed in read_printed().items() if key == [method, classifier, "mce"]]
    assert len(rows) == 7
    assert np.mean(rows) == pytest.approx(average, abs=2e-4)


def test_a_printed_number_within_noise_agrees_and_one_beyond_does_not(small_results):
    result = next(one for one in small_results if one.method == "Relief")
    key = (result.data, result.method, result.classifier)
    far = noise(result.mce, 0.9, result.n_samples)
    assert result.mce + far < 0.9
    for value, audit, verdict in [
        (result.mce, "", "agrees"),
        (0.9, "", "better"),
        (0.9, "4", "unreliable (4): better"),
    ]:
        printed = {
            (*key, "mce"): Printed(value, audit),
            (*key, "size"): Printed(result.size, ""),
            (*key, "stability"): Printed(result.stability, ""),
        }
        found = beside(result, printed)
        assert found.verdicts == {"mce": verdict, "size": "agrees", "stability": "agrees"}


def test_the_harness_reports_every_method_and_finds_what_is_planted(small, small_results):
    assert [(one.label, one.classifier) for one in small_results] == [
        *((method, classifier) for method in FILTERS for classifier in CLASSIFIERS),
        *((method, "1-nn") for method in WRAPPERS),
        *((f"{method}, literal", classifier) for method in INSTANCE_BASED for classifier in CLASSIFIERS),
        *((f"{method}, literal", "1-nn") for method in (*BASELINES, *WRAPPERS)),
    ]
    check(small, small_results)
    assert max(one.mce for one in small_results if one.method in FILTERS) < 0.25
    text = page(small_results, {"E1": 1.0, "E2": 1.0}, 0, {1: small_results})
    assert all(f"| CNS | {one.label} |" in text for one in small_results)


def check(table, results):
    """Facts that hold whatever the numbers are."""
    least, most = np.bincount(table.y).min(), len(table.y)
    for result in results:
        assert 0 <= result.mce <= result.fixed_mce <= 1, result
        assert result.mce <= result.mce_chosen <= 1
        for curve in result.curves.values():
            weight = curve.n_tested.mean() / curve.n_tested
            pooled, fold_mean = curve.mce("pooled"), curve.mce("fold_mean")
            assert (pooled * weight.min() <= fold_mean + 1e-12).all()
            assert (fold_mean <= pooled * weight.max() + 1e-12).all()
            assert curve.n_tested.sum() == most
            assert (curve.n_wrong <= curve.n_tested[:, np.newaxis]).all()
            assert set(curve.subsets) == set(curve.sizes.tolist())
            assert all(len(np.unique(one)) == size for size, found in curve.subsets.items() for one in found)
        assert -1 < result.stability <= 1
        assert -1 < result.fixed_stability <= 1
        assert 1 <= result.size <= (table.X.shape[1] if result.method in HYBRIDS else 100)
        assert result.pooled <= least / most + noise(result.pooled, least / most, most)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_chapter_2_on_real_tables_beside_the_printed_numbers(name, tmp_path):
    table = load(name)
    if table is None:
        pytest.skip(f"no table {FILES[name]}: set HOLDFAST_DATA to a folder that has it")
    split = folds(table, seed=0)
    results = [
        result
        for reading in READINGS
        for experiment in (chapter2.e1, chapter2.e2)
        for result in experiment(table, split, reading=reading)
    ]
    check(table, results)
    for classifier in CLASSIFIERS:
        mce = {one.label: one.mce for one in results if one.classifier == classifier}
        own = np.mean([mce[method] for method in INSTANCE_BASED])
        assert own <= mce["Relief"] + noise(own, mce["Relief"], len(table.y))
    (tmp_path / "chapter2.md").write_text(page(results, {}, 0, {}), encoding="utf-8")
