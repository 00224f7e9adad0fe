"""Running a plan: what is not done yet, in threads, in processes or on a cluster, each cell kept as it comes."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from multiprocessing import resource_tracker
from time import monotonic, sleep
from typing import Any, Protocol

from joblib import Parallel, cpu_count, delayed, parallel_config
from joblib.parallel import get_active_backend as joblib_backend

from holdfast._errors import StoreError, StudyStopped
from holdfast._progress import Tick
from holdfast.evaluate._cluster import ClusterLost, connected, worked_on
from holdfast.evaluate._memory import with_peak
from holdfast.evaluate.cell import alone, evaluate_alone, evaluate_cell
from holdfast.evaluate.plan import ALL, Cell, Plan

Done = tuple[dict[str, Any], dict[str, Any]]

# Seconds of work below which starting processes, which load everything anew, does not pay.
_WORTH_PROCESSES = 10.0
# A selection from all samples that takes less is made once more, to measure its memory.
_QUICK = 20.0
_MOSTLY = 0.75
_PATIENCE = 3.0
# Cells that threads of this process are working on.
under_way: set[Cell] = set()


class Keeper(Protocol):
    """Where cells are kept: a folder, or memory."""

    def has(self, cell: Cell) -> bool:
        """Whether a cell is done."""

    def put(self, cell: Cell, result: dict[str, Any], cost: dict[str, Any]) -> None:
        """Keep a cell."""

    def cost(self, cell: Cell) -> dict[str, Any]:
        """What a cell took."""


@dataclass
class Memory:
    """Cells of a study that has no folder."""

    results: dict[Cell, dict[str, Any]] = field(default_factory=dict)
    costs: dict[Cell, dict[str, Any]] = field(default_factory=dict)

    def has(self, cell: Cell) -> bool:
        """Whether a cell is done."""
        return cell in self.results

    def get(self, cell: Cell) -> dict[str, Any] | None:
        """A cell's result."""
        return self.results.get(cell)

    def cost(self, cell: Cell) -> dict[str, Any]:
        """What a cell took."""
        return self.costs.get(cell, {})

    def put(self, cell: Cell, result: dict[str, Any], cost: dict[str, Any]) -> None:
        """Keep a cell."""
        self.results[cell] = result
        self.costs[cell] = cost


class Clock:
    """How long the rest will take: what each method took per cell so far, times its cells still open."""

    def __init__(self, plan: Plan, keeper: Keeper) -> None:
        self.n_workers = 1
        self._seconds: dict[int, list[float]] = {}
        self._selecting: list[float] = []
        for method, split in plan.cells:
            if split != ALL and keeper.has((method, split)):
                self.took(method, keeper.cost((method, split)))

    def took(self, method: int, cost: dict[str, Any]) -> None:
        """Count a cell."""
        if "seconds" in cost:
            self._seconds.setdefault(method, []).append(cost["seconds"])
            self._selecting.append(cost["select_seconds"])

    def knows(self, method: int) -> bool:
        """Whether a method was timed."""
        return method in self._seconds

    @property
    def selecting(self) -> float:
        """Share of the time that selection took; the rest is other people's classifiers."""
        total = sum(map(sum, self._seconds.values()))
        return sum(self._selecting) / total if total else 0.0

    def to_go(self, waiting: Iterable[Cell]) -> float | None:
        """Seconds, or None while a method with open cells was never timed."""
        n_open = Counter(method for method, _ in waiting)
        if any(method not in self._seconds for method in n_open):
            return None
        per_cell = {method: sum(known) / len(known) for method, known in self._seconds.items()}
        return sum(n * per_cell[method] for method, n in n_open.items()) / self.n_workers


class Where:
    """Where cells are worked on: one at a time, several workers on this machine, or a cluster."""

    def __init__(self, workers: int, cluster: str | None) -> None:
        self.workers = workers
        self.cluster = cluster
        self.client: Any = None

    @contextmanager
    def ready(self) -> Iterator[None]:
        """Reach the cluster, if there is one, before anything is begun."""
        if self.cluster is None:
            yield
            return
        with connected(self.cluster) as self.client:
            yield


def run(plan: Plan, keeper: Keeper, where: Where, tick: Tick, *, what_is_kept: str, is_first: bool = True) -> None:
    """Make every cell that is not there; someone who stops it is told what becomes of those that are done."""
    todo = [cell for cell in plan.cells if not keeper.has(cell)]
    if not is_first:
        # Another process has begun at the front.
        random.Random().shuffle(todo)
    if not todo:
        return
    try:
        with alone():
            _Running(plan, keeper, todo, tick).finish(where)
    except KeyboardInterrupt:
        raise StudyStopped(f"Stopped. {_so_far(plan, keeper)}{what_is_kept}") from None
    except ClusterLost as error:
        raise StoreError(
            f"The Dask cluster at {where.cluster} was lost ({error}): is its scheduler there, and have its workers "
            f"memory enough? {_so_far(plan, keeper)}{what_is_kept}"
        ) from error


def _so_far(plan: Plan, keeper: Keeper) -> str:
    return f"{sum(keeper.has(cell) for cell in plan.cells):,} of {len(plan.cells):,} parts are done"


