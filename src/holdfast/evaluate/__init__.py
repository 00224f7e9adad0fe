"""Judging selections by what is built on them: studies that compare methods, and the tests behind them."""

from holdfast.evaluate.classifiers import CLASSIFIERS, classifier
from holdfast.evaluate.cluster import on_cluster
from holdfast.evaluate.compare import compare
from holdfast.evaluate.diversity import AlternativeSet, Diversity, diversity
from holdfast.evaluate.friedman import FriedmanResult, friedman
from holdfast.evaluate.mcnemar import McNemarResult, mcnemar
from holdfast.evaluate.metrics import METRICS, weighted_metrics
from holdfast.evaluate.pairs import PairResult, holm, wilcoxon_holm
from holdfast.evaluate.pareto import pareto_front
from holdfast.evaluate.plan import Plan
from holdfast.evaluate.protocol import protocol
from holdfast.evaluate.redundancy import Redundancy, redundancy
from holdfast.evaluate.resampled_t import ResampledTResult, corrected_resampled_t, resampled_interval
from holdfast.evaluate.scaling import SearchCosts, bin_cost, search_cost
from holdfast.evaluate.sensitivity import Sensitivity, split_sensitivity
from holdfast.evaluate.study import Study
from holdfast.evaluate.values import FeatureValues, feature_values

__all__ = [
    "CLASSIFIERS",
    "METRICS",
    "AlternativeSet",
    "Diversity",
    "FeatureValues",
    "FriedmanResult",
    "McNemarResult",
    "PairResult",
    "Plan",
    "Redundancy",
    "ResampledTResult",
    "SearchCosts",
    "Sensitivity",
    "Study",
    "bin_cost",
    "classifier",
    "compare",
    "corrected_resampled_t",
    "diversity",
    "feature_values",
    "friedman",
    "holm",
    "mcnemar",
    "on_cluster",
    "pareto_front",
    "protocol",
    "redundancy",
    "resampled_interval",
    "search_cost",
    "split_sensitivity",
    "weighted_metrics",
    "wilcoxon_holm",
]
