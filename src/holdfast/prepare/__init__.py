"""From measured values to what measures and searches work on."""

from holdfast.prepare.codes import Codes, combine
from holdfast.prepare.discretize import (
    Discretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MeanSigmaDiscretizer,
)
from holdfast.prepare.encode import DISCRETIZER, encode, feature_name
from holdfast.prepare.ranks import ranks, sorted_blocks

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
    "feature_name",
    "ranks",
    "sorted_blocks",
]
