"""How well a classifier does with a subset of features, by a score of choice, each subset evaluated once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.dummy import DummyClassifier

from holdfast._parameters import Rule, one_of
from holdfast.measures._cached import CachedSubsets
from holdfast.measures._folds import Folds, draw_folds, sample_order
from holdfast.measures._neighbour_votes import NeighbourVotes
from holdfast.measures._neighbour_votes import Rule as NeighbourRule
from holdfast.measures._refits import Refits
from holdfast.measures._scoring import scoring_by
from holdfast.measures._svm_votes import Machine, SvmVotes
from holdfast.measures._tree import decision_tree, in_units_of_their_own, numbered_by_appearance

Array = npt.NDArray[Any]
SVM = "svm"

SCORING = one_of("auc", "accuracy", "balanced-accuracy") | Rule(
    lambda value: callable(value) and not isinstance(value, type),
    "a scorer (estimator, X, y) -> number such as make_scorer(f1_score)",
    (),
)


class WrapperScore(CachedSubsets[float]):
    """Score of a classifier on subsets of features, over all test parts together; larger is better.

    Use it as the objective of a wrapper that needs more than an error rate. The splits are drawn once; a subset that
    was evaluated before costs nothing. Scores are exact fractions of counts, so equal predictions have equal scores.
    Hits of support vector machines with a radial kernel and of nearest neighbours are counted by compiled kernels; any
    other classifier, and any other score, takes fitting.
    With no features the area under the curve is 0.5, accuracy the share of the largest class, balanced accuracy one
    over the number of classes; a scorer is given a classifier that knows the share of every class and nothing else.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The features to draw subsets from. Their order is the order in which samples are sorted and classifiers see
        them: give columns an order of their own (``Precedence.sort``) and the scores do not depend on the table's.
    y : ndarray of shape (n_samples,)
        Classes.
    estimator : classifier, "svm" or None, default=None
        It sees values and classes as they came. None for a decision tree by information gain with two samples in
        a leaf at least, for which neither scale nor direction of a feature nor the name of a class matters. No more do
        they for "svm", a support vector machine with a radial kernel of width one over the number of features, C = 1,
        on features standardised by the training part.
    scoring : {"auc", "accuracy", "balanced-accuracy"} or callable, default="auc"
        "auc" takes each class against the rest, weighted by its size; a scorer ``(estimator, X, y)`` is asked on every
        test part, and the mean counts.
    cv : int, splitter, list of (train, test) or None, default=10
        So many stratified folds, but no more than the smallest class has samples; None for 10.
    random_state : int, Generator or None, default=None
        Seed of the folds.
    n_jobs : int or None, default=None
        Parallel jobs, as in joblib; no result depends on it.
    remembers : bool, default=True
        Whether subsets are looked up; False judges each anew whenever it comes, with the same result.

    Attributes
    ----------
    n_requests : int
        Scores asked for.
    n_cache_hits : int
        Of these, subsets that were known already.
    n_trained : int
        Classifiers trained: one per new subset and split, none for a subset without features.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 5.0], [1.0, 3.0], [2.0, 4.0], [8.0, 3.0], [9.0, 5.0], [7.0, 4.0]])
    >>> judged = WrapperScore(X, np.array([0, 0, 0, 1, 1, 1]), cv=3, random_state=0)
    >>> judged.scores([[0], [], [0]])
    [1.0, 0.5, 1.0]
    >>> judged.n_requests, judged.n_cache_hits, judged.n_trained
    (3, 1, 3)
    """

    def __init__(
        self,
        X: Array,
        y: Array,
        *,
        estimator: Any = None,
        scoring: Any = "auc",
        cv: Any = 10,
        random_state: Any = None,
        n_jobs: int | None = None,
        remembers: bool = True,
    ) -> None:
        _, target = np.unique(y, return_inverse=True)
        order = sample_order(X, target)
        folds = draw_folds(X, y, order, cv, random_state)
        X, y = X[order], y[order]
        if estimator is None:
            estimator, X, y = decision_tree(), in_units_of_their_own(X), numbered_by_appearance(y)
        names = np.unique(y)
        if isinstance(estimator, str):
            estimator, labels, y = Machine().as_estimator(), y, numbered_by_appearance(y)
            names = labels[np.unique(y, return_index=True)[1]]
        classes, target = np.unique(y, return_inverse=True)
        self._method = Refits(X, y, folds, estimator, n_jobs)
        self._scoring = scoring_by(scoring, classes, target[folds.test])
        self._count_hits = _counter(X, target, names, folds, estimator, scoring, n_jobs)
        self._blind = Refits(np.zeros((len(y), 1)), y, folds, DummyClassifier(strategy="prior"), None)
        super().__init__(len(folds), remembers=remembers)

    def scores(self, subsets: Iterable[Iterable[int]]) -> list[float]:
        """Score with each subset; the order and repetition of its features do not matter."""
        return self._verdicts(subsets, self._judge)

    def score(self, subset: Iterable[int]) -> float:
        """Score with one subset."""
        return self.scores([subset])[0]

    def _judge(self, subsets: list[Array]) -> list[float]:
        filled = [subset for subset in subsets if len(subset)]
        answers = iter(self._answers(filled) if filled else [])
        return [self._scoring.score(next(answers)) if len(subset) else self._of_nothing() for subset in subsets]

    def _answers(self, subsets: list[Array]) -> list[list[Any]]:
        if self._count_hits is not None:
            return [[hits] for hits in self._count_hits(subsets)]
        return self._method.judged(subsets, self._scoring.judge)

    def _of_nothing(self) -> float:
        if self._scoring.of_nothing is not None:
            return self._scoring.of_nothing
        (answers,) = self._blind.judged([np.array([0])], self._scoring.judge)
        return self._scoring.score(answers)


def _counter(
    X: Array, target: Array, classes: Array, folds: Folds, estimator: Any, scoring: Any, n_jobs: int | None
) -> Callable[[list[Array]], Array] | None:
    """What counts hits of each class with each subset without fitting, if anything does."""
    machine = Machine.behind(estimator)
    if machine is not None and scoring in ("accuracy", "balanced-accuracy"):
        return SvmVotes(X, target, classes, folds, machine, n_jobs).hits
    rule = NeighbourRule.behind(estimator)
    if rule is None or scoring != "accuracy":
        return None
    votes = NeighbourVotes(X, target, folds, rule, n_jobs)
    # For accuracy it does not matter which class a hit is of.
    return lambda subsets: (len(folds.test) - votes.count_wrong(subsets))[:, np.newaxis]
