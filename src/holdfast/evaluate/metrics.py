"""How good predictions are, for many weightings of the samples at once.

Brier 1950, halved for several classes so that two classes give the same either way; area under the ROC curve as the
chance that a positive sample scores above a negative one (Hanley and McNeil 1982), ties counting one half.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError

Array = npt.NDArray[Any]

#: Whether a large value of a metric is good.
larger_is_better: Mapping[str, bool] = MappingProxyType(
    {
        "accuracy": True,
        "balanced_accuracy": True,
        "error": False,
        "auc": True,
        "sensitivity": True,
        "specificity": True,
        "f1": True,
        "brier": False,
    }
)

#: Names of the metrics, in the order in which they are shown.
METRICS: tuple[str, ...] = tuple(larger_is_better)


def weighted_metrics(
    truth: Any, predicted: Any, scores: Any, is_probability: bool, n_classes: int, weights: Any
) -> dict[str, Array]:
    """All metrics of one test part, for every weighting of its samples.

    Use it with one row of ones for the plain metrics, and with rows of multiplicities for a bootstrap: a weight of 2
    counts a sample twice. With two classes, class 1 is the positive one. With more, specificity, f1 and auc are means
    over the classes, each against the rest, leaving out those for which they are undefined; sensitivity is then the
    same as balanced accuracy, which is undefined where a class has no sample.

    Parameters
    ----------
    truth : array-like of shape (n_test,), dtype=int
        Classes, from 0 to ``n_classes - 1``.
    predicted : array-like of shape (n_test,), dtype=int
        Predicted classes.
    scores : array-like of shape (n_test,) or (n_test, n_classes), or None
        Scores or probabilities, larger for a class that is more likely: of class 1 for two classes, or one column per
        class. None if the classifier has none.
    is_probability : bool
        Whether the scores are probabilities; needed for ``brier``.
    n_classes : int
        Classes of the whole study; some may be absent from the test part.
    weights : array-like of shape (n_draws, n_test)
        Weights of at least 0.

    Returns
    -------
    metrics : dict of str to ndarray of shape (n_draws,)
        One array for each name in ``METRICS``; NaN where a metric is undefined: no sample with a weight, none of a
        class that is needed, or no scores.

    Examples
    --------
    >>> from holdfast.evaluate.metrics import weighted_metrics
    >>> truth, predicted, scores = [0, 0, 1, 1], [0, 1, 1, 1], [0.1, 0.6, 0.7, 0.6]
    >>> found = weighted_metrics(truth, predicted, scores, True, 2, weights=[[1, 1, 1, 1], [1, 0, 1, 1]])
    >>> found["accuracy"].tolist(), found["auc"].tolist()
    ([0.75, 1.0], [0.875, 1.0])
    """
    classes, called, table = np.asarray(truth), np.asarray(predicted), np.asarray(weights, dtype=float)
    columns = _score_columns(scores, n_classes, len(classes))
    if table.ndim != 2 or not len(classes) == len(called) == table.shape[1]:
        raise DataError(
            f"truth has {len(classes)} and predicted {len(called)} entries, and weights has the shape {table.shape}. "
            "Give one entry and one column of weights per test sample."
        )
    is_class = classes[:, None] == np.arange(n_classes)
    is_called = called[:, None] == np.arange(n_classes)
    counts = table @ np.hstack([is_class, is_called, is_class & is_called]).astype(float)
    in_class, in_call, hits = np.split(counts, 3, axis=1)
    total = table.sum(axis=1, keepdims=True)
    recall = _ratio(hits, in_class)
    found = {
        "accuracy": _ratio(hits.sum(axis=1), total[:, 0]),
        # Without a sample of a class its recall is unknown, and so is the mean over all classes.
        "balanced_accuracy": recall.mean(axis=1),
        "sensitivity": recall,
        "specificity": _ratio(total - in_class - in_call + hits, total - in_class),
        "f1": _ratio(2 * hits, in_class + in_call),
    }
    found["error"] = 1 - found["accuracy"]
    found["auc"] = found["brier"] = np.full(len(table), np.nan)
    if columns is not None:
        areas = [_area(scores_of, is_class[:, c], table) for c, scores_of in columns.items()]
        found["auc"] = _mean(np.column_stack(areas))
        if is_probability:
            misses = [(p - is_class[:, c]) ** 2 for c, p in columns.items()]
            loss = misses[0] if n_classes == 2 else sum(misses) / 2
            found["brier"] = _ratio((table * loss).sum(axis=1), total[:, 0])
    for name in ("sensitivity", "specificity", "f1"):
        found[name] = found[name][:, 1] if n_classes == 2 else _mean(found[name])
    if n_classes > 2:
        found["sensitivity"] = found["balanced_accuracy"]
    return {name: found[name] for name in METRICS}


def _score_columns(scores: Any, n_classes: int, n_test: int) -> dict[int, Array] | None:
    """Scores of each class that is judged: only class 1 of two."""
    if scores is None:
        return None
    given = np.asarray(scores, dtype=float)
    if n_classes == 2 and given.shape == (n_test,):
        return {1: given}
    if given.shape != (n_test, n_classes):
        raise DataError(
            f"scores has the shape {given.shape}, but there are {n_test} test samples and {n_classes} classes. Give "
            "one column per class; for two classes, one score per sample is enough."
        )
    return {1: given[:, 1]} if n_classes == 2 else {c: given[:, c] for c in range(n_classes)}


def _area(scores: Array, is_positive: Array, weights: Array) -> Array:
    """Weight of the pairs in which the positive sample scores higher, over that of all pairs."""
    if np.isnan(scores).any():
        return np.full(len(weights), np.nan)
    order = np.argsort(scores, kind="stable")
    ordered = np.take(weights, order, axis=1)
    positive = ordered * is_positive[order]
    negative = ordered - positive
    climbing = scores[order]
    starts = np.flatnonzero(np.append(True, climbing[1:] != climbing[:-1]))
    if len(starts) < len(order):
        positive, negative = (np.add.reduceat(part, starts, axis=1) for part in (positive, negative))
    below = np.cumsum(negative, axis=1)
    won = (positive * (below - negative / 2)).sum(axis=1)
    return _ratio(won, positive.sum(axis=1) * negative.sum(axis=1))


def _ratio(part: Array, whole: Array) -> Array:
    """NaN where there is nothing to divide by."""
    ratio: Array = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return ratio


def _mean(values: Array) -> Array:
    """Mean of each row over what is defined."""
    is_defined = ~np.isnan(values)
    return _ratio(np.where(is_defined, values, 0.0).sum(axis=1), is_defined.sum(axis=1))
