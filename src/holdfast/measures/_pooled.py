"""How good predictions are, over all test samples together and as exact fractions.

Equal predictions have equal scores to the last bit, whatever the order of samples and classes. The area under the ROC
curve is the chance that a sample of a class scores above one of another (Hanley and McNeil 1982), ties counting one
half; each class against the rest, weighted by its share of the samples, as Weka does.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def weighted_area(truth: Array, scores: Array) -> float:
    """Area under the curve from a column of scores per class; ``truth`` holds their numbers, at least two of them."""
    sizes = np.bincount(truth, minlength=scores.shape[1])
    tested = np.flatnonzero(sizes)
    # A class weighs as much as it has samples, which cancels against its share of the pairs.
    won = [Fraction(_half_wins(truth == c, scores[:, c]), 2 * int(len(truth) - sizes[c])) for c in tested]
    return float(sum(won) / len(truth))


def _half_wins(is_positive: Array, scores: Array) -> int:
    """Pairs in which the positive sample scores higher, counted twice, and those in which the scores tie."""
    _, place = np.unique(scores, return_inverse=True)
    positive = np.bincount(place, weights=is_positive).astype(np.int64)
    negative = np.bincount(place) - positive
    return int((positive * (2 * np.cumsum(negative) - negative)).sum())


def accuracy(hits: Array, sizes: Array) -> float:
    """Share of the samples that are classified correctly, from hits and samples of each class."""
    return int(hits.sum()) / int(sizes.sum())


def balanced_accuracy(hits: Array, sizes: Array) -> float:
    """Share of each class that is classified correctly, as a mean over the classes that are tested."""
    tested = np.flatnonzero(sizes)
    return float(sum(Fraction(int(hits[c]), int(sizes[c])) for c in tested) / len(tested))
