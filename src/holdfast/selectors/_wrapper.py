"""What wrappers share: parameters of the classifier and its cross-validation, and features in an order of their own."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, having, nothing, whole_number
from holdfast.measures.cross_validation import CrossValidation
from holdfast.measures.separation import f_statistic, t_statistic
from holdfast.selectors._base import Evaluations, Problem

Array = npt.NDArray[Any]

CLASSIFIER = having("fit", "predict", words="a classifier with fit and predict") | nothing()
SPLITS = (
    whole_number(at_least=2)
    | having("split", "get_n_splits", words="a splitter such as StratifiedKFold(5)")
    | Rule(lambda value: isinstance(value, (list, tuple)) and len(value) > 0, "a list of (train, test) rows", ([],))
    | nothing()
)


class Wrapper(Protocol):
    """What a selector says about its classifier."""

    estimator: Any
    cv: Any
    n_jobs: int | None
    classes_: Array


def cross_validation(wrapper: Wrapper, problem: Problem, pool: Array, random_state: Any) -> CrossValidation:
    """Errors of subsets of the pool, its features numbered by their places in it."""
    return CrossValidation(
        problem.X[:, pool],
        wrapper.classes_[problem.target],
        estimator=wrapper.estimator,
        cv=wrapper.cv,
        random_state=random_state,
        n_jobs=wrapper.n_jobs,
    )


def spent(problem: Problem, validation: CrossValidation) -> Evaluations:
    """What a search cost: a relevance per feature, an error per subset, classifiers per error."""
    return Evaluations(relevance=problem.n_features, subset=validation.n_subsets, classifier=validation.n_trained)


def class_separation(problem: Problem) -> Array:
    """Welch's t of every feature for two classes, F for more; -inf for a constant."""
    sizes = np.bincount(problem.target)
    has_t = len(sizes) == 2 and sizes.min() > 1
    return t_statistic(problem.X, problem.target) if has_t else f_statistic(problem.X, problem.target)


def varies(problem: Problem, pool: Array) -> Array:
    """Which features of the pool have more than one value."""
    values = problem.X[:, pool]
    answer: Array = values.min(axis=0) < values.max(axis=0)
    return answer
