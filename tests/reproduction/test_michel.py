"""Michel 2018 rerun, and the harness on small data so that it cannot rot.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from reproduction import michel
from reproduction.michel import (
    CLASSIFIED,
    CRITERIA,
    CV,
    DT_CV,
    GRID,
    MEASURED,
    READINGS,
    RULES,
    SETS,
    SHIPPED,
    SPELT,
    TRAIN,
    Data,
    Run,
)
from reproduction.page_michel import PAGE, page
from reproduction.printed import AGREES, Printed
from reproduction.runs_michel import (
    ABSENT,
    BREAST_TOLERANCE,
    ENTROPY,
    FIGURES,
    MAXIMUM,
    MEASURES,
    NEAR,
    PAIRING,
    SEED,
    SIZE,
    SIZE_TOLERANCE,
    Arm,
    cells,
    is_impossible,
    judge_size,
    judge_variance,
    plan,
    read_printed,
    work,
)
from reproduction.verdicts_michel import by_default, claims

# Repetitions of the slow test; all of them take half an hour.
FEW = 8
# Cells of Figure 10.17 that do not come out; see the page.
NOT_REACHED = {("Wine", "H2S"), ("Wine", "P")}


def small(name="Wine", n_samples=60, seed=0):
    rng = np.random.default_rng(seed)
    source = SETS[name]
    X = rng.normal(size=(n_samples, source.n_features))
    y = np.arange(n_samples) % 2 if source.has_classes else X[:, 0] + X[:, 1]
    if source.has_classes:
        X[:, 3] += 2 * y
    return Data(name, X, y)


def made_up(n_runs=6, but=()):
    """Results of the right shape without a single search."""
    rng = np.random.default_rng(0)
    found = {}
    for name, criteria in CRITERIA.items():
        if name in but:
            continue
        d = SETS[name].n_features
        for criterion in criteria:
            readings = SPELT if criterion == SHIPPED else READINGS
            if name in MEASURED:
                more = [f"{rule}, y as it is" for rule in ("H", "H2S", "HP")] + ["CW, mirrored", "P, mirrored"]
                readings = [*READINGS, *more]
            runs = []
            for _ in range(n_runs):
                curve = tuple(np.sort(rng.random(d)).tolist())
                order = tuple(rng.permutation(d).tolist())
                sizes = {reading: int(rng.integers(0, d + 1)) for reading in readings}
                runs.append(Run(order, curve, curve, curve, sizes, curve))
            found[name, criterion] = Arm(name, criterion, runs, 1.0)
    return found


def test_every_printed_number_is_there_and_those_of_equal_sizes_are_equal():
    printed = read_printed()
    figures = [key[0] for key in printed]
    assert {figure: figures.count(figure) for figure in FIGURES.values()} == {
        "10.14": 30, "10.15": 30, "10.16": 24, "10.17": 30, "10.18": 30,
    }  # fmt: skip
    assert len(printed) == 144
    for name in CLASSIFIED:
        for one in RULES:
            for other in RULES:
                if printed[FIGURES[SIZE], name, one].value == printed[FIGURES[SIZE], name, other].value:
                    for figure in ("10.16", "10.17", "10.18"):
                        if (figure, name, one) in printed and (figure != "10.16" or "H" not in (one, other)):
                            assert printed[figure, name, one] == printed[figure, name, other]


def test_two_printed_entropies_are_impossible():
    printed = read_printed()
    found = [
        (name, rule)
        for name in CLASSIFIED
        for rule in RULES
        if (FIGURES[ENTROPY], name, rule) in printed
        and is_impossible(printed[FIGURES[ENTROPY], name, rule].value, printed[FIGURES[MAXIMUM], name, rule].value)
    ]
    assert found == [("Ionosphere", "H"), ("Wine", "H")]


def test_verdicts_on_sizes_know_noise_tolerance_and_difference():
    sizes = np.tile([3, 5], 50)
    assert judge_size(Printed(4, ""), sizes, 1.0, 2.0, 30) == AGREES
    assert judge_size(Printed(3, ""), sizes, 1.0, 2.0, 30) == AGREES  # a mean of 3.9 that was cut off
    assert judge_size(Printed(6, ""), sizes, 1.0, 2.0, 30) == NEAR
    assert judge_size(Printed(7, ""), sizes, 1.0, 2.0, 30) == "fewer"
    assert judge_size(Printed(1, ""), sizes, 1.0, 2.0, 30) == "more"
    assert judge_size(Printed(29, "A20"), np.full(9, 30), 0.2, 2.0, 30) == AGREES
    assert judge_variance(Printed(1.0, ""), sizes) == AGREES
    assert judge_variance(Printed(3.0, ""), sizes) == "smaller"


@pytest.mark.parametrize("criterion", [CV, TRAIN])
def test_the_search_is_that_of_grid_searched_nearest_neighbours_with_ties_by_index(criterion):
    data = small()
    data = Data("Wine", data.X[:, 1:4], data.y)
    part = michel.parts(data, 0, 0)
    found = michel.run(data, criterion, 0, 0)
    chosen = []
    for step in range(2):
        scores = {}
        for feature in set(range(3)) - set(chosen):
            X = part.X[:, [*chosen, feature]]
            folds = list(StratifiedKFold(10).split(X, part.y))
            searched = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": list(GRID)}, cv=folds, scoring="accuracy")
            weights = np.array([len(test) for _, test in folds]) / len(part.y)
            results = searched.fit(X, part.y).cv_results_
            pooled = sum(weights[s] * results[f"split{s}_test_score"] for s in range(10)).round(12)
            k = GRID[int(pooled.argmax())]
            trained = KNeighborsClassifier(k).fit(X, part.y).score(X, part.y)
            scores[feature] = float(pooled.max() if criterion == CV else trained)
        best = max(scores.values())
        chosen.append(min(feature for feature, one in scores.items() if one > best - 1e-9))
        assert found.scores[step] == pytest.approx(best)
    assert list(found.order[:2]) == chosen


def test_every_search_orders_all_features_and_every_reading_stops():
    for name in ("Wine", "Diabetes"):
        data = small(name)
        for criterion in CRITERIA[name]:
            run = michel.run(data, criterion, 0, 1)
            d = SETS[name].n_features
            assert sorted(run.order) == list(range(d))
            assert len(run.scores) == len(run.runners_up) == d
            assert set(RULES) <= set(run.sizes)
            assert all(0 <= size <= d for size in run.sizes.values())
            assert Run.from_json(run.as_json()) == run
            assert run == michel.run(data, criterion, 0, 1)


def test_splits_share_no_sample_and_units_come_from_the_training_part():
    data = small()
    part = michel.parts(data, 0, 5)
    assert (len(part.y), len(part.truth)) == (42, 18)
    assert part.X.mean(axis=0) == pytest.approx(np.zeros(13), abs=1e-12)
    assert not np.allclose(part.others.mean(axis=0), 0, atol=1e-3)
    raw = michel.parts(Data("Breast", data.X, data.y), 0, 5)
    rows = {row.tobytes() for row in raw.X}
    assert not any(row.tobytes() in rows for row in raw.others)


def test_a_mirrored_permutation_test_refuses_what_a_plain_one_takes():
    run = michel.run(small("Boston"), DT_CV, 0, 0)
    assert run.sizes["P"] >= 1
    assert run.sizes["P, mirrored"] == 0


def test_what_was_computed_is_not_computed_again(tmp_path, monkeypatch):
    monkeypatch.setattr("reproduction.runs_michel.load", small)
    monkeypatch.setattr("reproduction.runs_michel.BLOCK", 2)
    task = next(task for task in plan() if task.name == "Wine")
    first = work(task, tmp_path)
    monkeypatch.setattr("reproduction.runs_michel.run", None)
    assert work(task, tmp_path) == first
    assert len(first[0]) == 2
    assert len({one.key for one in plan()}) == len(plan())


def test_the_page_has_a_row_for_every_cell_also_of_tables_that_are_not_there():
    for but in ((), ("Parkinson",), (*MEASURED, "Breast")):
        results = made_up(but=but)
        text = page(results)
        found = cells(results, read_printed())
        assert len(found) == len(CLASSIFIED) * len(RULES) * len(FIGURES)
        for name in CLASSIFIED:
            for rule in RULES:
                assert text.count(f"| {name} | {rule} |") == (2 if name in but else 3)
        assert sum(one.verdict == ABSENT for one in found) == sum(
            (FIGURES[one.quantity], one.name, one.rule) in read_printed() for one in found if one.name in but
        )
        assert "nan" not in text
        assert all(one.evidence for one in claims(results))
        assert {one.verdict for one in claims(results)} <= {"holds", "holds in part", "does not hold"}


def rows_in(text, title):
    """Rows of a table of the page by their first two columns."""
    table = text.split(f"## {title}")[1].split("\n## ")[0]
    rows = [re.split(r" *\| *", line.strip("| ")) for line in table.splitlines() if line.startswith("| ")]
    return {(row[0], row[1]): row[2:] for row in rows[1:]}


def test_the_page_shows_the_printed_numbers_and_counts_its_own_verdicts():
    text, printed = PAGE.read_text(encoding="utf-8"), read_printed()
    sizes, stability = rows_in(text, "Sizes with FS-CV"), rows_in(text, "Stability with FS-CV")
    for name in CLASSIFIED:
        for rule in RULES:
            row = sizes[name, rule]
            assert float(row[0]) == printed["10.14", name, rule].value
            assert float(row[4]) == pytest.approx(printed["10.15", name, rule].value, abs=1e-4)
            for measure, cell in zip(MEASURES, stability[name, rule], strict=True):
                there = printed.get((FIGURES[measure], name, rule))
                assert cell.split(";")[0] == ("–" if there is None else f"{there.value:.2f}")
    counts = rows_in(text, "Verdicts")
    assert int(counts["10.14 size", ""][0]) == [row[3] for row in sizes.values()].count(AGREES)
    assert int(counts["10.15 variance", ""][0]) == [row[6] for row in sizes.values()].count(AGREES)


def table_of(name):
    data = michel.load(name)
    if data is None:
        pytest.skip(f"no table {SETS[name].file}: set HOLDFAST_DATA to a folder that has it")
    return data


@lru_cache
def few(name, criterion):
    data = table_of(name)
    assert data.X.shape[1] == SETS[name].n_features
    return Arm(name, criterion, [michel.run(data, criterion, SEED, repetition) for repetition in range(FEW)])


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSIFIED)
def test_sizes_and_pairing_are_those_in_print(name):
    """Within what the specification asks and twice the noise of so few repetitions."""
    arm, printed = few(name, CV), read_printed()
    for rule in RULES:
        there = printed["10.14", name, rule].value
        tolerance = BREAST_TOLERANCE if name == "Breast" and rule in ("CW", "WM") else SIZE_TOLERANCE
        noise = 2 * np.sqrt(printed["10.15", name, rule].value / FEW)
        assert arm.sizes(rule).mean() == pytest.approx(there, abs=tolerance + noise), rule
        error = arm.errors[PAIRING][int(there) - 1]
        expected = printed["10.17", name, rule].value
        if (name, rule) not in NOT_REACHED:
            assert arm.read(PAIRING, int(there)) == pytest.approx(expected, abs=0.05 + 2 * error), rule
    # With ε = 0 the bound does nothing, and with δ = 0.05 it lets hardly a step pass.
    assert arm.sizes("H2S").tolist() == arm.sizes("CW, also if equal").tolist()
    assert arm.sizes("H, δ = 0.05").max() <= 1
    assert arm.sizes("H2S, δ = 0.05").mean() <= 2.5


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSIFIED)
def test_cross_validation_chooses_better_than_training_accuracy(name):
    train, cv = few(name, TRAIN), few(name, CV)
    assert cv.tests.mean() > train.tests.mean()
    assert train.scores[0] > cv.scores[0]
    assert train.sizes("CW").mean() > cv.sizes("CW").mean() or name == "Breast"
    assert name != "Sonar" or by_default(train) > 0.5 > by_default(cv)


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSIFIED)
def test_ties_by_relevance_change_sizes_little(name):
    by_index, by_relevance = few(name, CV), few(name, SHIPPED)
    for rule in ("H", "H2S", "HP"):
        change = by_relevance.sizes(rule) - by_index.sizes(rule)
        assert abs(change.mean()) <= 2 + 2 * change.std() / np.sqrt(FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("criterion", ["DT", DT_CV])
def test_noise_falls_with_the_first_features_and_rises_with_the_last(name, criterion):
    arm = few(name, criterion)
    noise = -arm.scores
    assert 1 < noise.argmin() + 1 < arm.n_features
    assert noise[0] > 1.15 * noise.min()
    assert noise[-1] > 1.05 * noise.min()
    assert (arm.sizes("P, mirrored") == 0).all()
    assert (arm.sizes("HP, y as it is") >= arm.n_features - 3).mean() > 0.8
