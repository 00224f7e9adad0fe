"""What a feature, a pair or a set of features says about the target."""

from holdfast.measures.consistency import (
    bayesian_risk,
    binary_consistency,
    conditional_entropy,
    consistency_contribution,
    inconsistency_count,
    inter_relevance,
    interacts,
    theta,
)
from holdfast.measures.correlation import pearson, spearman
from holdfast.measures.counts import chi2
from holdfast.measures.delta import delta_test
from holdfast.measures.distance import distance_correlation, distance_dependence
from holdfast.measures.information import (
    conditional_mutual_information,
    entropy,
    mutual_information,
    symmetrical_uncertainty,
)
from holdfast.measures.locality import laplacian_score
from holdfast.measures.lw import lw_index
from holdfast.measures.separation import f_statistic, fisher_score, relative_entropy, t_statistic

__all__ = [
    "bayesian_risk",
    "binary_consistency",
    "chi2",
    "conditional_entropy",
    "conditional_mutual_information",
    "consistency_contribution",
    "delta_test",
    "distance_correlation",
    "distance_dependence",
    "entropy",
    "f_statistic",
    "fisher_score",
    "inconsistency_count",
    "inter_relevance",
    "interacts",
    "laplacian_score",
    "lw_index",
    "mutual_information",
    "pearson",
    "relative_entropy",
    "spearman",
    "symmetrical_uncertainty",
    "t_statistic",
    "theta",
]
