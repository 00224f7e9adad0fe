"""Several processes on one study, and studies that someone stops: no cell is lost, none is made for nothing."""

from __future__ import annotations

import re
import signal
import time
from collections import Counter

import pytest

from crash._studies import (
    LONGER,
    N_LONGER,
    PATIENCE,
    assert_one_sentence,
    assert_same_files,
    assert_sound,
    cells_in,
    members,
    real_command,
    server,
    undisturbed,
    until,
)

WAYS = {
    "one": (("--workers", "1"), ()),
    "threads": (("--workers", "2"), (["always", "threads"],)),
    "processes": (("--workers", "2"), (["always", "processes"],)),
}
# Processes load everything anew.
MOSTLY = ["one", "threads", pytest.param("processes", marks=pytest.mark.slow)]
# Far more than any of the tests waits for.
ENDLESS = ("--protocol", "60x10cv")
STOPPED = re.compile(r"Stopped\. (\d+) of 1,202 parts are done and kept in (.+); run the same again to go on\.\n")


def worked_on(notes):
    """How often each cell was begun, and how many each process began."""
    lines = [line.split() for line in notes.read_text().splitlines()]
    return Counter((method, split) for _, method, split in lines), Counter(pid for pid, *_ in lines)


@pytest.mark.parametrize("n_processes", [2, 3])
def test_processes_share_a_study_and_do_hardly_anything_twice(tmp_path, n_processes):
    out, notes = tmp_path / "study", tmp_path / "notes"
    faults = [["slow", 0.04], ["journal", str(notes)]]
    runs = [server().start(out, *LONGER, faults=faults) for _ in range(n_processes)]
    for run in runs:
        assert run.wait() == 0, run.told
    assert_same_files(out, undisturbed(*LONGER).files)
    times, shares = worked_on(notes)
    assert len(times) == N_LONGER
    assert sum(times.values()) < 1.6 * N_LONGER
    assert len(shares) == n_processes
    assert min(shares.values()) > 2


def test_threads_of_two_processes_share_a_study(tmp_path):
    out, notes = tmp_path / "study", tmp_path / "notes"
    options, ways = WAYS["threads"]
    faults = [*ways, ["slow", 0.04], ["journal", str(notes)]]
    runs = [server().start(out, *LONGER, *options, faults=faults) for _ in range(2)]
    for run in runs:
        assert run.wait() == 0, run.told
    assert_same_files(out, undisturbed(*LONGER).files)
    times, _ = worked_on(notes)
    assert sum(times.values()) < 1.6 * N_LONGER


def test_a_process_finishes_what_a_killed_one_began(tmp_path):
    out = tmp_path / "study"
    first, second = (server().start(out, *LONGER, faults=[["slow", 0.02]]) for _ in range(2))
    assert until(lambda: len(cells_in(out)) > 20 or first.is_over())
    first.send(signal.SIGKILL)
    assert first.wait() == -signal.SIGKILL
    assert second.wait() == 0, second.told
    assert_same_files(out, undisturbed(*LONGER).files)


def test_a_newcomer_leaves_the_drafts_of_others_alone(tmp_path):
    out = tmp_path / "study"
    first = server().start(out, faults=[["slow", 0.05]])
    assert until(lambda: len(cells_in(out)) > 1)
    second = server().start(out, faults=[["slow_disk", 0.05]])
    assert until(lambda: len(cells_in(out)) > 8)
    first.send(signal.SIGKILL)
    first.wait()
    while not second.is_over():
        newcomer = server().start(out, faults=[["slow", 5]])
        until(second.is_over, 0.3)
        newcomer.send(signal.SIGKILL)
        newcomer.wait()
    assert second.wait() == 0, second.told


def test_a_newcomer_leaves_a_report_that_is_being_written_alone(tmp_path):
    out = tmp_path / "study"
    assert server().run(out).wait() == 0
    writer = server().start(out, faults=[["slow_disk", 0.4]])
    assert until(lambda: list(out.glob(".*.draft")) or writer.is_over())
    newcomer = server().run(out)
    assert newcomer.wait() == 0, newcomer.told
    assert writer.wait() == 0, writer.told
    assert_same_files(out, undisturbed().files)


def test_processes_of_the_same_number_on_two_machines_share_a_study(tmp_path):
    """In a container every main process is number 1."""
    out = tmp_path / "study"
    runs = [server().start(out, *LONGER, faults=[["number_one"]]) for _ in range(2)]
    codes = [run.wait() for run in runs]
    if 77 in codes:
        pytest.skip("this machine lets nobody number processes anew")
    assert codes == [0, 0], runs[0].told + runs[1].told
    assert_same_files(out, undisturbed(*LONGER).files)


