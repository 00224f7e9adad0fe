"""Bad tables and flags through every command: one sentence, the right exit code, nothing half-written."""

from __future__ import annotations

import pytest

from crash import _bad_files as bad
from crash._bad_files import put, tree
from crash._commands import PYTHON, SETTINGS, assert_refused, command_line, run


@pytest.fixture(autouse=True)
def _inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", SETTINGS)
@pytest.mark.parametrize("case", bad.UNREADABLE)
def test_a_file_that_no_one_can_read_is_refused_by_every_command(tmp_path, command, case):
    name, content, words, flags = bad.UNREADABLE[case]
    path = put(tmp_path, name, content)
    before = tree(tmp_path)
    result = run(command, path, *command_line(command, *flags))
    assert_refused(result, 3, words, [path])
    assert name in result.stderr
    assert tree(tmp_path) == before


@pytest.mark.parametrize("command", SETTINGS)
@pytest.mark.parametrize(("name", "words"), [("gone.csv", "does not exist"), ("folder.csv", "folder"), ("", "folder")])
def test_what_is_no_file_is_refused_by_every_command(tmp_path, command, name, words):
    (tmp_path / "folder.csv").mkdir()
    assert_refused(run(command, name, *command_line(command, "--target", "state")), 3, words)
    assert set(tree(tmp_path)) == {"folder.csv"}


@pytest.mark.parametrize("command", SETTINGS)
@pytest.mark.parametrize("case", bad.UNUSABLE)
def test_a_table_that_cannot_be_used_is_refused_by_every_command(tmp_path, command, case):
    *codes, (name, content, words, flags) = bad.UNUSABLE[case]
    code = dict(zip(("select", "compare", "check"), codes, strict=True))[command]
    path = put(tmp_path, name, content)
    before = tree(tmp_path)
    result = run(command, path, *command_line(command, *flags))
    if command == "check" and not result.stderr:
        assert result.exit_code == code, result
        assert code == 0 or "Not usable yet." in result.stdout
        assert code == 0 or words.split(":")[0] in " ".join(result.stdout.split())
    else:
        assert_refused(result, code, words, [path])
    assert tree(tmp_path) == before


@pytest.mark.parametrize("command", SETTINGS)
@pytest.mark.parametrize("case", bad.FINE)
def test_a_table_that_is_odd_but_whole_is_taken_by_every_command(tmp_path, command, case):
    path = put(tmp_path, *bad.FINE[case])
    result = run(command, path, "--target", "state", *SETTINGS[command], *(("-q",) if command != "check" else ()))
    assert result.exit_code == 0, result
    assert result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("command", SETTINGS)
@pytest.mark.parametrize("case", bad.LABELS)
def test_labels_that_do_not_go_with_the_table_are_refused(tmp_path, command, case):
    content, words = bad.LABELS[case]
    path = put(tmp_path, "t.csv", bad.GOOD.replace("state", "age").replace("sick", "1").replace("well", "2"))
    labels = put(tmp_path, "labels.csv", content)
    before = tree(tmp_path)
    result = run(command, path, *command_line(command, "--target", "state", "--labels", labels))
    assert_refused(result, 3, words, [path, labels])
    assert tree(tmp_path) == before


@pytest.mark.parametrize("case", bad.GROUPS)
def test_groups_that_do_not_go_with_the_table_are_refused(tmp_path, case):
    content, words = bad.GROUPS[case]
    path, groups = put(tmp_path, "t.csv", bad.GOOD), put(tmp_path, "groups.csv", content)
    before = tree(tmp_path)
    result = run("compare", path, *command_line("compare", "--target", "state", "--groups", groups))
    assert_refused(result, 3, words, [path, groups])
    assert "label" not in result.stderr
    assert "target" not in result.stderr
    assert tree(tmp_path) == before


def test_a_column_of_groups_that_is_not_there_is_refused(tmp_path):
    path = put(tmp_path, "t.csv", bad.GOOD)
    groups = put(tmp_path, "groups.csv", "sample,patient\n" + "".join(f"{name},{name}\n" for name in bad.SAMPLES))
    flags = ("--target", "state", "--groups", groups, "--groups-column", "ward")
    result = run("compare", path, *command_line("compare", *flags))
    assert_refused(result, 3, "'ward'", [path, groups])
    assert "'patient'" in result.stderr
    assert "target" not in result.stderr


