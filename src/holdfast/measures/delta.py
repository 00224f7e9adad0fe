"""The delta test: how much of a target its nearest neighbours leave unexplained (Michel 2018, Eq. 2.1 and 2.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.measures._distances import NUMBERS
from holdfast.measures._folds import draw_folds, sample_order
from holdfast.measures._values import checked_values
from holdfast.measures.growing.neighbours import COMPLEMENT, PARTS, WHOLE, DeltaTest


def delta_test(
    X: Any, y: Any, *, cv: Any = None, part: str = COMPLEMENT, y_is: str = NUMBERS, random_state: Any = 0
) -> float:
    """How much noise a set of features leaves in y: half the mean squared difference between nearest neighbours.

    Use it to compare sets of features without a model: samples that are alike in all that matters have a like target.
    It falls with features that matter and rises with others. Features must be in comparable units.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples,)
        The set of features, none missing.
    y : array-like of shape (n_samples,)
        Numbers, or classes, which differ by 1 or not at all.
    cv : int, splitter, list of (train, test) or None, default=None
        Parts of the samples over which values are averaged; None for all samples at once.
    part : {"complement", "fold", "cross"}, default="complement"
        What counts for each part: the samples outside it, those inside it, or those inside it with neighbours outside.
    y_is : {"numbers", "classes", "auto"}, default="numbers"
        What y holds. "auto" takes words, True and False, and whole numbers for classes.
    random_state : int, Generator or None, default=0
        Seed of the parts.

    Returns
    -------
    delta : float
        About the variance of the noise in y; 0 where every nearest neighbour has the same y.

    Examples
    --------
    >>> delta_test([0, 1, 3, 7, 8], [1, 2, 2, 5, 7])
    1.0
    """
    values, target, kind = checked_values(X, y, y_is)
    if part not in PARTS or part == WHOLE:
        raise ValueError(f"part={part!r} is not allowed: it must be one of 'complement', 'fold', 'cross'.")
    codes = np.unique(target, return_inverse=True)[1]
    order = sample_order(values, codes)
    folds = None
    if cv is not None:
        folds = draw_folds(values, target, order, cv, random_state, measured=kind == NUMBERS)
    target = target[order] if kind == NUMBERS else target[order].astype(np.int64)
    score = DeltaTest(np.ascontiguousarray(values[order].T), target, folds, part if folds is not None else WHOLE)
    return -score.value(range(values.shape[1])) + 0.0
