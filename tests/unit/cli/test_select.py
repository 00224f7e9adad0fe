import csv
import json

import numpy as np
import pytest

import holdfast as package
from holdfast.data import Table
from holdfast.stability import half_samples
from unit.cli.conftest import GENES, MADE, SAMPLES, STATES


def selected(result):
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def names(found):
    return [feature["name"] for feature in found["selected"]]


def test_the_table_shows_names_ranks_and_how_often_each_was_chosen(holdfast, table):
    result = holdfast("select", table, "--target", "state", "-k", 3, "--repeats", 7)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines() if line.strip()]
    rows = [line for line in lines if line[0] in ("1", "2", "3")]
    chosen = package.selector("mrmr+", n_features_to_select=3).fit(MADE.X, MADE.y).indices_
    assert [row[1] for row in rows] == [GENES[j] for j in chosen]
    assert all(row[-3:-1] == ["of", "7"] for row in rows)


def test_the_list_is_the_one_the_library_gives(holdfast, table):
    found = selected(holdfast("select", table, "--target", "state", "-k", 5, "--json"))
    read = package.read(table, target="state")
    selector = package.selector("mrmr+", n_features_to_select=5).fit(read)
    assert [feature["index"] for feature in found["selected"]] == selector.indices_.tolist()
    frequency = package.selection_frequency(selector, read).frequency[selector.indices_]
    assert [feature["frequency"] for feature in found["selected"]] == frequency.tolist()


def test_the_json_says_what_was_done(holdfast, table):
    found = selected(holdfast("select", table, "--target", "state", "-k", 2, "--repeats", 4, "--seed", 9, "--json"))
    assert found["schema"] == "holdfast.selection"
    assert found["schema_version"] == 1
    assert found["holdfast_version"] == package.__version__
    assert (found["method"], found["parameters"]["n_features_to_select"]) == ("mrmr+", 2)
    assert (found["seed"], found["n_half_samples"]) == (9, 4)
    assert found["data"] == {
        "source": "blood.csv",
        "n_samples": 40,
        "n_features": 30,
        "target": "state",
        "classes": {"sick": 20, "well": 20},
        "imputed": None,
    }
    assert found["evaluations"]["relevance"] == 30
    assert len(found["near_misses"]["just_below"]) == 3


@pytest.mark.parametrize("method", ["mrmr+", "f-test", "cfs+"])
def test_a_share_of_the_features_is_the_number_it_makes(holdfast, table, method):
    options = ("--target", "state", "-m", method, "--repeats", 3)
    share, number = (selected(holdfast("select", table, *options, "-k", k, "--json")) for k in ("0.1", "3"))
    assert (share["parameters"]["n_features_to_select"], number["parameters"]["n_features_to_select"]) == (0.1, 3)
    assert share["selected"] == number["selected"]
    assert share["near_misses"] == number["near_misses"]
    assert f"{method} chose 3 of 30 features" in holdfast("select", table, *options, "-k", "0.1").stdout


def test_a_search_that_stops_before_its_share_says_so(holdfast, table):
    result = holdfast("select", table, "--target", "state", "-m", "cfs+", "-k", "0.9", "--repeats", 0)
    assert "stopped before -k 0.9" in result.stdout


def test_json_stands_alone_on_stdout(holdfast, make_table):
    X = MADE.X.copy()
    X[:, 3] = 1.0
    result = holdfast("select", make_table(X=X), "--target", "state", "-k", 2, "--repeats", 2, "--json")
    selected(result)
    assert "gene03" in result.stderr


def test_an_infinite_score_is_a_string_in_json(holdfast, make_table):
    X = MADE.X.copy()
    X[:, 0] = STATES == "sick"
    result = holdfast("select", make_table(X=X), "--target", "state", "-m", "t-test", "-k", 1, "--repeats", 0, "--json")
    found = selected(result)
    assert (found["selected"][0]["name"], found["selected"][0]["score"]) == ("gene00", "Infinity")


def test_quiet_says_nothing_on_stderr(holdfast, make_table):
    X = MADE.X.copy()
    X[:, 3] = 1.0
    result = holdfast("select", make_table(X=X), "--target", "state", "-k", 2, "--repeats", 2, "-q")
    assert (result.exit_code, result.stderr) == (0, "")


def test_genes_in_rows_with_a_labels_file_give_the_same_list(holdfast, table, tmp_path):
    rows, labels = tmp_path / "rows.tsv", tmp_path / "labels.csv"
    with open(rows, "w", newline="") as out:
        writer = csv.writer(out, delimiter="\t")
        writer.writerow(["gene", *SAMPLES])
        writer.writerows([gene, *values] for gene, values in zip(GENES, MADE.X.T, strict=True))
    labels.write_text("\n".join(["sample,state", *(f"{s},{c}" for s, c in zip(SAMPLES, STATES, strict=True))]) + "\n")
    there = selected(holdfast("select", rows, "--labels", labels, "--target", "state", "-k", 4, "--json"))
    here = selected(holdfast("select", table, "--target", "state", "-k", 4, "--json"))
    assert there["selected"] == here["selected"]


