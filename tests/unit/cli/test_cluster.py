"""Loops of joblib on a cluster, and `holdfast select --cluster`, with threads of this process in the place of workers.

Real clusters, whose parts are killed, are in crash/test_select_cluster.py.
"""

import asyncio
import os
import pickle
import sys
import threading
import warnings
from contextlib import contextmanager
from functools import partial

import joblib
import numpy as np
import pytest
from joblib import Parallel, delayed

from holdfast._errors import DataError
from holdfast.evaluate import _joblib_cluster
from holdfast.evaluate._cluster import ClusterLost
from holdfast.evaluate._joblib_cluster import ClusterBackend

pytest.importorskip("distributed", reason="Dask is not installed")

LARGE = 50_000


class Sent:
    """A task of the client."""

    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments

    def value(self):
        return self.function(*(one.value() if isinstance(one, Sent) else one for one in self.arguments))


class Client:
    """What a loop asks of a client of Dask; a failure is what comes instead of results."""

    def __init__(self, n_threads=2, failure=None, status="running"):
        self.n_threads, self.failure, self.status = n_threads, failure, status
        self.sent = []
        self.loop = self

    def nthreads(self):
        return {"worker": self.n_threads}

    def submit(self, function, *arguments, key):
        self.sent.append(Sent(function, arguments))
        return self.sent[-1]

    def add_callback(self, function, *arguments):
        threading.Thread(target=lambda: asyncio.run(function(*arguments))).start()

    async def gather(self, futures, asynchronous):
        if self.failure is not None:
            raise self.failure
        if not self.n_threads:
            await asyncio.sleep(1)
        return [future.value() for future in futures]

    @property
    def things(self):
        """What was sent apart from tasks."""
        return [sent for sent in self.sent if sent.function is pickle.loads]

    @property
    def luggage(self):
        """Bytes that went along with each batch."""
        return [len(sent.arguments[1]) for sent in self.sent if sent.function is not pickle.loads]


@contextmanager
def loops(client):
    with joblib.parallel_config(backend=ClusterBackend(client), n_jobs=-1):
        yield client


def total(X, number):
    return float(X.sum()) + number


def backend_inside():
    return type(joblib.parallel.get_active_backend()[0]).__name__, joblib.effective_n_jobs(4)


def refuse(number):
    if number == 3:
        raise DataError("gene 3 is odd")
    return number


def warn(number):
    warnings.warn(f"number {number}", UserWarning, stacklevel=1)


class Unspeakable(Exception):
    def __init__(self, what, where):
        super().__init__(f"{what} at {where}")


def fail(number):
    raise Unspeakable("no way", number)


@pytest.mark.parametrize("return_as", ["list", "generator", "generator_unordered"])
def test_a_loop_gives_the_same_on_a_cluster(return_as):
    with loops(Client()) as client:
        found = Parallel(return_as=return_as)(delayed(pow)(number, 2) for number in range(40))
        assert sorted(found) == [number**2 for number in range(40)]
    assert len(client.sent) > 1


def test_a_cluster_of_one_thread_does_the_work():
    with loops(Client(n_threads=1)) as client:
        assert Parallel()(delayed(pow)(number, 2) for number in range(5)) == [0, 1, 4, 9, 16]
    assert len(client.sent) == 5


def test_what_several_tasks_hold_is_sent_once_wherever_they_hold_it():
    X, names = np.ones(LARGE), tuple(f"gene {j}" for j in range(LARGE))
    with loops(Client()) as client:
        found = Parallel(batch_size=1)(delayed(partial(len_and_total, {"here": [X, names]}))(i) for i in range(6))
    assert found == [(LARGE, LARGE + i) for i in range(6)]
    assert len(client.things) == 2
    assert max(client.luggage) < 1000


def len_and_total(held, number):
    return len(held["here"][1]), total(held["here"][0], number)


def test_what_one_task_holds_goes_with_that_task_only():
    with loops(Client()) as client:
        found = Parallel(batch_size=1)(delayed(total)(np.full(LARGE, i), 0) for i in range(6))
    assert found == [LARGE * i for i in range(6)]
    assert client.things == []
    assert min(client.luggage) >= LARGE * 8
    assert max(client.luggage) < LARGE * 9


def test_a_single_task_is_sent_too():
    with loops(Client()) as client:
        assert Parallel()([delayed(total)(np.ones(LARGE), 1)]) == [LARGE + 1]
    assert len(client.sent) == 1


def test_an_array_stays_as_it_is_on_the_way():
    X = np.asfortranarray(np.arange(2.0 * LARGE).reshape(-1, 50))
    X.flags.writeable = False
    with loops(Client()):
        kinds = Parallel(batch_size=1)(delayed(kind)(X) for _ in range(3))
        own = Parallel(batch_size=1)([delayed(kind)(X)])
    assert kinds == [kind(X)] * 3
    assert own == [kind(X)]


def kind(X):
    return X.flags.f_contiguous, X.flags.writeable, X.dtype, X.shape


def test_a_loop_inside_a_task_runs_one_after_the_other():
    with loops(Client()):
        assert Parallel()(delayed(backend_inside)() for _ in range(2)) == [("SequentialBackend", 1)] * 2


def test_a_loop_that_names_a_number_of_workers_shares_memory_with_threads():
    filled = np.zeros(4)
    with loops(Client()) as client:
        Parallel(n_jobs=2, prefer="threads")(delayed(filled.__setitem__)(i, i + 1) for i in range(4))
    assert filled.tolist() == [1, 2, 3, 4]
    assert client.sent == []


