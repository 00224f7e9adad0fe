"""Dask clusters on this machine, as someone would start them by hand, whose parts can be killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager

from crash._studies import environment, until


class Cluster:
    """A scheduler and workers."""

    def __init__(self, folder, stack):
        self._folder, self._stack = folder, stack
        known = folder / "scheduler.json"
        self.scheduler = self._started(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(known)
        )
        assert until(lambda: _address(known) or self.scheduler.poll() is not None)
        self.address = _address(known)
        self.workers = []

    def add_workers(self, number):
        """Start workers and wait until the scheduler knows them."""
        options = ("--no-nanny", "--no-dashboard", "--nthreads", "1", "--host", "127.0.0.1")
        self.workers += [self._started("dask_worker", self.address, *options) for _ in range(number)]
        assert until(lambda: self._log_of("dask_scheduler").count("Register worker") >= len(self.workers), every=0.05)

    def _started(self, name, *options):
        with open(self._folder / f"{name}.log", "a") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{name}", *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=environment(),
            )
        self._stack.callback(lost, process)
        return process

    def _log_of(self, name):
        return (self._folder / f"{name}.log").read_text()


@contextmanager
def a_cluster(folder):
    """A scheduler without workers; nothing of it is left behind."""
    folder.mkdir()
    with ExitStack() as stack:
        yield Cluster(folder, stack)


def lost(process):
    """Kill a part of a cluster, if it is still there."""
    process.send_signal(signal.SIGKILL)
    process.wait()


def _address(known):
    try:
        return json.loads(known.read_text())["address"]
    except (OSError, ValueError):
        return None
