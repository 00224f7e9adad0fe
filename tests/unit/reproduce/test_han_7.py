"""Chapter 7 of Han 2012: both procedures on a small table, bands, and claims on made-up results."""

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

from holdfast.reproduce.cells import AGREES, BETTER, DIFFERS, WORSE, Cell, Key, Printed, read_printed
from holdfast.reproduce.han import _microarrays as microarrays
from holdfast.reproduce.han import _procedures as procedures
from holdfast.reproduce.han._claims7 import Found, findings
from holdfast.reproduce.han._microarrays import (
    ARMS,
    ENSEMBLES,
    IW_NORMALISED,
    IW_RELIEFF,
    LUNG,
    PRINTED_ARMS,
    RELIEFF,
    SETS,
    SVM_ARMS,
    filtered,
    selector,
)
from holdfast.reproduce.han._procedures import AUC_SIZES, CLASSIFIERS, CV_SIZES, Crossed, Repeated, crossed, repeated
from holdfast.reproduce.han._weighing import CONTROL, ENSEMBLE, MEAN, PLAIN, WEIGHTED, Value, with_conclusion
from holdfast.reproduce.han.chapter7 import N_RUNS, N_SPLITS, PLAN, count_within, deviation_beside, mean_beside
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART
from holdfast.reproduce.run import beside
from holdfast.reproduce.shelf import Shelf, Table
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


def test_means_agree_within_the_printed_deviation_or_within_noise():
    values = np.array([80.0, 82.0] * 5)
    key = Key("7.2", "Colon", "SVM-RFE", "SVM, 10 genes", "accuracy")

    def verdict(printed, sd):
        return Cell(key, Printed(printed), mean_beside(values, None, sd, 10), True).verdict

    assert verdict(84.5, 3.5) == AGREES
    assert verdict(84.6, 3.5) == WORSE
    assert verdict(77.4, 3.5) == BETTER
    # Two standard errors of ten values with a standard deviation of about 1.05 are about 0.67.
    assert verdict(81.7, 0.0) == AGREES
    assert verdict(81.8, 0.0) == WORSE


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


def made_up(names=("Colon", "Leukemia"), but=None):
    """Results in which weights and C / n do well and a mean of 1 changes nothing; ``but`` takes it from an arm."""
    good = {WEIGHTED, CONTROL, IW_RELIEFF} - {but}
    rng = np.random.default_rng(0)
    splits, runs = {}, {}
    for name in names:
        for arm in ARMS:
            is_good, is_en = arm in good, arm in ENSEMBLES
            level = 0.9 if is_good else 0.5 if arm == ENSEMBLE else 0.4 if arm in SVM_ARMS else 0.6 - 0.05 * is_en
            # On Leukemia the ensemble fills more of the rectangle.
            overlap = 0.95 if (arm, name) == (ENSEMBLE, "Leukemia") else level
            splits[name, arm] = Repeated(
                name, arm,
                [300, 40, 20] if is_good else [600, 18, 3],
                overlap,
                Value(level, 0.01),
                dict.fromkeys(AUC_SIZES, level),
                {(one, size): 80 + rng.normal(size=20) for one in CLASSIFIERS for size in AUC_SIZES},
                20.0 if is_en else 1.1 if arm in (WEIGHTED, IW_RELIEFF) else 1.0,
            )  # fmt: skip
            first = 1e-8 * (1 - level)
            course = {1000: first} if arm not in SVM_ARMS else {1000: first, 100: 10 * first, 10: 100 * first}
            runs[name, arm] = Crossed(
                name, arm,
                {(one, size): 80 + rng.normal(size=5) for one in CLASSIFIERS for size in CV_SIZES},
                {size: level + 0.001 * rng.normal(size=5) for size in CV_SIZES},
                {size: np.full(5, value) for size, value in course.items()},
            )  # fmt: skip
    return Found(splits, runs, list(names))


def verdicts(found):
    return {one.text: one.verdict for one in with_conclusion(findings(found), "chapter 7")}


def starting(found, text):
    (verdict,) = [verdict for one, verdict in verdicts(found).items() if one.startswith(text)]
    return verdict


def test_claims_hold_where_weights_do_well():
    found = verdicts(made_up())
    assert {text for text, verdict in found.items() if verdict != HOLDS} == {
        "it is the weights of the samples that do this"
    }


def test_what_the_control_has_too_is_no_effect_of_weights():
    assert starting(made_up(), "it is the weights") == FAILS
    assert starting(made_up(but=CONTROL), "it is the weights") == HOLDS


def test_claims_fail_where_weights_do_nothing():
    found = made_up(but=WEIGHTED)
    assert starting(found, "IW SVM-RFE is clearly more stable") == FAILS
    assert starting(found, "fewer different genes") == FAILS


def test_a_claim_that_fails_on_one_table_holds_in_part():
    found = made_up()
    same = replace(found.repeated["Colon", WEIGHTED], counts=[600, 18, 3])
    mixed = replace(found, repeated={**found.repeated, ("Colon", WEIGHTED): same})
    text = "fewer different genes, more in over half and in over 85 % of the signatures"
    (claim,) = [one.claim for one in findings(mixed) if one.claim.text == text]
    assert claim.verdict == IN_PART
    assert claim.evidence.startswith("Colon (not so) SVM-RFE 600/18/3, En SVM-RFE 600/18/3")


def test_the_ensemble_is_ahead_on_leukemia_as_in_print():
    assert starting(made_up(), "IW SVM-RFE is nearest to the rectangle") == HOLDS
    found = made_up()
    behind = replace(found.repeated["Leukemia", ENSEMBLE], overlap=0.5)
    changed = replace(found, repeated={**found.repeated, ("Leukemia", ENSEMBLE): behind})
    assert starting(changed, "IW SVM-RFE is nearest to the rectangle") == IN_PART


def test_accuracies_far_apart_are_not_practically_the_same():
    found = made_up()
    far = {
        (data, arm): replace(one, accuracy={where: values + 9 for where, values in one.accuracy.items()})
        for (data, arm), one in found.crossed.items()
        if arm == WEIGHTED
    }
    changed = {one.claim.source: one.claim for one in findings(replace(found, crossed={**found.crossed, **far}))}
    assert changed["Table 7.2"].verdict == FAILS
    assert changed["Table 7.2"].evidence.endswith("of 40 cells are that near to SVM-RFE")
    assert changed["Table 7.4"].verdict == HOLDS


def test_the_plan_compares_what_is_there(on_small):
    shelf = Shelf(SETS, {"Colon": "nowhere"})
    made = {part.key: json.loads(json.dumps(part.call(shelf))) for part in PLAN.parts(shelf, True)}
    judged = PLAN.judge(made, shelf, True)
    cells = beside(PLAN, shelf, judged, read_printed("han-7"))
    assert {cell.key.data for cell in cells if not cell.ours.not_run} == {"Colon"}
    assert sum(not cell.ours.not_run for cell in cells) == 4 * 60 + 9
    assert all(len(row) == len(one.header) for one in judged.sections for row in one.rows)
    assert MEAN in {row[1] for row in judged.sections[0].rows}
