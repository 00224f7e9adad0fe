"""A study on a Dask cluster: the same bits, also when parts of the cluster die."""

from __future__ import annotations

import re
import signal
import socket
import time

import pytest

from crash._clusters import a_cluster, lost
from crash._studies import (
    LONGER,
    N_LONGER,
    PATIENCE,
    assert_one_sentence,
    assert_same_files,
    assert_sound,
    cells_in,
    members,
    server,
    undisturbed,
    until,
)

distributed = pytest.importorskip("distributed", reason="Dask is not installed")

ENDLESS = ("--protocol", "60x10cv")
STOPPED = re.compile(r"Stopped\. (\d+) of 1,202 parts are done and kept in .+; run the same again to go on\.\n")


@pytest.fixture
def cluster(tmp_path):
    """A scheduler without workers; nothing of it is left behind."""
    with a_cluster(tmp_path / "cluster") as made:
        yield made


def test_a_cluster_makes_the_same_study_also_when_a_worker_dies(tmp_path, cluster):
    cluster.add_workers(2)
    out = tmp_path / "study"
    run = server().start(out, *LONGER, "--cluster", cluster.address)
    assert until(lambda: len(cells_in(out)) > 10 or run.is_over())
    n_then = len(cells_in(out))
    lost(cluster.workers[0])
    assert run.wait() == 0, run.told
    assert n_then < N_LONGER
    assert_same_files(out, undisturbed(*LONGER).files)


def test_an_address_where_nothing_listens_is_refused_and_nothing_is_begun(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        began = time.monotonic()
        run = server().run(tmp_path / "study", "--cluster", address)
    assert run.wait() == 2
    assert time.monotonic() - began < 60
    assert_one_sentence(run, address, "nothing answers there", "dask scheduler")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["nowhere", "tcp://127.0.0.1", "http://127.0.0.1:8786", "tcp://127.0.0.1:99999"])
def test_what_is_no_address_is_refused_and_nothing_is_begun(tmp_path, address):
    run = server().run(tmp_path / "study", "--cluster", address)
    assert run.wait() == 2
    assert_one_sentence(run, address, "is no address")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_something_that_listens_but_is_no_scheduler_is_refused(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        run = server().start(tmp_path / "study", "--cluster", address)
        if not until(run.is_over, 90):
            run.send_all(signal.SIGKILL)
    assert run.wait() == 2, run.told
    assert_one_sentence(run, address, "no Dask scheduler")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_scheduler_without_workers_is_refused_and_nothing_is_begun(tmp_path, cluster):
    run = server().run(tmp_path / "study", "--cluster", cluster.address)
    assert run.wait() == 2, run.told
    assert_one_sentence(run, cluster.address, "no workers", "dask worker")
    assert not (tmp_path / "study").exists()


@pytest.mark.slow
def test_a_lost_scheduler_is_told_and_the_study_goes_on_without_it(tmp_path, cluster):
    cluster.add_workers(2)
    out = tmp_path / "study"
    run = server().start(out, *LONGER, "--cluster", cluster.address)
    assert until(lambda: len(cells_in(out)) > 10 or run.is_over())
    lost(cluster.scheduler)
    assert until(run.is_over, PATIENCE)
    n_kept = len(cells_in(out))
    assert 10 < n_kept < N_LONGER
    assert_sound(out, undisturbed(*LONGER).files)
    again = server().run(out, *LONGER)
    assert again.wait() == 0, again.told
    assert_same_files(out, undisturbed(*LONGER).files)
    assert run.wait() == 3, run.told
    assert_one_sentence(run, cluster.address, f"{n_kept} of {N_LONGER} parts", "kept", "run the same again")


@pytest.mark.slow
def test_a_cluster_that_loses_all_its_workers_is_told_and_the_study_goes_on_with_others(tmp_path, cluster):
    cluster.add_workers(2)
    out = tmp_path / "study"
    run = server().start(out, *LONGER, "--cluster", cluster.address)
    assert until(lambda: len(cells_in(out)) > 10 or run.is_over())
    for worker in cluster.workers:
        lost(worker)
    if not until(run.is_over, 120):
        run.send_all(signal.SIGKILL)
    assert run.wait() == 3, run.told
    assert_one_sentence(run, cluster.address, f"{len(cells_in(out))} of {N_LONGER} parts", "run the same again")
    assert_sound(out, undisturbed(*LONGER).files)
    cluster.add_workers(1)
    again = server().run(out, *LONGER, "--cluster", cluster.address)
    assert again.wait() == 0, again.told
    assert_same_files(out, undisturbed(*LONGER).files)


@pytest.mark.slow
def test_workers_that_join_later_are_given_work(tmp_path, cluster):
    cluster.add_workers(1)
    out = tmp_path / "study"
    run = server().start(out, *ENDLESS, "--cluster", cluster.address)
    assert until(lambda: len(cells_in(out)) > 5 or run.is_over())
    cluster.add_workers(1)
    with distributed.Client(cluster.address, set_as_default=False) as client:
        # A worker asks another for the plan when it has a cell to work on.
        assert until(lambda: sum(map(bool, client.has_what().values())) == 2 or run.is_over(), every=0.1)
    assert not run.is_over()
    lost(cluster.workers[0])
    before = len(cells_in(out))
    assert until(lambda: len(cells_in(out)) > before + 10 or run.is_over(), 120)
    run.send_all(signal.SIGINT)
    assert run.wait() == 130, run.told


@pytest.mark.slow
def test_a_cluster_of_one_worker_does_the_work(tmp_path, cluster):
    cluster.add_workers(1)
    out = tmp_path / "study"
    run = server().start(out, *ENDLESS, "--cluster", cluster.address)
    assert until(lambda: len(cells_in(out)) > 10 or run.is_over())
    cluster.workers[0].send_signal(signal.SIGSTOP)
    # What was under way still arrives; then nothing may.
    until(lambda: False, 2)
    before = len(cells_in(out))
    until(lambda: len(cells_in(out)) > before, 3)
    assert len(cells_in(out)) == before
    run.send_all(signal.SIGINT)
    assert run.wait() == 130, run.told


@pytest.mark.slow
def test_a_study_on_a_cluster_that_is_stopped_says_how_to_go_on(tmp_path, cluster):
    cluster.add_workers(2)
    out = tmp_path / "study"
    run = server().start(out, *ENDLESS, "--cluster", cluster.address)
    assert until(lambda: len(cells_in(out)) > 10 or run.is_over())
    run.send_all(signal.SIGINT)
    assert run.wait() == 130, run.told
    found = STOPPED.fullmatch(run.told)
    assert found, run.told
    assert int(found[1]) == len(cells_in(out))
    assert until(lambda: members(run.pid) == [], 60)


@pytest.mark.slow
def test_two_processes_on_two_clusters_share_a_study(tmp_path, cluster):
    cluster.add_workers(2)
    out = tmp_path / "study"
    runs = [server().start(out, *LONGER, *options) for options in (("--cluster", cluster.address), ("--workers", "2"))]
    for run in runs:
        assert run.wait() == 0, run.told
    assert_same_files(out, undisturbed(*LONGER).files)
