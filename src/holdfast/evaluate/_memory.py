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
    is_watched = tracemalloc.is_tracing()
    if not is_watched:
        tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    try:
        result = work()
        return result, max(0, tracemalloc.get_traced_memory()[1] - before) / 2**20
    finally:
        if not is_watched:
            tracemalloc.stop()
