"""The methods of a study: their names, what they build for a size and a seed, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, SequentialFeatureSelector, VarianceThreshold
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import holdfast
from holdfast import MRMR, SVMRFE, EnsembleSelector, PriorWarning
from holdfast.evaluate._contestants import OWN, contestants


def _one(given, prior=None):
    (found,) = contestants(given, prior)
    return found


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("mrmr+", "mrmr+"),
        ("MRMR_Plus", "mrmr+"),
        ("  svm-rfe(C=0.01)  ", "svm-rfe(C=0.01)"),
        ("ANOVA", "f-test"),
        ("anova()", "f-test()"),
        (MRMR(), "MRMR"),
        (SelectKBest(), "SelectKBest"),
        (make_pipeline(StandardScaler(), SelectKBest()), "SelectKBest"),
    ],
)
def test_a_method_has_the_name_of_its_row_or_its_class(given, name):
    assert _one([given]).name == name


def test_methods_come_from_one_a_list_or_a_mapping_of_labels():
    assert [one.name for one in contestants("mrmr+")] == ["mrmr+"]
    assert [one.name for one in contestants(SelectKBest())] == ["SelectKBest"]
    assert [one.name for one in contestants({"ours": "mrmr+", "theirs": SelectKBest(), 7: "mrmr+"})] == [
        "ours",
        "theirs",
        "7",
    ]


def test_the_same_name_twice_is_refused_also_by_way_of_an_alias():
    for twice in (["mrmr+", "f-test", "mrmr-plus"], [SelectKBest(), SelectKBest(k=3)]):
        with pytest.raises(ValueError, match=r"more than once.*a mapping of labels to methods tell two apart"):
            contestants(twice)


def test_settings_tell_two_methods_apart():
    assert len(contestants(["svm-rfe(C=0.01)", "svm-rfe(C=0.1)", "svm-rfe"])) == 3


@pytest.mark.parametrize("given", [SelectKBest, MRMR, 3, None, LogisticRegression(), make_pipeline(StandardScaler())])
def test_what_is_no_selector_is_refused(given):
    with pytest.raises(
        TypeError, match=r"is no selector. Pass a name such as 'mrmr.', an object with fit and get_support"
    ):
        contestants([given])


def test_no_methods_are_refused():
    for empty in ([], {}, ()):
        with pytest.raises(ValueError, match=r"methods is empty. Name at least one"):
            contestants(empty)


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match=r"no method called 'mrrm'. The nearest are .*'mrmr'"):
        contestants(["mrrm"])


def test_a_size_and_a_seed_reach_the_selector():
    built = _one("turf(drop=0.2)").build(7, 99)
    assert built.n_features_to_select == 7
    assert built.drop == 0.2
    assert _one("en-relieff").build(7, 99).random_state == 99
    assert _one("en-relieff(random_state=3)").build(7, 99).random_state == 3


def test_own_leaves_the_size_to_the_method():
    assert _one("cfs").build(OWN, 0).n_features_to_select is None
    assert _one("f-test(n_features_to_select=4)").build(OWN, 0).n_features_to_select == 4
    assert _one(SelectKBest(k=4)).build(OWN, 0).k == 4


def test_a_size_wins_over_that_of_a_setting():
    assert _one("f-test(n_features_to_select=4)").build(7, 0).n_features_to_select == 7


def test_given_selectors_are_copied_and_told_size_and_seed():
    kept = SelectKBest(k=4)
    assert _one(kept).build(7, 0).k == 7
    assert kept.k == 4
    piped = make_pipeline(StandardScaler(), RFE(LogisticRegression()))
    assert _one(piped).build(7, 0)[-1].n_features_to_select == 7
    assert piped[-1].n_features_to_select is None
    drawn = EnsembleSelector(selector="f-test", n_runs=3, random_state=None)
    assert _one(drawn).build(2, 5).random_state == 5
    assert _one(EnsembleSelector(selector="f-test", n_runs=3, random_state=1)).build(2, 5).random_state == 1


def test_one_long_list_serves_all_sizes_only_where_the_row_says_so_and_no_setting_changes_it():
    assert _one("f-test").is_prefix
    assert not _one("turf").is_prefix
    assert not _one("svm-rfe(step=0.5)").is_prefix
    assert not _one(MRMR()).is_prefix


def test_who_can_share_threads_is_known():
    assert _one("f-test").is_ours
    assert _one(MRMR()).is_ours
    assert _one(make_pipeline(StandardScaler(), MRMR())).is_ours
    assert not _one(SelectKBest()).is_ours


def test_prior_knowledge_goes_to_the_methods_that_take_it():
    prior = {"gene1": 1.0}
    knowing, plain = contestants(["pk-mrmr", "f-test"], prior)
    assert knowing.build(2, 0).prior == prior
    assert "prior" not in plain.build(2, 0).get_params()
    with pytest.warns(PriorWarning):
        _one("pk-mrmr").build(2, 0)


def test_sizes_of_a_selector_that_cannot_be_told_are_refused():
    for given in (VarianceThreshold(), SelectFromModel(LogisticRegression())):
        one = _one(given)
        with pytest.raises(
            ValueError, match=r"has no parameter for the number of features, so sizes=\[3\] cannot be asked"
        ):
            one.require([3, OWN], 10)
        one.require([OWN], 10)


def test_own_is_refused_where_the_default_is_more_than_the_table_has():
    with pytest.raises(ValueError, match="f-test keeps 50 features unless told otherwise, but the table has 10"):
        _one("f-test").require([OWN], 10)
    _one("f-test").require([OWN, 3], 50)
    _one("cfs").require([OWN], 10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("svm-rfe(C=-1)", "methods: C=-1 is not allowed for svm-rfe"),
        ("relieff(n_neighbors=0)", "methods: n_neighbors=0 is not allowed for relieff"),
        ("mrmr+(discretizer=nonsense)", "methods: discretizer='nonsense' is not allowed for mrmr"),
        ("en-svm-rfe(C=-1)", "C=-1 is not allowed"),
        ("mrmr+(search=exhaustive)", "contradicts the method 'mrmr."),
    ],
)
def test_a_wrong_setting_is_refused_before_any_work(text, message):
    with pytest.raises(ValueError, match=message):
        _one(text).require([3], 10)


def test_an_unknown_setting_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"methods: 'svm-rfe' has no parameter 'cc'\. It takes C, .*step"):
        _one("svm-rfe(cc=1)").require([3], 10)


@pytest.mark.parametrize(
    "given",
    [
        "mrmr+",
        SelectKBest(),
        make_pipeline(StandardScaler(), SelectFromModel(ExtraTreesClassifier())),
        SequentialFeatureSelector(LogisticRegression()),
        holdfast.StabilitySelector(selector="lasso"),
    ],
)
def test_what_a_method_is_can_be_written_as_json_without_places_in_memory(given):
    text = json.dumps(_one(given).described(), allow_nan=False)
    assert "0x" not in text


def test_a_description_changes_with_any_setting_and_not_with_the_object():
    def described(given, prior=None):
        return json.dumps(_one(given, prior).described())

    assert described(SVMRFE(C=0.1)) == described(SVMRFE(C=0.1))
    assert described(SVMRFE(C=0.1)) != described(SVMRFE(C=0.2))
    assert described("svm-rfe(C=0.1)") != described("svm-rfe(C=0.2)")
    assert described(RFE(LogisticRegression(C=1))) != described(RFE(LogisticRegression(C=2)))
    long = np.linspace(0, 1, 200)
    other = long.copy()
    other[100] += 1e-9
    assert described("pk-mrmr", long) == described("pk-mrmr", long.copy())
    assert described("pk-mrmr", long) != described("pk-mrmr", other)


def test_infinite_and_missing_parameters_are_written_as_text():
    found = _one(SelectFromModel(LogisticRegression(), threshold=-np.inf)).described()
    assert found["parameters"]["threshold"] == "-inf"


def test_functions_are_known_by_what_they_do_and_not_by_where_they_lie():
    def made(source):
        names = {"__name__": "m"}
        exec(compile(source, "m.py", "exec"), names)
        return names["f"]

    def told(function):
        return contestants({"k": SelectKBest(function)})[0].described()["parameters"]["score_func"]

    nested = "f = lambda X, y: sorted(X, key=lambda row: row)"
    one, other = made(nested), made(nested)
    assert told(one) == told(other)
    assert told(one) != told(made("f = lambda X, y: sorted(X)"))
