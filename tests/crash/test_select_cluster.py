"""A selection on a Dask cluster: the same bits, also when parts of the cluster die."""

from __future__ import annotations

import signal
import socket
from functools import cache

import pytest

from crash._clusters import a_cluster, lost
from crash._studies import assert_one_sentence, members, server, until

pytest.importorskip("distributed", reason="Dask is not installed")

# Options that make a loop long enough for something to happen in its middle, and what its parts are called.
METHODS = {
    "mrmr+": (("--repeats", "1500"), "Half-samples"),
    "en-svm-rfe": (("--set", "n_runs=400"), "Lists"),
    "d2corfs": (("--set", "n_bins=40", "--set", "n_subsets=2000", "--repeats", "0"), "Bins"),
}
HALVES = METHODS["mrmr+"]
ENDLESS = ("--repeats", "10000")
ENDLESS_BINS = ("--set", "n_bins=60", "--set", "n_subsets=20000", "--repeats", "0")


def every_method(*slow):
    cases = [
        pytest.param(name, *more, id=name, marks=[pytest.mark.slow] if name in slow else [])
        for name, more in METHODS.items()
    ]
    return pytest.mark.parametrize(("method", "options", "parts"), cases)


@pytest.fixture
def cluster(tmp_path):
    """A scheduler without workers; nothing of it is left behind."""
    with a_cluster(tmp_path / "cluster") as made:
        yield made


@pytest.fixture(scope="module")
def peaceful(tmp_path_factory):
    """A cluster that nothing happens to."""
    with a_cluster(tmp_path_factory.mktemp("peaceful") / "cluster") as made:
        made.add_workers(2)
        yield made


def select(method, *options, notes=None, data=None):
    command = ("select", str(data or server().data), "--target", "class", "-m", method, "-k", "5", "--json", *options)
    return server().command(*command, faults=[] if notes is None else [("followed", str(notes))])


@cache
def alone(method, *options):
    """What a selection says without a cluster."""
    run = select(method, *options)
    assert run.wait() == 0, run.told
    return run.said, run.told


def done_so_far(notes, parts):
    """How many parts have come back, as the command tells."""
    lines = notes.read_text().splitlines() if notes.exists() else []
    told = [line.split("\t") for line in lines if line.startswith(parts) and line.count("\t") == 2]
    return int(told[-1][1]) if told else 0


def in_the_middle(run, notes, parts="Half-samples"):
    """Wait until some of the work has come back."""
    assert until(lambda: done_so_far(notes, parts) > 0 or run.is_over())
    assert not run.is_over(), run.told


@every_method()
def test_a_cluster_selects_the_same(peaceful, method, options, parts):
    run = select(method, *options, "--cluster", peaceful.address)
    assert run.wait() == 0, run.told
    assert (run.said, run.told) == alone(method, *options)


def test_a_parameter_that_does_not_fit_a_half_is_refused_on_a_cluster_as_alone(peaceful):
    options = ("--set", "n_samples=40")
    runs = [select("relief", *options), select("relief", *options, "--cluster", peaceful.address)]
    assert [run.wait() for run in runs] == [2, 2]
    assert runs[0].told == runs[1].told
    assert_one_sentence(runs[1], "n_samples=40", "30 sample")


@every_method("en-svm-rfe")
def test_a_cluster_selects_the_same_also_when_a_worker_dies(tmp_path, cluster, method, options, parts):
    cluster.add_workers(2)
    notes = tmp_path / "notes"
    run = select(method, *options, "--cluster", cluster.address, notes=notes)
    in_the_middle(run, notes, parts)
    lost(cluster.workers[0])
    assert not run.is_over()
    assert run.wait() == 0, run.told
    assert (run.said, run.told) == alone(method, *options)


