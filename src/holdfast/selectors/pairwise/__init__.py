"""Pairwise filters: relevance to the class against what features share."""

from holdfast.selectors.pairwise.cfs import CFS
from holdfast.selectors.pairwise.conditional import CMIM, DISR, JMI
from holdfast.selectors.pairwise.fcbf import FCBF
from holdfast.selectors.pairwise.mrmr import MRMR
from holdfast.selectors.pairwise.s3f import S3F

__all__ = ["CFS", "CMIM", "DISR", "FCBF", "JMI", "MRMR", "S3F"]
