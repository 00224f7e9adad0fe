"""Data in: tables from files, screening, and synthetic data with a known truth."""

from __future__ import annotations

from holdfast.data._finding import Finding
from holdfast.data._target import is_measured
from holdfast.data.read import read
from holdfast.data.screen import require_usable, screen
from holdfast.data.synthetic import Synthetic, blocks, copies, many_classes, xor_pair
from holdfast.data.table import Table

__all__ = [
    "Finding",
    "Synthetic",
    "Table",
    "blocks",
    "copies",
    "is_measured",
    "many_classes",
    "read",
    "require_usable",
    "screen",
    "xor_pair",
]
