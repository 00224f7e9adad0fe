"""Joblib's loops on a Dask cluster, whoever wrote them: half-samples, ensembles, the parts of a distributed selector.

Joblib's own backend waits for ever if all workers are gone, works at home if the cluster has one thread, and sends a
table with every task that holds it inside a partial. Here a lost cluster is a ClusterLost, and what several tasks hold
travels once. All that is sent can be made again by the scheduler, so that losing a worker loses nothing.
"""

from __future__ import annotations

import asyncio
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import count
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from joblib import parallel_config
from joblib.parallel import (
    AutoBatchingMixin,
    FallbackToBackend,
    ParallelBackendBase,
    SequentialBackend,
    ThreadingBackend,
)

from holdfast._errors import StoreError
from holdfast.evaluate._cluster import ClusterLost, connected
from holdfast.evaluate._cluster_parcels import Packed, Shared, key_of
from holdfast.evaluate._cluster_worker import Failure, Heard, Origin, on_worker

_EVERY = 1.0
# Seconds in which a worker that died may be started again.
_PATIENCE = 20.0


@contextmanager
def loops_on(address: str) -> Iterator[None]:
    """Have a cluster do the work of every joblib loop that leaves open how many workers it wants."""
    with connected(address) as client, parallel_config(backend=ClusterBackend(client), n_jobs=-1):
        try:
            # Tables are large.
            with import_module("dask").config.set({"distributed.admin.large-graph-warning-threshold": "1 PiB"}):
                yield
        except ClusterLost as error:
            raise StoreError(
                f"The Dask cluster at {address} was lost ({error}): is its scheduler there, and have its workers "
                "memory enough? Nothing was written; run the same again, with this cluster or without."
            ) from error


class ClusterBackend(AutoBatchingMixin, ParallelBackendBase):
    """A joblib backend whose workers are those of a cluster.

    A loop that names a number of workers means threads of this machine, with which it may share memory, and gets them.
    """

    supports_retrieve_callback = True
    default_n_jobs = -1
    MAX_IDEAL_BATCH_DURATION = 1.0

    def __init__(self, client: Any) -> None:
        super().__init__(nesting_level=0)
        self._client = client
        self._loop: _Loop

    def effective_n_jobs(self, n_jobs: int | None) -> int:
        """Threads of the cluster; never 1, which joblib takes for work to be done at home."""
        if n_jobs in (None, -1):
            return max(2, _n_threads(self._client))
        return int(ThreadingBackend().effective_n_jobs(n_jobs))

    def configure(self, n_jobs: int = -1, parallel: Any = None, **options: Any) -> int:
        """Get ready for a loop, or leave it to threads."""
        if n_jobs != -1:
            raise FallbackToBackend(ThreadingBackend(nesting_level=self.nesting_level))
        self.parallel = parallel
        return self.effective_n_jobs(n_jobs)

    def start_call(self) -> None:
        """Begin a loop."""
        self._loop = _Loop(self._client)

    def stop_call(self) -> None:
        """End a loop."""
        self.reset_batch_stats()
        self._loop.end()

    def submit(self, func: Callable[[], Any], callback: Any = None) -> None:
        """Send a batch of tasks; the callback is told what came of it."""
        self._loop.send(func, callback)

    # As joblib before 1.5 calls it.
    apply_async = submit

    def retrieve_result_callback(self, out: Any) -> Any:
        """Results of a batch, or its error."""
        if isinstance(out, Failure):
            raise out.error from Origin(out.trace)
        if isinstance(out, ClusterLost):
            raise out
        return out

    @contextmanager
    def retrieval_context(self) -> Iterator[None]:
        """Wait for results: the first lot of tasks is there."""
        self._loop.let_go()
        yield

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """Forget all tasks."""
        self._loop.forget()

    def get_nested_backend(self) -> tuple[Any, int]:
        """Loops inside a task run one after the other: the cluster is busy already."""
        return SequentialBackend(nesting_level=self.nesting_level + 1), 1


