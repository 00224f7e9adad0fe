"""From what several classifiers say about a sample to one answer (Ben Brahim 2015, section 3.2.2.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_TIE = 1e-12


def _majority(supports: Array, votes: Array, weights: Array) -> Array:
    return np.asarray(votes.sum(axis=0))


def _weighted(supports: Array, votes: Array, weights: Array) -> Array:
    return np.tensordot(weights, votes, axes=1)


def _average(supports: Array, votes: Array, weights: Array) -> Array:
    return np.asarray(supports.mean(axis=0))


def _max(supports: Array, votes: Array, weights: Array) -> Array:
    return np.asarray(supports.max(axis=0))


def _min(supports: Array, votes: Array, weights: Array) -> Array:
    return np.asarray(supports.min(axis=0))


def _product(supports: Array, votes: Array, weights: Array) -> Array:
    """The product relative to that of the best class, so that many small factors do not vanish."""
    with np.errstate(divide="ignore"):
        logarithm = np.log(supports).sum(axis=0)
    largest = logarithm.max(axis=1, keepdims=True)
    return np.asarray(np.exp(logarithm - np.where(np.isfinite(largest), largest, 0.0)))


def _sum(supports: Array, votes: Array, weights: Array) -> Array:
    return np.asarray(supports.sum(axis=0))


_VOTES: dict[str, Callable[[Array, Array, Array], Array]] = {
    "majority": _majority,
    "weighted": _weighted,
    "average": _average,
    "max": _max,
    "min": _min,
    "product": _product,
    "sum": _sum,
}
VOTES = tuple(_VOTES)


def combined(vote: str, supports: Array, labels: Array, weights: Array) -> Array:
    """What all members together think of each class (samples × classes).

    ``supports`` is members × samples × classes and ``labels`` members × samples. Where no class has any support, which
    happens when sure members contradict each other, the average of the supports takes over.
    """
    votes = (labels[:, :, None] == np.arange(supports.shape[2])).astype(float)
    together = _VOTES[vote](supports, votes, weights)
    is_undecided = ~(together > 0).any(axis=1)
    together[is_undecided] = _average(supports[:, is_undecided], votes, weights)
    return together


def decided(together: Array, supports: Array, class_sizes: Array) -> Array:
    """Class of most support; ties by the average support, then the larger class, then the first label."""
    is_open = np.ones(together.shape, dtype=bool)
    for criterion in (together, supports.mean(axis=0), np.broadcast_to(class_sizes, together.shape)):
        best = np.where(is_open, criterion, -np.inf).max(axis=1, keepdims=True)
        is_open &= criterion >= best - _TIE * np.abs(best)
    codes: Array = is_open.argmax(axis=1)
    return codes
