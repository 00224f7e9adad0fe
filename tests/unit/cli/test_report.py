"""`holdfast report`: the same report again, from report.json alone."""

import json
import shutil
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from holdfast.cli.app import app
from unit.cli.conftest import write_table

FILES = ["comparisons.csv", "features.csv", "report.html", "report.json", "report.txt", "results.csv", "stability.csv"]
SETTINGS = ("--methods", "f-test,t-test", "--sizes", "2", "--classifiers", "nb", "--protocol", "2x3cv")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished study: not to be changed."""
    folder = tmp_path_factory.mktemp("study")
    table = write_table(folder / "blood.csv")
    arguments = ["compare", str(table), "--target", "state", *SETTINGS, "--out", str(folder / "study"), "-q"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.stderr
    return folder / "study", result.stdout


@pytest.fixture
def study(whole, tmp_path):
    shutil.copytree(whole[0], tmp_path / "study")
    return tmp_path / "study"


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name in FILES}


@pytest.mark.parametrize("name", ["", "report.json"])
def test_the_report_is_written_again_to_the_last_byte(holdfast, study, whole, name):
    for other in FILES:
        if other != "report.json":
            (study / other).unlink()
    result = holdfast("report", study / name)
    assert result.exit_code == 0, result.stderr
    assert files(study) == files(whole[0])
    assert sorted(files(study)) == FILES


def test_the_text_is_what_compare_printed(holdfast, study, whole):
    assert holdfast("report", study).stdout == whole[1]


def test_json_is_what_the_file_holds(holdfast, study):
    result = holdfast("report", study, "--json")
    assert json.loads(result.stdout) == json.loads((study / "report.json").read_text())


def test_a_colleague_needs_nothing_but_report_json(holdfast, whole, tmp_path):
    shutil.copy(whole[0] / "report.json", tmp_path / "from-mail.json")
    result = holdfast("report", tmp_path / "from-mail.json", "--out", tmp_path / "deep" / "here")
    assert result.exit_code == 0
    assert files(tmp_path / "deep" / "here") == files(whole[0])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "from-mail.json"]


def test_another_place_leaves_the_study_alone(holdfast, study, whole, tmp_path):
    (study / "report.txt").unlink()
    assert holdfast("report", study, "--out", tmp_path / "here").exit_code == 0
    assert not (study / "report.txt").exists()
    assert files(tmp_path / "here") == files(whole[0])


def test_stderr_has_what_was_written_unless_quiet(holdfast, study):
    result = holdfast("report", study)
    assert result.stderr.startswith("Wrote ")
    assert all(str(study / name) in result.stderr for name in FILES)
    assert result.stderr.count("\n") == 1
    assert holdfast("report", study, "--quiet").stderr == ""


def test_other_files_beside_the_report_stay(holdfast, study):
    (study / "notes.txt").write_text("mine")
    assert holdfast("report", study, "-q").exit_code == 0
    assert (study / "notes.txt").read_text() == "mine"
    assert (study / "plan.json").exists()


def test_a_study_that_is_not_finished_says_so_first(holdfast, study):
    summary = json.loads((study / "report.json").read_text())
    summary["progress"] = {"n_cells": 14, "n_done": 7, "is_complete": False}
    (study / "report.json").write_text(json.dumps(summary))
    result = holdfast("report", study)
    assert result.stdout.startswith("This study is not finished: 7 of 14 ")


def test_a_report_of_an_earlier_release_in_other_layout_reads_the_same(holdfast, study, whole):
    summary = json.loads((study / "report.json").read_text())
    (study / "report.json").write_text(json.dumps(dict(sorted(summary.items())), separators=(",", ":")))
    assert holdfast("report", study).stdout == whole[1]


def test_a_wrong_place_is_refused_before_anything_heavy_is_imported(tmp_path):
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom holdfast.cli.app import app\n"
        f"assert CliRunner().invoke(app, ['report', {str(tmp_path)!r}]).exit_code == 3\n"
        "print([m for m in ('sklearn', 'numba', 'joblib') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_help_leads_with_an_example(holdfast):
    said = holdfast("report", "-h").stdout
    assert "holdfast report study" in said.partition("Options:")[0]
    assert "--out" in said.partition("Options:")[2]
