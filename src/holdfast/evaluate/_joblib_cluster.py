"""Joblib's loops on a Dask cluster, whoever wrote them: half-samples, ensembles, the parts of a distributed selector.

Joblib's own backend waits for ever if all workers are gone, works at home if the cluster has one thread, and sends a
table with every task that holds it inside a partial. Here a lost cluster is a ClusterLost, and what several tasks hold
travels once. All that is sent can be made again by the scheduler, so that losing a worker loses nothing.
"""

from __future__ import annotations

import asyncio
import io
import pickle
import threading
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import count
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any
from uuid import uuid4

import numpy as np
from joblib import parallel_config
from joblib.parallel import (
    AutoBatchingMixin,
    FallbackToBackend,
    ParallelBackendBase,
    SequentialBackend,
    ThreadingBackend,
)
from threadpoolctl import threadpool_limits

from holdfast._errors import StoreError
from holdfast.evaluate._cluster import ClusterLost, connected

# Bytes from which on it pays to send something once instead of with every task.
_LARGE = 1 << 16
_EVERY = 1.0
# Seconds in which a worker that died may be started again.
_PATIENCE = 20.0

Heard = list[tuple[Warning, str, int]]


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
        if isinstance(out, _Failure):
            raise out.error from _Origin(out.trace)
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
        self._shared = _Shared(client)
        self._numbers = count()
        # Callbacks and futures by number of the batch; without its future a task is forgotten by the cluster.
        self._waiting: dict[int, tuple[Any, Any]] = {}
        # joblib sends from any thread: what one holds back another may let go.
        self._held: SimpleQueue[tuple[int, Any, _Packed]] = SimpleQueue()
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
            self._arrived.put((number, (_Failure(error, traceback.format_exc()), [])))
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
                future = self._client.submit(_on_worker, packed.batch, own, numbers, *futures, key=_key("batch"))
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


def _key(what: str) -> str:
    return f"holdfast-{what}-{uuid4().hex}"


@dataclass(frozen=True)
class _Packed:
    """A batch as bytes, with numbers in place of large things, and these."""

    batch: bytes
    things: list[Any]


class _Shared:
    """Large things that tasks hold: what several hold is sent once; what one holds goes to that task's worker only."""

    def __init__(self, client: Any) -> None:
        self._client = client
        # By id: arrays by weak references, which keep none alive, and tuples, which cannot be known otherwise.
        self._seen: dict[int, Any] = {}
        # Futures of what several batches hold; None before the first of these is sent.
        self._sent: dict[int, Any] = {}

    def packed(self, batch: Callable[[], Any]) -> _Packed:
        """Take a batch apart, and note which of its things another has too."""
        place, things = io.BytesIO(), _Things()
        _packer()(place, things).dump(batch)
        for thing in things.found:
            before = self._seen.get(id(thing))
            if thing is (before() if isinstance(before, weakref.ref) else before):
                self._sent.setdefault(id(thing))
            else:
                self._seen[id(thing)] = weakref.ref(thing) if isinstance(thing, np.ndarray) else thing
        return _Packed(place.getvalue(), things.found)

    def parts(self, packed: _Packed) -> tuple[bytes, tuple[int, ...], list[Any]]:
        """Things that only this batch has, as bytes by number, and the numbers and futures of the others."""
        own = {number: thing for number, thing in enumerate(packed.things) if id(thing) not in self._sent}
        shared = {number: thing for number, thing in enumerate(packed.things) if number not in own}
        return _pickled(own), tuple(shared), [self._future_of(thing) for thing in shared.values()]

    def _future_of(self, thing: Any) -> Any:
        """A thing on the cluster, made there from its bytes, so that the scheduler can make it again."""
        if self._sent[id(thing)] is None:
            # Kept from here on, so that no other thing can come by its id.
            self._seen[id(thing)] = thing
            self._sent[id(thing)] = self._client.submit(pickle.loads, _pickled(thing), key=_key("shared"))
        return self._sent[id(thing)]


class _Things:
    """Large things met in a batch."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self.found: list[Any] = []

    def number_of(self, thing: Any) -> int | None:
        """The number of a large thing; None for what stays in its place."""
        n_bytes = thing.nbytes if isinstance(thing, np.ndarray) else len(thing) * 8 if type(thing) is tuple else 0
        if n_bytes < _LARGE:
            return None
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self.found)
            self.found.append(thing)
        return self._numbers[id(thing)]


@cache
def _packer() -> type[Any]:
    """A pickler of all that a task may be, which writes numbers in place of large things."""
    plain: Any = import_module("cloudpickle").Pickler

    class Packer(plain):
        def __init__(self, place: io.BytesIO, things: _Things) -> None:
            super().__init__(place, protocol=pickle.HIGHEST_PROTOCOL)
            self.persistent_id = things.number_of

    return Packer


def _pickled(thing: Any) -> bytes:
    return bytes(import_module("cloudpickle").dumps(thing, protocol=pickle.HIGHEST_PROTOCOL))


class _Unpacker(pickle.Unpickler):
    """Reads a batch, with large things in their places."""

    def __init__(self, batch: bytes, things: dict[int, Any]) -> None:
        super().__init__(io.BytesIO(batch))
        self._things = things

    def persistent_load(self, number: int) -> Any:
        """What belongs there."""
        return self._things[number]


@dataclass(frozen=True)
class _Failure:
    """An error of a task, and where it came from."""

    error: Exception
    trace: str


class _Origin(Exception):
    """The way to an error on another machine, as text."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _on_worker(batch: bytes, own: bytes, numbers: tuple[int, ...], *shared: Any) -> Any:
    from holdfast.evaluate import _joblib_cluster

    return _joblib_cluster._worked(batch, own, dict(zip(numbers, shared, strict=True)))


# What is of no module travels as code: the scheduler, which reads what passes, then need not load all of holdfast.
_on_worker.__module__ = "__main__"


def _worked(batch: bytes, own: bytes, shared: dict[int, Any]) -> tuple[Any, Heard]:
    """Results of a batch, or its error, and the warnings on the way."""
    with _listening() as heard:
        try:
            return _Unpacker(batch, pickle.loads(own) | shared).load()(), heard
        except Exception as error:  # noqa: BLE001
            return _Failure(_portable(error), traceback.format_exc()), heard


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
