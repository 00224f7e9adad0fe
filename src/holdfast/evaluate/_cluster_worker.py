"""The part of a loop that is done on a worker of a cluster: a batch, and what it warns of or breaks with."""

from __future__ import annotations

import pickle
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from holdfast.evaluate._cluster_parcels import Unpacker

Heard = list[tuple[Warning, str, int]]


@dataclass(frozen=True)
class Failure:
    """An error of a task, and where it came from."""

    error: Exception
    trace: str


class Origin(Exception):
    """The way to an error on another machine, as text."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def on_worker(batch: bytes, own: bytes, numbers: tuple[int, ...], *shared: Any) -> Any:
    """Work on a batch where it has been sent to."""
    from holdfast.evaluate import _cluster_worker

    return _cluster_worker._worked(batch, own, dict(zip(numbers, shared, strict=True)))


# What is of no module travels as code: the scheduler, which reads what passes, then need not load all of holdfast.
on_worker.__module__ = "__main__"


def _worked(batch: bytes, own: bytes, shared: dict[int, Any]) -> tuple[Any, Heard]:
    """Results of a batch, or its error, and the warnings on the way."""
    with _listening() as heard:
        try:
            return Unpacker(batch, pickle.loads(own) | shared).load()(), heard
        except Exception as error:  # noqa: BLE001
            return Failure(_portable(error), traceback.format_exc()), heard


def _portable(error: Exception) -> Exception:
    """An error that can travel: some cannot be made again from what they say."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


# Warnings by thread, and what the process was like before.
_ears: dict[int, Heard] = {}
_before = ExitStack()
_lock = threading.Lock()


@contextmanager
def _listening() -> Iterator[Heard]:
    """Keep this thread's warnings, and matrix products to one thread, whose number may change their rounding.

    Both belong to the process: they are set when its first task comes and put back when its last has gone.
    """
    with _lock:
        if not _ears:
            _before.enter_context(threadpool_limits(1))
            _before.enter_context(warnings.catch_warnings())
            warnings.simplefilter("always")
            warnings.showwarning = _hear  # type: ignore[assignment]
        heard = _ears[threading.get_ident()] = []
    try:
        yield heard
    finally:
        with _lock:
            del _ears[threading.get_ident()]
            if not _ears:
                _before.close()


def _hear(message: Warning, category: type[Warning], file: str, line: int, *_: Any) -> None:
    _ears.get(threading.get_ident(), []).append((message, file, line))
