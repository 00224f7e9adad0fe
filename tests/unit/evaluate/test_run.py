"""Running a plan: time to go, memory, where cells are worked on, and who did what."""

from __future__ import annotations

import threading
import time
import tracemalloc

import joblib
import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest

import holdfast
from holdfast._errors import StudyStopped
from holdfast._progress import silent
from holdfast.data import copies
from holdfast.evaluate import run as running
from holdfast.evaluate._memory import with_peak
from holdfast.evaluate.plan import ALL
from holdfast.evaluate.run import Clock, Memory, Where, duration, run


def planned(methods=("f-test", "mrmr+")):
    made = copies(n_samples=30, n_features=60, random_state=0)
    return holdfast.compare(made.X, made.y, methods=methods, sizes=[3], classifiers=["nb"], protocol="3cv").plan


@pytest.fixture(scope="module")
def plan():
    return planned()


def took(seconds, selecting=0.5):
    return {"seconds": seconds, "select_seconds": selecting * seconds}


def go(plan, keeper, workers=1, tick=silent, **options):
    run(plan, keeper, Where(workers, None), tick, what_is_kept=" and kept.", **options)


@pytest.fixture
def made_up(monkeypatch):
    """Cells that cost nothing but claim some seconds; the order in which they were asked for."""
    order = []
    claimed = {"seconds": 0.01, "selecting": 0.5}

    def made(plan, method, split):
        order.append((method, split))
        cost = took(claimed["seconds"], claimed["selecting"])
        return {"method": method, "split": split}, {"select_seconds": 0.1} if split == ALL else cost

    for name in ("evaluate_cell", "evaluate_alone"):
        monkeypatch.setattr(running, name, made)
    return order, claimed


def test_time_to_go_is_not_known_before_every_open_method_was_timed(plan):
    clock = Clock(plan, Memory())
    assert clock.to_go([(0, 1), (1, 1)]) is None
    clock.took(0, took(2.0))
    assert clock.to_go([(0, 1), (1, 1)]) is None
    assert clock.to_go([(0, 1)]) == 2.0
    clock.took(1, took(30.0))
    assert clock.to_go([(0, 1), (1, 1)]) == 32.0


def test_time_to_go_weighs_each_method_by_its_own_cells(plan):
    clock = Clock(plan, Memory())
    for _ in range(50):
        clock.took(0, took(0.1))
    clock.took(1, took(10.0))
    clock.took(1, took(20.0))
    assert clock.to_go([(0, 1), (1, 1), (1, 2)]) == pytest.approx(0.1 + 2 * 15.0)


def test_time_to_go_is_shared_by_workers_and_nothing_when_nothing_is_open(plan):
    clock = Clock(plan, Memory())
    clock.took(0, took(6.0))
    clock.n_workers = 3
    assert clock.to_go([(0, 0), (0, 1)]) == 4.0
    assert clock.to_go([]) == 0


def test_a_study_that_goes_on_knows_its_times_from_the_cells_that_are_kept(plan):
    memory = Memory()
    memory.put((0, 0), {}, took(3.0))
    memory.put((1, 0), {}, took(5.0))
    memory.put((0, ALL), {}, {"select_seconds": 100.0})
    clock = Clock(plan, memory)
    assert clock.knows(0)
    assert clock.to_go([(0, 1), (1, 1)]) == 8.0


def test_a_cell_of_unknown_cost_does_not_count(plan):
    memory = Memory()
    memory.put((0, 0), {}, {})
    clock = Clock(plan, memory)
    assert not clock.knows(0)
    assert clock.to_go([(0, 1)]) is None
    assert clock.selecting == 0


def test_the_share_of_selection_is_by_time_not_by_cells(plan):
    clock = Clock(plan, Memory())
    clock.took(0, took(1.0, selecting=0.0))
    clock.took(1, took(9.0, selecting=1.0))
    assert clock.selecting == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (0.4, "0 s"), (89.4, "89 s"), (90, "2 min"), (3600, "60 min"), (5400, "1.5 h"), (360_000, "100.0 h")],
)
def test_time_is_told_in_words(seconds, words):
    assert duration(seconds) == words


def test_memory_that_work_takes_is_seen():
    def work():
        taken = np.ones(50 * 2**20, dtype=np.uint8)
        return int(taken[-1])

    result, megabytes = with_peak(work)
    assert result == 1
    assert 49 < megabytes < 60


