"""How far a selection holds when the data shift a little."""

from holdfast.stability.adjusted import nogueira_adjusted
from holdfast.stability.aggregate import Aggregation, aggregate
from holdfast.stability.bias_variance import (
    BiasVariance,
    BiasVariancePath,
    bias_variance,
    bias_variance_on,
    normalised,
)
from holdfast.stability.bounds import expected_false, list_size_for, threshold_for
from holdfast.stability.classify import ClassifierEnsemble
from holdfast.stability.consensus import Consensus, consensus
from holdfast.stability.correlated import Similarity, correlated_pairs, similarity
from holdfast.stability.ensemble import EnsembleSelector
from holdfast.stability.frequency import Frequency, selection_frequency
from holdfast.stability.index import (
    dice,
    jaccard,
    kuncheva,
    lustgarten,
    ochiai,
    pairwise,
    percentage_overlap,
)
from holdfast.stability.nogueira import Stability, StabilityTest, nogueira, nogueira_interval, nogueira_test
from holdfast.stability.noise import FeatureNoise, feature_noise
from holdfast.stability.orders import (
    OrderStability,
    StabilityBySize,
    by_size,
    colour_matrix,
    entropy,
    maximum,
    nogueira_by_size,
    pairing,
)
from holdfast.stability.overlap import npogr, pogr, symmetric_npogr
from holdfast.stability.perturb import (
    bootstraps,
    complementary_pairs,
    folds,
    half_samples,
    leave_one_out,
    subsamples,
)
from holdfast.stability.selection import StabilitySelector
from holdfast.stability.weigh import InstanceWeighting
from holdfast.stability.weighted import InstanceWeightedSelector
from holdfast.stability.weights import average_variance, pairwise_weights, pearson, spearman

__all__ = [
    "Aggregation",
    "BiasVariance",
    "BiasVariancePath",
    "ClassifierEnsemble",
    "Consensus",
    "EnsembleSelector",
    "FeatureNoise",
    "Frequency",
    "InstanceWeightedSelector",
    "InstanceWeighting",
    "OrderStability",
    "Similarity",
    "Stability",
    "StabilityBySize",
    "StabilitySelector",
    "StabilityTest",
    "aggregate",
    "average_variance",
    "bias_variance",
    "bias_variance_on",
    "bootstraps",
    "by_size",
    "colour_matrix",
    "complementary_pairs",
    "consensus",
    "correlated_pairs",
    "dice",
    "entropy",
    "expected_false",
    "feature_noise",
    "folds",
    "half_samples",
    "jaccard",
    "kuncheva",
    "leave_one_out",
    "list_size_for",
    "lustgarten",
    "maximum",
    "nogueira",
    "nogueira_adjusted",
    "nogueira_by_size",
    "nogueira_interval",
    "nogueira_test",
    "normalised",
    "npogr",
    "ochiai",
    "pairing",
    "pairwise",
    "pairwise_weights",
    "pearson",
    "percentage_overlap",
    "pogr",
    "selection_frequency",
    "similarity",
    "spearman",
    "subsamples",
    "symmetric_npogr",
    "threshold_for",
]
