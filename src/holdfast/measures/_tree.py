"""The decision tree that judges subsets unless another classifier is given, and samples in the form it sees them.

The nearest that scikit-learn has to C4.5 (Quinlan 1993): splits by information gain, two samples in a leaf at least.
It has neither the gain ratio nor pruning by confidence.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.tree import DecisionTreeClassifier

from holdfast.prepare.ranks import ranks

Array = npt.NDArray[Any]
_BITS = 24


def decision_tree() -> DecisionTreeClassifier:
    """A fresh tree; where splits tie it draws, the same way every time."""
    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)


def in_units_of_their_own(X: Array) -> Array:
    """Features from 0 up, turned so that the first sample off the middle rank lies above it, in powers of two.

    No tree changes by it but where splits tie: a tree takes the lower threshold. It reads values as 32-bit numbers and
    takes those closer than 1e-7 for equal, so small values, or large ones that differ little, would be one.
    """
    n_samples, n_features = X.shape
    places = 2 * ranks(X) - (n_samples + 1)
    first = places[(places != 0).argmax(axis=0), np.arange(n_features)]
    turned = np.where(first < 0, -X, X)
    turned -= turned.min(axis=0)
    _, exponents = np.frexp(turned.max(axis=0))
    units: Array = np.ldexp(turned, _BITS - exponents)
    return units


def numbered_by_appearance(y: Array) -> Array:
    """Classes as numbers, in the order in which their first samples come."""
    _, first, code = np.unique(y, return_index=True, return_inverse=True)
    number: Array = np.argsort(np.argsort(first))[code]
    return number
