"""The tables of five theses, rerun by name on real data, with a verdict on every printed number."""

from holdfast.reproduce.plans import ROWS, THESES, Row, Thesis, find
from holdfast.reproduce.run import reproduce

__all__ = ["ROWS", "THESES", "Row", "Thesis", "find", "reproduce"]
