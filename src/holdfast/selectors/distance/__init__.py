"""Selectors by distance correlation: the set of features that the target depends on most, in any way."""

from holdfast.selectors.distance.d2corfs import D2CORFS
from holdfast.selectors.distance.dcorfs import DCORFS

__all__ = ["D2CORFS", "DCORFS"]