def test_an_error_of_a_task_arrives_as_it_is_and_says_where_it_came_from():
    with loops(Client()), pytest.raises(DataError, match=r"^gene 3 is odd$") as caught:
        Parallel()(delayed(refuse)(number) for number in range(9))
    assert "in refuse" in str(caught.value.__cause__)


def test_an_error_that_cannot_travel_is_told_in_its_words():
    with loops(Client()), pytest.raises(RuntimeError, match="Unspeakable: no way at 0"):
        Parallel()([delayed(fail)(0)])


def test_a_task_that_cannot_travel_is_an_error_and_no_waiting():
    with loops(Client()), pytest.raises(TypeError, match="lock"):
        Parallel()(delayed(id)(threading.Lock()) for _ in range(5))


def test_warnings_of_tasks_come_home_in_the_order_of_the_tasks():
    with loops(Client()), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", message="number 3")
        Parallel()(delayed(warn)(number) for number in range(6))
    assert [str(one.message) for one in caught] == [f"number {number}" for number in (0, 1, 2, 4, 5)]


@pytest.mark.parametrize(
    ("client", "words"),
    [
        (Client(failure=asyncio.CancelledError()), "CancelledError"),
        (Client(failure=OSError("gone")), "OSError"),
        (Client(failure=ModuleNotFoundError("No module named 'holdfast'")), "cannot load holdfast: No module named"),
        (Client(status="closed"), "the scheduler does not answer"),
        (Client(n_threads=0), "no worker is left"),
    ],
)
def test_a_lost_cluster_is_told(monkeypatch, client, words):
    monkeypatch.setattr(_joblib_cluster, "_EVERY", 0.01)
    monkeypatch.setattr(_joblib_cluster, "_PATIENCE", 0.05)
    with loops(client), pytest.raises(ClusterLost, match=words):
        Parallel()(delayed(pow)(number, 2) for number in range(5))


@pytest.fixture
def on_cluster(monkeypatch):
    """Have every address lead to a client."""

    def lead(client):
        @contextmanager
        def connected(address):
            yield client

        monkeypatch.setattr(_joblib_cluster, "connected", connected)
        return client

    return lead


@pytest.mark.parametrize(
    "options", [("-m", "mrmr+", "-k", 3, "--repeats", 20), ("-m", "en-relieff", "-k", 3), ("-m", "d2corfs")]
)
def test_a_selection_on_a_cluster_is_the_same(holdfast, table, on_cluster, options):
    client = on_cluster(Client())
    select = ("select", table, "--target", "state", *options, "--json")
    alone, together = holdfast(*select), holdfast(*select, "--cluster", "tcp://there:8786")
    assert together.exit_code == 0, together.stderr
    assert (together.stdout, together.stderr) == (alone.stdout, alone.stderr)
    assert len(client.sent) > 1


def test_a_lost_cluster_has_an_exit_code_and_leaves_nothing(holdfast, table, on_cluster, tmp_path):
    on_cluster(Client(failure=asyncio.CancelledError()))
    options = ("--target", "state", "-k", 3, "--cluster", "tcp://there:8786", "--out", tmp_path / "out")
    result = holdfast("select", table, *options)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == (
        "error: The Dask cluster at tcp://there:8786 was lost (CancelledError): is its scheduler there, and have its "
        "workers memory enough? Nothing was written; run the same again, with this cluster or without.\n"
    )
    assert not os.path.exists(tmp_path / "out")


def test_a_cluster_has_its_own_number_of_workers(holdfast, table):
    result = holdfast("select", table, "--target", "state", "--workers", 2, "--cluster", "tcp://there:8786")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--workers 2" in result.stderr
    assert "--cluster tcp://there:8786" in result.stderr
    assert "Leave one of them out" in result.stderr


def test_a_cluster_is_reached_before_the_file_is_opened(holdfast, tmp_path):
    result = holdfast("select", tmp_path / "gone.csv", "--target", "state", "--cluster", "nowhere")
    assert result.exit_code == 2
    assert "--cluster nowhere is no address of a Dask scheduler" in result.stderr


def test_a_cluster_without_dask_says_how_to_get_it(holdfast, table, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = holdfast("select", table, "--target", "state", "-k", 3, "--cluster", "tcp://127.0.0.1:8786")
    assert result.exit_code == 2
    assert "pip install 'holdfast[dask]'" in result.stderr


def test_what_one_thread_sends_while_another_lets_go_is_sent(monkeypatch):
    """joblib sends from the thread that tells it of results, while the main thread begins to wait for them."""
    client = Client()
    loop = _joblib_cluster._Loop(client)
    loop.send(partial(abs, -1), lambda out: None)
    loop.let_go()
    packed, is_packing, may_go_on = loop._shared.packed, threading.Event(), threading.Event()

    def slowly(batch):
        is_packing.set()
        may_go_on.wait(10)
        return packed(batch)

    monkeypatch.setattr(loop._shared, "packed", slowly)
    sender = threading.Thread(target=loop.send, args=(partial(abs, -2), lambda out: None))
    sender.start()
    assert is_packing.wait(10)
    loop.let_go()
    may_go_on.set()
    sender.join(10)
    assert len(client.sent) == 2
    loop.end()
