"""The real command in a real process: pipes, terminals, closed readers."""

import json
import os
import subprocess
import sys

import pytest

HOLDFAST = [sys.executable, "-c", "from holdfast.cli.app import main; main()"]


def run(*arguments, **options):
    command = [*HOLDFAST, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def in_terminal(*arguments, env=None):
    """What the command writes to a terminal of 80 columns, stdout and stderr together."""
    pty = pytest.importorskip("pty")
    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", **(env or {})}
    environment.pop("NO_COLOR", None) if not env else None
    process = subprocess.Popen([*HOLDFAST, *map(str, arguments)], stdout=child, stderr=child, env=environment)
    os.close(child)
    written = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:
            break
        if not part:
            break
        written += part
    os.close(parent)
    assert process.wait() == 0
    return written.decode()


def test_piped_output_has_no_progress_and_no_colour(table):
    result = run("select", table, "--target", "state", "-k", 3, "--repeats", 5)
    assert result.returncode == 0
    assert result.stderr == ""
    assert "\x1b" not in result.stdout
    assert "\r" not in result.stdout


def test_json_is_all_there_is_on_stdout(table):
    result = run("select", table, "--target", "state", "-k", 3, "--repeats", 5, "--json")
    assert json.loads(result.stdout)["selected"]


def test_a_terminal_gets_progress_and_colour(table):
    written = in_terminal("select", table, "--target", "state", "-k", 3)
    assert "Half-samples" in written
    assert "\x1b[1m" in written


def test_quiet_draws_no_progress_on_a_terminal(table):
    assert "Half-samples" not in in_terminal("select", table, "--target", "state", "-k", 3, "-q")


def test_no_color_is_honoured_on_a_terminal(table):
    written = in_terminal("select", table, "--target", "state", "-k", 3, "-q", env={"NO_COLOR": "1"})
    assert "\x1b[32m" not in written
    assert "\x1b[31m" not in written
    assert "gene" in written


@pytest.mark.parametrize("arguments", [("methods",), ("--help",), ("methods", "--cite")])
def test_a_closed_reader_ends_quietly(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen([*HOLDFAST, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    _, said = process.communicate()
    assert "Traceback" not in said
    assert "Exception" not in said
    assert process.returncode == 0


@pytest.mark.parametrize("closed", ["stdout", "stderr", "stdout and stderr"])
@pytest.mark.parametrize(("file", "code"), [("blood.csv", 0), ("gone.csv", 3)])
def test_a_closed_stream_changes_no_exit_code(table, tmp_path, closed, file, code):
    def close():
        for number, name in ((1, "stdout"), (2, "stderr")):
            if name in closed:
                os.close(number)

    result = run("select", tmp_path / file, "--target", "state", "-k", 3, "--repeats", 2, preexec_fn=close)
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr
    assert "NoneType" not in result.stderr
    assert bool(result.stdout) == ("stdout" not in closed and code == 0)
    assert bool(result.stderr) == ("stderr" not in closed and code == 3)


def test_an_ascii_terminal_does_not_stop_the_command(table):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    result = run("select", table, "--target", "state", "-k", 3, "--repeats", 5, env=environment)
    assert result.returncode == 0
    assert "gene" in result.stdout


def test_an_error_is_one_line_on_stderr(tmp_path):
    result = run("select", tmp_path / "gone.csv", "--target", "state")
    assert (result.returncode, result.stdout) == (3, "")
    assert result.stderr.startswith("error: ")
    assert len(result.stderr.splitlines()) == 1
