"""Wrappers that walk from subset to subset by the error of a classifier."""

from holdfast.selectors.sequential.hybrid import HybridSequential
from holdfast.selectors.sequential.randomized import RandomizedWrapper

__all__ = ["HybridSequential", "RandomizedWrapper"]