@pytest.mark.parametrize("method", ["mrmr+", "f-test", "cfs+", "fcbf", "su"])
def test_shuffled_columns_give_the_same_features_even_among_copies(holdfast, make_table, method):
    X = np.hstack([MADE.X, MADE.X])
    genes = [*GENES, *(f"{gene}-copy" for gene in GENES)]
    order = np.random.default_rng(0).permutation(60)
    found = [
        selected(holdfast("select", file, "--target", "state", "-m", method, "-k", 4, "--repeats", 3, "--json"))
        for file in (
            make_table("plain.csv", X=X, genes=genes),
            make_table("moved.csv", X=X[:, order], genes=[genes[j] for j in order]),
        )
    ]
    for answer in found:
        for feature in (
            *answer["selected"],
            *answer["near_misses"]["just_below"],
            *answer["near_misses"]["often_chosen"],
        ):
            del feature["index"]
    assert found[0]["selected"] == found[1]["selected"]
    assert found[0]["near_misses"] == found[1]["near_misses"]


def test_the_number_of_cores_changes_nothing(holdfast, table):
    runs = [holdfast("select", table, "--target", "state", "-k", 3, "--json", "--jobs", n).stdout for n in (1, 2)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("method", ["relieff", "en-svm-rfe", "hyb-seq"])
def test_the_number_of_workers_changes_nothing(holdfast, table, method):
    select = ("select", table, "--target", "state", "-m", method, "-k", 3, "--repeats", 3, "--json")
    runs = [holdfast(*select, *more).stdout for more in ((), ("--workers", 2), ("--jobs", -1))]
    assert runs[0] == runs[1] == runs[2]


def fitted_with(monkeypatch):
    """Numbers of workers that selectors are fitted with, on all samples and on half-samples."""
    found = {"all": set(), "halves": set()}
    fit = package.ReliefF.fit

    def noted(self, X, y=None):
        found["all" if len(X) == len(MADE.y) else "halves"].add(self.n_jobs)
        return fit(self, X, y)

    monkeypatch.setattr(package.ReliefF, "fit", noted)
    return found


def test_a_method_has_the_workers_of_the_command_and_half_samples_one_each(holdfast, table, monkeypatch):
    found = fitted_with(monkeypatch)
    result = holdfast(
        "select", table, "--target", "state", "-m", "relieff", "-k", 3, "--workers", 2, "--impute", "median"
    )
    assert result.exit_code == 0
    assert found == {"all": {2}, "halves": {None}}


def test_workers_of_a_method_can_be_set(holdfast, table, monkeypatch):
    found = fitted_with(monkeypatch)
    options = ("-m", "relieff", "-k", 3, "--workers", 2, "--set", "n_jobs=3", "--json", "--impute", "median")
    assert selected(holdfast("select", table, "--target", "state", *options))["parameters"]["n_jobs"] == 3
    assert found == {"all": {3}, "halves": {3}}


def test_a_method_that_draws_has_the_seed_of_the_command_unless_it_is_set(holdfast, table):
    select = ("select", table, "--target", "state", "-m", "relief", "--set", "n_samples=5", "-k", 3, "--json")
    runs = [
        selected(holdfast(*select, *more)) for more in ((), ("--seed", 4), ("--seed", 4, "--set", "random_state=0"))
    ]
    assert [run["parameters"]["random_state"] for run in runs] == [0, 4, 0]
    scores = [[feature["score"] for feature in run["selected"]] for run in runs]
    assert scores[0] != scores[1]
    assert scores[0] == scores[2]


def test_another_seed_changes_only_how_often(holdfast, table):
    runs = [selected(holdfast("select", table, "--target", "state", "-k", 6, "--json", "--seed", n)) for n in (0, 1)]
    assert names(runs[0]) == names(runs[1])
    assert runs[0]["selected"] != runs[1]["selected"]


def test_missing_values_are_filled_only_when_asked(holdfast, make_table):
    X = MADE.X.copy()
    X[::5, 4] = np.nan
    file = make_table(X=X)
    refused = holdfast("select", file, "--target", "state", "-k", 3)
    assert refused.exit_code == 3
    assert "gene04" in refused.stderr
    assert "--impute median" in refused.stderr
    filled = holdfast("select", file, "--target", "state", "-k", 3, "--impute", "median", "--json")
    assert selected(filled)["data"]["imputed"] == "median"
    assert "filled with the median" in filled.stderr


def test_a_name_with_a_full_stop_is_said_whole(holdfast, make_table):
    X = MADE.X.copy()
    X[0, 4] = np.nan
    genes = [*GENES[:4], "sp. nov. 4", *GENES[5:]]
    file = make_table(X=X, genes=genes)
    refused = holdfast("select", file, "--target", "state", "-k", 3, "--repeats", 0)
    filled = holdfast("select", file, "--target", "state", "-k", 3, "--repeats", 0, "--impute", "median")
    for result in (refused, filled):
        assert "1 feature has missing values (1 cell, 0.083 % of the table): 'sp. nov. 4'. " in result.stderr


def test_a_feature_measured_nowhere_keeps_the_others_in_place(holdfast, make_table):
    X = MADE.X.copy()
    X[:, 4] = np.nan
    found = selected(
        holdfast(
            "select", make_table(X=X), "--target", "state", "-k", 3, "--impute", "median", "--repeats", 2, "--json"
        )
    )
    assert all(GENES[feature["index"]] == feature["name"] != "gene04" for feature in found["selected"])


def test_filling_uses_only_the_samples_at_hand(holdfast, make_table):
    X = MADE.X.copy()
    X[::5, 4] = np.nan
    file = make_table(X=X)
    found = selected(holdfast("select", file, "--target", "state", "-k", 5, "--impute", "median", "--json"))
    times = np.zeros(30)
    for rows in half_samples(STATES, 50, 0):
        filled = np.where(np.isnan(X[rows]), np.nanmedian(X[rows], axis=0), X[rows])
        half = Table(filled, GENES, [SAMPLES[i] for i in rows], STATES[rows])
        times[package.selector("mrmr+", n_features_to_select=5).fit(half).indices_] += 1
    assert [f["frequency"] for f in found["selected"]] == [times[f["index"]] / 50 for f in found["selected"]]


def test_features_just_below_the_cut_are_those_a_longer_list_adds(holdfast, table):
    for method in ("mrmr+", "f-test"):
        options = ("--target", "state", "-m", method, "--repeats", 0, "--json")
        short = selected(holdfast("select", table, *options, "-k", 4))
        longer = selected(holdfast("select", table, *options, "-k", 7))
        assert [f["name"] for f in short["near_misses"]["just_below"]] == names(longer)[4:]
        assert [f["score"] for f in short["near_misses"]["just_below"]] == [f["score"] for f in longer["selected"]][4:]


def test_a_tie_at_the_cut_is_admitted(holdfast, make_table):
    X = np.hstack([MADE.X[:, MADE.relevant[:1]], MADE.X[:, MADE.relevant[:1]]])
    result = holdfast("select", make_table(X=X, genes=["a", "b"]), "--target", "state", "-m", "f-test", "-k", 1)
    assert "Ties: once" in result.stdout
    assert "scores as the last one listed" in " ".join(result.stdout.split())


def test_a_method_that_finds_its_own_number_says_so(holdfast, table):
    result = holdfast("select", table, "--target", "state", "-m", "fcbf", "--repeats", 2)
    assert "own choice; -k sets a limit." in result.stdout


def test_a_method_without_target_needs_none(holdfast, table, make_table):
    bare = ("-m", "laplacian", "-k", 3, "--repeats", 3, "--json")
    found = selected(holdfast("select", table, "--target", "state", *bare))
    assert found["data"]["classes"] is None
    assert len(found["selected"]) == 3


def test_two_named_classes_may_be_correlated_with(holdfast, table):
    # With two classes |r| and F give one ranking.
    options = ("--target", "state", "-k", 4, "--json")
    found, plain = (selected(holdfast("select", table, *options, "-m", name)) for name in ("pearson", "f-test"))
    assert names(found) == names(plain)
    assert [f["frequency"] for f in found["selected"]] == [f["frequency"] for f in plain["selected"]]


def test_a_measured_target_may_be_correlated_with(holdfast, make_table):
    dose = [f"{value:.2f}" for value in MADE.X[:, 5] * 3]
    file = make_table(states=dose, target="dose")
    found = selected(holdfast("select", file, "--target", "dose", "-m", "pearson", "-k", 1, "--json"))
    assert names(found) == ["gene05"]
    assert found["selected"][0]["frequency"] == 1.0
    assert found["data"]["classes"] is None


def test_an_alias_builds_the_method(holdfast, table):
    found = selected(holdfast("select", table, "--target", "state", "-m", "ANOVA", "-k", 1, "--json"))
    assert found["method"] == "f-test"


def test_the_discretizer_reaches_the_method(holdfast, table):
    found = selected(holdfast("select", table, "--target", "state", "-k", 1, "--discretizer", "equal-width", "--json"))
    assert found["parameters"]["discretizer"] == "equal-width"


def test_names_with_markup_are_printed_as_they_are(holdfast, make_table):
    genes = [f"[bold]{gene}[/] :smile:" for gene in GENES]
    result = holdfast("select", make_table(genes=genes), "--target", "state", "-k", 3, "--repeats", 2)
    assert result.stdout.count("[bold]gene") >= 3
