import json

import numpy as np
import pytest
from joblib import Parallel, delayed

from holdfast._errors import DataError, NothingSelected, PlanMismatch
from holdfast.cli import _errors
from unit.cli.conftest import MADE, SAMPLES, STATES


def assert_one_sentence(result, code, *words):
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) <= 4
    for word in words:
        assert word in result.stderr


def test_a_wrong_column_is_unusable_data(holdfast, table):
    assert_one_sentence(holdfast("select", table, "--target", "stat"), 3, "'stat'", "state")


def test_a_missing_file_is_unusable_data(holdfast, tmp_path):
    assert_one_sentence(holdfast("select", tmp_path / "gone.csv", "--target", "state"), 3, "gone.csv", "does not exist")


def test_an_empty_file_is_unusable_data(holdfast, tmp_path):
    (tmp_path / "empty.csv").touch()
    assert_one_sentence(holdfast("select", tmp_path / "empty.csv", "--target", "state"), 3, "empty")


def test_a_class_of_one_sample_is_unusable_data_unless_nothing_is_halved(holdfast, make_table):
    states = STATES.copy().astype("U8")
    states[0] = "odd-one"
    file = make_table(states=states)
    result = holdfast("select", file, "--target", "state", "-k", 2)
    assert_one_sentence(result, 3, "'odd-one' (1)", "--repeats 0")
    assert holdfast("select", file, "--target", "state", "-k", 2, "--repeats", 0).exit_code == 0


def test_classes_of_two_are_not_halved(holdfast, tmp_path):
    file = tmp_path / "four.csv"
    file.write_text("id,dx,a,b,c\np,x,1,2,3\nq,x,2,1,5\nr,y,5,4,1\ns,y,6,9,2\n")
    result = holdfast("select", file, "--target", "dx", "-k", 2)
    assert_one_sentence(result, 3, "'x' (2), 'y' (2)", "at least 3", "--repeats 0")
    assert holdfast("select", file, "--target", "dx", "-k", 2, "--repeats", 0).exit_code == 0


def test_two_samples_without_classes_are_not_halved(holdfast, tmp_path):
    np.savez(tmp_path / "two.npz", X=MADE.X[:2])
    result = holdfast("select", tmp_path / "two.npz", "-m", "laplacian", "-k", 2)
    assert_one_sentence(result, 3, "2 samples", "--repeats 0")


@pytest.mark.parametrize("method", ["t-test", "entropy"])
@pytest.mark.parametrize("repeats", [0, 5])
def test_a_method_that_needs_two_samples_a_class_does_not_offer_to_go_on(holdfast, make_table, method, repeats):
    states = np.where(np.arange(40) == 0, "odd-one", "well")
    options = ("--target", "state", "-k", 2, "-m", method, "--repeats", repeats)
    result = holdfast("select", make_table(states=states), *options)
    assert_one_sentence(result, 3, "at least 2 samples of each class")
    assert "--repeats" not in result.stderr


def test_a_target_of_names_is_unusable_data(holdfast, make_table):
    result = holdfast("select", make_table(states=SAMPLES), "--target", "state", "-k", 2)
    assert_one_sentence(result, 3, "'state' looks like an identifier, not a class", "Choose a target")


def test_a_method_without_target_minds_no_label(holdfast, make_table):
    file = make_table(states=SAMPLES)
    assert holdfast("select", file, "--target", "state", "-k", 2, "-m", "laplacian").exit_code == 0


def test_a_single_class_is_unusable_data(holdfast, make_table):
    file = make_table(states=np.full(40, "sick"))
    assert_one_sentence(holdfast("select", file, "--target", "state"), 3, "'sick'")


def test_missing_values_are_unusable_data(holdfast, make_table):
    X = MADE.X.copy()
    X[2, 4] = np.nan
    assert_one_sentence(holdfast("select", make_table(X=X), "--target", "state"), 3, "gene04", "--impute")


def test_an_unknown_method_is_a_wrong_parameter(holdfast, table):
    assert_one_sentence(holdfast("select", table, "--target", "state", "-m", "mrmrr"), 2, "'mrmrr'", "'mrmr'")


def test_an_unknown_method_is_refused_before_the_file_is_opened(holdfast, tmp_path):
    assert holdfast("select", tmp_path / "gone.csv", "-m", "mrmrr").exit_code == 2


def test_too_many_features_are_a_wrong_parameter(holdfast, table):
    assert_one_sentence(holdfast("select", table, "--target", "state", "-k", 31), 2, "-k 31", "30 features")


def test_a_default_that_does_not_fit_asks_for_k(holdfast, table):
    assert_one_sentence(holdfast("select", table, "--target", "state"), 2, "keeps 50", "-k")


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("-k", "0"),
        ("-k", "many"),
        ("-k", "-3"),
        ("-k", "1.5"),
        ("-k", "nan"),
        ("--genes-in", "diagonal"),
        ("--impute", "magic"),
        ("--discretizer", "mld"),
        ("--repeats", "-1"),
        ("--jobs", "0"),
        ("--workers", "0"),
        ("--workers", "many"),
        ("--seed", "-3"),
        ("--no-such-flag", "1"),
    ],
)
def test_a_wrong_value_of_a_flag_is_a_wrong_parameter(holdfast, table, flag, value):
    assert_one_sentence(holdfast("select", table, "--target", "state", flag, value), 2, flag)


