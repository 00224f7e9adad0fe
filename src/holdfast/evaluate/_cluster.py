"""A Dask cluster as the place where cells are worked on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from joblib import parallel_config

_PATIENCE = "20s"


@contextmanager
def connected(address: str, shared: Any) -> Iterator[int]:
    """Send joblib's work to the scheduler at an address, what all tasks share once; gives the number of workers."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise ValueError(
            f"cluster={address!r} needs Dask, which is not installed. Run: pip install 'holdfast[dask]'."
        ) from error
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise ValueError(
            f"cluster={address!r}: no Dask scheduler answers there ({type(error).__name__}). Start one with "
            "`dask scheduler`, workers with `dask worker tcp://…`, and pass the address that the scheduler prints."
        ) from error
    with client:
        n_workers = sum(client.nthreads().values())
        if n_workers == 0:
            raise ValueError(
                f"cluster={address!r}: the scheduler has no workers. Start some with `dask worker {address}`."
            )
        with client.as_current(), parallel_config("dask", client=client, scatter=[shared]):
            yield n_workers
