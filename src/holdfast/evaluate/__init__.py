"""Judging selections by what is built on them."""

from holdfast.evaluate.mcnemar import McNemarResult, mcnemar

__all__ = ["McNemarResult", "mcnemar"]