def test_memory_taken_before_is_not_counted():
    before = np.ones(80 * 2**20, dtype=np.uint8)
    _, megabytes = with_peak(lambda: len(before))
    assert megabytes < 5


def test_memory_is_no_longer_watched_after_work_that_failed():
    with pytest.raises(ZeroDivisionError):
        with_peak(lambda: 1 // 0)
    assert not tracemalloc.is_tracing()


def test_memory_that_someone_else_watches_stays_watched():
    tracemalloc.start()
    try:
        with_peak(list)
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_cells_in_memory_come_back_as_they_were_put():
    memory = Memory()
    assert not memory.has((0, 1))
    assert memory.get((0, 1)) is None
    assert memory.cost((0, 1)) == {}
    memory.put((0, 1), {"a": 1}, took(1.0))
    assert memory.has((0, 1))
    assert memory.get((0, 1)) == {"a": 1}
    assert memory.cost((0, 1)) == took(1.0)


@pytest.mark.parametrize("workers", [1, 2])
def test_every_cell_is_made_once_those_on_all_samples_first(plan, made_up, workers):
    order, _ = made_up
    memory = Memory()
    go(plan, memory, workers)
    assert set(memory.results) == set(plan.cells)
    # A quick selection from all samples is made twice, to measure its memory.
    n_on_all = sum(split == ALL for _, split in order)
    assert all(split == ALL for _, split in order[:n_on_all])
    assert len(order) - n_on_all == 6


def test_cells_that_are_there_are_not_made_again(plan, made_up):
    order, _ = made_up
    memory = Memory()
    for cell in plan.cells[:-2]:
        memory.put(cell, {}, took(1.0))
    go(plan, memory)
    assert order == list(plan.cells[-2:])


def test_nothing_is_done_and_nothing_said_when_all_cells_are_there(plan, made_up):
    order, _ = made_up
    memory, said = Memory(), []
    for cell in plan.cells:
        memory.put(cell, {}, took(1.0))
    go(plan, memory, tick=lambda *words: said.append(words))
    assert order == []
    assert all(done == total for _, done, total in said)


def test_a_second_process_begins_elsewhere(made_up):
    order, _ = made_up
    made = copies(n_samples=60, n_features=60, random_state=0)
    plan = holdfast.compare(made.X, made.y, methods=["f-test"], sizes=[3], classifiers=["nb"], protocol="10x10cv").plan
    order.clear()
    go(plan, Memory(), is_first=True)
    in_order = [cell for cell in order if cell[1] != ALL]
    order.clear()
    go(plan, Memory(), is_first=False)
    elsewhere = [cell for cell in order if cell[1] != ALL]
    assert in_order == [cell for cell in plan.cells if cell[1] != ALL]
    assert sorted(elsewhere) == sorted(in_order)
    assert elsewhere != in_order


class Busy(Memory):
    """A study that another process works on as well: after some cells of ours it has made all others."""

    def __init__(self, plan, after):
        super().__init__()
        self.plan, self.after = plan, after

    def put(self, cell, result, cost):
        super().put(cell, result, cost)
        if len(self.results) == self.after:
            for other in self.plan.cells:
                self.results.setdefault(other, {})


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_counts_what_another_process_made(plan, made_up, workers):
    order, _ = made_up
    said = []
    go(plan, Busy(plan, after=4), workers, tick=lambda *words: said.append(words))
    assert len(set(order)) < len(plan.cells)
    assert said[-1][1:] == (8, 8)


def test_cells_that_another_process_makes_while_time_is_told_disturb_nobody(made_up, monkeypatch, seed):
    made = copies(n_samples=40, n_features=60, random_state=0)
    plan = holdfast.compare(
        made.X, made.y, methods=["f-test", "mrmr+"], sizes=[3], classifiers=["nb"], protocol="4x10cv"
    ).plan
    draw = np.random.default_rng([seed, 4])

    class Shared(Memory):
        """Another process makes every third cell, some time before we come to it."""

        def has(self, cell):
            if draw.random() < 0.3:
                self.results.setdefault(cell, {})
            return super().has(cell)

    def slowly(self, waiting):
        for _ in waiting:
            # Lets other threads run.
            time.sleep(0.0001)

    monkeypatch.setattr(Clock, "to_go", slowly)
    memory = Shared()
    go(plan, memory, workers=2)
    assert len(memory.results) == len(plan.cells)


def test_progress_rises_and_tells_the_time_once_it_is_known(plan, made_up):
    said = []
    go(plan, Memory(), tick=lambda *words: said.append(words))
    counts = [done for _, done, _ in said]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 8)
    assert {total for *_, total in said} == {8}
    assert said[0][0] == "Parts"
    assert said[-2][0] == "Parts, 0 s to go"


