"""Errors of a classifier in cross-validation with any set of columns, always on the same splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule
from holdfast.evaluate._trained import TRAIN, in_units, right
from holdfast.evaluate.classifiers import Classifier
from holdfast.evaluate.protocol import protocol
from holdfast.measures._folds import draw_folds, sample_order
from holdfast.selectors._wrapper import SPLITS

Array = npt.NDArray[Any]

CROSS_VALIDATION = SPLITS | Rule(lambda value: isinstance(value, str), "a name such as 'loocv' or '5x10cv'", ())


@dataclass(frozen=True)
class CrossValidatedErrors:
    """From columns to how many test samples, over all splits, a classifier tells wrong with them."""

    classifier: Classifier
    X: Array
    codes: Array
    splits: list[tuple[Array, Array]]
    scale: str

    def __call__(self, columns: Array) -> int:
        """Count them."""
        n_wrong = 0
        for train, test in self.splits:
            parts = self.X[np.ix_(train, columns)], self.X[np.ix_(test, columns)]
            X, asked = parts if self.classifier.scales_itself else in_units(*parts, TRAIN, self.scale)
            (hits,) = right(self.classifier, X, self.codes[train], [(asked, self.codes[test])], seed=0)
            n_wrong += len(test) - hits
        return n_wrong


def splits_by(cv: Any, X: Array, codes: Array, rng: np.random.Generator) -> list[tuple[Array, Array]]:
    """Training and test parts as rows, blind to the order of the samples where they are drawn here."""
    order = sample_order(X, codes)
    if isinstance(cv, str):
        parts = protocol(cv).draw(codes[order], int(rng.integers(2**31)), None)
        every = np.arange(len(codes))
        return [(order[train], order[np.setdiff1d(every, train)]) for train in parts]
    return [(order[train], order[test]) for train, test in draw_folds(X, codes, order, cv, rng)]
