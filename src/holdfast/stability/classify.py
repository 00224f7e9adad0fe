"""An ensemble of classifiers, each on features of its own (ECA; Ben Brahim 2015, section 3.2.2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from holdfast._errors import DataError
from holdfast._parameters import Rule, check_parameters, jobs, nothing, one_of, seed, whole_number
from holdfast._progress import report
from holdfast._random import generators
from holdfast.data import Table
from holdfast.measures._folds import sample_order
from holdfast.measures.cross_validation import CrossValidation
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, refuse_unusable
from holdfast.selectors._wrapper import CLASSIFIER, SPLITS
from holdfast.stability._draw import PERTURB
from holdfast.stability._repeat import SELECTORS, in_parallel
from holdfast.stability._votes import VOTES, combined, decided
from holdfast.stability.ensemble import EnsembleSelector

Array = npt.NDArray[Any]


class ClassifierEnsemble(ClassifierMixin, BaseEstimator):
    """Let several classifiers vote, each trained on the features that one selection chose.

    Use it when predictions matter more than one list of features: there is no such list here, hence no stability.
    Features are chosen on resamples, by several methods, or both; every classifier then trains on all samples.

    Parameters
    ----------
    selector : str, estimator or list of these, default="relieff"
        A method's name, a selector, a Pipeline that ends in one, or several of them.
    estimator : classifier or None, default=None
        Cloned for each list of features; None is a linear support vector machine (C=1) on standardised features.
        Without ``predict_proba`` it supports the class that it predicts with 1 and all others with 0.
    vote : {"majority", "weighted", "average", "max", "min", "product", "sum"}, default="majority"
        "majority" counts the predicted classes; "weighted" weighs them by the accuracy of each classifier in
        cross-validation; the others join supports of classes. A class wins a tie by its average support, then by
        its number of samples in training, then by its label. Where no class has any support, the average decides.
    list_size : int, float or None, default=None
        How many features each list holds, or which share of them; None is what each selector says.
    perturb : str, splitter, function, list or None, default="bootstrap"
        What each selection sees, as in ``EnsembleSelector``; None has every selector see all samples once.
    n_runs : int, default=40
        Resamples for each selector.
    cv : int, splitter, list or None, default=None
        Cross-validation behind the weights of "weighted"; None has 10 parts.
    random_state : int, Generator or None, default=0
        Seed of the resamples and of the cross-validation.
    n_jobs : int or None, default=None
        Parallel threads; no result depends on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    estimators_ : list of classifiers
        One for each list of features; they know the classes by their places in ``classes_``. A list without features
        has one that knows how frequent the classes are.
    subsets_ : ndarray of shape (n_lists, n_features), dtype=bool
        Features of each.
    weights_ : ndarray of shape (n_lists,)
        What the vote of each counts: its accuracy for "weighted", 1 otherwise.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if there are any.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> from holdfast.stability import ClassifierEnsemble
    >>> made = copies(n_samples=60, n_features=30, n_relevant=2, n_copies=2, random_state=0)
    >>> voters = ClassifierEnsemble(["relieff", "t-test"], list_size=4, n_runs=5).fit(made.X, made.y)
    >>> len(voters.estimators_), voters.score(made.X, made.y) > 0.7
    (10, True)
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "selector": SELECTORS,
        "estimator": CLASSIFIER,
        "vote": one_of(*VOTES),
        "list_size": COUNT_SHARE_OR_NONE,
        "perturb": PERTURB | nothing(),
        "n_runs": whole_number(at_least=1),
        "cv": SPLITS,
        "random_state": seed(),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        selector: Any = "relieff",
        *,
        estimator: Any = None,
        vote: str = "majority",
        list_size: int | float | None = None,
        perturb: Any = "bootstrap",
        n_runs: int = 40,
        cv: Any = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.selector = selector
        self.estimator = estimator
        self.vote = vote
        self.list_size = list_size
        self.perturb = perturb
        self.n_runs = n_runs
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, groups: Any = None) -> Self:
        """Choose features repeatedly and train a classifier on each list of them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), data frame or Table
            Samples. A data frame or a Table brings names along.
        y : array-like of shape (n_samples,), default=None
            Classes; a Table brings its own.
        groups : array-like of shape (n_samples,), default=None
            Samples that resamples keep together, such as those of one patient.

        Returns
        -------
        self : ClassifierEnsemble
            The fitted ensemble.
        """
        check_parameters(self)
        values, y = (X.X, X.target if y is None else y) if isinstance(X, Table) else (X, y)
        values, y = validate_data(self, values, y, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=2)
        refuse_unusable(values, getattr(self, "feature_names_in_", None), nan_is_allowed=False)
        check_classification_targets(y)
        if isinstance(X, Table):
            self.feature_names_in_ = np.array(X.feature_names, dtype=object)
        self.classes_, target = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise DataError(
                f"y has one class only, {str(self.classes_[0])!r}; a classifier needs at least two classes."
            )
        self._class_sizes = np.bincount(target)
        draws, splits = generators(self.random_state, 2)
        self.subsets_ = self._chosen(X if hasattr(self, "feature_names_in_") else values, y, groups, draws)
        self.weights_ = self._weights(values, target, splits)
        # Training samples in an order of their own, so that no classifier can depend on that of the table.
        order = sample_order(values, target)
        tasks = [partial(self._trained, values[order], target[order], subset) for subset in self.subsets_]
        self.estimators_ = in_parallel(tasks, self.n_jobs, lambda done: report("Classifiers", done, len(tasks)))
        return self

    def _chosen(self, X: Any, y: Array, groups: Any, draws: Any) -> Array:
        """Features that each selection keeps."""
        selection = EnsembleSelector(
            selector=self.selector,
            perturb=self.perturb,
            n_runs=self.n_runs,
            rule="ofa",
            list_size=self.list_size,
            random_state=draws,
            n_jobs=self.n_jobs,
        )
        lists = selection.fit(X, y, groups).lists_
        subsets = np.zeros((len(lists), self.n_features_in_), dtype=bool)
        for subset, columns in zip(subsets, lists, strict=True):
            subset[columns] = True
        return subsets

    def _classifier(self) -> Any:
        return (
            make_pipeline(StandardScaler(), SVC(kernel="linear")) if self.estimator is None else clone(self.estimator)
        )

    def _weights(self, X: Array, target: Array, splits: Any) -> Array:
        if self.vote != "weighted":
            return np.ones(len(self.subsets_))
        has_features = self.subsets_.any(axis=1)
        accuracy = np.full(len(self.subsets_), self._class_sizes.max() / len(target))
        if has_features.any():
            validation = CrossValidation(
                X, target, estimator=self._classifier(), cv=self.cv, random_state=splits, n_jobs=self.n_jobs
            )
            accuracy[has_features] = 1.0 - validation.errors(map(np.flatnonzero, self.subsets_[has_features]))
        return accuracy

    def _trained(self, X: Array, target: Array, subset: Array) -> Any:
        classifier = self._classifier() if subset.any() else DummyClassifier(strategy="prior")
        return classifier.fit(X[:, subset], target)

    def predict(self, X: Any) -> Array:
        """Class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), data frame or Table
            Samples.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Predicted classes.
        """
        together, supports = self._together(X)
        labels: Array = self.classes_[decided(together, supports, self._class_sizes)]
        return labels

    def predict_proba(self, X: Any) -> Array:
        """Joint support of each class, as a share; it is not calibrated.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), data frame or Table
            Samples.

        Returns
        -------
        shares : ndarray of shape (n_samples, n_classes)
            Non-negative, 1 in sum for each sample.
        """
        together, _ = self._together(X)
        shares: Array = together / together.sum(axis=1, keepdims=True)
        return shares

    def _together(self, X: Any) -> tuple[Array, Array]:
        """What all say about each class, and what each does."""
        check_is_fitted(self)
        if isinstance(X, Table):
            if list(X.feature_names) != list(getattr(self, "feature_names_in_", X.feature_names)):
                raise DataError("The table has other features, or in another order, than the one of the training.")
            X = X.X
        else:
            X = validate_data(self, X, dtype=np.float64, reset=False)
        members = zip(self.estimators_, self.subsets_, strict=True)
        said = [_says(member, X[:, subset], len(self.classes_)) for member, subset in members]
        supports = np.array([support for _, support in said])
        labels = np.array([label for label, _ in said])
        return combined(self.vote, supports, labels, self.weights_), supports


def _says(member: Any, X: Array, n_classes: int) -> tuple[Array, Array]:
    """Predicted class and support of every class, by one classifier."""
    labels = np.asarray(member.predict(X)).astype(np.int64)
    supports = np.zeros((len(X), n_classes))
    if hasattr(member, "predict_proba"):
        supports[:, np.asarray(member.classes_, dtype=np.int64)] = member.predict_proba(X)
    else:
        supports[np.arange(len(X)), labels] = 1.0
    return labels, supports
