"""A study killed at any moment goes on where it stopped and ends as one that nothing happened to."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time

import pytest

from crash._studies import (
    LONGER,
    assert_same_files,
    assert_sound,
    cells_in,
    members,
    n_cells,
    real_command,
    server,
    undisturbed,
    until,
)

THREADS, PROCESSES = (["always", "threads"],), (["always", "processes"],)


def kill_again_and_again(out, n_kills, draw, *options, faults=()):
    """Start and kill so many times: at the start, among the cells, behind the last of them; cells after each kill."""
    peace, total = undisturbed(*(option for option in options if option in LONGER)), n_cells(options)
    n_late = max(2, n_kills // 8)
    step = max(1, total // (n_kills - n_late))
    found = []
    for number in range(n_kills):
        run = server().start(out, *options, faults=faults)
        before = len(cells_in(out))
        if number >= n_kills - n_late:
            until(lambda: len(cells_in(out)) == total or run.is_over())  # noqa: B023
            time.sleep(draw.uniform(0, peace.to_end - peace.to_last_cell))
        elif number % 4 == 0:
            time.sleep(draw.uniform(0, peace.to_first_cell))
        else:
            goal = min(total - 1, before + draw.randrange(1, 2 * step + 1))
            until(lambda: len(cells_in(out)) >= goal or run.is_over())  # noqa: B023
            time.sleep(draw.uniform(0, (peace.to_last_cell - peace.to_first_cell) / total))
        run.send(signal.SIGKILL)
        assert run.wait() in (-signal.SIGKILL, 0), run.told
        _end_orphans(run.pid)
        assert_sound(out, peace.files)
        found.append(len(cells_in(out)))
    return found


def _end_orphans(group):
    """End worker processes, which wait some minutes for one that was killed and are never told."""
    for pid in members(group):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def assert_hit_while_cells_were_made(found, total):
    """Kills are only worth something where the number of cells grows from one to the next, and most find work open."""
    assert found == sorted(found)
    assert len(set(found)) > len(found) // 3, found
    assert sum(0 < number < total for number in found) > len(found) // 3, found


def test_a_study_killed_a_dozen_times_ends_as_one_left_in_peace(tmp_path, seed):
    out = tmp_path / "study"
    found = kill_again_and_again(out, 12, random.Random(seed))
    assert_hit_while_cells_were_made(found, n_cells(()))
    run = server().run(out)
    assert run.wait() == 0, run.told
    assert_same_files(out, undisturbed().files)


def test_the_real_command_killed_at_work_goes_on(tmp_path):
    out = tmp_path / "study"
    process = real_command(out, *LONGER)
    assert until(lambda: len(cells_in(out)) > 10 or process.poll() is not None)
    process.kill()
    process.communicate()
    assert 10 < len(cells_in(out)) < n_cells(LONGER)
    assert_sound(out, undisturbed(*LONGER).files)
    assert server().run(out, *LONGER).wait() == 0
    assert_same_files(out, undisturbed(*LONGER).files)


@pytest.mark.slow
def test_the_real_command_killed_anywhere_ends_with_a_whole_report(tmp_path, seed):
    out, draw = tmp_path / "study", random.Random(seed)
    for longest in (4.0, 6.0, 8.0, 10.0, 12.0, 12.0):
        process = real_command(out)
        until(lambda: process.poll() is not None, draw.uniform(0, longest))  # noqa: B023
        process.kill()
        process.communicate()
        assert_sound(out, undisturbed().files)
    process = real_command(out)
    _, told = process.communicate()
    assert process.returncode == 0, told
    assert_same_files(out, undisturbed().files)
    assert (out / "report.html").read_text().rstrip().endswith("</html>")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "faults"),
    [((), ()), (("--workers", "2"), THREADS), (("--workers", "2"), PROCESSES)],
    ids=["one worker", "threads", "processes"],
)
def test_a_study_killed_fifty_times_ends_as_one_left_in_peace(tmp_path, seed, options, faults):
    out = tmp_path / "study"
    found = kill_again_and_again(out, 50, random.Random(seed), *LONGER, *options, faults=faults)
    assert_hit_while_cells_were_made(found, n_cells(LONGER))
    run = server().run(out, *LONGER, *options, faults=faults)
    assert run.wait() == 0, run.told
    assert_same_files(out, undisturbed(*LONGER).files)
