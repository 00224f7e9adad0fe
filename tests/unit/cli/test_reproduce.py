"""`holdfast reproduce`: lists, runs, keeps, goes on."""

import json
from dataclasses import replace
from urllib.error import URLError

import pytest

from unit.reproduce.conftest import folder, row

__all__ = ["folder", "row"]


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)

    def refuse(address, timeout):
        raise AssertionError("OpenML was asked")

    monkeypatch.setattr("holdfast.reproduce.openml.urlopen", refuse)


def test_without_a_name_all_plans_are_listed(holdfast):
    listed = holdfast("reproduce")
    assert listed.exit_code == 0
    assert "Michel 2018: Stable Forward Search" in listed.stdout
    assert "hosseini-2" in listed.stdout
    assert "printed in 2.11, 2.12; about 1 min" in listed.stdout


def test_the_list_is_there_as_json(holdfast):
    rows = json.loads(holdfast("reproduce", "--json").stdout)
    assert {"name": "hosseini-2", "tables": ["2.11", "2.12"]}.items() <= rows[6].items()


def test_a_plan_prints_its_verdicts_and_writes_its_report(holdfast, row, folder, tmp_path):
    result = holdfast("reproduce", "made-up", "--data", folder, "--offline", "--out", tmp_path / "run")
    assert result.exit_code == 0, result.stderr
    assert "Table 1.1       1       1      –" in result.stdout
    assert "report.html; open it in a browser" in result.stderr
    assert (tmp_path / "run" / "report.html").exists()


def test_openml_is_asked_unless_it_is_to_be_left_alone(holdfast, row, folder, tmp_path, monkeypatch):
    asked = []

    def no_network(address, timeout):
        asked.append(address)
        raise URLError("no network")

    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr("holdfast.reproduce.openml.urlopen", no_network)
    assert holdfast("reproduce", "made-up", "--data", folder, "--offline").exit_code == 0
    assert asked == []
    result = holdfast("reproduce", "made-up", "--data", folder)
    assert result.exit_code == 0
    assert len(asked) == 1
    assert "set 3 of OpenML was not fetched" in " ".join(result.stdout.split())


@pytest.mark.parametrize(("asked", "n_jobs"), [("2", 2), ("1000", 2)])
def test_so_many_parts_are_worked_on_at_a_time_as_were_asked_for(holdfast, row, folder, monkeypatch, asked, n_jobs):
    started = []

    def parallel(n_jobs, return_as):
        started.append(n_jobs)
        return lambda calls: (call(*given, **named) for call, given, named in calls)

    monkeypatch.setattr("holdfast.reproduce.run.joblib.Parallel", parallel)
    assert holdfast("reproduce", "made-up", "--data", folder, "--offline", "--workers", asked).exit_code == 0
    # There are two parts.
    assert started == [n_jobs]


def test_a_run_without_any_data_says_what_to_do(holdfast, row):
    result = holdfast("reproduce", "made-up", "--offline")
    assert result.exit_code == 0
    assert "warning: made-up: none of its data sets is there. Name a folder" in result.stderr


def test_a_second_run_gives_the_same_report(holdfast, row, folder, tmp_path):
    call = ("reproduce", "made-up", "--data", folder, "--offline", "--out", tmp_path / "run")
    assert holdfast(*call).stdout == holdfast(*call).stdout


def test_json_is_one_dictionary_on_stdout(holdfast, row, folder):
    found = json.loads(holdfast("reproduce", "made-up", "--data", folder, "--offline", "--json").stdout)
    assert found["schema"] == "holdfast.reproduction"
    assert found["command"] == "holdfast reproduce made-up --data DIR"


def test_a_thesis_runs_all_of_its_plans_and_has_a_line_of_its_own(holdfast, row, folder, tmp_path, monkeypatch):
    both = (row, replace(row, name="made-up-too"))
    monkeypatch.setattr("holdfast.reproduce.plans.ROWS", both)
    result = holdfast("reproduce", "han", "--data", folder, "--offline", "--out", tmp_path / "run")
    line = "Printed numbers, 10: agrees 4, better 2, printed value impossible 2, not run 2. Claims, 2: holds 2."
    assert result.stdout.splitlines()[-1] == f"Han 2012: {line}"
    assert (tmp_path / "run" / "made-up-too" / "report.md").exists()
    assert line in (tmp_path / "run" / "report.html").read_text("utf-8")
    for name in ("report.html", "report.md"):
        assert f"made-up-too/{name}" in (tmp_path / "run" / name).read_text("utf-8")
    assert f"**Han 2012**: {line}" in (tmp_path / "run" / "report.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("fish",), 2, "There is no plan 'fish'"),
        (("hosseini-2", "--data", "nowhere"), 2, "--data nowhere is no folder"),
        (("hosseini-2", "--workers", "0"), 2, "0 is no number of cores"),
    ],
)
def test_wrong_words_are_refused(holdfast, arguments, code, words):
    result = holdfast("reproduce", *arguments)
    assert result.exit_code == code
    assert words in result.stderr


def test_a_folder_of_another_run_is_refused_by_its_code(holdfast, row, folder, tmp_path):
    call = ("reproduce", "made-up", "--data", folder, "--offline", "--out", tmp_path / "run")
    holdfast(*call)
    result = holdfast(*call, "--quick")
    assert result.exit_code == 5
    assert "holds a run with all runs, not of --quick" in result.stderr


@pytest.fixture
def both(row, monkeypatch):
    """Two plans of one thesis."""
    monkeypatch.setattr("holdfast.reproduce.plans.ROWS", (row, replace(row, name="made-up-too")))


def test_several_plans_take_no_folder_that_is_not_theirs(holdfast, both, folder, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "report.html").write_text("important")
    result = holdfast("reproduce", "han", "--data", folder, "--offline", "--out", mine)
    assert result.exit_code == 2
    assert "is not empty and holds no runs of plans" in result.stderr
    assert (mine / "report.html").read_text() == "important"


def test_several_plans_take_no_folder_of_one(holdfast, both, folder, tmp_path):
    options = ("--data", folder, "--offline", "--out", tmp_path / "run")
    holdfast("reproduce", "made-up", *options)
    result = holdfast("reproduce", "han", *options)
    assert result.exit_code == 5
    assert "holds a run of one plan, not of several" in result.stderr


def test_several_plans_go_on_in_their_folder(holdfast, both, folder, tmp_path):
    call = ("reproduce", "han", "--data", folder, "--offline", "--out", tmp_path / "run")
    assert holdfast(*call).stdout == holdfast(*call).stdout


def test_who_stops_a_run_is_told_how_to_go_on(holdfast, row, folder, tmp_path, monkeypatch):
    def stopped(*parts, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("holdfast.reproduce.run._made", stopped)
    call = ("reproduce", "made-up", "--data", folder, "--offline")
    kept = holdfast(*call, "--out", tmp_path / "run")
    assert kept.exit_code == 130
    assert "are kept in" in kept.stderr
    assert "the same command goes on" in kept.stderr
    assert "With --out DIR" in holdfast(*call).stderr


def test_options_without_a_name_are_refused(holdfast, tmp_path):
    result = holdfast("reproduce", "--quick", "--out", tmp_path / "run")
    assert result.exit_code == 2
    assert "Name what to rerun" in result.stderr
