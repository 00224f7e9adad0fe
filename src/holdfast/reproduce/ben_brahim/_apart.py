"""Why a verdict on a cell says little, and cells that are told so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from holdfast.reproduce.cells import Key, Ours, Printed

# Mark 6: error above one half, stability exactly 1.
NO_TARGET = "most likely undefined statistics come first in every fold in print, so this is no target"


def set_apart(ours: Ours, *why: str) -> Ours:
    """The same number, counted apart for every reason there is; as it was without any."""
    return replace(ours, apart="; ".join(dict.fromkeys(filter(None, (ours.apart, *why)))))


def repeats(printed: Mapping[Key, Printed]) -> dict[Key, str]:
    """Numbers that an earlier table prints of the same method and data, and what to say of them."""
    first: dict[tuple[str, str, str, str, float], str] = {}
    found = {}
    for key, one in printed.items():
        if one.impossible:
            continue
        table = first.setdefault((key.data, key.method, key.setting, key.quantity, one.value), key.table)
        if table != key.table:
            found[key] = f"the same number as in Table {table}"
    return found
