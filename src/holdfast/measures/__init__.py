"""What a feature, or a pair of features, says about the classes."""

from holdfast.measures.correlation import pearson, spearman
from holdfast.measures.counts import chi2
from holdfast.measures.information import (
    conditional_mutual_information,
    entropy,
    mutual_information,
    symmetrical_uncertainty,
)
from holdfast.measures.locality import laplacian_score
from holdfast.measures.separation import f_statistic, fisher_score, relative_entropy, t_statistic

__all__ = [
    "chi2",
    "conditional_mutual_information",
    "entropy",
    "f_statistic",
    "fisher_score",
    "laplacian_score",
    "mutual_information",
    "pearson",
    "relative_entropy",
    "spearman",
    "symmetrical_uncertainty",
    "t_statistic",
]
