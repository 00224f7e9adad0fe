"""Long work reports to whoever watches, and to nobody else."""

import numpy as np
import pytest

from holdfast import MRMR, HybridSequential, RandomizedWrapper, ReliefF, selector
from holdfast._progress import report, watching


@pytest.fixture
def heard():
    return []


@pytest.fixture
def tick(heard):
    return lambda what, done, total: heard.append((what, done, total))


def _data():
    rng = np.random.default_rng(0)
    y = np.arange(24) % 2
    X = rng.normal(size=(24, 12))
    X[:, 3] += 2 * y
    return X, y


def test_reports_reach_the_watcher_while_it_watches(heard, tick):
    report("before", 1)
    with watching(tick):
        report("inside", 1, 2)
    report("after", 1)
    assert heard == [("inside", 1, 2)]


@pytest.mark.parametrize(
    "working",
    [
        MRMR(4),
        ReliefF(4),
        HybridSequential(4, cv=3),
        RandomizedWrapper(4, cv=3, max_steps=9),
        selector("hib-sbs", cv=3),
    ],
    ids=lambda working: type(working).__name__,
)
def test_long_searches_say_how_far_they_are(working, heard, tick):
    with watching(tick):
        working.fit(*_data())
    assert heard
    done = [(what, count) for what, count, _ in heard]
    assert len(set(done)) == len(done)
    assert all(total is None or 0 <= count <= total for _, count, total in heard)
