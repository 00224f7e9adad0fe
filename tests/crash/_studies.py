"""Studies to be killed, starved and shared: `holdfast compare`, or another command, in children that cost no start-up.

A server, this file run as a script, loads everything once and forks a child for each command, which is the real command
line with its own streams, process group and exit code. Faults are laid into a child by name before it starts.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import errno
import gc
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

PATIENCE = 240.0
KEPT = ("results.csv", "stability.csv", "features.csv", "comparisons.csv")
OPTIONS = ("--target", "class", "--methods", "f-test,mrmr+", "--sizes", "3,6", "--classifiers", "nb",
           "--protocol", "4x5cv")  # fmt: skip
N_CELLS = 2 * (1 + 20)
LONGER, N_LONGER = ("--protocol", "10x5cv"), 2 * (1 + 50)


class Run:
    """A command that was started."""

    def __init__(self, server, pid, said, told):
        self.server, self.pid, self._said, self._told = server, pid, said, told
        self._code = None

    @property
    def said(self):
        """What it wrote to stdout."""
        return self._said.read_text(errors="replace")

    @property
    def told(self):
        """What it wrote to stderr."""
        return self._told.read_text(errors="replace")

    def send(self, number):
        os.kill(self.pid, number)

    def send_all(self, number):
        """Signal the process and all that it started, as a terminal does."""
        os.killpg(self.pid, number)

    def wait(self):
        """Its exit code, or the number of the signal that ended it, negative."""
        if self._code is None:
            self._code = self.server.ask(do="wait", pid=self.pid)["code"]
        return self._code

    def is_over(self):
        return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


class Server:
    """Starts commands; everything is loaded and compiled already."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="holdfast-crash-"))
        self.folder.chmod(0o755)
        self.data = made_table(self.folder / "table.csv")
        self._n_runs = 0
        self._process = subprocess.Popen(
            # Python warns of forks beside threads; those that wait in the algebra library do no harm.
            [sys.executable, "-W", "ignore::DeprecationWarning", __file__, str(self.data)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        assert self._process.stdout.readline() == "ready\n"

    def close(self):
        with contextlib.suppress(OSError):
            self._process.communicate(timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, **what):
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def start(self, out, *options, faults=(), data=None):
        """Begin `holdfast compare` with a study in ``out``; each fault is a name of FAULTS and its arguments."""
        place = () if out is None else ("--out", str(out))
        return self.command("compare", str(data or self.data), *OPTIONS, *options, *place, faults=faults)

    def command(self, *command, faults=()):
        """Begin any command."""
        self._n_runs += 1
        said, told = (self.folder / f"{self._n_runs}.{name}" for name in ("out", "err"))
        answer = self.ask(do="start", command=list(command), faults=list(faults), said=str(said), told=str(told))
        return Run(self, answer["pid"], said, told)

    def run(self, out, *options, faults=(), data=None):
        """Run `holdfast compare` to its end."""
        run = self.start(out, *options, faults=faults, data=data)
        run.wait()
        return run


@cache
def server():
    """The server of this process, started at first need."""
    made = Server()
    atexit.register(made.close)
    return made


@dataclass(frozen=True)
class Undisturbed:
    """A study that nothing happened to: files that never differ by name, and seconds that it took."""

    files: dict[str, bytes]
    to_first_cell: float
    to_last_cell: float
    to_end: float


@cache
def undisturbed(*options):
    """Run a study in peace, once."""
    out = server().folder / f"undisturbed-{len(options)}"
    began = time.monotonic()
    run = server().start(out, *options)
    until(lambda: cells_in(out) or run.is_over())
    first = time.monotonic() - began
    last = first
    while not run.is_over():
        if not (out / "report.json").exists() and len(cells_in(out)) < n_cells(options):
            last = time.monotonic() - began
        time.sleep(0.005)
    end = time.monotonic() - began
    assert run.wait() == 0, run.told
    return Undisturbed(files_of(out), first, last, end)


def n_cells(options):
    """Cells of a study with these options."""
    return N_LONGER if "10x5cv" in options else N_CELLS


def environment():
    """Variables for a child."""
    return {**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "100"}


def real_command(out, *options):
    """Start `holdfast compare` as a user does, page and all, in a process group of its own."""
    # A shell that runs tests in the background has them ignore Ctrl-C.
    script = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from holdfast.cli.app import main; main()"
    )
    command = [sys.executable, "-c", script, "compare", str(server().data)]
    return subprocess.Popen(
        [*command, *OPTIONS, *options, "--out", str(out)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )


def made_table(place, n_samples=60, n_features=120, seed=0):
    """Write a table of two classes."""
    import numpy as np

    rng = np.random.default_rng([seed, n_samples, n_features])
    classes = np.arange(n_samples) % 2
    X = rng.normal(size=(n_samples, n_features))
    X[:, :8] += 0.9 * classes[:, None]
    names = [f"G{j:03d}" for j in range(n_features)]
    rows = [",".join(["id", *names, "class"])]
    for i, row in enumerate(X):
        rows.append(",".join([f"S{i:03d}", *(f"{value:.6f}" for value in row), ("normal", "tumor")[classes[i]]]))
    place.write_text("\n".join(rows) + "\n")
    place.chmod(0o644)
    return place


def files_of(folder):
    """What two studies of one plan share to the last bit: the plan, the cells and the report but for the costs."""
    found = {"plan.json": (folder / "plan.json").read_bytes()}
    found |= {str(cell.relative_to(folder)): cell.read_bytes() for cell in sorted((folder / "cells").rglob("*.json"))}
    found |= {name: (folder / name).read_bytes() for name in KEPT}
    report = json.loads((folder / "report.json").read_text())
    del report["costs"], report["classifier_seconds"]
    found["report.json"] = json.dumps(report, sort_keys=True).encode()
    return found


def cells_in(folder):
    """Cells that are done, by name."""
    return sorted(str(cell.relative_to(folder)) for cell in (folder / "cells").glob("*/*.json"))


def drafts_in(folder):
    """What a killed process left half-done."""
    return sorted(str(place.relative_to(folder)) for place in folder.rglob("*.draft"))


def assert_same_files(folder, expected):
    """Compare with an undisturbed study, byte by byte, and find nothing half-done."""
    found = files_of(folder)
    assert sorted(found) == sorted(expected)
    assert [name for name in found if found[name] != expected[name]] == []
    assert drafts_in(folder) == []


def assert_sound(folder, expected):
    """A study that was killed holds what is whole or nothing at all."""
    plan = folder / "plan.json"
    if plan.exists():
        assert plan.read_bytes() == expected["plan.json"]
    for name in cells_in(folder):
        assert (folder / name).read_bytes() == expected[name], name
    for cost in (folder / "costs").glob("*/*.json"):
        assert isinstance(json.loads(cost.read_text()), dict)
    if (folder / "report.json").exists():
        json.loads((folder / "report.json").read_text())


def assert_one_sentence(run, *words):
    """The command ended in an error for people: no traceback, and every word is there."""
    lines = [line for line in run.told.splitlines() if line.strip()]
    assert "Traceback" not in run.told
    assert "bug in holdfast" not in run.told, run.told
    assert len(lines) == 1, run.told
    for word in words:
        assert word in lines[0], lines[0]


def until(is_so, seconds=PATIENCE, every=0.002):
    """Wait for something; whether it came."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(every)
    return bool(is_so())


def members(group):
    """Processes of a group that still do something, by id."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, of_group = place.read_text().rpartition(")")[2].split()[:3]
            if int(of_group) == group and state not in "ZX":
                found.append(int(place.parent.name))
    return found


def no_page():
    """Draw no charts, which takes longer than a small study; for all children of the server."""
    # The package has a function of the module's name.
    import_module("holdfast.report.study.write").page = lambda summary, theme: "<html></html>\n"


def small_files(n_bytes):
    """Have the system refuse to write past so many bytes of a file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))


def user(number):
    """Become someone without rights to everything."""
    os.setgroups([])
    os.setgid(number)
    os.setuid(number)


def inside(number):
    """See the disks that another process sees."""
    disks = os.open(f"/proc/{number}/ns/mnt", os.O_RDONLY)
    assert ctypes.CDLL(None).setns(disks, 0) == 0


def number_one():
    """Be process number 1 of a machine of its own; 77 tells that this cannot be done."""
    new_numbers = 0x20000000
    if ctypes.CDLL(None).unshare(new_numbers) != 0:
        os._exit(77)
    pid = os.fork()
    if pid:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    assert os.getpid() == 1


def full_disk(where, after, name="ENOSPC"):
    """Have the disk be full at a write, a sync or a rename, once so many went well."""
    n_left = after

    def refuse():
        nonlocal n_left
        n_left -= 1
        if n_left < 0:
            code = getattr(errno, name)
            raise OSError(code, os.strerror(code))

    def wrapped(function):
        def refusing(*arguments, **options):
            refuse()
            return function(*arguments, **options)

        return refusing

    if where == "write":

        def opened(place, mode="r", **options):
            file = open(place, mode, **options)  # noqa: SIM115
            return _Refusing(file, refuse) if "w" in mode else file

        import_module("holdfast._files").open = opened
    else:
        setattr(os, where, wrapped(getattr(os, where)))


class _Refusing:
    """A file whose disk may be full."""

    def __init__(self, file, refuse):
        self._file, self._refuse = file, refuse

    def __enter__(self):
        self._file.__enter__()
        return self

    def __exit__(self, *error):
        self._file.__exit__(*error)

    def __getattr__(self, name):
        return getattr(self._file, name)

    def write(self, text):
        self._file.write(text[: len(text) // 2])
        self._refuse()
        return self._file.write(text[len(text) // 2 :])


def no_locks(name):
    """Have the disk know no locks."""
    import fcntl

    def refuse(*arguments):
        code = getattr(errno, name)
        raise OSError(code, os.strerror(code))

    fcntl.flock = refuse


def always(what):
    """Share work by "threads" or "processes", however much there is."""
    from holdfast.evaluate import run

    run._WORTH_PROCESSES = {"threads": float("inf"), "processes": 0.0}[what]
    run._MOSTLY = 2.0


def slow(seconds):
    """Have every cell of this process take at least so long."""
    from holdfast.evaluate import run

    quick = run.evaluate_cell

    def slowed(*cell):
        time.sleep(seconds)
        return quick(*cell)

    run.evaluate_cell = slowed


def slow_disk(seconds):
    """Have every sync take at least so long, as on a disk that machines share."""
    quick = os.fsync

    def slowed(number):
        time.sleep(seconds)
        quick(number)

    os.fsync = slowed


def journal(place):
    """Note every cell that is worked on in a file."""
    from holdfast.evaluate import run

    plain = run.evaluate_cell
    notes = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)

    def noted(plan, *cell):
        os.write(notes, f"{os.getpid()} {cell[0]} {cell[1]}\n".encode())
        return plain(plan, *cell)

    run.evaluate_cell = noted


def followed(place):
    """Note in a file how far the command is."""

    @contextlib.contextmanager
    def progress(messages):
        with open(place, "a", buffering=1) as notes:
            yield lambda what, done, total: notes.write(f"{what}\t{done}\t{total or 0}\n")

    import_module("holdfast.cli._terminal").Messages.progress = progress


FAULTS = {
    "small_files": small_files,
    "user": user,
    "inside": inside,
    "number_one": number_one,
    "full_disk": full_disk,
    "no_locks": no_locks,
    "always": always,
    "slow": slow,
    "slow_disk": slow_disk,
    "journal": journal,
    "followed": followed,
}


def _serve(data):
    """Answer requests until there are no more; returns in children, whose last words are those of the command."""
    _warm_up(data)
    gc.freeze()
    print("ready", flush=True)
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "start":
            pid = os.fork()
            if pid == 0:
                _become(ask)
                return
            os.setpgid(pid, pid)
            print(json.dumps({"pid": pid}), flush=True)
        else:
            code = os.waitstatus_to_exitcode(os.waitpid(ask["pid"], 0)[1])
            print(json.dumps({"code": code}), flush=True)


def _become(ask):
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for stream, place in enumerate((os.devnull, ask["said"], ask["told"])):
        os.dup2(os.open(place, os.O_RDONLY if stream == 0 else os.O_WRONLY | os.O_CREAT, 0o644), stream)
    for name, *arguments in ask["faults"]:
        FAULTS[name](*arguments)
    sys.argv = ["holdfast", *ask["command"]]
    from holdfast.cli.app import main

    main()


def _warm_up(data):
    """Load and compile all that a study needs; it starts no threads, which a fork would lose."""
    import io

    from holdfast.cli.app import app

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        no_page()
        app(
            ["compare", data, *OPTIONS, "--protocol", "2cv", "--quiet", "--out", folder + "/study"],
            prog_name="holdfast",
            standalone_mode=False,
        )


if __name__ == "__main__":
    _serve(sys.argv[1])