@pytest.mark.parametrize("value", ["0", "abc", "-3", "0.0", "inf", "1_0"])
def test_a_wrong_number_of_features_says_what_is_allowed(holdfast, table, value):
    result = holdfast("select", table, "--target", "state", "-k", value)
    assert_one_sentence(result, 2, f"{value} is no number of features", "a fraction such as 0.05")


def test_a_discretizer_for_a_method_without_one_is_a_wrong_parameter(holdfast, table):
    result = holdfast("select", table, "--target", "state", "-m", "f-test", "-k", 2, "--discretizer", "mdl")
    assert_one_sentence(result, 2, "discretizer", "f-test")


def test_no_target_is_a_wrong_parameter(holdfast, tmp_path):
    np.savez(tmp_path / "bare.npz", X=MADE.X)
    assert_one_sentence(holdfast("select", tmp_path / "bare.npz", "-k", 2), 2, "--target")


def test_three_classes_for_a_method_of_two_name_others(holdfast, make_table):
    states = [("low", "mid", "high")[i % 3] for i in range(40)]
    result = holdfast("select", make_table(states=states), "--target", "state", "-m", "t-test", "-k", 2)
    assert_one_sentence(result, 2, "t-test", "3 classes", "f-test")


def test_a_measured_target_for_a_method_of_classes_names_others(holdfast, make_table):
    states = [f"{value:.3f}" for value in MADE.X[:, 0]]
    result = holdfast("select", make_table(states=states), "--target", "state", "-k", 2)
    assert_one_sentence(result, 2, "mrmr+ takes classes", "pearson")


def test_nothing_selected_has_a_code_of_its_own(holdfast, make_table):
    X = np.random.default_rng(0).normal(size=(40, 30))
    result = holdfast("select", make_table(X=X), "--target", "state", "-m", "cfs+", "--json")
    assert_one_sentence(result, 4, "cfs+ kept none of the 30 features")


def test_check_tells_unusable_data_by_its_code(holdfast, table, make_table):
    X = MADE.X.copy()
    X[2, 4] = np.nan
    result = holdfast("check", make_table(X=X), "--target", "state", "--json")
    assert result.exit_code == 3
    assert [finding["kind"] for finding in json.loads(result.stdout)["findings"]] == ["missing"]
    assert holdfast("check", table, "--target", "state").exit_code == 0


def test_a_bug_asks_for_a_report_and_keeps_values_to_itself(holdfast, table, monkeypatch):
    def broken(*_, **__):
        patient = 12345.678
        return patient + None

    monkeypatch.setattr("holdfast.cli.select.read", broken)
    result = holdfast("select", table, "--target", "state")
    assert_one_sentence(result, 1, "bug in holdfast", "--debug")
    with_trace = holdfast("select", table, "--target", "state", "--debug")
    assert with_trace.exit_code == 1
    assert "Traceback" in with_trace.stderr
    assert "12345.678" not in with_trace.stderr.replace("patient = 12345.678", "")


def test_an_interruption_exits_with_130(holdfast, table, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("holdfast.cli.select.read", interrupted)
    result = holdfast("select", table, "--target", "state")
    assert (result.exit_code, result.stderr) == (130, "Stopped.\n")


def test_every_kind_of_error_has_its_code():
    codes = {
        DataError("x"): 3,
        NothingSelected("x"): 4,
        PlanMismatch("x"): 5,
        OSError("x"): 3,
        MemoryError(): 3,
        KeyboardInterrupt(): 130,
        RuntimeError("x"): 1,
        ValueError("never raised by us"): 1,
    }
    assert {error: _errors.exit_code(error) for error in codes} == codes


def test_a_value_error_from_inside_numpy_is_a_bug():
    with pytest.raises(ValueError, match="broadcast") as caught:
        np.ones(2) + np.ones(3)
    assert _errors.exit_code(caught.value) == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_a_refusal_in_a_half_sample_is_one_however_many_work(holdfast, table, workers):
    options = ("-m", "relief", "--set", "n_samples=30", "-k", 2, "--workers", workers)
    result = holdfast("select", table, "--target", "state", *options)
    assert_one_sentence(result, 2, "error: n_samples=30", "20 sample(s)")


def test_a_value_error_of_others_in_a_worker_is_a_bug():
    with pytest.raises(ValueError, match="could not convert") as caught:
        Parallel(n_jobs=2, prefer="threads")(delayed(float)(text) for text in ("1", "x"))
    assert _errors.exit_code(caught.value) == 1


def test_parameters_of_the_library_become_flags():
    said = "Say it with genes_in='rows' or genes_in='columns' (on the command line --genes-in). Pass target='state'."
    assert _errors.in_flags(said) == "Say it with --genes-in rows or --genes-in columns. Pass --target 'state'."
