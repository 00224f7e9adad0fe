"""From measured values to what measures and searches work on."""

from holdfast.prepare.codes import Codes
from holdfast.prepare.discretize import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MeanSigmaDiscretizer,
)
from holdfast.prepare.ranks import ranks

__all__ = [
    "Codes",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MDLDiscretizer",
    "MeanSigmaDiscretizer",
    "ranks",
]
