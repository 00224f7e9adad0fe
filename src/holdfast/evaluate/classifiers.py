"""Classifiers that judge a list of features, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone, is_classifier
from sklearn.pipeline import Pipeline

from holdfast._parameters import nearest
from holdfast.evaluate._contestants import seeded, without_address
from holdfast.evaluate._named import name_and_settings


@dataclass(frozen=True)
class Classifier:
    """A classifier under the name a report gives it; ``model`` sees features standardised by the training part."""

    name: str
    words: str
    model: Any

    @property
    def scales_itself(self) -> bool:
        """Whether it is a pipeline, which is taken as it is."""
        return isinstance(self.model, Pipeline)

    def unfitted(self, seed: int = 0) -> Any:
        """A fresh copy, drawing with the seed where it was left open."""
        return seeded(clone(self.model), seed)


def _svm(**settings: Any) -> Any:
    from sklearn.svm import SVC

    return SVC(**{"kernel": "linear", "C": 1.0, **settings})


def _svm_rbf(**settings: Any) -> Any:
    from sklearn.svm import SVC

    return SVC(**{"kernel": "rbf", "C": 1.0, **settings})


def _knn(**settings: Any) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(**{"n_neighbors": 5, **settings})


def _one_nn(**settings: Any) -> Any:
    return _knn(**{"n_neighbors": 1, **settings})


def _naive_bayes(**settings: Any) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB(**settings)


def _logistic(**settings: Any) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(**{"C": 1.0, "max_iter": 1000, **settings})


def _discriminant(**settings: Any) -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis(**{"solver": "lsqr", "shrinkage": "auto", **settings})


def _tree(**settings: Any) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(**{"random_state": 0, **settings})


def _forest(**settings: Any) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(**{"n_estimators": 200, "random_state": 0, **settings})


_MAKERS: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "svm": ("linear support vector machine, C = 1", _svm),
    "svm-rbf": ("support vector machine with a Gaussian kernel, C = 1", _svm_rbf),
    "knn": ("5 nearest neighbours", _knn),
    "1nn": ("nearest neighbour", _one_nn),
    "nb": ("Gaussian naive Bayes", _naive_bayes),
    "logistic": ("logistic regression, C = 1", _logistic),
    "lda": ("linear discriminant analysis with shrinkage", _discriminant),
    "tree": ("decision tree", _tree),
    "forest": ("random forest of 200 trees", _forest),
}
CLASSIFIERS = tuple(_MAKERS)


def classifier(given: Any, label: str | None = None) -> Classifier:
    """A classifier by name, such as "svm", "knn(n_neighbors=3)", or any of scikit-learn's grammar.

    Use it to see what a name stands for; ``compare`` takes names.

    Parameters
    ----------
    given : str or estimator
        One of "svm", "svm-rbf", "knn", "1nn", "nb", "logistic", "lda", "tree" and "forest", with settings
        in parentheses if wanted; or a classifier. It sees standardised features, unless it is a pipeline.
    label : str, default=None
        Name in the report; by default the name as given, or the class.

    Returns
    -------
    classifier : Classifier
        With ``name``, ``words`` and ``model``.

    Examples
    --------
    >>> classifier("knn(n_neighbors=3)").model
    KNeighborsClassifier(n_neighbors=3)
    """
    if not isinstance(given, str):
        last = given[-1] if isinstance(given, Pipeline) else given
        if isinstance(given, type) or not hasattr(given, "fit") or not is_classifier(last):
            raise TypeError(
                f"classifiers: {given!r} is no classifier. Pass a name ({', '.join(CLASSIFIERS)}) or an object with "
                "fit and predict, such as LogisticRegression()."
            )
        words = " ".join(without_address(given).split())
        return Classifier(label or type(last).__name__, words, _allowed(clone(given), label or type(last).__name__))
    name, settings = name_and_settings(given)
    name = name.lower().replace("_", "-")
    if name not in _MAKERS:
        near = nearest(name, _MAKERS, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"There is no classifier called {name!r}.{hint} There are {', '.join(CLASSIFIERS)}.")
    words, make = _MAKERS[name]
    known = make().get_params(deep=False)
    unknown = [key for key in settings if key not in known]
    if unknown:
        raise ValueError(f"classifiers: {name} has no setting {unknown[0]!r}. It takes {', '.join(known)}.")
    model = _allowed(make(**settings), given)
    if settings:
        words = f"{name} with " + ", ".join(f"{key} = {value}" for key, value in settings.items())
    return Classifier(label or given.strip(), words, model)


def _allowed(model: Any, name: str) -> Any:
    """The model, if scikit-learn takes its settings."""
    try:
        model._validate_params()
    except ValueError as error:
        raise ValueError(f"classifiers: {name} cannot be used. {error}") from error
    except AttributeError:
        # Not every classifier is scikit-learn's.
        pass
    return model
