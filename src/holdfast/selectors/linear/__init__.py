"""Selectors that look at the weights of a linear model."""

from holdfast.selectors.linear.arom import AROM
from holdfast.selectors.linear.penalised import ElasticNet
from holdfast.selectors.linear.semi_supervised import SemiSupervisedAROM
from holdfast.selectors.linear.svm_rfe import SVMRFE

__all__ = ["AROM", "SVMRFE", "ElasticNet", "SemiSupervisedAROM"]
