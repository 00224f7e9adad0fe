"""Classifiers by name: what each stands for, how it is set, and what is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from holdfast.evaluate import CLASSIFIERS, classifier
from holdfast.evaluate._request import judges

STANDS_FOR = {
    "svm": ("SVC", {"kernel": "linear", "C": 1.0}, "linear support vector machine, C = 1"),
    "svm-rbf": ("SVC", {"kernel": "rbf", "C": 1.0}, "support vector machine with a Gaussian kernel, C = 1"),
    "knn": ("KNeighborsClassifier", {"n_neighbors": 5}, "5 nearest neighbours"),
    "1nn": ("KNeighborsClassifier", {"n_neighbors": 1}, "nearest neighbour"),
    "nb": ("GaussianNB", {}, "Gaussian naive Bayes"),
    "logistic": ("LogisticRegression", {"C": 1.0, "max_iter": 1000}, "logistic regression, C = 1"),
    "lda": ("LinearDiscriminantAnalysis", {"solver": "lsqr", "shrinkage": "auto"},
            "linear discriminant analysis with shrinkage"),
    "tree": ("DecisionTreeClassifier", {"random_state": 0}, "decision tree"),
    "forest": ("RandomForestClassifier", {"n_estimators": 200, "random_state": 0}, "random forest of 200 trees"),
}  # fmt: skip


def test_every_name_is_described_here():
    assert set(CLASSIFIERS) == set(STANDS_FOR)


@pytest.mark.parametrize("name", STANDS_FOR)
def test_a_name_stands_for_a_classifier_with_its_settings(name):
    found = classifier(name)
    kind, settings, words = STANDS_FOR[name]
    assert (found.name, found.words, type(found.model).__name__) == (name, words, kind)
    assert settings.items() <= found.model.get_params().items()


def test_names_are_read_in_any_case_and_with_underscores():
    assert classifier(" SVM_RBF ").model.kernel == "rbf"


def test_settings_override_those_of_the_name_and_are_told():
    found = classifier("svm(C=0.1, kernel=poly)")
    assert (found.model.C, found.model.kernel) == (0.1, "poly")
    assert found.name == "svm(C=0.1, kernel=poly)"
    assert found.words == "svm with C = 0.1, kernel = poly"


def test_a_label_is_the_name_in_the_report():
    assert classifier("svm", "my svm").name == "my svm"
    assert classifier(SVC(), "mine").name == "mine"


def test_a_given_classifier_is_called_by_its_class_and_copied():
    model = LogisticRegression(C=3.0)
    found = classifier(model)
    assert (found.name, found.words) == ("LogisticRegression", "LogisticRegression(C=3.0)")
    assert found.model is not model
    assert found.unfitted() is not found.model


def test_only_a_pipeline_is_left_to_scale_itself():
    piped = classifier(make_pipeline(StandardScaler(), SVC()))
    assert piped.scales_itself
    assert piped.name == "SVC"
    assert "\n" not in piped.words
    assert not classifier("svm").scales_itself
    assert not classifier(GridSearchCV(SVC(), {"C": [1, 2]})).scales_itself


def test_a_function_in_a_setting_is_told_without_its_place_in_memory():
    words = classifier(KNeighborsClassifier(metric=np.hypot.reduce)).words
    assert "0x" not in words


@pytest.mark.parametrize(("text", "near"), [("svn", "svm"), ("kn", "knn"), ("forrest", "forest")])
def test_an_unknown_name_is_refused_with_the_nearest_one(text, near):
    with pytest.raises(
        ValueError, match=f"no classifier called {text!r}. Did you mean {near!r}. There are svm, svm-rbf"
    ):
        classifier(text)


def test_a_name_like_no_other_gets_the_list_only():
    with pytest.raises(ValueError, match=r"no classifier called 'zzzzzz'. There are svm"):
        classifier("zzzzzz")


@pytest.mark.parametrize("given", [SVC, SVR(), Ridge(), 3, None, make_pipeline(StandardScaler(), Ridge()), object()])
def test_what_is_no_classifier_is_refused(given):
    with pytest.raises(TypeError, match=r"is no classifier. Pass a name \(svm.* or an object with fit and predict"):
        classifier(given)


def test_an_unknown_setting_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match=r"knn has no setting 'k'. It takes .*n_neighbors"):
        classifier("knn(k=3)")


@pytest.mark.parametrize(
    ("text", "parameter"),
    [
        ("svm(C=-1)", "C"), ("svm(kernel=foo)", "kernel"), ("knn(n_neighbors=0)", "n_neighbors"),
        ("knn(n_neighbors=-1)", "n_neighbors"), ("knn(weights=foo)", "weights"), ("logistic(C=-1)", "C"),
        ("tree(max_depth=-1)", "max_depth"), ("nb(var_smoothing=-1)", "var_smoothing"),
        ("lda(shrinkage=3)", "shrinkage"),
        ("forest(n_estimators=0)", "n_estimators"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_refused_before_anything_is_fitted(text, parameter):
    with pytest.raises(ValueError, match=re.escape(f"classifiers: {text} cannot be used. The '{parameter}' parameter")):
        classifier(text)


def test_a_wrong_setting_of_a_given_classifier_is_refused_under_its_label():
    with pytest.raises(ValueError, match=r"classifiers: mine cannot be used. The 'C' parameter"):
        classifier(SVC(C=-1), "mine")


def test_judges_come_from_one_a_list_or_a_mapping():
    assert [one.name for one in judges("svm")] == ["svm"]
    assert [one.name for one in judges(("svm", SVC()))] == ["svm", "SVC"]
    assert [one.name for one in judges({"a": "svm", 3: "svm"})] == ["a", "3"]


def test_no_judges_or_the_same_twice_are_refused():
    with pytest.raises(ValueError, match=r"classifiers is empty. Name at least one"):
        judges([])
    with pytest.raises(ValueError, match="classifiers has 'svm' more than once"):
        judges(["svm", "nb", "svm"])
    with pytest.raises(ValueError, match="classifiers has 'SVC' more than once"):
        judges([SVC(), SVC(C=2)])
