"""Ranking filters: every feature is judged on its own."""

from holdfast.selectors.ranking.correlation import Correlation
from holdfast.selectors.ranking.counts import Chi2
from holdfast.selectors.ranking.distance import DistanceCorrelation
from holdfast.selectors.ranking.information import InformationGain, SymmetricalUncertainty
from holdfast.selectors.ranking.locality import LaplacianScore
from holdfast.selectors.ranking.separation import FisherScore, FTest, RelativeEntropy, TTest

__all__ = [
    "Chi2",
    "Correlation",
    "DistanceCorrelation",
    "FTest",
    "FisherScore",
    "InformationGain",
    "LaplacianScore",
    "RelativeEntropy",
    "SymmetricalUncertainty",
    "TTest",
]
