"""Hill climbing by random replacement (Skalak 1994; Ben Brahim 2015, §1.2.2 and §2.4.3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, jobs, seed, whole_number
from holdfast._progress import report
from holdfast._random import generators
from holdfast.measures.cross_validation import CrossValidation
from holdfast.selectors._base import COUNT_OR_SHARE, Found, Problem, Selector, ranking_of
from holdfast.selectors._wrapper import CLASSIFIER, SPLITS, class_separation, cross_validation, spent, varies

Array = npt.NDArray[Any]


class RandomizedWrapper(Selector):
    """Start from random features and replace one at random as long as a classifier does not get worse.

    Use it as the baseline that other wrappers must beat. It tries few of all subsets, so other seeds and other samples
    give other features.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        Number of features, or share of them.
    estimator : classifier or None, default=None
        Any scikit-learn classifier; None for the nearest neighbour on features standardised by the training part.
    cv : int, splitter, list of (train, test) or None, default=10
        How errors are estimated: so many stratified folds (at most the size of the smallest class), or any splits.
    max_steps : int, default=1000
        Replacements tried at most.
    patience : int, default=200
        Replacements tried in vain, one after the other, that end the search.
    random_state : int, Generator or None, default=0
        Seed of the folds and of the walk.
    n_jobs : int or None, default=None
        Parallel jobs for the folds of a classifier that has to be fitted, as in joblib; no result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best separation of the classes first.
    scores_ : ndarray of shape (n_features,)
        Separation of the classes by each feature: Welch's t for two classes, F for more.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … for the chosen features in the order of their scores; the others share the rank behind.
    error_ : float
        Share of samples misclassified with the chosen features, cross-validated on the samples they were chosen on.
    start_error_ : float
        The same for the random features the walk started from.
    n_steps_ : int
        Replacements tried.
    n_evaluations_ : Evaluations
        ``subset`` counts subsets given an error, ``classifier`` the classifiers trained for them.
    n_cache_hits_ : int
        Subsets met again, whose error was known.

    Examples
    --------
    >>> from holdfast import RandomizedWrapper
    >>> X = [[0, 5, 1], [1, 3, 1], [2, 4, 0], [8, 3, 1], [9, 5, 0], [7, 4, 0]]
    >>> RandomizedWrapper(n_features_to_select=1, cv=3).fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_OR_SHARE,
        "estimator": CLASSIFIER,
        "cv": SPLITS,
        "max_steps": whole_number(at_least=1),
        "patience": whole_number(at_least=1),
        "random_state": seed(),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        n_features_to_select: int | float = 50,
        *,
        estimator: Any = None,
        cv: Any = 10,
        max_steps: int = 1000,
        patience: int = 200,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.estimator = estimator
        self.cv = cv
        self.max_steps = max_steps
        self.patience = patience
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _choose(self, problem: Problem) -> Found:
        n_select = self._n_select(problem.n_features)
        separation = class_separation(problem)
        precedence = problem.precedence(separation)
        # Drawn from features in an order of their own, the same seed draws the same features from a shuffled table.
        pool = precedence.sort(separation, problem.n_features)
        pool = pool[: max(n_select, int(varies(problem, pool).sum()))]
        folds, walk = generators(self.random_state, 2)
        validation = cross_validation(self, problem, pool, folds)
        kept, errors = climb(validation, len(pool), n_select, self.max_steps, self.patience, walk)
        indices = pool[kept]
        return Found(
            indices,
            separation,
            ranking_of(indices, problem.n_features),
            spent(problem, validation),
            precedence.n_ties,
            {
                "error_": min(errors),
                "start_error_": errors[0],
                "n_steps_": len(errors) - 1,
                "n_cache_hits_": validation.n_cache_hits,
            },
        )


def climb(
    validation: CrossValidation, n_pool: int, n_select: int, max_steps: int, patience: int, rng: np.random.Generator
) -> tuple[Array, list[float]]:
    """Features kept at the end, ascending, and the errors of the start and of every step tried."""
    kept = rng.choice(n_pool, size=n_select, replace=False)
    left = np.setdiff1d(np.arange(n_pool), kept)
    errors = [float(validation.errors([kept])[0])]
    n_in_vain = 0
    best = errors[0]
    while len(left) and len(errors) <= max_steps and n_in_vain < patience:
        leaves, joins = rng.integers(n_select), rng.integers(len(left))
        tried = kept.copy()
        tried[leaves] = left[joins]
        error = float(validation.errors([tried])[0])
        errors.append(error)
        report("Replacements tried", len(errors) - 1, max_steps)
        n_in_vain = 0 if error < best else n_in_vain + 1
        if error <= best:
            left[joins] = kept[leaves]
            kept, best = tried, error
    return np.sort(kept), errors
