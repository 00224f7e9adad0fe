"""From measured values to what measures and searches work on."""

from holdfast.prepare.codes import Codes, combine
from holdfast.prepare.discretize import (
    Discretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MeanSigmaDiscretizer,
)
from holdfast.prepare.encode import DISCRETIZER, encode

__all__ = [
    "DISCRETIZER",
    "Codes",
    "Discretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MDLDiscretizer",
    "MeanSigmaDiscretizer",
    "combine",
    "encode",
]
