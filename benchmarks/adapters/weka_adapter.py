"""Weka: runs inside Java, which keeps the clock, so that the start of the virtual machine is not counted."""

import os
import subprocess
import tempfile
from pathlib import Path

from _run import Timed, serve

PROGRAM = Path(__file__).with_name("WekaBench.java")
HEAP = "-Xmx6g"


def write_arff(path, table, y, is_discrete):
    """One row a sample, class last; codes as nominal attributes."""
    kind = "{0,1,2}" if is_discrete else "numeric"
    with open(path, "w") as out:
        out.write("@relation problem\n")
        out.writelines(f"@attribute f{column} {kind}\n" for column in range(table.shape[1]))
        out.write("@attribute class {0,1}\n@data\n")
        for row, label in zip(table.tolist(), y.tolist(), strict=True):
            out.write(",".join(map(repr, row)) + f",{label}\n")


class Weka:
    """One Java process with the data loaded; each call is one run."""

    def __init__(self, method, table, y, is_discrete, n_select=None, classpath="WEKA_CLASSPATH"):
        self.n_select = n_select
        self.folder = tempfile.TemporaryDirectory(dir=os.environ.get("HOLDFAST_BENCH_SCRATCH"))
        folder = self.folder.name
        arff = Path(folder) / "problem.arff"
        write_arff(arff, table, y, is_discrete)
        # One thread, as for everybody: a serial collector and no pool.
        command = ["java", HEAP, "-XX:+UseSerialGC", f"-Duser.home={folder}", "-Djava.awt.headless=true",
                   "-cp", os.environ[classpath], str(PROGRAM), method, str(arff)]  # fmt: skip
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"WEKA_HOME": folder},
        )
        self._answer_starting("ready")

    def __call__(self):
        self.process.stdin.write("run\n")
        self.process.stdin.flush()
        seconds, *picks = self._answer_starting("").split()
        return Timed(picks[: self.n_select], float(seconds))

    def _answer_starting(self, beginning):
        for line in self.process.stdout:
            if line.startswith(beginning):
                return line
        raise RuntimeError("Weka ended without an answer")


def on_codes(method, is_ranking=False):
    return lambda problem: Weka(method, problem.codes, problem.y, True, problem.n_select if is_ranking else None)


def on_numbers(method, is_ranking=False):
    return lambda problem: Weka(method, problem.X, problem.y, False, problem.n_select if is_ranking else None)


METHODS = {
    "cfs/greedy": on_codes("cfs-greedy"),
    "cfs/best first": on_codes("cfs-best-first"),
    "cfs-mdl/greedy": on_numbers("cfs-greedy"),
    "mi-ranking": on_codes("information-gain", is_ranking=True),
    "relieff": on_numbers("relieff", is_ranking=True),
}

if __name__ == "__main__":
    serve("weka", METHODS, os.environ["WEKA_VERSION"])
