"""A Dask cluster as the place where cells are worked on."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

_PATIENCE = 10
_ADDRESS = re.compile(r"(?:tcp|tls)://(?P<host>\[[^\]]+\]|[^:/\[\]]+):(?P<port>\d{1,5})")


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
        raise ValueError(f"cluster={address!r}: something answers there, but no Dask scheduler. {_HOW}") from error
    with client:
        if not client.nthreads():
            raise ValueError(
                f"cluster={address!r}: the scheduler has no workers. Start some with `dask worker {address}`."
            )
        with client.as_current():
            yield client


_HOW = (
    "Start one with `dask scheduler`, workers with `dask worker tcp://…`, and pass the address that the scheduler "
    "prints, such as tcp://10.0.0.1:8786."
)


def _require_answer(address: str) -> None:
    """Refuse an address where nothing listens: a client would try for long and leave threads behind."""
    found = _ADDRESS.fullmatch(address.strip())
    if found is None or int(found["port"]) > 65535:
        raise ValueError(f"cluster={address!r} is no address of a Dask scheduler. {_HOW}")
    try:
        socket.create_connection((found["host"].strip("[]"), int(found["port"])), timeout=_PATIENCE).close()
    except OSError as error:
        raise ValueError(f"cluster={address!r}: nothing answers there ({error.strerror or error}). {_HOW}") from error
