"""One adapter in a process of its own, bounded in time and memory."""

import json
import os
import selectors
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks import peers
from benchmarks.tasks import Entry

ADAPTERS = Path(__file__).parent / "adapters"
OURS = {"holdfast", "reference-numpy", "scikit-learn"}
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "RAYON_NUM_THREADS",
)
LOOK_EVERY_SECONDS = 0.2


@dataclass(frozen=True)
class Bounds:
    """How long and how often a run may take."""

    seconds: float = 60.0
    gigabytes: float = 8.0
    repeats: int = 3
    at_most: int = 15
    worth_seconds: float = 2.0  # short runs are repeated beyond ``repeats`` until they add up to this
    n_threads: int = 1

    def wants_more(self, seconds: list[float]) -> bool:
        """Three runs at least, one alone when it took a third of the bound, more when they are short."""
        if not seconds:
            return True
        if max(seconds) > self.seconds / self.repeats:
            return False
        if len(seconds) < self.repeats:
            return True
        return len(seconds) < self.at_most and sum(seconds) < self.worth_seconds


class NoAnswerError(Exception):
    """The process gave no answer within its bounds; the text says why."""


def environment(n_threads: int, scratch: Path) -> dict[str, str]:
    """Everybody gets the same number of threads, one unless told otherwise."""
    threads = dict.fromkeys(THREAD_VARIABLES, str(n_threads))
    weka = {"HOLDFAST_BENCH_SCRATCH": str(scratch)}
    for name in peers.WEKAS:
        prefix = name.upper().replace("-", "_")
        weka[f"{prefix}_CLASSPATH"] = peers.weka_classpath(name)
        weka[f"{prefix}_VERSION"] = peers.installed()[name].get("version", "")
    return {**os.environ, **threads, **weka, "PYTHONWARNINGS": "ignore"}


class Runner:
    """A started adapter; ``run`` does one timed run, ``finish`` collects picks and memory."""

    def __init__(self, entry: Entry, problem: Path, bounds: Bounds):
        self.entry, self.bounds = entry, bounds
        self.seconds: list[float] = []
        self.peak_bytes = 0
        name = f"{entry.peer}-{entry.method}".replace("/", "-").replace(" ", "-")
        self.result = problem.with_name(f"{name}.json")
        self.errors = problem.with_name(f"{name}.err")
        python = Path(sys.executable) if entry.peer in OURS else peers.peer_python(entry.peer)
        adapter = ADAPTERS / f"{entry.peer.replace('-', '_')}_adapter.py"
        with open(self.errors, "w") as errors:
            self.process = subprocess.Popen(
                [python, adapter, entry.method, problem, self.result, "--steps"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment(bounds.n_threads, problem.parent),
                start_new_session=True,
            )
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self._unread = b""

    def wait_until_ready(self, seconds: float) -> None:
        """Imports, loading, conversion and a tiny warm-up; compilation falls in here."""
        self._answer(seconds, f"start took over {seconds:.0f} s")

    def run(self) -> float:
        """One run on the real problem."""
        self._say("run")
        taken = float(self._answer(self.bounds.seconds, f"> {self.bounds.seconds:.0f} s")["seconds"])
        self.seconds.append(taken)
        return taken

    def finish(self) -> dict:
        """Picks, version, seconds and peak memory of a process that answered."""
        self._say("stop")
        self._answer(30, "did not finish")
        result = json.loads(self.result.read_text())
        result["peak_megabytes"] = max(result["peak_megabytes"], round(self.peak_bytes / 2**20, 1))
        self.end()
        return result

    def end(self) -> None:
        """Stop the process and what it started; safe to call twice."""
        for process in self._family():
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def _family(self) -> list[psutil.Process]:
        try:
            parent = psutil.Process(self.process.pid)
            return [*parent.children(recursive=True), parent]
        except psutil.NoSuchProcess:
            return []

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise NoAnswerError(self._last_error()) from None

    def _answer(self, seconds: float, too_late: str) -> dict:
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._unread:
                if time.monotonic() > deadline:
                    raise NoAnswerError(too_late)
                self._check_memory()
                if waiting.select(LOOK_EVERY_SECONDS):
                    piece = self.process.stdout.read()
                    if piece == b"":
                        self.process.wait()
                        raise NoAnswerError(self._last_error())
                    self._unread += piece or b""
        line, _, self._unread = self._unread.partition(b"\n")
        return json.loads(line)

    def _check_memory(self) -> None:
        used = 0
        for process in self._family():
            try:
                used += process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        self.peak_bytes = max(self.peak_bytes, used)
        if used > self.bounds.gigabytes * 2**30:
            raise NoAnswerError(f"> {self.bounds.gigabytes:g} GB")

    def _last_error(self) -> str:
        lines = [line.strip() for line in self.errors.read_text(errors="replace").splitlines() if line.strip()]
        return "failed: " + (lines[-1][:160] if lines else f"exit code {self.process.returncode}")
