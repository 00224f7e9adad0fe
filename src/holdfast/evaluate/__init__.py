"""Judging selections by what is built on them: studies that compare methods, and the tests behind them."""

from holdfast.evaluate.classifiers import CLASSIFIERS, classifier
from holdfast.evaluate.compare import compare
from holdfast.evaluate.friedman import FriedmanResult, friedman
from holdfast.evaluate.mcnemar import McNemarResult, mcnemar
from holdfast.evaluate.metrics import METRICS, weighted_metrics
from holdfast.evaluate.pairs import PairResult, holm, wilcoxon_holm
from holdfast.evaluate.pareto import pareto_front
from holdfast.evaluate.plan import Plan
from holdfast.evaluate.protocol import protocol
from holdfast.evaluate.resampled_t import ResampledTResult, corrected_resampled_t, resampled_interval
from holdfast.evaluate.study import Study

__all__ = [
    "CLASSIFIERS",
    "METRICS",
    "FriedmanResult",
    "McNemarResult",
    "PairResult",
    "Plan",
    "ResampledTResult",
    "Study",
    "classifier",
    "compare",
    "corrected_resampled_t",
    "friedman",
    "holm",
    "mcnemar",
    "pareto_front",
    "protocol",
    "resampled_interval",
    "weighted_metrics",
    "wilcoxon_holm",
]
