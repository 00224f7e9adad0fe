"""A Dask cluster as the place where work is done.

Tasks go to the client and not through joblib, which keeps work at home if the cluster has one thread, and gives workers
that join later nothing to do.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import Any

_PATIENCE = 10
_TASKS_A_THREAD = 2
_LOGGERS = ("distributed", "distributed.client", "distributed.core", "distributed.comm", "tornado.application")
_ADDRESS = re.compile(r"(?:tcp|tls)://(?P<host>\[[^\]]+\]|[^:/\[\]]+):(?P<port>\d{1,5})")

_HOW = (
    "Start a scheduler with `dask scheduler` and workers with `dask worker tcp://…`, and pass the address that the "
    "scheduler prints, such as tcp://10.0.0.1:8786."
)
_NO_SCHEDULER = f"something listens there, but it is no Dask scheduler. {_HOW}"


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address, which has workers."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise ValueError(
            f"cluster={address!r} needs Dask, which is not installed. Run: pip install 'holdfast[dask]'."
        ) from error
    _require_answer(address)
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise ValueError(f"cluster={address!r}: {_NO_SCHEDULER}") from error
    with _silenced(), client:
        if not client.nthreads():
            raise ValueError(
                f"cluster={address!r}: the scheduler has no workers. Start some with `dask worker {address}`."
            )
        with client.as_current():
            yield client


def worked_on(client: Any, work: Callable[[Any, Any], Any], shared: Any, tasks: Iterable[Any]) -> Iterator[Any]:
    """Results of ``work(shared, task)`` as they come; what is shared is sent once, and no more tasks than can be used.

    A cluster that is lost, or that loses a worker time and again on one task, is a ClusterLost.
    """
    distributed: Any = import_module("distributed")
    lost = (
        distributed.KilledWorker,
        distributed.comm.CommClosedError,
        asyncio.CancelledError,
        concurrent.futures.CancelledError,
    )
    waiting = iter(tasks)

    def some(number: int) -> list[Any]:
        return [client.submit(work, sent, task, pure=False) for task in islice(waiting, max(0, number))]

    try:
        sent = client.scatter(shared, broadcast=True, hash=False)
        running = distributed.as_completed(some(_n_threads(client) * _TASKS_A_THREAD))
        for future in running:
            yield future.result()
            running.update(some(_n_threads(client) * _TASKS_A_THREAD - running.count()))
    except lost as error:
        raise ClusterLost(f"{type(error).__name__}") from error


class ClusterLost(RuntimeError):
    """The scheduler or its workers are gone."""


def _n_threads(client: Any) -> int:
    return max(1, int(sum(client.nthreads().values())))


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep the cluster's own words off the terminal: what goes wrong is told once, by an error."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _require_answer(address: str) -> None:
    """Refuse an address where nothing listens: a client would try for long and leave threads behind."""
    found = _ADDRESS.fullmatch(address.strip())
    if found is None or int(found["port"]) > 65535:
        raise ValueError(f"cluster={address!r} is no address of a Dask scheduler. {_HOW}")
    try:
        connection = socket.create_connection((found["host"].strip("[]"), int(found["port"])), timeout=_PATIENCE)
    except OSError as error:
        raise ValueError(f"cluster={address!r}: nothing answers there ({error.strerror or error}). {_HOW}") from error
    with connection:
        # A scheduler speaks first; a client would wait for ever for one that does not.
        if address.strip().startswith("tcp") and not _speaks(connection):
            raise ValueError(f"cluster={address!r}: {_NO_SCHEDULER}")


def _speaks(connection: socket.socket) -> bool:
    connection.settimeout(_PATIENCE)
    try:
        return bool(connection.recv(1))
    except OSError:
        return False
