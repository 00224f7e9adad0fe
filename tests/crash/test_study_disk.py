"""Full disks, lost rights, damaged files and folders of something else: plain words, nothing lost, nothing mixed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from crash._studies import (
    LONGER,
    N_CELLS,
    PATIENCE,
    assert_one_sentence,
    assert_same_files,
    cells_in,
    drafts_in,
    files_of,
    made_table,
    server,
    undisturbed,
    until,
)

NOBODY = 65534
GO_ON = ("kept", "run the same again")
RUBBISH = bytes(range(256))


def everything_in(folder):
    return {str(place): place.is_file() and place.read_bytes() for place in sorted(folder.rglob("*"))}


def finished(out):
    """A whole study, copied from one that was left in peace."""
    undisturbed()
    shutil.copytree(server().folder / "undisturbed-0", out)
    return out


def assert_goes_on(out, *options, faults=()):
    run = server().run(out, *options, faults=faults)
    assert run.wait() == 0, run.told
    assert_same_files(out, undisturbed(*options).files)


@pytest.mark.parametrize(
    ("where", "after"), [("write", 1), ("write", 9), ("fsync", 2), ("fsync", 40), ("replace", 0), ("replace", 9)]
)
def test_a_disk_that_is_full_in_mid_study_keeps_the_cells(tmp_path, where, after):
    out = tmp_path / "study"
    run = server().run(out, faults=[["full_disk", where, after]])
    assert run.wait() == 3
    assert_one_sentence(run, str(out), "No space left on device", *GO_ON)
    assert run.said == ""
    # Each cell is two files, and the plan, which is linked and not renamed, is one more.
    assert len(cells_in(out)) == (after if where == "replace" else after - 1) // 2
    assert drafts_in(out) == []
    assert_goes_on(out)


def test_a_disk_that_is_full_from_the_start_leaves_a_folder_to_begin_in(tmp_path):
    out = tmp_path / "study"
    run = server().run(out, faults=[["full_disk", "write", 0]])
    assert run.wait() == 3
    assert_one_sentence(run, str(out), "No space left on device", "Mend that")
    assert cells_in(out) == drafts_in(out) == []
    assert_goes_on(out)


@pytest.mark.parametrize("where", ["write", "replace"])
def test_a_disk_that_is_full_at_the_report_says_that_the_cells_are_kept(tmp_path, where):
    out = tmp_path / "study"
    run = server().run(out, faults=[["full_disk", where, 2 * N_CELLS + 2]])
    assert run.wait() == 3
    assert len(cells_in(out)) == N_CELLS
    assert run.said == ""
    assert drafts_in(out) == []
    assert_goes_on(out)
    assert_one_sentence(run, str(out), "No space left on device", *GO_ON)


@pytest.mark.parametrize(("name", "words"), [("EIO", "Input/output error"), ("EROFS", "Read-only file system")])
def test_other_troubles_of_a_disk_are_told_as_the_system_names_them(tmp_path, name, words):
    run = server().run(tmp_path / "study", faults=[["full_disk", "fsync", 9, name]])
    assert run.wait() == 3
    assert_one_sentence(run, words, *GO_ON)


@pytest.mark.parametrize("how", ["threads", "processes"])
def test_a_full_disk_stops_all_workers(tmp_path, how):
    out = tmp_path / "study"
    run = server().run(out, "--workers", "2", faults=[["always", how], ["full_disk", "write", 21]])
    assert run.wait() == 3
    assert_one_sentence(run, "No space left on device", *GO_ON)
    assert len(cells_in(out)) == 10
    assert_goes_on(out)


@pytest.mark.slow
def test_threads_at_work_never_take_the_process_down_at_its_end(tmp_path):
    """Compiled code that still runs when the interpreter ends would abort the process, one time in three."""
    faults = [["always", "threads"], ["full_disk", "write", 21]]
    runs = [server().run(tmp_path / f"study{number}", "--workers", "2", faults=faults) for number in range(20)]
    assert {run.wait() for run in runs} == {3}
    for run in runs:
        assert_one_sentence(run, *GO_ON)


def test_files_that_may_not_grow_stop_a_study_and_it_goes_on_without_the_limit(tmp_path):
    plan = undisturbed().files["plan.json"]
    # Test parts of 30 samples make cells larger than the plan.
    halves = ("--protocol", "2cv", "--classifiers", "nb,knn,lda")
    out = tmp_path / "study"
    run = server().run(out, *halves, faults=[["small_files", 2 * len(plan)]])
    assert run.wait() == 3
    assert_one_sentence(run, "File too large", *GO_ON)
    assert [Path(name).name for name in cells_in(out)] == ["all.json", "all.json"]
    assert drafts_in(out) == []
    for place in (out, tmp_path / "free"):
        assert server().run(place, *halves).wait() == 0
    assert_same_files(out, files_of(tmp_path / "free"))


@pytest.fixture
def small_disk():
    """A disk of its own for one test: how to grow it, its place in the test's eyes, and how a study gets inside."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small disk takes root")
    place = Path(tempfile.mkdtemp(dir=server().folder))
    script = f"mount -t tmpfs -o size=160k,mode=755 small {place} && echo ready && read -r kept"
    holder = subprocess.Popen(
        ["unshare", "--mount", "sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        if holder.stdout.readline() != "ready\n":
            pytest.skip("this machine lets nobody mount a small disk")
        yield holder, Path(f"/proc/{holder.pid}/root{place}"), place
    finally:
        holder.communicate("end\n", timeout=PATIENCE)


def test_a_real_disk_that_fills_up_keeps_the_cells_and_takes_more_when_there_is_room(small_disk):
    holder, seen, place = small_disk
    inside = ["inside", holder.pid]
    run = server().run(place / "study", faults=[inside])
    assert run.wait() == 3
    assert_one_sentence(run, "No space left on device", *GO_ON)
    out = seen / "study"
    assert 0 < len(cells_in(out)) < N_CELLS
    assert drafts_in(out) == []
    again = server().run(place / "study", faults=[inside])
    assert again.wait() == 3
    assert_one_sentence(again, "No space left on device", *GO_ON)
    remount = ["nsenter", f"--mount=/proc/{holder.pid}/ns/mnt", "mount", "-o", "remount,size=16m", str(place)]
    subprocess.run(remount, check=True, timeout=PATIENCE)
    assert server().run(place / "study", faults=[inside]).wait() == 0
    assert_same_files(out, undisturbed().files)


@pytest.fixture
def place_of_someone():
    """A folder that is not root's, who may write everywhere, and how to become its owner."""
    place = Path(tempfile.mkdtemp(dir=server().folder))
    place.chmod(0o755)
    if os.geteuid() != 0:
        return place, []
    os.chown(place, NOBODY, NOBODY)
    return place, [["user", NOBODY]]


def test_lost_rights_in_mid_study_keep_the_cells(place_of_someone):
    place, someone = place_of_someone
    out = place / "study"
    run = server().start(out, *LONGER, faults=[*someone, ["slow", 0.02]])
    assert until(lambda: len(cells_in(out)) > 5 or run.is_over())
    folders = [folder for kind in ("cells", "costs") for folder in (out / kind).iterdir()]
    for folder in folders:
        folder.chmod(0o555)
    assert run.wait() == 3
    assert_one_sentence(run, str(out), "Permission denied", *GO_ON)
    n_kept = len(cells_in(out))
    assert 5 < n_kept < 102
    for folder in folders:
        folder.chmod(0o755)
    assert_goes_on(out, *LONGER, faults=someone)


def test_a_parent_without_rights_is_told_and_nothing_is_left(place_of_someone):
    place, someone = place_of_someone
    place.chmod(0o555)
    run = server().run(place / "study", faults=someone)
    assert run.wait() == 3
    assert_one_sentence(run, str(place), "no right to write")
    assert "kept" not in run.told
    assert list(place.iterdir()) == []


OTHERS = {
    "methods": (("--methods", "f-test,relieff"), "other methods"),
    "a setting": (("--methods", "f-test,mrmr+(discretizer=equal-width)"), "other methods"),
    "sizes": (("--sizes", "3,7"), "sizes: 3,6 there, 3,7 here"),
    "classifiers": (("--classifiers", "knn"), "other classifiers"),
    "protocol": (("--protocol", "5x5cv"), "another protocol (protocol: 4x5cv there, 5x5cv here)"),
    "seed": (("--seed", "7"), "another seed (seed: 0 there, 7 here)"),
    "tuning": (("--tune-size",), "another choice about tuning"),
    "filling": (("--impute", "median"), "another way to fill missing values"),
    "several": (("--sizes", "9", "--seed", "2"), "other sizes, another seed"),
}


@pytest.mark.parametrize("what", OTHERS)
def test_a_folder_of_another_plan_is_refused_and_stays_as_it_is(tmp_path, what):
    options, words = OTHERS[what]
    out = finished(tmp_path / "study")
    before = everything_in(out)
    run = server().run(out, *options)
    assert run.wait() == 5
    assert_one_sentence(run, str(out), words, "Choose another folder")
    assert everything_in(out) == before


def test_a_folder_of_other_data_is_refused(tmp_path):
    out = finished(tmp_path / "study")
    before = everything_in(out)
    run = server().run(out, data=made_table(tmp_path / "other.csv", seed=1))
    assert run.wait() == 5
    assert_one_sentence(run, str(out), "other data")
    assert everything_in(out) == before


def test_one_changed_value_of_the_table_is_other_data(tmp_path):
    text = server().data.read_text()
    first = text.splitlines()[1].split(",")[1]
    changed = tmp_path / "changed.csv"
    changed.write_text(text.replace(first, f"{float(first) + 1e-6:.6f}", 1))
    run = server().run(finished(tmp_path / "study"), data=changed)
    assert run.wait() == 5
    assert_one_sentence(run, "other data")


def test_a_table_that_was_moved_is_the_same_data(tmp_path):
    moved = tmp_path / "moved.csv"
    shutil.copy(server().data, moved)
    out = finished(tmp_path / "study")
    assert server().run(out, data=moved).wait() == 0


def test_a_folder_of_other_versions_is_refused(tmp_path):
    out = finished(tmp_path / "study")
    plan = json.loads((out / "plan.json").read_text())
    plan["versions"]["numpy"] = "1.0.0"
    (out / "plan.json").write_text(json.dumps(plan))
    run = server().run(out)
    assert run.wait() == 5
    assert_one_sentence(run, "other versions of software", "numpy 1.0.0")


DAMAGED = {
    "cut off": lambda whole: whole[: len(whole) // 2],
    "binary": lambda whole: RUBBISH,
    "empty": lambda whole: b"",
    "zeros": lambda whole: bytes(len(whole)),
    "a list": lambda whole: b"[1, 2]",
    "nothing in it": lambda whole: b"{}",
    "of another schema": lambda whole: b'{"chosen": 3}',
}


def test_damaged_cells_are_made_again(tmp_path):
    out = finished(tmp_path / "study")
    for name, damage in zip(cells_in(out)[:: N_CELLS // len(DAMAGED)], DAMAGED.values(), strict=True):
        (out / name).write_bytes(damage((out / name).read_bytes()))
    assert_goes_on(out)


def test_a_cell_in_the_place_of_another_is_made_again(tmp_path):
    out = finished(tmp_path / "study")
    shutil.copy(out / "cells/01-f-test/00003.json", out / "cells/01-f-test/00004.json")
    shutil.copy(out / "cells/02-mrmr+/00005.json", out / "cells/01-f-test/00005.json")
    assert_goes_on(out)


def test_damaged_costs_change_no_result(tmp_path):
    out = finished(tmp_path / "study")
    costs = sorted((out / "costs").rglob("*.json"))
    kinds = [
        *DAMAGED.values(),
        lambda whole: b'{"seconds": 1.0}',
        lambda whole: b'{"seconds": "x", "select_seconds": 0}',
    ]
    for number, cost in enumerate(costs[: 3 * len(kinds)]):
        cost.write_bytes(kinds[number % len(kinds)](cost.read_bytes()))
    (out / cells_in(out)[3]).unlink()
    assert_goes_on(out)


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_plan_is_refused_and_nothing_is_touched(tmp_path, how):
    out = finished(tmp_path / "study")
    plan = out / "plan.json"
    plan.write_bytes(DAMAGED[how](plan.read_bytes()))
    before = everything_in(out)
    run = server().run(out)
    assert run.wait() == 5
    assert_one_sentence(run, str(out), "plan.json")
    assert everything_in(out) == before


def test_a_folder_that_is_no_study_is_refused_and_stays_as_it_is(tmp_path):
    out = tmp_path / "holidays"
    out.mkdir()
    (out / "photo.txt").write_text("the sea")
    run = server().run(out)
    assert run.wait() == 2
    assert_one_sentence(run, str(out), "'photo.txt'", "Choose a new folder")
    assert everything_in(out) == {str(out / "photo.txt"): b"the sea"}


@pytest.mark.parametrize("below", ["", "study", "deep/study"])
def test_a_file_in_the_way_is_told(tmp_path, below):
    (tmp_path / "taken").write_text("a file")
    run = server().run(tmp_path / "taken" / below)
    assert run.wait() == 2
    assert_one_sentence(run, str(tmp_path / "taken"), "is a file")
    assert everything_in(tmp_path) == {str(tmp_path / "taken"): b"a file"}


def test_an_empty_folder_becomes_a_study(tmp_path):
    assert_goes_on(tmp_path)


def test_a_folder_that_vanishes_in_mid_study_is_told(tmp_path):
    out = tmp_path / "study"
    run = server().start(out, *LONGER, faults=[["slow", 0.02]])
    assert until(lambda: len(cells_in(out)) > 5 or run.is_over())
    out.rename(tmp_path / "elsewhere")
    assert run.wait() == 3
    assert_one_sentence(run, str(out), "No such file or directory", *GO_ON)
    assert not out.exists()
    (tmp_path / "elsewhere").rename(out)
    assert_goes_on(out, *LONGER)


@pytest.mark.parametrize("warnings", [None, "default"])
def test_semaphores_that_a_stop_leaves_are_nobodys_business(warnings):
    """The helper of the pool outlives it and would tell of them below our own sentence."""
    code = (
        "import os\n"
        "from holdfast.evaluate import run\n"
        "run._start_trackers()\n"
        "from joblib.externals.loky.backend.resource_tracker import _resource_tracker\n"
        "_resource_tracker.register('/loky-made-up', 'semlock')\n"
        "print(os.environ.get('PYTHONWARNINGS'), flush=True)\n"
        "os._exit(0)\n"
    )
    plain = {key: value for key, value in os.environ.items() if key != "PYTHONWARNINGS"}
    environment = plain if warnings is None else plain | {"PYTHONWARNINGS": warnings}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert (done.stdout.strip(), done.stderr) == (str(warnings), "")
