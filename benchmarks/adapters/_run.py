"""What every adapter shares: loading the problem, warming up, timing, reporting.

An adapter runs in its peer's own environment, so this module needs numpy and nothing else::

    python orange_adapter.py fcbf problem.npz result.json               # times three runs by itself
    python orange_adapter.py fcbf problem.npz result.json --steps       # one run per line "run" on stdin

With ``--steps`` the answers go to stdout, one JSON object a line, so that peers can take turns.
"""

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

import numpy as np


@dataclass(frozen=True)
class Problem:
    """X for tasks on real numbers, codes (0, 1, 2) for discrete ones, a binary y."""

    X: np.ndarray
    codes: np.ndarray
    y: np.ndarray
    n_select: int
    halves: Sequence[np.ndarray] = ()  # rows of each repetition, where a selection is repeated

    def tiny(self):
        """A corner of the problem, enough to compile and to load what loads late."""
        halves = [rows[rows < 60] for rows in self.halves[:2]]
        return Problem(self.X[:60, :40].copy(), self.codes[:60, :40].copy(), self.y[:60], min(5, self.n_select), halves)

    def part(self, rows):
        """The problem on some of the samples."""
        return Problem(self.X[rows], self.codes[rows], self.y[rows], self.n_select)


@dataclass(frozen=True)
class Timed:
    """The answer of a peer that keeps its own clock (Weka, inside Java)."""

    picks: list
    seconds: float


def top(scores, n_select):
    """The columns of the largest scores, best first, the lowest index first among equals."""
    return np.argsort(-np.asarray(scores), kind="stable")[:n_select]


def range_scaled(X):
    """Every column from 0 to 1, for programs that leave this to their user."""
    lowest = X.min(axis=0)
    return (X - lowest) / (X.max(axis=0) - lowest)


def over_halves(prepare):
    """A method on every half in turn, as a plain loop does it: what it picks most often, best first."""

    def prepare_all(problem):
        def call():
            counts = np.zeros(problem.X.shape[1])
            for rows in problem.halves:
                counts[prepare(problem.part(rows))()] += 1
            return top(counts, problem.n_select)

        return call

    return prepare_all


def in_millionths(*values):
    """Numbers as picks, so that programs whose numbers agree have the same picks."""
    return [round(1e6 * float(value)) for value in values]


def index_of_runs(index):
    """A stability index of the table of runs that stands in place of X."""
    return lambda problem: lambda: in_millionths(index(problem.X))


def _once(call):
    start = time.perf_counter()
    answer = call()
    seconds = time.perf_counter() - start
    if isinstance(answer, Timed):
        return answer.seconds, [int(pick) for pick in answer.picks]
    return seconds, [int(pick) for pick in answer]


def _private_stdout():
    """Keep stdout for our own lines: some peers print from C, straight into the descriptor."""
    sys.stdout.flush()
    ours = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    return ours


def _steps(say):
    """One step per line on stdin, until "stop" or the end of it."""
    say(ready=True)
    for line in sys.stdin:
        if line.strip() != "run":
            return
        yield


def peak_megabytes():
    """The highest resident memory of this process; what it started is watched from outside."""
    try:
        # ru_maxrss would count the memory of the parent, too: Linux hands it down at exec.
        with open("/proc/self/status") as status:
            kilobytes = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(kilobytes / 1024, 1)


def _version(distribution):
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "source"


def serve(distribution, methods, peer_version=None):
    """Run the method the command line asks for; ``methods`` maps a task to a function of a problem.

    That function prepares what the peer wants (types, data frames) outside the clock and gives back a call
    without arguments, which is timed and answers with the picks, best first.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("method", choices=sorted(methods))
    parser.add_argument("problem")
    parser.add_argument("result")
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    lines = _private_stdout()

    def say(**fields):
        lines.write(json.dumps(fields) + "\n")

    with np.load(asked.problem) as stored:
        halves = stored.get("halves", ())
        problem = Problem(stored["X"], stored["codes"], stored["y"], int(stored["n_select"]), halves)
    prepare = methods[asked.method]
    _once(prepare(problem.tiny()))
    call = prepare(problem)
    seconds, picks, answers = [], [], set()
    for _ in _steps(say) if asked.steps else range(asked.repeats):
        taken, picks = _once(call)
        seconds.append(taken)
        answers.add(tuple(picks))
        say(seconds=taken)
    result = {
        "version": peer_version or _version(distribution),
        "seconds": seconds,
        "picks": picks,
        "n_different_answers": len(answers),
        "peak_megabytes": peak_megabytes(),
    }
    with open(asked.result, "w") as out:
        json.dump(result, out)
    say(done=True)
