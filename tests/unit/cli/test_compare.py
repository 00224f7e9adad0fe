"""`holdfast compare` as a user meets it: what is printed, what is written, and how a study goes on."""

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from typer.testing import CliRunner

import holdfast as package
from holdfast.cli.app import app
from holdfast.evaluate import run as running
from unit.cli.conftest import GENES, MADE, SAMPLES, STATES, write_table

SMALL = ("--target", "state", "--methods", "f-test,mrmr+", "--sizes", "2,4", "--classifiers", "nb",
         "--protocol", "2x3cv")  # fmt: skip
FILES = {"report.html", "report.json", "report.txt", "results.csv", "stability.csv", "features.csv", "comparisons.csv"}
SCHEMA = json.loads((Path(package.__file__).parent / "report" / "study" / "schema.json").read_text())


def found(result):
    """The dictionary on stdout, which has to be all that is there and of the kind that the schema describes."""
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    jsonschema.validate(summary, SCHEMA)
    return summary


def without_times(summary):
    return {key: value for key, value in summary.items() if key not in ("costs", "classifier_seconds")}


def written(folder):
    return {path.name for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished study, the table it is of, and what the command said: not to be changed."""
    folder = tmp_path_factory.mktemp("study")
    table = write_table(folder / "blood.csv")
    result = CliRunner().invoke(app, ["compare", str(table), *SMALL, "--out", str(folder / "study")])
    assert result.exit_code == 0, result.stderr
    return folder, result


@pytest.fixture
def study(whole, tmp_path, table):
    """A copy of that study beside the table, to go on with."""
    shutil.copytree(whole[0] / "study", tmp_path / "study")
    return tmp_path / "study"


@pytest.fixture
def worked(monkeypatch):
    """The cells that were worked on."""
    cells = []

    def counted(plan, *cell):
        cells.append(cell)
        return evaluate(plan, *cell)

    evaluate = running.evaluate_cell
    monkeypatch.setattr(running, "evaluate_cell", counted)
    return cells


def test_the_first_thing_printed_is_the_recommendation(whole):
    folder, result = whole
    said = json.loads((folder / "study" / "report.json").read_text())["recommendation"]["sentence"]
    assert " ".join(result.stdout.split()).startswith(said)
    assert said.split()[0] in ("f-test", "mrmr+")


def test_the_page_in_words_is_what_is_printed(whole):
    folder, result = whole
    assert (folder / "study" / "report.txt").read_text() == result.stdout


def test_stderr_has_the_place_of_the_report_and_nothing_else(whole):
    folder, result = whole
    assert result.stderr == f"\nThe report is {folder / 'study' / 'report.html'}; open it in a browser.\n"


def test_every_form_of_the_report_is_written(whole):
    assert written(whole[0] / "study") == FILES | {"plan.json"}
    assert not [path for path in whole[0].rglob("*") if "draft" in path.name]


def test_there_is_a_file_for_each_method_and_split(whole):
    cells = {
        str(path.relative_to(whole[0] / "study" / "cells")) for path in (whole[0] / "study" / "cells").rglob("*.json")
    }
    names = [*(f"{split:05d}.json" for split in range(1, 7)), "all.json"]
    assert cells == {f"{method}/{name}" for method in ("01-f-test", "02-mrmr+") for name in names}


def test_the_tables_have_a_line_for_each_configuration(whole):
    with open(whole[0] / "study" / "results.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    told = {(row["method"], row["size"], row["classifier"]) for row in rows}
    assert told == {(method, size, "nb") for method in ("f-test", "mrmr+") for size in ("2", "4")}


def test_json_is_valid_alone_and_is_the_file(holdfast, study, table):
    summary = found(holdfast("compare", table, *SMALL, "--out", study, "--json"))
    assert summary == json.loads((study / "report.json").read_text())
    assert summary["progress"] == {"n_cells": 14, "n_done": 14, "is_complete": True}


def test_without_a_folder_nothing_is_written(holdfast, whole, table, tmp_path):
    result = holdfast("compare", table, *SMALL, "--json")
    assert result.stderr == ""
    kept = json.loads((whole[0] / "study" / "report.json").read_text())
    assert without_times(found(result)) == without_times(kept)
    assert [path.name for path in tmp_path.iterdir()] == ["blood.csv"]


def test_quiet_leaves_stderr_empty_also_where_there_is_something_to_warn_of(holdfast, tmp_path, make_table):
    few = make_table(X=MADE.X[:14], states=STATES[:14])
    loud = holdfast("compare", few, *SMALL)
    quiet = holdfast("compare", few, *SMALL, "--out", tmp_path / "quiet", "-q")
    assert loud.exit_code == quiet.exit_code == 0
    assert (tmp_path / "quiet" / "report.html").exists()
    assert quiet.stderr == ""
    assert "warning: 2 classes have fewer than 8 samples" in loud.stderr


def test_warnings_are_said_on_stderr_and_kept_in_the_report(holdfast, make_table):
    result = holdfast("compare", make_table(X=MADE.X[:14], states=STATES[:14]), *SMALL, "--json")
    warnings = found(result)["warnings"]
    assert len(warnings) >= 2
    assert result.stderr.splitlines() == [f"warning: {warning}" for warning in warnings]


def test_running_again_works_on_nothing_and_gives_the_same(holdfast, study, table, worked, whole):
    before = {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}
    again = holdfast("compare", table, *SMALL, "--out", study)
    assert again.exit_code == 0
    assert worked == []
    assert again.stdout == whole[1].stdout
    assert {path: path.read_bytes() for path in study.rglob("*") if path.is_file()} == before


def test_cells_that_are_missing_are_made_and_no_others(holdfast, study, table, worked):
    before = {path: path.read_bytes() for path in (study / "cells").rglob("*.json")}
    for name in ("01-f-test/00002.json", "02-mrmr+/all.json"):
        (study / "cells" / name).unlink()
    assert holdfast("compare", table, *SMALL, "--out", study, "-q").exit_code == 0
    assert set(worked) == {(1, "all"), (0, 1)}
    assert {path: path.read_bytes() for path in (study / "cells").rglob("*.json")} == before


def test_a_report_on_what_is_done_works_on_nothing_and_says_how_far_it_is(holdfast, study, table, worked):
    for method in ("01-f-test", "02-mrmr+"):
        for split in (4, 5, 6):
            (study / "cells" / method / f"{split:05d}.json").unlink()
    (study / "cells" / "01-f-test" / "00003.json").unlink()
    result = holdfast("compare", table, *SMALL, "--out", study, "--so-far")
    assert result.exit_code == 0, result.stderr
    assert worked == []
    assert result.stdout.startswith("This study is not finished: ")
    summary = json.loads((study / "report.json").read_text())
    jsonschema.validate(summary, SCHEMA)
    assert not summary["progress"]["is_complete"]
    assert (summary["progress"]["n_cells"], summary["progress"]["n_done"]) == (14, 7)


@pytest.mark.slow
def test_a_finished_study_has_the_same_report_so_far(holdfast, study, table, whole):
    result = holdfast("compare", table, *SMALL, "--out", study, "--so-far")
    assert result.exit_code == 0
    assert result.stdout == whole[1].stdout


def test_the_number_of_workers_changes_nothing(holdfast, study, table, tmp_path, whole):
    other = tmp_path / "other"
    result = holdfast("compare", table, *SMALL, "--out", other, "--workers", 2, "--json")
    assert without_times(found(result)) == without_times(json.loads((study / "report.json").read_text()))
    cells = {path.relative_to(other): path.read_bytes() for path in (other / "cells").rglob("*.json")}
    assert cells == {path.relative_to(study): path.read_bytes() for path in (study / "cells").rglob("*.json")}


def test_the_seed_changes_the_splits(holdfast, table, whole):
    summary = found(holdfast("compare", table, *SMALL, "--seed", 7, "--json"))
    assert summary["plan"]["seed"] == 7
    assert summary["results"] != json.loads((whole[0] / "study" / "report.json").read_text())["results"]


def compared(holdfast, table, *flags, methods="f-test", sizes="2", protocol="3cv", classifiers="nb"):
    settings = ("--methods", methods, "--sizes", sizes, "--classifiers", classifiers, "--protocol", protocol)
    return found(holdfast("compare", table, "--target", "state", *settings, *flags, "--json"))


def test_samples_of_one_group_stay_together(holdfast, table, tmp_path):
    groups = tmp_path / "patients.csv"
    rows = [f"{name},ward{i % 3},patient{i // 2}\n" for i, name in enumerate(reversed(SAMPLES))]
    groups.write_text("sample,ward,patient\n" + "".join(rows))
    summary = compared(holdfast, table, "--groups", groups, "--groups-column", "patient")
    assert summary["plan"]["data"]["n_groups"] == 20
    assert compared(holdfast, table)["plan"]["data"]["n_groups"] is None


def test_groups_need_no_header_if_there_is_one_column_of_them(holdfast, table, tmp_path):
    groups = tmp_path / "patients.tsv"
    groups.write_text("".join(f"{name}\t{i // 4}\n" for i, name in enumerate(SAMPLES)))
    assert compared(holdfast, table, "--groups", groups)["plan"]["data"]["n_groups"] == 10


def test_labels_in_a_second_file_give_what_labels_in_the_table_give(holdfast, table, tmp_path):
    with open(table, newline="") as file:
        rows = list(csv.reader(file))
    with open(tmp_path / "bare.csv", "w", newline="") as file:
        csv.writer(file).writerows([row[:1] + row[2:] for row in rows])
    labels = tmp_path / "labels.csv"
    labels.write_text("who,age,state\n" + "".join(f"{row[0]},40,{row[1]}\n" for row in reversed(rows[1:])))
    bare = compared(holdfast, tmp_path / "bare.csv", "--labels", labels)
    assert bare["results"] == compared(holdfast, table)["results"]


def test_genes_in_rows_give_what_genes_in_columns_give(holdfast, table, tmp_path):
    with open(table, newline="") as file:
        rows = list(csv.reader(file))
    with open(tmp_path / "blood.csv.turned.csv", "w", newline="") as file:
        csv.writer(file).writerows(zip(*rows, strict=True))
    turned = without_times(compared(holdfast, tmp_path / "blood.csv.turned.csv", "--genes-in", "rows"))
    plain = without_times(compared(holdfast, table))
    assert turned["plan"]["data"].pop("source") == "blood.csv.turned.csv"
    assert plain["plan"]["data"].pop("source") == "blood.csv"
    assert turned == plain


def test_the_order_of_the_samples_in_the_file_decides_nothing(holdfast, table, tmp_path):
    lines = table.read_text().splitlines(keepends=True)
    moved = tmp_path / "moved.csv"
    moved.write_text("".join([lines[0], *reversed(lines[1:])]))
    assert compared(holdfast, moved)["results"] == compared(holdfast, table)["results"]


def test_an_annotated_matrix_gives_what_the_table_gives(holdfast, table, tmp_path):
    anndata = pytest.importorskip("anndata")
    import pandas as pd

    obs, var = pd.DataFrame({"state": STATES}, index=SAMPLES), pd.DataFrame(index=GENES)
    anndata.AnnData(X=MADE.X, obs=obs, var=var).write_h5ad(tmp_path / "cells.h5ad")
    assert compared(holdfast, tmp_path / "cells.h5ad")["results"] == compared(holdfast, table)["results"]


def test_prior_knowledge_reaches_the_methods_that_take_it_and_no_others(holdfast, table, tmp_path):
    known = tmp_path / "known.txt"
    known.write_text("GENE20\ngene21\nTP53\n")
    methods = "pk-mrmr,f-test"
    summary = compared(holdfast, table, "--prior", known, methods=methods)
    lists = {row["method"]: {one["name"] for one in row["features"]} for row in summary["selections"]}
    assert lists["pk-mrmr"] & {"gene20", "gene21"}
    plain = compared(holdfast, table)
    assert lists["f-test"] == {one["name"] for one in plain["selections"][0]["features"]}


def test_what_matched_of_the_prior_knowledge_is_said(holdfast, table, tmp_path):
    known = tmp_path / "known.txt"
    known.write_text("GENE20\ngene21\nTP53\n")
    settings = ("--methods", "pk-mrmr", "--sizes", "2", "--classifiers", "nb", "--protocol", "holdout")
    result = holdfast("compare", table, "--target", "state", *settings, "--prior", known)
    assert result.exit_code == 0
    assert "2 of 3 names match 2 of 30 features" in result.stderr
    assert "Not found: 'TP53'" in result.stderr


def test_a_name_of_prior_knowledge_without_any_is_warned_of_once(holdfast, table):
    settings = ("--methods", "pk-mrmr", "--sizes", "2", "--classifiers", "nb", "--protocol", "holdout")
    result = holdfast("compare", table, "--target", "state", *settings)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.count("no prior knowledge") == 1
    assert "Pass --prior FILE." in result.stderr
    assert all(line.startswith("warning: ") for line in result.stderr.splitlines())


def test_the_positive_class_is_the_one_that_sensitivity_speaks_of(holdfast, table):
    sick, well = (compared(holdfast, table, "--positive", name) for name in ("sick", "well"))
    assert (sick["plan"]["data"]["positive"], well["plan"]["data"]["positive"]) == ("sick", "well")
    assert sick["results"][0]["sensitivity"] == well["results"][0]["specificity"]
    assert sick["results"][0]["accuracy"] == well["results"][0]["accuracy"]


def test_a_size_can_be_tuned_inside_each_training_part(holdfast, table):
    summary = compared(holdfast, table, "--tune-size", sizes="1,4")
    tuned = [row for row in summary["results"] if row["size"] == "tuned"]
    assert len(tuned) == 1
    assert sum(tuned[0]["sizes_chosen"].values()) == 3
    assert set(tuned[0]["sizes_chosen"]) <= {"1", "4"}


def test_settings_in_parentheses_are_heeded_and_shown(holdfast, table):
    methods = "svm-rfe(C=0.01, step=0.5),svm-rfe(C=10)"
    summary = compared(holdfast, table, methods=methods, classifiers="knn(n_neighbors=3),1nn")
    told = {method["name"]: method for method in summary["plan"]["methods"]}
    assert list(told) == ["svm-rfe(C=0.01, step=0.5)", "svm-rfe(C=10)"]
    assert told["svm-rfe(C=0.01, step=0.5)"]["parameters"]["C"] == 0.01
    assert {row["classifier"] for row in summary["results"]} == {"knn(n_neighbors=3)", "1nn"}


@pytest.mark.parametrize("row", [row for row in package.methods() if row.aliases][:3], ids=lambda row: row.name)
def test_another_name_of_a_method_is_the_method(holdfast, table, row):
    summary = compared(holdfast, table, methods=row.aliases[0], protocol="holdout")
    assert [method["name"] for method in summary["plan"]["methods"]] == [row.name]


def test_names_may_be_written_with_other_case_and_spaces(holdfast, table):
    summary = compared(holdfast, table, methods=" F-Test , MRMR+ ", classifiers=" NB ", protocol="HoldOut")
    assert [method["name"] for method in summary["plan"]["methods"]] == ["f-test", "mrmr+"]
    assert [one["name"].lower() for one in summary["plan"]["classifiers"]] == ["nb"]


def test_a_method_may_choose_its_own_size(holdfast, table):
    summary = compared(holdfast, table, methods="fcbf", sizes="own,2")
    assert summary["plan"]["sizes"] == [2, "own"]
    assert {row["size"] for row in summary["results"]} == {2, "own"}


def test_a_size_may_be_a_share_of_the_features(holdfast, table):
    assert compared(holdfast, table, sizes="0.1, 2")["plan"]["sizes"] == [2, 3]


def test_missing_values_are_filled_if_asked_for(holdfast, make_table):
    X = MADE.X.copy()
    X[3, 4] = np.nan
    assert compared(holdfast, make_table(X=X), "--impute", "median")["plan"]["data"]["imputed"] == "median"


def test_more_than_two_classes_are_compared(holdfast, make_table):
    states = [("low", "mid", "high")[i % 3] for i in range(40)]
    summary = compared(holdfast, make_table(states=states))
    assert summary["plan"]["data"]["positive"] is None
    assert set(summary["plan"]["data"]["classes"]) == {"low", "mid", "high"}


@pytest.mark.parametrize("protocol", ["loocv", "bootstrapx5", "holdout-0.7", "random-2/3x4", "5cv"])
def test_every_kind_of_protocol_is_taken(holdfast, table, protocol):
    assert compared(holdfast, table, protocol=protocol)["plan"]["protocol"]["name"] == protocol


def test_the_defaults_need_nothing_but_the_file_and_the_target(holdfast, make_table):
    rng = np.random.default_rng(0)
    genes = [f"gene{j:03d}" for j in range(60)]
    X = np.hstack([MADE.X, rng.normal(size=(40, 30))])
    summary = found(
        holdfast("compare", make_table(X=X, genes=genes), "--target", "state", "--protocol", "2cv", "--json")
    )
    assert [method["name"] for method in summary["plan"]["methods"]] == ["mrmr+", "svm-rfe", "relieff", "f-test"]
    assert summary["plan"]["sizes"] == [5, 10, 20, 50]
    assert [one["name"] for one in summary["plan"]["classifiers"]] == ["svm", "knn", "nb"]


@pytest.mark.slow
def test_names_that_could_break_a_page_do_not(holdfast, make_table, tmp_path):
    genes = [*GENES[:-2], "</script><script>alert(1)", 'a,"b"\u202e']
    states = np.where(MADE.y == 1, "<b>sick & tired</b>", 'well, "so" far')
    result = holdfast("compare", make_table(genes=genes, states=states), *SMALL, "--out", tmp_path / "study", "-q")
    assert (result.exit_code, result.stderr) == (0, "")
    page = (tmp_path / "study" / "report.html").read_text(encoding="utf-8")
    assert "<b>sick" not in page
    assert "<script>alert(1)" not in page


FLAGS = ("--methods", "--sizes", "--classifiers", "--protocol", "--groups", "--groups-column", "--tune-size",
         "--positive", "--prior", "--workers", "--cluster", "--so-far", "--out", "--json", "--quiet")  # fmt: skip


def test_help_has_an_example_and_names_every_flag(holdfast):
    before_options, _, options = holdfast("compare", "--help").stdout.partition("Options:")
    assert "holdfast compare blood.csv --target diagnosis --out study" in before_options
    assert [flag for flag in FLAGS if flag not in options] == []


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom holdfast.cli.app import app\n"
        "for command in ('compare', 'report'):\n"
        "    assert CliRunner().invoke(app, [command, '--help']).exit_code == 0\n"
        "print([m for m in ('numpy', 'sklearn', 'plotly', 'joblib', 'jinja2', 'distributed') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
