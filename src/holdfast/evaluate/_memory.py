"""Memory that a piece of work takes at its peak."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def with_peak(work: Callable[[], Result]) -> tuple[Result, float]:
    """What work returns, and the megabytes that Python and numpy had allocated for it at the peak.

    What compiled code allocates inside itself is not seen. The process's own size would not do: it keeps what earlier
    work has freed.
    """
    tracemalloc.start()
    try:
        result = work()
        return result, tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()
