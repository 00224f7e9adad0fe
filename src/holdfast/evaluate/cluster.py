"""A Dask cluster for every loop inside a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits

from holdfast.evaluate._joblib_cluster import loops_on


@contextmanager
def on_cluster(address: str) -> Iterator[None]:
    """Have a Dask cluster do the work of every joblib loop in a ``with`` block, with the same results bit for bit.

    Use it around ``D2CORFS(…).fit(X, y)``, ``selection_frequency(…)`` and all else that has ``n_jobs``, which stays
    None. A worker that is lost has its work done by the others, where joblib's own backend for Dask fails, since data
    that it has sent out are lost with the worker. A lost scheduler is a StoreError.

    Parameters
    ----------
    address : str
        Where the scheduler is, as ``dask scheduler`` prints it, such as "tcp://10.0.0.1:8786".

    Yields
    ------
    nothing : None
        The cluster is left when the block ends.

    Examples
    --------
    >>> from holdfast.evaluate import on_cluster
    >>> try:
    ...     with on_cluster("10.0.0.1"):
    ...         pass  # D2CORFS().fit(X, y)
    ... except ValueError as error:
    ...     str(error)[:53]
    "cluster='10.0.0.1' is no address of a Dask scheduler."
    """
    # Matrix products at home keep to one thread, as on workers: their rounding may depend on the number.
    with threadpool_limits(1), loops_on(address):
        yield
