"""Hosseini 2018, chapters 2 and 4, rerun, and the harness on small data so that it cannot rot.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import numpy as np
import pytest

from holdfast import D2CORFS, DCORFS
from holdfast.measures import distance_dependence
from reproduction import hosseini
from reproduction.hosseini import (
    BY_TRAIN,
    CLASSIFIERS,
    CONFIDENCE,
    DIVERSE,
    HOLD_OUT,
    LEAVE_ONE_OUT,
    MODELS,
    N_FOLDS,
    N_JUDGED,
    OUTSIDE,
    OWN,
    PER_SET,
    POOLED,
    SETS,
    SPLIT,
    Data,
    Run,
    Scores,
    Screened,
    Without,
)
from reproduction.page_hosseini import page
from reproduction.printed import AGREES, BETTER, WORSE, Printed
from reproduction.runs_hosseini import AS_MANY, MEASURES, N_PARTITIONS, NESTED, Results, kept, plan
from reproduction.verdicts_hosseini import (
    CHANCE,
    DIFFERS,
    FAILS,
    HOLDS,
    IN_PART,
    by_chance,
    exact,
    of_parts,
    on_literature,
    on_redundancy,
    on_runs,
    read_printed,
)

# Positive and negative test samples of Table 4.1; those of Leukemia are not in the public table.
TESTED = {"Breast": (12, 7), "Leukemia": (10, 24), "Lung": (15, 134), "Prostate": (25, 9)}
# Cells of Table 4.2 that do not come out; see the page. Maximum likelihood is not what the thesis's solver found.
NOT_REACHED = {
    *((name, "LogReg", quantity) for name in SPLIT for quantity in MEASURES),
    *(("Prostate", "Tree", quantity) for quantity in MEASURES),
    *(("Breast", "SVMn", quantity) for quantity in MEASURES),
    ("Prostate", "SVM", "J_tr"),
}
REACHED = ("Lung", "Prostate", "Breast")


def table_of(name: str) -> Data:
    data = hosseini.load(name)
    if data is None:
        pytest.skip(f"no table {SETS[name][0]}: set HOLDFAST_DATA to a folder that has it")
    return data


def small(n_samples: int = 40, n_features: int = 30, seed: int = 0) -> Data:
    rng = np.random.default_rng(seed)
    y = np.tile([0, 1], n_samples // 2)
    X = rng.normal(size=(n_samples, n_features))
    X[:, :3] += 2 * y[:, np.newaxis]
    return Data("Lung", X, y, np.arange(n_samples) < n_samples // 2)


@pytest.mark.parametrize("name", SPLIT)
def test_printed_accuracies_are_those_of_the_printed_rates(name):
    printed = read_printed()
    n_positive, n_negative = TESTED[name]
    for classifier in CLASSIFIERS:
        of = {quantity: printed["4.2", name, classifier, quantity].value for quantity in MEASURES}
        right = round(of["TPR"] * n_positive) + round(of["TNR"] * n_negative)
        assert of["J_te"] == pytest.approx(right / (n_positive + n_negative), abs=1.5e-4)
        assert of["G"] == pytest.approx((of["TPR"] * of["TNR"]) ** 0.5, abs=1.5e-4)
        assert of["F"] == pytest.approx(
            2 * of["TPR"] * of["TNR"] / (of["TPR"] + of["TNR"]) if of["TNR"] else 0, abs=1.5e-4
        )


def test_every_printed_table_is_there():
    printed = read_printed()
    tables = [key[0] for key in printed]
    sizes = {"2.11": 18, "2.12": 18, "4.1": 10, "4.2": 172, "4.3": 57, "4.4": 119, "4.6": 64, "4.7": 104}
    assert {table: tables.count(table) for table in sizes} == sizes
    assert len(printed) == sum(sizes.values())


def test_rates_are_those_of_the_specification():
    truth = np.repeat([1, 0], [25, 9])
    answers = truth.copy()
    answers[0] = 0
    assert hosseini.rates(truth, answers) == pytest.approx((0.970588, 0.96, 1, 0.979796, 0.979592), abs=1e-6)
    assert hosseini.rates(truth, np.ones_like(truth))[2:] == (0, 0, 0)


# Scaled samples of the worked example of the specification, section 8.2, and a query.
WORKED = np.array([[0, 0.4], [0.125, 0], [0.375, 0.2], [0.5, 1], [1, 0.8]])
CLASSES = np.array([0, 0, 0, 1, 1])


def test_classifiers_answer_as_in_the_worked_example():
    query = np.array([[0.6, 0.5]])
    assert hosseini.predicted("NB", WORKED, CLASSES, query) == 0
    assert hosseini.predicted("LDA", WORKED, CLASSES, query) == 0
    assert hosseini.predicted("kNN", WORKED, CLASSES, query) == 0  # of all five
    assert hosseini.predicted("SVM", WORKED[:, :0], CLASSES, query[:, :0]) == 0


@pytest.mark.parametrize("classifier", list(CLASSIFIERS))
def test_classifiers_tell_clear_classes_apart_and_a_constant_feature_does_no_harm(classifier):
    data = small()
    X = np.column_stack([data.X[:, :3] + 3 * data.y[:, np.newaxis], np.zeros(len(data.y))])
    assert (hosseini.predicted(classifier, X[:20], data.y[:20], X[20:]) == data.y[20:]).mean() >= 0.95


def test_logistic_regression_is_the_maximum_of_the_likelihood():
    data = small()
    X = np.column_stack([np.ones(40), data.X[:, 5:7] + 0.3 * data.y[:, np.newaxis]])
    grid = np.linspace(-3, 3, 601)
    found = hosseini.predicted("LogReg", X[:, 1:], data.y, np.column_stack([grid, 0 * grid]))
    by_scikit = pytest.importorskip("sklearn.linear_model").LogisticRegression(C=1e8, tol=1e-10, max_iter=1000)
    expected = by_scikit.fit(X[:, 1:], data.y).predict(np.column_stack([grid, 0 * grid]))
    assert (found != expected).sum() <= 1


def test_each_way_of_scaling_uses_its_own_samples():
    train, test = np.array([[0.0], [10.0]]), np.array([[5.0], [25.0]])
    assert [part.ravel().tolist() for part in hosseini.scaled(train, test, PER_SET)] == [[0, 1], [0, 1]]
    assert [part.ravel().tolist() for part in hosseini.scaled(train, test, BY_TRAIN)] == [[0, 1], [0.5, 2.5]]
    assert [part.ravel().tolist() for part in hosseini.scaled(train, test, POOLED)] == [[0, 0.4], [0.2, 1]]
    assert hosseini.by_range(np.ones((3, 1))).tolist() == [[0], [0], [0]]


def test_features_are_counted_from_1_in_the_whole_file_also_if_some_miss_values(monkeypatch):
    data = small()
    X = np.insert(data.X, [0, 2], np.nan, axis=1)
    monkeypatch.setitem(CONFIDENCE, ("Lung", LEAVE_ONE_OUT), 0.9)
    with_gaps = hosseini.search(Data("Lung", X, data.y, None), LEAVE_ONE_OUT, 10, 0)
    assert set(with_gaps.model) <= {2, 3, 5}
    chosen = X[:, np.array(with_gaps.model) - 1]
    assert with_gaps.value == pytest.approx(hosseini.dcor_of(chosen, data.y), abs=1e-12)


def test_a_model_chosen_inside_the_folds_never_sees_what_is_left_out():
    data = small()
    for train, test in hosseini.folds(data, 3):
        assert not set(train) & set(test)
    noise = np.random.default_rng(1).normal(size=(60, 4000))
    plain = Data("Lung", noise, np.tile([0, 1], 30), None)
    strength = [abs(noise[train].T @ (plain.y[train] - 0.5)) for train, _ in hosseini.folds(plain, 0)]
    inside = [tuple(np.argsort(-one)[:20] + 1) for one in strength]
    outside = tuple(np.argsort(-abs(noise.T @ (plain.y - 0.5)))[:20] + 1)
    assert hosseini.over_folds(plain, inside, "LDA", 0) < 0.7
    assert hosseini.over_folds(plain, [outside] * N_FOLDS, "LDA", 0, POOLED) > 0.9


def test_what_was_computed_is_not_computed_again(tmp_path):
    calls = []
    for _ in range(2):
        assert kept(tmp_path / "one.json", lambda: calls.append(1) or [1, 2]) == [1, 2]
    assert calls == [1]
    run = Run((3, 5), 0.5, 9, 2, 5, "rounds", 100, 1.5, 1.0)
    assert Run.from_json(run.as_json()) == run
    assert len({task.key for task in plan()}) == len(plan())


def test_verdicts_know_rounding_from_a_difference():
    assert exact(Printed(0.8530, ""), 29 / 34) == AGREES
    assert exact(Printed(0.8530, ""), 28 / 34) == DIFFERS
    assert by_chance(Printed(0.9, ""), 0.7, 149) == WORSE
    assert by_chance(Printed(0.7, ""), 0.9, 149) == BETTER
    assert by_chance(Printed(0.9, ""), 0.8, 19) == AGREES
    assert [of_parts({"a": a, "b": b}) for a, b in ((True, True), (True, False), (False, False))] == [
        HOLDS,
        IN_PART,
        FAILS,
    ]


def test_five_of_eight_holds_by_the_printed_numbers_and_fails_with_worse_ones():
    names = [name for name, protocol in CONFIDENCE if protocol == LEAVE_ONE_OUT]
    found = on_literature(read_printed(), {(name, 10): 0.5 for name in names})
    assert [one.verdict for one in found] == [HOLDS, FAILS]
    assert "Ovarian 1.00 against nobody" in found[0].evidence


def a_run(model, value, seconds):
    return Run(tuple(model), value, 100, 10, 5, "rounds", 1000, seconds, seconds)


def test_the_fastest_is_so_in_every_run_or_in_the_median_or_not():
    for lung, expected in (([1.0, 1.5], HOLDS), ([1.0, 2.5], IN_PART), ([3.0, 4.0], FAILS)):
        held = {(name, 10): [a_run([1], 0.5, 2.0), a_run([1], 0.5, 2.2)] for name in SPLIT}
        held["Lung", 10] = [a_run([1], 0.5, seconds) for seconds in lung]
        claims = {one.source: one.verdict for one in on_runs(held, held, {"Leukemia": held["Prostate", 10]})}
        assert claims["4.1"] == expected


def test_a_printed_number_of_the_unbiased_index_would_be_noticed():
    found = {name: [Without(0, 0.9, 0.9, 0.9), Without(8965, 0.8, 0.9, 0.9)] for name in SPLIT}
    printed = read_printed()
    there = {name: printed["4.3", name, "all", "dCor"].value for name in SPLIT}
    assert on_redundancy(found, there, printed)[0].verdict == HOLDS
    assert on_redundancy(found, dict.fromkeys(SPLIT, 0.1), printed)[0].verdict == FAILS


def made_up() -> Results:
    """Results of the right shape without a single run."""
    flat = dict.fromkeys(CLASSIFIERS, 0.9)
    tasks = plan()
    printed = read_printed()
    return Results(
        runs={task: a_run([1, 2, 3], 0.9 + task.seed / 1000, 1.0) for task in tasks},
        judged={task: dict.fromkeys((PER_SET, BY_TRAIN, LEAVE_ONE_OUT, OUTSIDE), flat) for task in tasks},
        measure={(table, name): np.linspace(1, 0.5, 6) for table in ("2.11", "2.12") for name in CHANCE},
        screened={key: Screened(one, 10, 0, (0.01, 0.02)) for key, one in CONFIDENCE.items() if one is not None},
        dropped={
            name: [
                Without(one, printed["4.3", name, f"without {one}" if one else "all", "dCor"].value, 0.9, 0.9)
                for one in (0, *MODELS[name, HOLD_OUT])
            ]
            for name in SPLIT
        },
        unbiased=dict.fromkeys(SPLIT, 0.5),
        published={
            (name, one, scaling): Scores(0.9, 0.9, 0.9, 0.9, 0.9, 0.9)
            for name in SPLIT
            for one in CLASSIFIERS
            for scaling in (PER_SET, BY_TRAIN)
        },
        published_loo={(name, one): 0.9 for name, protocol in MODELS if protocol != HOLD_OUT for one in CLASSIFIERS},
        published_dcor={name: 0.9 for name, protocol in MODELS if protocol != HOLD_OUT},
        resplit={name: np.array([0.9, 1.0]) for name in SPLIT},
        errors=dict.fromkeys(DIVERSE, 3),
        nested={(name, one): np.full(N_PARTITIONS, 0.7) for name in NESTED for one in CLASSIFIERS},
        timed={name: [a_run([1], 0.5, 2.0)] for name in ("Lung", "Leukemia")},
    )


def test_the_page_has_a_row_for_every_table_and_every_claim():
    text = page(made_up())
    for name, protocol in CONFIDENCE:
        assert (
            f"| {name} | {'HOCV' if protocol == HOLD_OUT else 'LOOCV'} |" in text or CONFIDENCE[name, protocol] is None
        )
        assert f"| {name} | 70 |" in text
    assert "| Breast | NB | without 512 | 0.6014; 0.6014; agrees |" in text
    assert "| CNS | Tree | 0.900 | 0.900 | 0.700 ± 0.118 | +0.200 (+0.200 … +0.200) |" in text
    assert text.count("other data") > 10
    assert "nan" not in text


@pytest.mark.slow
def test_redundant_columns_lower_dcor_as_in_tables_2_11_and_2_12():
    printed = read_printed()
    for (table, name), values in hosseini.redundancy(0).items():
        assert (np.diff(values) < 0).all()
        for k, value in enumerate(values):
            assert value == pytest.approx(printed[table, name, "dCor", str(k)].value, abs=CHANCE[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SETS))
def test_tables_have_as_many_samples_as_the_page_says(name):
    data = table_of(name)
    assert len(data.y) == N_JUDGED[LEAVE_ONE_OUT][name]
    if name in SPLIT:
        assert (~data.is_train).sum() == N_JUDGED[HOLD_OUT][name]
        if name != "Leukemia":
            assert TESTED[name] == tuple(np.bincount(data.y[~data.is_train])[::-1])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "protocol"), [key for key, one in CONFIDENCE.items() if one is not None])
def test_the_screening_keeps_as_many_features_as_in_print(name, protocol):
    found = hosseini.screened(table_of(name), protocol, CONFIDENCE[name, protocol])
    there = read_printed()["4.1", name, protocol, "kept"].value
    if name == "Leukemia":
        assert found.n_kept == {HOLD_OUT: 996, LEAVE_ONE_OUT: 1381}[protocol]
    else:
        assert found.n_kept + found.n_constant == there


@pytest.mark.slow
def test_one_treatment_of_missing_values_gives_both_counts_of_breast_at_round_values():
    data = table_of("Breast")
    printed = read_printed()
    there = {one: int(printed["4.1", "Breast", one, "kept"].value) for one in (HOLD_OUT, LEAVE_ONE_OUT)}
    fits = {
        (treatment, keeps): [
            _round_values(data, protocol, treatment, keeps, count) for protocol, count in there.items()
        ]
        for treatment in ("100", "0", "median", "mean", "drop")
        for keeps in (False, True)
    }
    assert [key for key, rows in fits.items() if any(rows)] == [("100", True)]
    assert fits["100", True] == [[0.15], [0.07]]


def _round_values(data, protocol, treatment, keeps_constant, count):
    """Multiples of 0.005 that keep as many features."""
    rows = data.rows(protocol)
    X = data.X[rows]
    is_empty = np.isnan(X).all(axis=0)
    Z = X[:, ~is_empty]
    if treatment == "drop":
        Z = Z[:, ~np.isnan(Z).any(axis=0)]
    else:
        whole = {"median": np.nanmedian, "mean": np.nanmean}.get(treatment)
        Z = np.where(np.isnan(Z), float(treatment) if whole is None else whole(Z, axis=0), Z)
    p_values = np.sort(distance_dependence(Z, data.y[rows]).p_value)
    n_kept = count - (is_empty.sum() if keeps_constant else 0)
    return [
        one for one in np.arange(1, 50) * 5 / 1000 if p_values[n_kept - 1] < one - 1e-12 and one <= p_values[n_kept]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", REACHED)
def test_published_models_without_a_feature_are_as_in_table_4_3(name):
    printed = read_printed()
    found = hosseini.each_dropped(table_of(name), MODELS[name, HOLD_OUT], OWN[name])
    for one in found:
        label = f"without {one.dropped}" if one.dropped else "all"
        there = {quantity: printed["4.3", name, label, quantity] for quantity in ("dCor", "J_tr", "J_te")}
        assert one.dcor == pytest.approx(there["dCor"].value, abs=5.1e-5)
        assert exact(there["J_te"], one.J_te) == AGREES
        if (name, one.dropped) != ("Prostate", 0):
            assert exact(there["J_tr"], one.J_tr) == AGREES
    assert all(found[0].dcor > one.dcor for one in found[1:])


@pytest.mark.slow
@pytest.mark.parametrize("name", REACHED)
def test_published_models_do_as_in_table_4_2(name):
    data, printed = table_of(name), read_printed()
    for classifier in CLASSIFIERS:
        scores = hosseini.held_out(data, MODELS[name, HOLD_OUT], classifier, PER_SET)
        for quantity in MEASURES:
            if (name, classifier, quantity) not in NOT_REACHED:
                there = printed["4.2", name, classifier, quantity]
                assert exact(there, getattr(scores, quantity)) == AGREES, (classifier, quantity)


@pytest.mark.slow
def test_the_test_part_of_prostate_needs_a_range_of_its_own():
    data = table_of("Prostate")
    by_train = {one: hosseini.held_out(data, MODELS["Prostate", HOLD_OUT], one, BY_TRAIN) for one in ("kNN", "NB")}
    assert all((one.TPR, one.TNR) == (1, 0) for one in by_train.values())


@pytest.mark.slow
def test_the_published_model_of_lung_under_leave_one_out():
    data, model = table_of("Lung"), MODELS["Lung", LEAVE_ONE_OUT]
    found = [hosseini.left_out(data, model, one) for one in ("SVM", "SVMn", "kNN", "NB")]
    assert found == pytest.approx([1, 1, 0.9945, 0.9779], abs=1e-4)
    assert hosseini.dcor_of(data.X[:, np.array(model) - 1], data.y) == pytest.approx(0.9480, abs=5e-5)


@pytest.mark.slow
def test_other_splits_of_leukemia_and_its_diverse_models():
    data = table_of("Leukemia")
    accuracy = hosseini.resplit(data, MODELS["Leukemia", HOLD_OUT], "NB", 0)
    _, counts = np.unique(accuracy.round(4), return_counts=True)
    assert counts.tolist() == [20, 35, 213, 336, 315, 81]
    assert all(hosseini.left_out(data, model, "NB") < 1 for model in DIVERSE.values())


@pytest.mark.slow
@pytest.mark.parametrize("index", ["biased", "unbiased"])
def test_planted_features_are_found(index):
    X = np.random.default_rng(42).standard_normal((40, 20))
    for seed in range(5):
        found = DCORFS(index=index, confidence=None, random_state=seed).fit(X, X[:, 3] + X[:, 11] > 0)
        assert set(found.indices_) == {3, 11}
    X = np.random.default_rng(7).standard_normal((60, 300))
    y = X[:, 10] + X[:, 150] + X[:, 290] > 0
    for seed in range(3):
        found = D2CORFS(index=index, confidence=None, n_bins=10, random_state=seed).fit(X, y)
        assert set(found.indices_) == {10, 150, 290}
        assert found.value_ == pytest.approx({"biased": 0.685613, "unbiased": 0.462458}[index], abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seeds", "most"), [("Lung", (0, 1), 10), ("Prostate", (0, 1), 10), ("Breast", (0,), 20)]
)
def test_the_search_reaches_the_dcor_of_the_published_model(name, seeds, most):
    data = table_of(name)
    train, y = data.X[data.is_train], data.y[data.is_train]
    published = hosseini.dcor_of(train[:, np.array(MODELS[name, HOLD_OUT]) - 1], y)
    for seed in seeds:
        run = hosseini.search(data, HOLD_OUT, 10, seed)
        assert run.value >= published
        assert 1 <= len(run.model) <= most
        assert run.value == pytest.approx(hosseini.dcor_of(train[:, np.array(run.model) - 1], y), abs=1e-9)
        assert run.n_bins == round(2 * run.n_pool / len(y))
    accuracy = hosseini.judged(data, HOLD_OUT, run.model, 0)[PER_SET]
    assert max(accuracy.values()) > {"Lung": 0.93, "Prostate": 0.75, "Breast": 0.6}[name]


@pytest.mark.slow
def test_a_larger_step_coefficient_gives_models_of_about_the_published_size():
    run = hosseini.search(table_of("Prostate"), HOLD_OUT, 70, 0)
    assert 2 <= len(run.model) <= 5
    assert run.value == pytest.approx(0.8216, abs=0.02)


@pytest.mark.slow
def test_choosing_on_all_samples_is_optimistic_on_cns():
    data = table_of("CNS")
    inside = [hosseini.search(data, LEAVE_ONE_OUT, 10, 0, train).model for train, _ in hosseini.folds(data, 0)]
    outside = hosseini.search(data, LEAVE_ONE_OUT, 10, 0).model
    gaps = [
        hosseini.over_folds(data, [outside] * N_FOLDS, one, 0, POOLED) - hosseini.over_folds(data, inside, one, 0)
        for one in CLASSIFIERS
    ]
    assert np.mean(gaps) > 0.08


@pytest.mark.slow
def test_leukemia_has_as_many_features_as_in_print_only_at_a_value_that_is_not_round():
    found = hosseini.screened(table_of("Leukemia"), HOLD_OUT, AS_MANY)
    assert found.n_kept == 2688
    assert not any(found.between[0] < one <= found.between[1] for one in np.arange(1, 50) * 5 / 1000)