@pytest.mark.parametrize("command", ["select", "compare"])
@pytest.mark.parametrize("case", bad.PRIORS)
def test_prior_knowledge_that_says_nothing_is_refused(tmp_path, command, case):
    name, content, words = bad.PRIORS[case]
    path, known = put(tmp_path, "t.csv", bad.GOOD), put(tmp_path, name, content)
    before = tree(tmp_path)
    method = "-m" if command == "select" else "--methods"
    result = run(command, path, *command_line(command, "--target", "state", "--prior", known, method, "pk-mrmr"))
    assert_refused(result, 3, words, [path, known])
    assert tree(tmp_path) == before


FLAGS = [(command, *row) for command in ("select", "compare") for row in bad.OF_BOTH]
FLAGS += [("select", *row) for row in bad.OF_SELECT] + [("compare", *row) for row in bad.OF_COMPARE]


@pytest.mark.parametrize(("command", "flags", "code", "words"), FLAGS, ids=lambda value: str(value)[:60])
def test_a_flag_that_makes_no_sense_is_refused_and_nothing_written(tmp_path, command, flags, code, words):
    path = put(tmp_path, "t.csv", bad.GOOD)
    before = tree(tmp_path)
    target = () if "--target" in flags else ("--target", "state")
    result = run(command, path, *command_line(command, *target, *flags))
    assert_refused(result, code, words, [path, *flags])
    assert tree(tmp_path) == before


@pytest.mark.parametrize(("arguments", "code", "words"), bad.ALONE, ids=lambda value: str(value)[:60])
def test_a_command_line_that_makes_no_sense_is_refused(tmp_path, arguments, code, words):
    assert_refused(run(*arguments), code, words, arguments)
    assert tree(tmp_path) == {}


def test_a_report_on_what_is_done_needs_the_folder_of_a_study(tmp_path):
    path = put(tmp_path, "t.csv", bad.GOOD)
    result = run("compare", path, "--target", "state", *SETTINGS["compare"], "--so-far")
    assert_refused(result, 2, "--so-far reports on a study that was begun, so it needs --out", [path])


def test_a_cluster_that_does_not_answer_is_given_up_before_anything_is_done(tmp_path):
    path = put(tmp_path, "t.csv", bad.GOOD)
    result = run("compare", path, *command_line("compare", "--target", "state", "--cluster", "tcp://127.0.0.1:1"))
    assert_refused(result, 2, "--cluster tcp://127.0.0.1:1: nothing answers there", [path])
    assert set(tree(tmp_path)) == {"t.csv"}


@pytest.mark.parametrize("command", SETTINGS)
def test_a_stop_from_the_keyboard_while_reading_ends_with_130(tmp_path, command, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    path = put(tmp_path, "t.csv", bad.GOOD)
    monkeypatch.setattr(f"holdfast.cli.{command}.read", stopped)
    result = run(command, path, *command_line(command, "--target", "state"))
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "Stopped.\n")
    assert set(tree(tmp_path)) == {"t.csv"}


@pytest.mark.parametrize("keeps", [True, False])
def test_a_stop_in_the_middle_of_a_study_says_how_to_go_on(tmp_path, keeps, monkeypatch):
    from holdfast.evaluate import run as running

    def stopped(plan, method, split):
        if split == 1:
            raise KeyboardInterrupt
        return evaluate(plan, method, split)

    evaluate = running.evaluate_cell
    put(tmp_path, "t.csv", bad.GOOD)
    flags = ("--target", "state", "--protocol", "3cv", *(("--out", "study") if keeps else ()))
    arguments = (
        "compare",
        "t.csv",
        *[part for part in command_line("compare", *flags) if keeps or part not in ("--out", "new")],
    )
    monkeypatch.setattr(running, "evaluate_cell", stopped)
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("Stopped. 2 of 4 parts are done")
    assert ("kept in study; run the same again" if keeps else "pass --out next time") in result.stderr
    assert PYTHON.search(result.stderr) is None
    monkeypatch.setattr(running, "evaluate_cell", evaluate)
    assert run(*arguments).exit_code == 0