@pytest.mark.parametrize(
    ("method", "options", "parts"),
    [
        pytest.param("mrmr+", ENDLESS, "Half-samples", id="mrmr+", marks=pytest.mark.slow),
        pytest.param("d2corfs", ENDLESS_BINS, "Bins", id="d2corfs"),
    ],
)
def test_a_lost_scheduler_is_told_and_nothing_is_written(tmp_path, cluster, method, options, parts):
    cluster.add_workers(2)
    notes = tmp_path / "notes"
    run = select(method, *options, "--cluster", cluster.address, "--out", str(tmp_path / "out"), notes=notes)
    in_the_middle(run, notes, parts)
    lost(cluster.scheduler)
    assert until(run.is_over, 60)
    assert run.wait() == 3, run.told
    assert_one_sentence(run, cluster.address, "was lost", "Nothing was written")
    assert run.said == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_cluster_that_loses_all_its_workers_is_told_and_nothing_is_written(tmp_path, cluster):
    cluster.add_workers(2)
    notes = tmp_path / "notes"
    run = select("mrmr+", *ENDLESS, "--cluster", cluster.address, "--out", str(tmp_path / "out"), notes=notes)
    in_the_middle(run, notes)
    for worker in cluster.workers:
        lost(worker)
    assert until(run.is_over, 60)
    assert run.wait() == 3, run.told
    assert_one_sentence(run, cluster.address, "was lost", "no worker is left", "Nothing was written")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_workers_that_take_the_place_of_lost_ones_end_the_work(tmp_path, cluster):
    cluster.add_workers(1)
    notes = tmp_path / "notes"
    run = select("mrmr+", *HALVES[0], "--cluster", cluster.address, notes=notes)
    in_the_middle(run, notes)
    lost(cluster.workers[0])
    cluster.add_workers(1)
    assert run.wait() == 0, run.told
    assert (run.said, run.told) == alone("mrmr+", *HALVES[0])


@pytest.mark.slow
def test_a_cluster_of_one_worker_does_the_work(tmp_path, cluster):
    cluster.add_workers(1)
    notes = tmp_path / "notes"
    run = select("mrmr+", *ENDLESS, "--cluster", cluster.address, notes=notes)
    in_the_middle(run, notes)
    cluster.workers[0].send_signal(signal.SIGSTOP)
    # What was under way still arrives; then nothing may.
    until(lambda: False, 2)
    before = done_so_far(notes, HALVES[1])
    until(lambda: done_so_far(notes, HALVES[1]) > before, 3)
    assert done_so_far(notes, HALVES[1]) == before
    run.send_all(signal.SIGINT)
    assert run.wait() == 130, run.told


@pytest.mark.slow
def test_a_selection_on_a_cluster_can_be_stopped(tmp_path, cluster):
    cluster.add_workers(2)
    notes = tmp_path / "notes"
    run = select("mrmr+", *ENDLESS, "--cluster", cluster.address, "--out", str(tmp_path / "out"), notes=notes)
    in_the_middle(run, notes)
    run.send_all(signal.SIGINT)
    assert run.wait() == 130, run.told
    assert run.told == "Stopped.\n"
    assert not (tmp_path / "out").exists()
    assert until(lambda: members(run.pid) == [], 60)


def test_an_address_where_nothing_listens_is_refused_before_anything_is_read(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        run = select("mrmr+", "--cluster", address, "--out", str(tmp_path / "out"), data=tmp_path / "gone.csv")
        assert run.wait() == 2, run.told
    assert_one_sentence(run, address, "nothing answers there", "dask scheduler")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["nowhere", "tcp://127.0.0.1", "http://127.0.0.1:8786", "tcp://127.0.0.1:99999"])
def test_what_is_no_address_is_refused_before_anything_is_read(tmp_path, address):
    run = select("mrmr+", "--cluster", address, "--out", str(tmp_path / "out"), data=tmp_path / "gone.csv")
    assert run.wait() == 2, run.told
    assert_one_sentence(run, address, "is no address")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_scheduler_without_workers_is_refused_before_anything_is_read(tmp_path, cluster):
    run = select("mrmr+", "--cluster", cluster.address, "--out", str(tmp_path / "out"), data=tmp_path / "gone.csv")
    assert run.wait() == 2, run.told
    assert_one_sentence(run, cluster.address, "no workers", "dask worker")
    assert not (tmp_path / "out").exists()
