"""Searches that walk from set to set, one feature at a time or by random replacement."""

from holdfast.selectors.sequential.forward import ForwardSearch
from holdfast.selectors.sequential.hybrid import HybridSequential
from holdfast.selectors.sequential.randomized import RandomizedWrapper
from holdfast.selectors.sequential.sfs_lw import SFSLW

__all__ = ["SFSLW", "ForwardSearch", "HybridSequential", "RandomizedWrapper"]
