"""The plan of a study: its fingerprint changes with every ingredient and with nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import VotingClassifier
from sklearn.feature_selection import SelectKBest, chi2, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

import holdfast
from holdfast import PlanMismatch
from holdfast.data import Table
from oracles.studies import planned, seed_of, small_table

FRAME, CLASSES = small_table(0, 24, 12)


def _plan(X=FRAME, y=CLASSES, **asked):
    return planned(X, y, **{"methods": ["f-test", "svm-rfe"], "sizes": [2, 4], "classifiers": ["nb", "svm"], **asked})


def _moved(value):
    frame = FRAME.copy()
    frame.iloc[3, 4] = value
    return frame


def _vote(C):
    """A classifier too long to be printed whole."""
    models = [(f"one{i}", LogisticRegression(C=C if i == 9 else 1.5, max_iter=777, tol=0.00123)) for i in range(12)]
    return {"vote": VotingClassifier(models)}


CHANGES = {
    "a value": {"X": _moved(FRAME.iloc[3, 4] + 1e-12)},
    "a name of a feature": {"X": FRAME.rename(columns={FRAME.columns[0]: "other"})},
    "a name of a sample": {"X": FRAME.rename(index={FRAME.index[0]: "other"})},
    "the order of the columns": {"X": FRAME.iloc[:, ::-1]},
    "a class": {"y": np.where(np.arange(24) == 0, 1 - CLASSES, CLASSES)},
    "a name of a class": {"y": np.where(CLASSES == 1, "ill", "well")},
    "the name of the classes": {"y": pd.Series(CLASSES, name="diagnosis")},
    "groups": {"groups": np.arange(24) // 2},
    "a method": {"methods": ["f-test", "relieff"]},
    "the order of the methods": {"methods": ["svm-rfe", "f-test"]},
    "a setting of a method": {"methods": ["f-test", "svm-rfe(C=0.5)"]},
    "a label of a method": {"methods": {"f-test": "f-test", "mine": "svm-rfe"}},
    "sizes": {"sizes": [2, 5]},
    "own": {"sizes": [2, 4, "own"], "methods": ["cfs", "fcbf"]},
    "a classifier": {"classifiers": ["nb", "knn"]},
    "a setting of a classifier": {"classifiers": ["nb", "svm(C=2)"]},
    "a label of a classifier": {"classifiers": {"nb": "nb", "mine": "svm"}},
    "the protocol": {"protocol": "2x3cv"},
    "splits": {"protocol": [(np.arange(16), np.arange(16, 24))]},
    "the seed": {"seed": 1},
    "filling": {"impute": "median"},
    "tuning": {"tune_size": True},
    "the positive class": {"positive": "0"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_fingerprint_changes_with(change):
    assert _plan(**CHANGES[change]).digest != _plan().digest


def test_every_change_gives_another_fingerprint():
    assert len({_plan(**change).digest for change in CHANGES.values()}) == len(CHANGES)


def test_prior_knowledge_changes_the_fingerprint():
    one, other = (_plan(methods=["pk-mrmr"], prior={FRAME.columns[j]: 1.0}) for j in (0, 1))
    assert one.digest != other.digest


def _distance():
    def distance(a, b):
        return float(np.abs(a - b).sum())

    return distance


ORDER = np.random.default_rng(3).permutation(24)
SAME = {
    "nothing": {},
    "the order of the rows": {"X": FRAME.iloc[ORDER], "y": CLASSES[ORDER]},
    "where the table came from": {
        "X": Table(FRAME.to_numpy(), FRAME.columns, FRAME.index, CLASSES, source="elsewhere.csv"), "y": None,
    },
    "the memory layout": {"X": pd.DataFrame(np.asfortranarray(FRAME), index=FRAME.index, columns=FRAME.columns)},
    "classes as a list": {"y": CLASSES.tolist()},
    "the order of the sizes": {"sizes": (4, 2, 2)},
    "sizes as shares": {"sizes": [2 / 12, 4 / 12]},
    "an alias": {"methods": ["anova", "svm-rfe"]},
    "another spelling of the protocol": {"protocol": " 1x3-fold CV"},
    "the positive class by its number": {"positive": 1},
    "a seed of numpy": {"seed": np.int64(0)},
}  # fmt: skip


@pytest.mark.parametrize("change", SAME)
def test_the_fingerprint_does_not_change_with(change):
    assert _plan(**SAME[change]).digest == _plan().digest


def test_groups_are_known_by_who_is_in_them_not_by_their_names():
    numbers = np.arange(24) // 2
    assert _plan(groups=numbers).digest == _plan(groups=[f"patient {99 - n}" for n in numbers]).digest


def test_two_long_classifiers_are_told_apart_and_equal_ones_are_not():
    assert _plan(classifiers=_vote(1.0)).digest == _plan(classifiers=_vote(1.0)).digest
    assert _plan(classifiers=_vote(1.0)).digest != _plan(classifiers=_vote(2.0)).digest


def test_a_function_is_known_by_its_name_so_that_another_process_can_go_on():
    one, other = (_plan(classifiers={"near": KNeighborsClassifier(metric=_distance())}) for _ in range(2))
    assert one.digest == other.digest
    assert "0x" not in one.text
    best, worst = (_plan(X=FRAME - FRAME.min(), methods=[SelectKBest(rule)]) for rule in (f_classif, chi2))
    assert best.digest != worst.digest
    assert "0x" not in best.text


def test_the_plan_is_plain_json():
    plan = _plan(groups=np.arange(24) // 2, methods=["cfs"], sizes=[2, "own"])
    document = json.loads(plan.text)
    assert document == plan.document
    assert document["data"]["classes"] == {"0": 12, "1": 12}
    assert document["data"]["n_groups"] == 12
    assert document["sizes"] == [2, "own"]
    assert document["splits"]["n"] == 3


def test_missing_values_have_one_fingerprint():
    one, other = FRAME.copy(), FRAME.copy()
    one.iloc[2, 2], other.iloc[2, 2] = np.nan, float("nan")
    assert _plan(one, impute="mean").digest == _plan(other, impute="mean").digest


def test_cells_are_all_samples_first_and_then_split_by_split():
    cells = _plan().cells
    assert cells[:2] == ((0, "all"), (1, "all"))
    assert cells[2:] == ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2))


def test_every_split_has_a_seed_of_its_own_that_all_methods_share(seed):
    plan = _plan(seed=seed)
    seeds = [plan.seed_of(split) for split in ("all", 0, 1, 2)]
    assert len(set(seeds)) == 4
    assert seeds[1:] == [seed_of(seed, split) for split in range(3)]
    assert _plan(seed=seed, protocol="bootstrapx9").seed_of(2) == seeds[3]


def test_the_positive_class_is_last_and_has_code_one():
    y = np.where(CLASSES == 1, "ill", "well")
    plan = _plan(y=y, positive="ill")
    assert plan.class_names == ("well", "ill")
    assert [plan.class_names[code] for code in plan.classes] == list(plan.table.target)
    assert _plan(y=y).class_names == ("well", "ill")
    assert _plan(y=np.where(CLASSES == 1, "cancer", "normal")).positive == "cancer"
    assert _plan(y=np.where(CLASSES == 1, "case", "control")).positive == "case"
    assert _plan(y=np.where(CLASSES == 1, "ALL", "AML")).positive == "AML"
    three = _plan(y=np.array(["c", "a", "b"])[np.arange(24) % 3])
    assert three.class_names == ("a", "b", "c")
    assert three.positive is None


def test_the_same_plan_is_let_in():
    _plan().require_same(_plan().text, Path("study"))


MISMATCHES = {
    "a value": r"holds a study of other data\. Choose another folder",
    "a method": "of other methods",
    "sizes": r"of other sizes \(sizes: 2,4 there, 2,5 here\)",
    "a classifier": "of other classifiers",
    "the protocol": r"of another protocol \(protocol: 3cv there, 2x3cv here\)",
    "the seed": r"of another seed \(seed: 0 there, 1 here\)",
    "filling": r"of another way to fill missing values \(impute: none there, median here\)",
    "tuning": r"of another choice about tuning the size \(tune size: no there, yes here\)",
    "the positive class": r"of another positive class \(positive: 1 there, 0 here\)",
    "groups": "of other data",
}


@pytest.mark.parametrize("change", MISMATCHES)
def test_another_plan_is_refused_and_told_in_what_it_differs(change):
    with pytest.raises(PlanMismatch, match=MISMATCHES[change]):
        _plan(**CHANGES[change]).require_same(_plan().text, Path("study"))


def test_several_differences_are_all_named():
    with pytest.raises(
        PlanMismatch, match=r"study holds a study of other sizes, another seed \(sizes: 2,4 there, 3 here\)"
    ):
        _plan(sizes=[3], seed=7).require_same(_plan().text, Path("study"))


def test_other_versions_of_software_are_refused_and_named():
    other = _plan().document | {"versions": {"holdfast": "0.0.1", "numpy": np.__version__}}
    with pytest.raises(PlanMismatch, match=r"of other versions of software \(versions: holdfast 0\.0\.1"):
        _plan().require_same(json.dumps(other), Path("study"))


def test_an_unknown_difference_is_another_plan():
    with pytest.raises(PlanMismatch, match=r"holds a study of another plan\."):
        _plan().require_same(json.dumps(_plan().document | {"extra": 1}), Path("study"))


@pytest.mark.parametrize("text", ["", "{}", "[1]", "null", "rubbish", '{"schema": "holdfast.study"}'])
def test_what_is_no_plan_is_refused(text):
    with pytest.raises(PlanMismatch, match=re.escape("study has a plan.json that is no plan of holdfast")):
        _plan().require_same(text, Path("study"))


def test_a_folder_of_another_plan_is_refused(tmp_path):
    asked = {"methods": ["f-test"], "sizes": [2], "classifiers": ["nb"], "protocol": "2cv", "out": tmp_path / "study"}
    holdfast.compare(FRAME, CLASSES, **asked)
    holdfast.compare(FRAME.iloc[ORDER], CLASSES[ORDER], **asked)
    with pytest.raises(PlanMismatch, match="another seed"):
        holdfast.compare(FRAME, CLASSES, seed=1, **asked)
