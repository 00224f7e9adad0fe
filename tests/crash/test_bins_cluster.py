"""D²CORFS in Python on a Dask cluster: the same bits, also when a worker dies; a lost scheduler is an error."""

from __future__ import annotations

import joblib
import numpy as np
import pytest

from crash._clusters import a_cluster, lost
from holdfast import D2CORFS, DCORFS, StoreError
from holdfast._progress import watching
from holdfast.evaluate import on_cluster

distributed = pytest.importorskip("distributed", reason="Dask is not installed")


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers; nothing of them is left behind."""
    with a_cluster(tmp_path / "cluster") as made:
        made.add_workers(2)
        yield made


def _found(n_subsets=100, tick=lambda *what: None, **options):
    X = np.random.default_rng(7).standard_normal((60, 300))
    selector = D2CORFS(selector=DCORFS(n_subsets=n_subsets), confidence=None, n_bins=20, **options)
    with watching(tick):
        found = selector.fit(X, X[:, 10] + X[:, 150] + X[:, 290] > 0)
    return found.indices_.tolist(), found.scores_.tobytes(), found.rounds_.tobytes(), found.bin_.tobytes(), found.stop_


def test_joblibs_own_backend_finds_what_one_core_finds(cluster):
    with (
        distributed.Client(cluster.address, set_as_default=False) as client,
        joblib.parallel_config(backend="dask", client=client),
    ):
        on_cluster_of_joblib = _found()
    assert on_cluster_of_joblib == _found()


def test_a_cluster_finds_what_one_core_finds_also_when_a_worker_dies(cluster):
    told = []

    def tick(what, done, total):
        told.append((what, done, total))
        if len(told) == 4:
            lost(cluster.workers[0])

    with on_cluster(cluster.address):
        found = _found(n_subsets=250, tick=tick)
    assert told[3] == ("Bins of round 1 of at most 5", 4, 20)
    assert found == _found(n_subsets=250)
    assert sorted(found[0]) == [10, 150, 290]


def test_a_lost_scheduler_is_an_error_in_words(cluster):
    def tick(what, done, total):
        if done == 4:
            lost(cluster.scheduler)

    with pytest.raises(StoreError, match=f"cluster at {cluster.address} was lost"), on_cluster(cluster.address):
        _found(n_subsets=250, tick=tick)
