"""Memory that a piece of work takes at its peak, beyond what the process held before."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")

_RESET, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def with_peak(work: Callable[[], Result]) -> tuple[Result, float]:
    """What work returns, and the megabytes it took.

    Linux tells the largest resident size since a mark, compiled code included; elsewhere the allocations of Python
    and numpy are followed.
    """
    before = _resident("VmRSS")
    if before is not None and _marked():
        result = work()
        peak = _resident("VmHWM")
        return result, max(0.0, (peak or before) - before)
    tracemalloc.start()
    try:
        result = work()
        return result, tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def _marked() -> bool:
    try:
        _RESET.write_text("5")
    except OSError:
        return False
    return True


def _resident(field: str) -> float | None:
    try:
        lines: list[Any] = _STATUS.read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:")), None)