@pytest.mark.parametrize("name", ["ENOSYS", "ENOLCK"])
def test_a_disk_without_locks_serves(tmp_path, name):
    out = tmp_path / "study"
    runs = [server().start(out, faults=[["no_locks", name]]) for _ in range(2)]
    for run in runs:
        assert run.wait() == 0, run.told
    assert_same_files(out, undisturbed().files)


def test_a_study_of_another_plan_cannot_slip_in(tmp_path):
    """Of two that claim a folder at the same moment one has it."""
    for number in range(4):
        out = tmp_path / f"study{number}"
        runs = [server().start(out, "--seed", str(seed), "--protocol", "2cv") for seed in range(3)]
        assert sorted(run.wait() for run in runs) == [0, 5, 5]


def assert_stopped(run, out, code, began):
    assert run.wait() == code, run.told
    # People wait a moment, not minutes; machines under test are slow.
    assert time.monotonic() - began < 60
    found = STOPPED.fullmatch(run.told)
    assert found, run.told
    assert int(found[1]) == len(cells_in(out)) > 3
    assert found[2] == str(out)
    assert run.said == ""
    assert until(lambda: members(run.pid) == [], 60)


@pytest.mark.parametrize("way", WAYS)
def test_a_study_that_is_stopped_says_how_to_go_on(tmp_path, way):
    options, faults = WAYS[way]
    out = tmp_path / "study"
    run = server().start(out, *ENDLESS, *options, faults=faults)
    assert until(lambda: len(cells_in(out)) > 9 or run.is_over())
    began = time.monotonic()
    run.send_all(signal.SIGINT)
    assert_stopped(run, out, 130, began)


@pytest.mark.parametrize("way", MOSTLY)
def test_a_study_that_is_stopped_and_goes_on_ends_as_one_left_in_peace(tmp_path, way):
    options, faults = WAYS[way]
    out = tmp_path / "study"
    for goal in (5, 12):
        run = server().start(out, *options, faults=faults)
        assert until(lambda: len(cells_in(out)) >= goal or run.is_over())  # noqa: B023
        run.send_all(signal.SIGINT)
        assert run.wait() in (130, 0), run.told
        assert "Traceback" not in run.told
        assert_sound(out, undisturbed().files)
    run = server().run(out, *options, faults=faults)
    assert run.wait() == 0, run.told
    assert_same_files(out, undisturbed().files)


@pytest.mark.parametrize("way", MOSTLY)
def test_a_polite_end_of_the_process_is_a_stop_too(tmp_path, way):
    """As a queue's time limit, `kill` or the end of a container send it."""
    options, faults = WAYS[way]
    out = tmp_path / "study"
    run = server().start(out, *ENDLESS, *options, faults=faults)
    assert until(lambda: len(cells_in(out)) > 9 or run.is_over())
    began = time.monotonic()
    run.send(signal.SIGTERM)
    run.wait()
    assert_stopped(run, out, run.wait(), began)
    assert run.wait() in (130, 143)


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.0, 0.4, 0.8, 1.2, 1.6])
def test_a_study_stopped_while_its_processes_start_shows_no_traceback(tmp_path, moment):
    options, faults = WAYS["processes"]
    out = tmp_path / "study"
    run = server().start(out, *ENDLESS, *options, faults=faults)
    # On all samples and one split by each method; then processes are started.
    assert until(lambda: len(cells_in(out)) > 3 or run.is_over())
    time.sleep(moment)
    began = time.monotonic()
    run.send_all(signal.SIGINT)
    assert_stopped(run, out, 130, began)


@pytest.mark.slow
def test_impatient_people_harm_nothing(tmp_path):
    options, faults = WAYS["processes"]
    out = tmp_path / "study"
    run = server().start(out, *options, faults=faults)
    assert until(lambda: len(cells_in(out)) > 9 or run.is_over())
    for _ in range(3):
        run.send_all(signal.SIGINT)
        until(run.is_over, 0.1)
    run.wait()
    assert until(lambda: members(run.pid) == [], 60)
    assert_sound(out, undisturbed().files)


def test_a_study_without_a_folder_says_that_its_cells_are_lost(tmp_path):
    notes = tmp_path / "notes"
    run = server().start(None, *ENDLESS, faults=[["journal", str(notes)]])
    assert until(lambda: notes.exists() and len(notes.read_text()) > 50)
    run.send_all(signal.SIGINT)
    assert run.wait() == 130, run.told
    assert_one_sentence(run, "Stopped.", "lost", "--out")


def test_the_real_command_stops_as_the_quick_one(tmp_path):
    out = tmp_path / "study"
    process = real_command(out, *ENDLESS, "--workers", "2")
    assert until(lambda: len(cells_in(out)) > 9 or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    said, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, told
    assert said == ""
    assert STOPPED.fullmatch(told), told
    assert until(lambda: members(process.pid) == [], 60)
