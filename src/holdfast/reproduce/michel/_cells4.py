"""Figure 4.1: samples and features of the tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.reproduce.cells import Key, Ours, Printed
from holdfast.reproduce.shelf import Shelf

FIGURE = "4.1"
SAMPLES, FEATURES = QUANTITIES = ("samples", "features")
_NO_RESULT = "the size of a table, which no run can change"


def shape_of(name: str, shelf: Shelf) -> dict[str, Any]:
    """A part: how many samples and features a table has."""
    return {"data": name, "shape": list(shelf.load(name).X.shape)}


def is_shape(part: Mapping[str, Any]) -> bool:
    """Whether a result is that of ``shape_of``."""
    return "shape" in part


def sizes_of_tables(made: Mapping[str, Any], printed: Mapping[Key, Printed]) -> dict[Key, Ours]:
    """Our counts for the tables that were found."""
    shapes = {
        part["data"]: dict(zip(QUANTITIES, part["shape"], strict=True)) for part in made.values() if is_shape(part)
    }
    return {
        key: Ours(shapes[key.data][key.quantity], apart=_NO_RESULT)
        for key in printed
        if key.table == FIGURE and key.data in shapes
    }