def _n_threads(client: Any) -> int:
    """Threads of all workers there are."""
    if client.status != "running":
        raise ClusterLost("the scheduler does not answer")
    try:
        return int(sum(client.nthreads().values()))
    except (Exception, asyncio.CancelledError) as error:
        raise ClusterLost("the scheduler does not answer") from error


def _lost(error: BaseException) -> ClusterLost:
    """What became of a batch that gave no outcome of its own."""
    if isinstance(error, ClusterLost):
        return error
    if isinstance(error, ImportError):
        return ClusterLost(f"a worker cannot load holdfast: {error}")
    return ClusterLost(type(error).__name__)


class _Loop:
    """One call of Parallel: what is under way, and a thread that tells joblib what arrived."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._shared = Shared(client)
        self._numbers = count()
        # Callbacks and futures by number of the batch; without its future a task is forgotten by the cluster.
        self._waiting: dict[int, tuple[Any, Any]] = {}
        # joblib sends from any thread: what one holds back another may let go.
        self._held: SimpleQueue[tuple[int, Any, Packed]] = SimpleQueue()
        self._one_at_a_time = threading.Lock()
        self._arrived: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        self._heard: dict[int, Heard] = {}
        self._is_over = False
        self._alone_since: float | None = None
        threading.Thread(target=self._tell, name="holdfast-cluster", daemon=True).start()

    def send(self, batch: Callable[[], Any], callback: Any) -> None:
        """Send a batch. An error is told as its outcome: joblib sends from any thread, and would wait for ever."""
        number = next(self._numbers)
        self._waiting[number] = callback, None
        try:
            with self._one_at_a_time:
                packed = self._shared.packed(batch)
            self._held.put((number, callback, packed))
        except Exception as error:  # noqa: BLE001
            self._arrived.put((number, (Failure(error, traceback.format_exc()), [])))
        if number:
            self.let_go()

    def let_go(self) -> None:
        """Send what is held back: the first batch, until it is known what the second shares with it."""
        while True:
            try:
                number, callback, packed = self._held.get_nowait()
            except Empty:
                return
            try:
                with self._one_at_a_time:
                    own, numbers, futures = self._shared.parts(packed)
                future = self._client.submit(on_worker, packed.batch, own, numbers, *futures, key=key_of("batch"))
                self._waiting[number] = callback, future
                self._client.loop.add_callback(self._fetch, number, future)
            except Exception as error:  # noqa: BLE001
                self._arrived.put((number, error))

    async def _fetch(self, number: int, future: Any) -> None:
        """Wait for a batch and bring its results home; runs in the client's own thread."""
        try:
            (out,) = await self._client.gather([future], asynchronous=True)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001
            out = error
        self._arrived.put((number, out))

    def _tell(self) -> None:
        while not self._is_over:
            try:
                number, out = self._arrived.get(timeout=_EVERY)
            except Empty:
                number, out = next(iter(list(self._waiting)), -1), self._loss()
                if out is None:
                    continue
            callback, _ = self._waiting.pop(number, (None, None))
            if callback is None or self._is_over:
                continue
            if isinstance(out, BaseException):
                callback(_lost(out))
            else:
                outcome, self._heard[number] = out
                callback(outcome)

    def _loss(self) -> ClusterLost | None:
        """What is wrong with a cluster from which nothing comes, if anything is."""
        try:
            n_threads = _n_threads(self._client)
        except ClusterLost as error:
            return error
        now = monotonic()
        if n_threads:
            self._alone_since = None
            return None
        self._alone_since = self._alone_since or now
        return ClusterLost("no worker is left") if now - self._alone_since > _PATIENCE else None

    def forget(self) -> None:
        """Have nothing more to do with what is under way."""
        self._is_over = True
        self._waiting.clear()

    def end(self) -> None:
        """Stop, and give the warnings of all tasks in the order of the tasks."""
        self.forget()
        self._arrived.put((-1, None))
        for _, heard in sorted(self._heard.items()):
            for message, file, line in heard:
                warnings.warn_explicit(message, type(message), file, line)