class _Running:
    """A run of the cells that are open: how far it is, and how long it will take."""

    def __init__(self, plan: Plan, keeper: Keeper, todo: Sequence[Cell], tick: Tick) -> None:
        self.plan, self.keeper, self.tick = plan, keeper, tick
        self.waiting = dict.fromkeys(todo)
        self.clock = Clock(plan, keeper)
        self.n_told = 0

    def finish(self, where: Where) -> None:
        """Work on all cells: those on all samples one at a time, so that the memory measured is the method's."""
        self.show()
        for cell in (cell for cell in self._still_open() if cell[1] == ALL):
            done = evaluate_cell(self.plan, *cell)
            self.keep(cell, (done[0], {**done[1], "peak_megabytes": self._memory(cell, done[1])}))
        if where.client is not None:
            self.send(where.client)
        elif where.workers == 1:
            self.alone(list(self.waiting))
        else:
            # One cell of each method tells where the time goes, and so whom threads would keep waiting.
            self.alone([cell for cell in self.waiting if not self.clock.knows(cell[0])][: len(self.plan.methods)])
            backend, work = ("threading", _in_thread) if self._threads_serve() else ("loky", evaluate_alone)
            with parallel_config(backend):
                n_workers = self._useful(joblib_backend()[0].effective_n_jobs(where.workers))
                if backend == "loky":
                    _start_processes(n_workers)
                self.share(work, n_workers)
        if self.n_told < len(self.plan.cells):
            # The last cells were another process's.
            self.show()

    def _memory(self, cell: Cell, cost: dict[str, Any]) -> float | None:
        """Megabytes of a selection, made once more: the first time code was loaded too. None if that takes long."""
        if cost["select_seconds"] > _QUICK:
            return None
        return with_peak(partial(evaluate_cell, self.plan, *cell))[1]

    def alone(self, cells: Sequence[Cell]) -> None:
        """One cell after the other."""
        self.clock.n_workers = 1
        for cell in cells:
            if self.keeper.has(cell):
                self.waiting.pop(cell, None)
            else:
                self.keep(cell, evaluate_cell(self.plan, *cell))

    def _useful(self, n_workers: int) -> int:
        """No more workers than cells, nor many more than cores, which would only be in each other's way."""
        return max(1, min(n_workers, len(self.waiting), max(2, int(cpu_count()))))

    def _still_open(self) -> Iterator[Cell]:
        """Cells that no other process has made in the meantime."""
        for cell in list(self.waiting):
            if self.keeper.has(cell):
                self.waiting.pop(cell, None)
            else:
                yield cell

    def share(self, work: Callable[[Plan, int, int | str], Done], n_workers: int) -> None:
        """Several cells at a time."""
        self.clock.n_workers = n_workers
        tasks = (delayed(_labelled)(work, self.plan, cell) for cell in self._still_open())
        parallel = Parallel(n_jobs=n_workers, return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")
        results = parallel(tasks)
        try:
            for cell, done in results:
                self.keep(cell, done)
        except BaseException:
            results.close()
            _await_threads()
            raise

    def send(self, client: Any) -> None:
        """To a cluster, as many at a time as it can use."""
        for cell, done in worked_on(client, _on_worker, self.plan, self._still_open()):
            self.clock.n_workers = max(1, sum(client.nthreads().values()))
            self.keep(cell, done)

    def keep(self, cell: Cell, done: Done) -> None:
        """Put a cell where it belongs and say how far the work is."""
        self.keeper.put(cell, *done)
        self.waiting.pop(cell, None)
        if cell[1] != ALL:
            self.clock.took(cell[0], done[1])
        self.show()

    def show(self) -> None:
        """Tell how many cells are done and how long the others will take."""
        # A copy: threads that fetch more work take cells out meanwhile.
        seconds = self.clock.to_go(list(self.waiting))
        total = len(self.plan.cells)
        words = "Parts" if seconds is None else f"Parts, {duration(seconds)} to go"
        self.n_told = total - len(self.waiting)
        self.tick(words, self.n_told, total)

    def _threads_serve(self) -> bool:
        """Whether compiled selection is most of the work, or so little is left that processes would start too late."""
        if not all(method.is_ours for method in self.plan.methods):
            return False
        left = self.clock.to_go(self.waiting)
        return (left is not None and left < _WORTH_PROCESSES) or self.clock.selecting > _MOSTLY


def _start_processes(n_jobs: int) -> None:
    """Start them deaf to Ctrl-C, which they would take for an error while they load; this process ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        return
    _start_trackers()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        Parallel(n_jobs=n_jobs)(delayed(abs)(number) for number in range(2))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_thread(plan: Plan, method: int, split: int | str) -> Done:
    """A cell in a thread of this process, which is noted as long as it goes on."""
    under_way.add((method, split))
    try:
        return evaluate_cell(plan, method, split)
    finally:
        under_way.discard((method, split))


def _await_threads() -> None:
    """Give threads a moment to end their cells: the interpreter cannot end while they are in compiled code."""
    until = monotonic() + _PATIENCE
    while under_way and monotonic() < until:
        sleep(0.02)


def _on_worker(plan: Plan, cell: Cell) -> tuple[Cell, Done]:
    return cell, evaluate_alone(plan, *cell)


def _labelled(work: Callable[[Plan, int, int | str], Done], plan: Plan, cell: Cell) -> tuple[Cell, Done]:
    return cell, work(plan, *cell)


def duration(seconds: float) -> str:
    """Time in words a reader takes in at a glance.

    Examples
    --------
    >>> duration(8.2), duration(130), duration(9000)
    ('8 s', '2 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _start_trackers() -> None:
    """Start helpers of the pool that, started with it, would lift the block, and would tell of what a stop leaves.

    They take away semaphores that are left, so that nobody needs to know of them.
    """
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, (before, "ignore:resource_tracker:UserWarning")))
    try:
        resource_tracker.ensure_running()
        import_module("joblib.externals.loky.backend.resource_tracker").ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before
