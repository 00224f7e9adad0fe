"""Chapter 7 of Han 2012: both procedures on a small table, and bands."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from holdfast.reproduce.cells import AGREES, BETTER, DIFFERS, WORSE, Cell, Key, Ours, Printed, read_printed
from holdfast.reproduce.han import _microarrays as microarrays
from holdfast.reproduce.han import _procedures as procedures
from holdfast.reproduce.han import chapter7
from holdfast.reproduce.han._found7 import LUNG_INSIDE
from holdfast.reproduce.han._microarrays import (
    ARMS,
    ENSEMBLES,
    IW_NORMALISED,
    IW_RELIEFF,
    LUNG,
    PRINTED_ARMS,
    RELIEFF,
    SETS,
    filtered,
    selector,
)
from holdfast.reproduce.han._procedures import AUC_SIZES, CLASSIFIERS, crossed, repeated
from holdfast.reproduce.han._weighing import MEAN, PLAIN, WEIGHTED
from holdfast.reproduce.han.chapter7 import N_RUNS, N_SPLITS, PLAN, count_within, deviation_beside, mean_beside
from holdfast.reproduce.run import beside
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.table import Table
from holdfast.stability import kuncheva, subsamples

EVERYWHERE = Shelf(SETS, dict.fromkeys(SETS, "nowhere"))


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [18, 15])
    X = rng.normal(size=(33, 220))
    X[:, :20] += 2 * y[:, np.newaxis]
    return Table("Colon", X, y)


@pytest.fixture
def on_small(table, monkeypatch):
    """Both procedures see the small table under every name, and Lung is cut to 210 genes."""
    monkeypatch.setattr(procedures, "prepared", lambda shelf, name: replace(table, name=name))
    monkeypatch.setattr(procedures, "best_by_t_test", lambda X, y: microarrays.best_by_t_test(X, y, 210))


def scaled(estimator):
    return make_pipeline(MinMaxScaler(), estimator)


def test_signatures_and_auc_are_those_of_plain_code(table, on_small):
    part = procedures.random_splits("Colon", WEIGHTED, 3, False, EVERYWHERE)
    found = repeated([json.loads(json.dumps(part))], False)["Colon", WEIGHTED]
    signatures = []
    for at, rows in enumerate(subsamples(table.y, 3, 0)):
        genes = selector(WEIGHTED, 200).fit(table.X[rows], table.y[rows]).indices_
        signatures.append(genes[:50].tolist())
        rest = np.setdiff1d(np.arange(33), rows)
        for name, machine in (("SVM", SVC(kernel="linear")), ("1NN", KNeighborsClassifier(1))):
            for size in (10, 200):
                fitted = scaled(machine).fit(table.X[np.ix_(rows, genes[:size])], table.y[rows])
                labels = fitted.predict(table.X[np.ix_(rest, genes[:size])])
                assert found.auc[name, size][at] == pytest.approx(100 * roc_auc_score(table.y[rest], labels))
    times = Counter(gene for genes in signatures for gene in genes)
    assert found.counts == [len(times), *(sum(n > share * 3 for n in times.values()) for share in (0.5, 0.85))]
    assert found.ki.value == pytest.approx(kuncheva(signatures, n_features=220))
    assert list(found.npogr) == list(AUC_SIZES)


def test_accuracy_and_ki_of_a_run_are_those_of_plain_code(table, on_small):
    part = procedures.cross_validated("Colon", PLAIN, 1, 2, 4, False, EVERYWHERE)
    found = crossed([json.loads(json.dumps(part))], False)["Colon", PLAIN]
    n_right, lists = dict.fromkeys(CLASSIFIERS, 0), []
    for train, test in KFold(4, shuffle=True, random_state=1).split(table.X, table.y):
        genes = selector(PLAIN, 20).fit(table.X[train], table.y[train]).indices_
        lists.append(genes.tolist())
        for name, machine in (("SVM", SVC(kernel="linear")), ("1NN", KNeighborsClassifier(1))):
            fitted = scaled(machine).fit(table.X[np.ix_(train, genes)], table.y[train])
            n_right[name] += (fitted.predict(table.X[np.ix_(test, genes)]) == table.y[test]).sum()
    for name in CLASSIFIERS:
        assert found.accuracy[name, 20] == pytest.approx([100 * n_right[name] / 33])
    assert found.ki[20] == pytest.approx([kuncheva(lists, n_features=220)])


def test_variances_are_followed_from_many_features_to_few_but_not_for_ensembles(on_small):
    def variances(arm):
        part = procedures.cross_validated("Colon", arm, 0, 1, 3, False, EVERYWHERE)
        return crossed([json.loads(json.dumps(part))], False)["Colon", arm].variance

    of_svm = variances(PLAIN)
    assert list(of_svm)[:2] == [220, 144]
    assert of_svm[220] < of_svm[min(of_svm)]
    assert list(variances(RELIEFF)) == [220]
    assert not variances(ENSEMBLES[1])


def test_runs_do_not_depend_on_how_they_are_cut_into_parts(on_small):
    def runs(*cuts):
        parts = [procedures.cross_validated("Colon", RELIEFF, *cut, 3, False, EVERYWHERE) for cut in cuts]
        return crossed(parts, False)["Colon", RELIEFF].accuracy

    whole, cut = runs((0, 3)), runs((2, 3), (0, 2))
    for where, values in whole.items():
        assert values.tolist() == cut[where].tolist()


def test_lung_is_filtered_over_all_samples_or_in_every_training_part(table, on_small):
    leaky, inside = (procedures.random_splits(LUNG, RELIEFF, 2, is_inside, EVERYWHERE) for is_inside in (False, True))
    assert set(leaky["npogr"]) == {str(size) for size in AUC_SIZES}
    assert not inside["npogr"]
    assert list(repeated([leaky, inside], True)) == [(LUNG, RELIEFF)]
    genes = set()
    for rows in subsamples(table.y, 2, 0):
        X, y = table.X[rows], table.y[rows]
        kept = microarrays.best_by_t_test(X, y, 210)
        genes.update(kept[selector(RELIEFF, 50).fit(X[:, kept], y).indices_].tolist())
    assert inside["counts"][0] == len(genes)


def test_genes_of_prostate_are_kept_if_they_vary():
    X = np.array([[5.0, 100, 20, 1e6], [5.0, 900, 55, 10], [9.0, 100, 20, 10]])
    kept = filtered(X)
    assert kept.shape == (3, 2)
    np.testing.assert_allclose(kept.mean(axis=1), 0, atol=1e-12)


@pytest.mark.parametrize("arm", ARMS)
def test_every_arm_chooses(arm, table):
    assert len(selector(arm, 7).fit(table.X, table.y).indices_) == 7


def test_weights_of_neighbours_as_they_are_and_divided_by_their_sum_are_two_arms(table):
    raw, normalised, plain = (
        selector(arm, 7).fit(table.X, table.y).scores_ for arm in (IW_RELIEFF, IW_NORMALISED, RELIEFF)
    )
    assert not np.allclose(raw / raw.max(), normalised / normalised.max())
    assert np.abs(normalised - plain).max() < np.abs(raw - plain).max()


def test_every_printed_number_is_there():
    count = Counter(key.table for key in read_printed("han-7"))
    assert count == {"7.2": 240, "7.3": 240, "7.4": 240, "7.5": 240, "7.6": 36}


def test_a_sample_of_the_print():
    printed = read_printed("han-7")
    assert printed[Key("7.2", "Colon", "IW SVM-RFE", "SVM, 20 genes", "accuracy")].value == 86.6
    assert printed[Key("7.3", "Prostate", "En ReliefF", "1NN, 30 genes", "accuracy sd")].value == 3.1
    assert printed[Key("7.4", "Lung", "SVM-RFE", "1NN, 200 genes", "AUC")].value == 96.5
    assert printed[Key("7.5", "Lung", "IW ReliefF", "1NN, 200 genes", "AUC sd")].value == 4.4
    assert printed[Key("7.6", "Prostate", "IW SVM-RFE", "50 genes", "at least 1")].value == 262


def test_counts_agree_within_the_bands_of_the_specification():
    assert count_within("at least 1", 642) == pytest.approx(96.3)
    assert count_within("more than 50", 18) == count_within("more than 85", 1) == 6


def test_means_agree_within_noise():
    values = np.array([80.0, 82.0] * 5)
    key = Key("7.2", "Colon", "SVM-RFE", "SVM, 10 genes", "accuracy")

    def verdict(printed, sd, n_in_print=10):
        return Cell(key, Printed(printed), mean_beside(values, None, printed, sd, n_in_print), True).verdict

    # Two standard errors of ten values with a standard deviation of about 1.05 are about 0.67.
    assert verdict(81.7, 0.0) == AGREES
    assert verdict(81.8, 0.0) == WORSE
    # With a printed deviation of 3.5 over ten runs the difference may be 2.31, over a hundred 0.97.
    assert verdict(83.3, 3.5) == AGREES
    assert verdict(83.4, 3.5) == WORSE
    assert verdict(78.6, 3.5) == BETTER
    assert verdict(82.1, 3.5, 100) == WORSE


def test_a_mean_outside_of_noise_may_be_within_the_printed_deviation():
    values = np.array([80.0, 82.0] * 5)
    remarks = {mean: mean_beside(values, None, mean, 3.5, 10).remark for mean in (83.0, 84.5, 84.6)}
    assert remarks == {83.0: "", 84.5: "within one printed standard deviation", 84.6: ""}


def test_deviations_agree_within_noise():
    values = np.array([80.0, 82.0] * 5)
    key = Key("7.2", "Colon", "SVM-RFE", "SVM, 10 genes", "accuracy sd")
    for printed, expected in ((1.5, AGREES), (0.8, AGREES), (3.0, DIFFERS)):
        ours = deviation_beside(values, None, printed, 10)
        assert ours.value == pytest.approx(1.054, abs=1e-3)
        assert Cell(key, Printed(printed), ours).verdict == expected


def test_parts_hold_every_run_once_and_lung_twice():
    runs, splits = Counter(), Counter()
    for part in PLAN.parts(EVERYWHERE, False):
        if part.call.func is procedures.cross_validated:
            name, arm, first, stop, _, inside = part.call.args
            runs[name, arm, inside] += stop - first
        else:
            name, arm, n_splits, inside = part.call.args
            splits[name, arm, inside] += n_splits
    expected = {(name, arm, False) for name in SETS for arm in ARMS} | {(LUNG, arm, True) for arm in PRINTED_ARMS}
    assert runs == dict.fromkeys(expected, N_RUNS)
    assert splits == dict.fromkeys(expected, N_SPLITS)


@pytest.mark.parametrize("arm", ENSEMBLES)
def test_bootstraps_of_ensembles_are_drawn_from_all_samples(arm):
    y = np.repeat([0, 1], [18, 15])
    drawn = selector(arm, 7).perturb(y, 20, 0)
    assert len({int(y[rows].sum()) for rows in drawn}) > 1
    assert all(len(rows) == 33 for rows in drawn)


def test_keys_tell_ensembles_that_were_drawn_from_every_class_from_those_that_were_not():
    keys = [part.key for part in PLAN.parts(EVERYWHERE, False)]
    assert all(("En " in key) == key.endswith(", plain bootstraps") for key in keys)
    assert {"splits Colon SVM-RFE", "runs 0-9 Lung filtered inside ReliefF"} <= set(keys)


def test_the_plan_compares_what_is_there(on_small):
    shelf = Shelf(SETS, {"Colon": "nowhere"})
    made = {part.key: json.loads(json.dumps(part.call(shelf))) for part in PLAN.parts(shelf, True)}
    judged = PLAN.judge(made, shelf, True)
    cells = beside(PLAN, shelf, judged, read_printed("han-7"))
    assert {cell.key.data for cell in cells if not cell.ours.not_run} == {"Colon"}
    assert not any(cell.is_apart for cell in cells)
    assert sum(not cell.ours.not_run for cell in cells) == 4 * 60 + 9
    assert all(len(row) == len(one.header) for one in judged.sections for row in one.rows)
    assert MEAN in {row[1] for row in judged.sections[0].rows}


def test_lung_without_the_leak_is_in_the_tables_and_beside_the_cells(on_small):
    shelf = Shelf(SETS, {LUNG: "nowhere"})
    made = {part.key: json.loads(json.dumps(part.call(shelf))) for part in PLAN.parts(shelf, True)}
    judged = PLAN.judge(made, shelf, True)
    assert all(one.honest is not None for one in judged.ours.values())
    with_it = [one.title for one in judged.sections if LUNG_INSIDE in {row[0] for row in one.rows}]
    assert [title.split(" ")[0] for title in with_it] == ["Signatures", "KI", "Accuracy", "AUC"]


def test_a_table_whose_preparation_was_guessed_is_counted_apart(monkeypatch):
    ours = {Key("7.6", data, "SVM-RFE", "50 genes", "at least 1"): Ours(700.0) for data in SETS}
    monkeypatch.setattr(chapter7, "_means", lambda found, printed: [])
    monkeypatch.setattr(chapter7, "_counts", lambda found, printed: ours.items())
    monkeypatch.setattr(chapter7, "findings", lambda found, printed: [])
    monkeypatch.setattr(chapter7, "sections", lambda found: [])
    judged = PLAN.judge({}, Shelf(SETS, {}), False)
    assert [key.data for key, one in judged.ours.items() if one.apart] == ["Prostate"]
