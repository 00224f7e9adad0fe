"""Running the commands on bad input, and what an answer to it has to be."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from typer.main import get_command

from holdfast.cli.app import app

# Made once: making it takes longer than most refusals.
COMMAND = get_command(app)

SETTINGS = {
    "check": (),
    "select": ("-m", "f-test", "-k", "1", "--repeats", "2"),
    "compare": ("--methods", "f-test", "--sizes", "1", "--classifiers", "nb", "--protocol", "holdout"),
}
SHORT = {"-k": "--sizes", "-m": "--methods"}

# What a message may hold only where a user typed it: parameters, types and functions of Python.
PYTHON = re.compile(
    r"\b(n_features_to_select|genes_in|target|labels|methods|sizes|classifiers|protocol|groups|seed|impute|positive|"
    r"prior|out|workers|cluster|so_far|tune_size|discretizer|n_jobs|random_state|aliases|probes|sets|allow_pickle)="
    r"|\w+\(\)|NoneType|__\w+__|\b[A-Z]\w+Error\b|\bnp\.|\bmapping\b|\b(is|but|was|came|not) None\b|None there"
)


class Answer(NamedTuple):
    """What a command said, and how it ended."""

    exit_code: int
    stdout: str
    stderr: str


def run(*arguments):
    """Run the command in this process."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            COMMAND.main([str(argument) for argument in arguments], prog_name="holdfast")
        except SystemExit as stop:
            code = stop.code or 0
    return Answer(code, out.getvalue(), err.getvalue())


def command_line(command, *flags):
    """The settings of a command with some replaced or added; what it would write goes to a new folder."""
    settings = list(SETTINGS[command])
    for flag in flags:
        known = SHORT.get(flag, flag) if command == "compare" else flag
        if str(known).startswith("-") and known in settings:
            place = settings.index(known)
            del settings[place : place + 2]
    out = [] if command == "check" or "--out" in flags else ["--out", "new"]
    return [*settings, *flags, *out]


def assert_refused(result, code, words="", typed=()):
    """One sentence on stderr that speaks the user's language, an exit code of its own, and an empty stdout."""
    assert result.exit_code == code, result
    assert result.stdout == ""
    said = result.stderr.strip().splitlines()
    assert said[-1].startswith(("error: ", "Error: ")), result.stderr
    if said[-1].startswith("Error"):
        assert {line.split()[0] for line in said[:-1] if line} <= {"Usage:", "Try"}
    else:
        assert [line for line in said[:-1] if not line.startswith("warning: ")] == []
    assert words in said[-1]
    assert len(said[-1]) < 800
    assert said[-1].endswith((".", ")", "?", "'")) or "Error" in said[-1], said[-1]
    told = " ".join(map(str, typed))
    assert [found[0] for found in PYTHON.finditer(said[-1]) if found[0] not in told] == []
