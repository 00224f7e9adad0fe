"""A classifier trained on some samples and asked about others, in units that one of the two parts, or both, give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import config_context
from sklearn.dummy import DummyClassifier

from holdfast._parameters import one_of
from holdfast.evaluate.classifiers import Classifier

Array = npt.NDArray[Any]

TRAIN, POOLED, PER_SET = _SOURCES = ("train", "pooled", "per-set")
SCALED_BY = one_of(*_SOURCES)
# What other people's code raises when it cannot go on.
_FAILURES = (ValueError, TypeError, ArithmeticError, RuntimeError, LookupError, AttributeError, NotImplementedError)


@dataclass(frozen=True)
class Units:
    """Where every feature begins and what counts as 1; a constant feature becomes 0."""

    lowest: Array
    width: Array

    @classmethod
    def of(cls, X: Array, scale: str) -> Units:
        """The units of these samples, by range or standard deviation, as DCORFS takes them, or those of the values."""
        if scale == "none":
            return cls(np.zeros(X.shape[1]), np.ones(X.shape[1]))
        width = np.ptp(X, axis=0) if scale == "range" else X.std(axis=0)
        return cls(X.min(axis=0), np.where(width > 0, width, 1.0))

    def __call__(self, X: Array) -> Array:
        """Values in these units."""
        values: Array = (X - self.lowest) / self.width
        return values


def in_units(train: Array, test: Array, scaled_by: str, scale: str = "range") -> tuple[Array, Array]:
    """Both parts in the units of the training part, of both together, or each in its own."""
    units = Units.of(np.vstack([train, test]) if scaled_by == POOLED else train, scale)
    return units(train), (Units.of(test, scale) if scaled_by == PER_SET and len(test) else units)(test)


def right(classifier: Classifier, X: Array, codes: Array, asked: Sequence[tuple[Array, Array]], seed: int) -> list[int]:
    """How many samples of each asked part (values and classes) a classifier trained on X tells right."""
    # Of no features a classifier knows only how frequent the classes are.
    has_features = X.shape[1] > 0
    model = classifier.unfitted(seed) if has_features else DummyClassifier(strategy="prior")
    try:
        with config_context(assume_finite=True, skip_parameter_validation=True):
            model.fit(X if has_features else np.zeros((len(X), 1)), codes)
            said = [
                model.predict(part if has_features else np.zeros((len(part), 1))) if len(part) else codes[:0]
                for part, _ in asked
            ]
    except _FAILURES as error:
        reason = f"{type(error).__name__}: {str(error).rstrip('.')}"
        raise ValueError(
            f"classifier: {classifier.name} failed on {len(X)} samples ({reason}). Use another, or mend it."
        ) from error
    return [int((answers == truth).sum()) for answers, (_, truth) in zip(said, asked, strict=True)]
