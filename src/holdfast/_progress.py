"""Progress of long work: whoever waits says how to show it, and whoever works reports, knowing nothing of the other.

A watcher does not reach into the threads and processes of a parallel loop, so that nested work stays silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

Tick: TypeAlias = Callable[[str, int, int | None], None]


def silent(what: str, done: int, total: int | None) -> None:
    """Show no progress."""


_watcher: ContextVar[Tick] = ContextVar("holdfast_progress", default=silent)


@contextmanager
def watching(tick: Tick) -> Iterator[None]:
    """Pass what is reported inside to a function of (what, how many done, of how many or None)."""
    token = _watcher.set(tick)
    try:
        yield
    finally:
        _watcher.reset(token)


def report(what: str, done: int, total: int | None = None) -> None:
    """Say how far the work is."""
    _watcher.get()(what, done, total)


def watcher() -> Tick:
    """The function that shows progress, for work that goes on in another thread."""
    return _watcher.get()