def test_a_stop_tells_how_far_the_study_was(plan, monkeypatch):
    n_made = 0

    def stopped(*cell):
        nonlocal n_made
        n_made += 1
        if n_made > 5:
            raise KeyboardInterrupt
        return {}, took(1.0)

    monkeypatch.setattr(running, "evaluate_cell", stopped)
    monkeypatch.setattr(running, "_QUICK", 0.0, raising=False)
    memory = Memory()
    with pytest.raises(StudyStopped, match=r"Stopped\. \d of 8 parts are done and kept\.") as caught:
        go(plan, memory)
    assert f"{len(memory.results)} of 8" in str(caught.value)
    assert isinstance(caught.value, KeyboardInterrupt)


@pytest.fixture
def chosen_way(monkeypatch):
    """Where work was shared: the backend and the workers; nothing is really shared."""
    found = {}

    def noted(self, work, n_workers):
        found["backend"] = type(joblib.parallel.get_active_backend()[0]).__name__
        found["n_workers"] = n_workers
        self.alone(list(self.waiting))

    monkeypatch.setattr(running._Running, "share", noted)
    monkeypatch.setattr(running, "_start_processes", lambda n_jobs: None, raising=False)
    return found


CASES = {
    "little work": (0.01, 0.1, "ThreadingBackend"),
    "much work, mostly selection by compiled code": (100.0, 0.9, "ThreadingBackend"),
    "much work, mostly classifiers": (100.0, 0.3, "LokyBackend"),
}


@pytest.mark.parametrize("case", CASES)
def test_threads_serve_where_compiled_code_dominates_or_little_is_left(plan, made_up, chosen_way, case):
    seconds, selecting, backend = CASES[case]
    made_up[1].update(seconds=seconds, selecting=selecting)
    go(plan, Memory(), workers=2)
    assert chosen_way == {"backend": backend, "n_workers": 2}


def test_selectors_of_others_work_in_processes(made_up, chosen_way):
    plan = planned({"theirs": SelectKBest(k=3), "ours": "f-test"})
    made_up[1].update(seconds=0.01, selecting=0.99)
    go(plan, Memory(), workers=2)
    assert chosen_way["backend"] == "LokyBackend"


@pytest.mark.parametrize("n_cores", [1, 3, 64])
def test_minus_one_is_a_worker_for_every_core_that_has_a_cell_to_work_on(
    plan, made_up, chosen_way, monkeypatch, n_cores
):
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", str(n_cores))
    monkeypatch.setattr("os.cpu_count", lambda: n_cores)
    go(plan, Memory(), workers=-1)
    # Six cells, two of which were timed before.
    assert chosen_way["n_workers"] == min(joblib.cpu_count(), 4)


def test_no_more_workers_than_are_of_use(plan, made_up, chosen_way):
    go(plan, Memory(), workers=99_999)
    assert chosen_way["n_workers"] <= max(2, joblib.cpu_count())


def test_threads_really_share_the_work_and_the_results_are_those_of_one(plan, monkeypatch):
    plain = running.evaluate_cell
    together = threading.Barrier(2, timeout=60)
    seen = set()

    def noted(*cell):
        if cell[1:] not in {(0, ALL), (1, ALL), (0, 0), (1, 0)}:
            # Two at a time, or the wait ends in an error.
            together.wait()
            seen.add(threading.get_ident())
        return plain(*cell)

    one, two = Memory(), Memory()
    go(plan, one)
    monkeypatch.setattr(running, "evaluate_cell", noted)
    go(plan, two, workers=2)
    assert len(seen) == 2
    assert two.results == one.results


@pytest.mark.slow
def test_processes_give_the_results_of_one(plan, monkeypatch):
    monkeypatch.setattr(running, "_WORTH_PROCESSES", 0.0)
    monkeypatch.setattr(running, "_MOSTLY", 2.0)
    one, two = Memory(), Memory()
    go(plan, one)
    go(plan, two, workers=2)
    assert two.results == one.results
