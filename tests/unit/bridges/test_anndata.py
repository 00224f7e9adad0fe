"""Selections on AnnData objects: what is written, what is refused, and what files keep of it."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings

import anndata
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

import holdfast
from holdfast import DataError, FTest, StabilitySelector, Table, selection_frequency
from holdfast.bridges.anndata import select, table

N_SAMPLES, N_FEATURES = 40, 30
ENDS = ("selected", "rank", "score", "frequency")


@pytest.fixture
def adata(seed):
    rng = np.random.default_rng(seed)
    sick = np.arange(N_SAMPLES) % 2
    X = rng.normal(size=(N_SAMPLES, N_FEATURES)).round(3)
    X[:, :3] += 3.0 * sick[:, np.newaxis]
    obs = pd.DataFrame(
        {
            "condition": pd.Categorical(np.where(sick, "sick", "well")),
            "cluster": pd.Categorical([str(i % 3) for i in range(N_SAMPLES)]),
            "grade": sick + (np.arange(N_SAMPLES) % 4 == 1),
            "age": 40 + 10 * sick + rng.normal(size=N_SAMPLES),
            "is_sick": sick.astype(bool),
            "patient": [f"p{i // 4}" for i in range(N_SAMPLES)],
        },
        index=[f"cell{i}" for i in range(N_SAMPLES)],
    )
    return anndata.AnnData(X, obs=obs, var=pd.DataFrame(index=[f"gene{j}" for j in range(N_FEATURES)]))


def chosen_of(adata, key="holdfast"):
    """The chosen features of a result, best first."""
    ranks = adata.var[f"{key}_rank"].dropna().sort_values()
    return ranks.index.tolist()


def assert_same_result(one, other, key="holdfast"):
    for end in ENDS:
        assert np.array_equal(one.var[f"{key}_{end}"], other.var[f"{key}_{end}"], equal_nan=True), end
    assert one.uns[key].keys() == other.uns[key].keys()
    assert one.uns[key]["features"].tolist() == other.uns[key]["features"].tolist()


def test_a_selection_is_that_of_the_selector_itself(adata):
    select(adata, "condition", "f-test", 5)
    fitted = FTest(5).fit(table(adata, "condition"))
    assert chosen_of(adata) == [f"gene{j}" for j in fitted.indices_]
    assert np.flatnonzero(adata.var["holdfast_selected"]).tolist() == sorted(fitted.indices_)
    assert np.array_equal(adata.var["holdfast_score"], fitted.scores_)


def test_frequencies_are_those_of_selection_frequency(adata):
    select(adata, "condition", "f-test", 5, n_runs=20, random_state=3)
    repeated = selection_frequency(FTest(5), table(adata, "condition"), n_runs=20, random_state=3)
    assert np.array_equal(adata.var["holdfast_frequency"], repeated.frequency)
    about = adata.uns["holdfast"]
    assert (about["n_runs"], about["perturb"], about["random_state"]) == (20, "half-samples", 3)
    assert about["stability"]["value"] == repeated.stability.value
    assert about["stability"]["low"] <= about["stability"]["value"] <= about["stability"]["high"]


def test_columns_have_plain_types(adata):
    select(adata, "condition", "f-test", 5, n_runs=5)
    assert [adata.var[f"holdfast_{end}"].dtype for end in ENDS] == [bool, float, float, float]


def test_nothing_is_returned_and_the_object_is_changed(adata):
    assert select(adata, "condition", "f-test", 5, n_runs=5) is None
    assert "holdfast" in adata.uns


def test_a_copy_leaves_the_object_as_it_was(adata):
    made = select(adata, "condition", "f-test", 5, n_runs=5, copy=True)
    assert "holdfast" not in adata.uns
    assert adata.var.columns.tolist() == []
    assert len(chosen_of(made)) == 5


def test_a_key_begins_all_names(adata):
    select(adata, "condition", "f-test", 5, n_runs=5, key_added="stable")
    assert adata.var.columns.tolist() == [f"stable_{end}" for end in ENDS]
    assert list(adata.uns) == ["stable"]


def test_two_keys_live_side_by_side(adata):
    select(adata, "condition", "f-test", 5, n_runs=5, key_added="one")
    select(adata, "condition", "mrmr+", 4, n_runs=5, key_added="two")
    assert (adata.var["one_selected"].sum(), adata.var["two_selected"].sum()) == (5, 4)


def test_no_resamples_leave_no_frequency_and_take_an_old_one_away(adata):
    select(adata, "condition", "f-test", 5, n_runs=5)
    select(adata, "condition", "f-test", 5, n_runs=0)
    assert "holdfast_frequency" not in adata.var
    assert "stability" not in adata.uns["holdfast"]
    assert adata.uns["holdfast"]["n_runs"] == 0


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, np.asfortranarray])
def test_any_form_of_the_matrix_gives_the_same(adata, kind):
    other = anndata.AnnData(kind(adata.X), obs=adata.obs, var=adata.var)
    select(other, "condition", "f-test", 5, n_runs=5)
    select(adata, "condition", "f-test", 5, n_runs=5)
    assert_same_result(adata, other)


def test_a_layer_is_taken_instead_of_x(adata):
    adata.layers["counts"] = sparse.csr_matrix(adata.X[:, ::-1])
    select(adata, "condition", "f-test", 3, layer="counts", n_runs=0)
    assert set(chosen_of(adata)) == {f"gene{N_FEATURES - 1 - j}" for j in range(3)}
    assert adata.uns["holdfast"]["layer"] == "counts"


def test_the_matrix_itself_stays_as_it_was(adata):
    before = adata.X.copy()
    select(adata, "condition", "f-test", 3, n_runs=5)
    assert np.array_equal(adata.X, before)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("compressed", [None, "gzip"])
def test_a_result_comes_back_from_an_h5ad_file(adata, tmp_path, form, compressed):
    adata.X = form(adata.X)
    select(adata, "condition", "f-test", 5, n_runs=5, key_added="stable")
    adata.write_h5ad(tmp_path / "stable.h5ad", compression=compressed)
    again = anndata.read_h5ad(tmp_path / "stable.h5ad")
    assert_same_result(adata, again, "stable")
    about = again.uns["stable"]
    assert about["method"] == "f-test"
    assert about["target"] == "condition"
    assert about["version"] == holdfast.__version__
    assert json.loads(about["parameters"])["n_features_to_select"] == 5
    assert float(about["stability"]["value"]) == adata.uns["stable"]["stability"]["value"]


def test_an_empty_choice_comes_back_from_an_h5ad_file(adata, tmp_path):
    adata.obs["noise"] = pd.Categorical(np.where(np.arange(N_SAMPLES) // 2 % 2, "a", "b"))
    adata.X = np.random.default_rng(0).normal(size=adata.shape)
    with pytest.warns(holdfast.NothingSelected):
        select(adata, "noise", "stability-selection", list_size=1, threshold=1.0, n_runs=20)
    adata.write_h5ad(tmp_path / "none.h5ad")
    again = anndata.read_h5ad(tmp_path / "none.h5ad")
    assert len(again.uns["holdfast"]["features"]) == 0
    assert not again.var["holdfast_selected"].any()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_an_object_kept_in_a_file_works(adata, tmp_path, form):
    adata.X = form(adata.X)
    adata.write_h5ad(tmp_path / "data.h5ad")
    backed = anndata.read_h5ad(tmp_path / "data.h5ad", backed="r")
    select(backed, "condition", "f-test", 5, n_runs=5)
    select(adata, "condition", "f-test", 5, n_runs=5)
    assert_same_result(adata, backed)
    assert backed.isbacked
    made = select(backed, "condition", "f-test", 4, n_runs=0, copy=True)
    assert not made.isbacked
    assert (len(chosen_of(made)), len(chosen_of(backed))) == (4, 5)
    backed.file.close()


def test_a_view_of_a_file_is_refused_without_a_copy(adata, tmp_path):
    adata.write_h5ad(tmp_path / "data.h5ad")
    backed = anndata.read_h5ad(tmp_path / "data.h5ad", backed="r")
    view = backed[:, :20]
    with pytest.raises(ValueError, match=r"copy=True, or call adata = adata\.to_memory"):
        select(view, "condition", "f-test", 5)
    assert len(chosen_of(select(view, "condition", "f-test", 5, n_runs=0, copy=True))) == 5
    backed.file.close()


def test_a_view_becomes_an_object_of_its_own_and_its_parent_stays(adata):
    view = adata[:, 3:]
    assert view.is_view
    select(view, "condition", "f-test", 5, n_runs=5)
    assert not view.is_view
    assert len(chosen_of(view)) == 5
    assert adata.var.columns.tolist() == []
    assert "holdfast" not in adata.uns


def test_a_copy_of_a_view_leaves_it_a_view(adata):
    view = adata[:, 3:]
    made = select(view, "condition", "f-test", 5, n_runs=0, copy=True)
    assert view.is_view
    assert not made.is_view


def test_classes_may_be_whole_numbers(adata):
    select(adata, "grade", "f-test", 3, n_runs=0)
    assert table(adata, "grade").target.dtype.kind == "i"
    assert len(chosen_of(adata)) == 3


def test_truth_values_are_two_classes(adata):
    select(adata, "is_sick", "f-test", 3, n_runs=0)
    select(adata, "condition", "f-test", 3, n_runs=0, key_added="same")
    assert chosen_of(adata) == chosen_of(adata, "same")


def test_numbered_clusters_are_classes_and_not_quantities(adata):
    assert table(adata, "cluster").target.tolist() == adata.obs["cluster"].tolist()
    with pytest.raises(DataError, match="3 names"):
        select(adata, "cluster", "pearson", 3)


def test_a_measured_target_goes_to_methods_that_take_one(adata):
    select(adata, "age", "pearson", 3, n_runs=5)
    assert set(chosen_of(adata)) == {"gene0", "gene1", "gene2"}


def test_a_measured_target_is_refused_by_methods_for_classes(adata):
    with pytest.raises(ValueError, match=r"'age' holds measured values.*'pearson'.*pandas\.cut"):
        select(adata, "age", "f-test", 3)


def test_a_method_without_a_target_takes_none(adata):
    select(adata, None, "laplacian", 3, n_runs=5)
    assert "target" not in adata.uns["holdfast"]
    with pytest.raises(ValueError, match=r"needs to know the class.*'laplacian'"):
        select(adata, None, "f-test", 3)


def test_groups_stay_together_in_resamples(adata):
    select(adata, "condition", "f-test", 5, groups="patient", n_runs=10)
    together = selection_frequency(FTest(5), table(adata, "condition"), groups=adata.obs["patient"], n_runs=10)
    assert np.array_equal(adata.var["holdfast_frequency"], together.frequency)
    assert adata.uns["holdfast"]["groups"] == "patient"


@pytest.mark.parametrize("impute", [None, "median"])
def test_groups_reach_a_method_that_resamples_by_itself(adata, impute):
    told = {"list_size": 3, "threshold": 0.2, "n_runs": 10}
    select(adata, "condition", "stability-selection", groups="patient", impute=impute, **told)
    own = StabilitySelector(**told).fit(table(adata, "condition"), groups=adata.obs["patient"])
    assert np.array_equal(adata.var["holdfast_frequency"], own.frequency_)


@pytest.mark.parametrize("method", ["stability-selection", "en-relieff"])
def test_a_method_that_resamples_by_itself_gives_its_own_frequencies(adata, method):
    select(adata, "condition", method, list_size=5, n_runs=12, random_state=5)
    own = holdfast.selector(method, list_size=5, n_runs=12, random_state=5).fit(table(adata, "condition"))
    about = adata.uns["holdfast"]
    assert np.array_equal(adata.var["holdfast_frequency"], own.frequency_)
    assert (about["n_runs"], about["perturb"]) == (12, own.perturb)
    assert about["stability"]["value"] == own.stability_


def test_the_own_number_of_runs_is_kept_unless_another_is_given(adata):
    select(adata, "condition", "stability-selection", list_size=3, threshold=0.2)
    assert adata.uns["holdfast"]["n_runs"] == 100
    assert adata.uns["holdfast"]["perturb"] == "complementary-pairs"


def test_other_resamples_can_be_asked_for(adata):
    select(adata, "condition", "f-test", 3, n_runs=8, perturb="bootstrap")
    assert adata.uns["holdfast"]["perturb"] == "bootstrap"


def test_jobs_do_not_change_a_result(adata):
    other = select(adata, "condition", "mrmr+", 5, n_runs=6, n_jobs=2, copy=True)
    select(adata, "condition", "mrmr+", 5, n_runs=6)
    assert_same_result(adata, other)


def test_further_parameters_reach_the_method(adata):
    select(adata, "condition", "relieff", 3, n_runs=0, n_neighbors=4)
    assert json.loads(adata.uns["holdfast"]["parameters"])["n_neighbors"] == 4
    with pytest.raises(TypeError, match="no parameter 'n_neighbours'"):
        select(adata, "condition", "relieff", 3, n_neighbours=4)


def test_a_selector_of_ones_own_is_cloned_and_set(adata):
    mine = FTest(7)
    select(adata, "condition", mine, 4, n_runs=5)
    assert len(chosen_of(adata)) == 4
    assert adata.uns["holdfast"]["method"] == "FTest"
    assert mine.n_features_to_select == 7
    assert not hasattr(mine, "indices_")


def test_a_selector_of_scikit_learn_works(adata):
    select(adata, "condition", SelectKBest(), 3, n_runs=5)
    assert set(chosen_of(adata)) == {"gene0", "gene1", "gene2"}
    assert np.isfinite(adata.var["holdfast_score"]).all()


def test_a_pipeline_gives_the_columns_of_the_object(adata):
    select(adata, "condition", make_pipeline(SelectKBest(k=10), FTest(3)), n_runs=5)
    plain = select(adata, "condition", "f-test", 3, n_runs=0, copy=True)
    assert chosen_of(adata) == chosen_of(plain)
    assert np.isnan(adata.var["holdfast_score"]).sum() == N_FEATURES - 3
    kept = adata.var["holdfast_selected"]
    assert np.allclose(adata.var["holdfast_score"][kept], plain.var["holdfast_score"][kept])


@pytest.mark.parametrize("method", ["no-such-method", FTest, 3])
def test_what_is_no_method_is_refused(adata, method):
    with pytest.raises((ValueError, TypeError), match=r"no-such-method|not allowed"):
        select(adata, "condition", method)


def test_a_size_for_a_selector_without_one_is_refused(adata):
    with pytest.raises(ValueError, match="VarianceThreshold has no parameter for the number"):
        select(adata, "condition", VarianceThreshold(), 3)


def test_missing_values_are_refused_with_the_names_of_features(adata):
    adata.X[3, 5] = np.nan
    with pytest.raises(DataError, match=r"1 feature has missing values \(1 value\): 'gene5'.*impute='median'"):
        select(adata, "condition", "f-test", 3)
    assert adata.var.columns.tolist() == []


@pytest.mark.parametrize("impute", ["mean", "median", "most_frequent"])
def test_missing_values_are_filled_inside_each_selection(adata, impute):
    adata.X[3, 5] = adata.X[8, 0] = np.nan
    select(adata, "condition", "f-test", 3, impute=impute, n_runs=6)
    pipeline = make_pipeline(SimpleImputer(strategy=impute), FTest(3))
    y = adata.obs["condition"].astype(str).to_numpy()
    repeated = selection_frequency(pipeline, adata.X, y, n_runs=6)
    assert np.array_equal(adata.var["holdfast_frequency"], repeated.frequency)
    assert adata.uns["holdfast"]["impute"] == impute
    assert json.loads(adata.uns["holdfast"]["parameters"])["n_features_to_select"] == 3


def test_filling_a_whole_table_changes_nothing(adata):
    filled = select(adata, "condition", "mrmr+", 5, n_runs=6, impute="mean", copy=True)
    plain = select(adata, "condition", "mrmr+", 5, n_runs=6, copy=True)
    assert chosen_of(filled) == chosen_of(plain)
    assert np.array_equal(filled.var["holdfast_score"], plain.var["holdfast_score"], equal_nan=True)


def test_a_method_that_takes_missing_values_gets_them(adata):
    adata.X[3, 5] = np.nan
    select(adata, "condition", "relieff", 3, n_runs=5)
    assert len(chosen_of(adata)) == 3


def test_another_way_to_fill_is_refused(adata):
    with pytest.raises(ValueError, match=r"impute='zero' is not allowed.*'median'"):
        select(adata, "condition", "f-test", 3, impute="zero")


@pytest.mark.parametrize("kind", ["category", object, "string"])
def test_samples_without_a_label_are_counted_and_named(adata, kind):
    labels = adata.obs["condition"].astype(object)
    labels.iloc[[2, 7]] = None
    adata.obs["condition"] = labels.astype(kind)
    with pytest.raises(DataError, match=r"2 samples of 40 have no value.*'condition': 'cell2', 'cell7'.*notna\(\)"):
        select(adata, "condition", "f-test", 3)
    with pytest.raises(DataError, match="2 samples of 40"):
        table(adata, "condition")


def test_the_remedy_for_missing_labels_works(adata):
    adata.obs["age"] = adata.obs["age"].where(np.arange(N_SAMPLES) != 4)
    with pytest.raises(DataError, match="1 sample of 40 has no value") as refused:
        select(adata, "age", "pearson", 3)
    names = {"adata": adata}
    exec(str(refused.value).partition("Leave them out: ")[2], names)
    select(names["adata"], "age", "pearson", 3, n_runs=0)


def test_an_empty_text_is_a_missing_label_too(adata):
    adata.obs["condition"] = ["" if i < 3 else value for i, value in enumerate(adata.obs["condition"])]
    with pytest.raises(DataError, match=r"3 samples of 40.*!= ''"):
        select(adata, "condition", "f-test", 3)


def test_groups_without_gaps_are_asked_for(adata):
    adata.obs["patient"] = adata.obs["patient"].where(np.arange(N_SAMPLES) != 4)
    with pytest.raises(DataError, match="1 sample of 40 has no value in the obs column 'patient'"):
        select(adata, "condition", "f-test", 3, groups="patient")


@pytest.mark.parametrize("what", ["target", "groups"])
def test_an_unknown_column_is_refused_with_those_there_are(adata, what):
    asked = {"target": "condition", "groups": "patient"} | {what: "state"}
    with pytest.raises(ValueError, match=f"{what}='state' is no column of adata.obs. It has: 'condition'"):
        select(adata, method="f-test", **asked)


def test_a_target_that_is_no_name_is_refused(adata):
    with pytest.raises(TypeError, match=r"target must be the name of a column of adata\.obs, but Series came"):
        select(adata, adata.obs["condition"])


def test_an_unknown_layer_is_refused(adata):
    with pytest.raises(ValueError, match=r"layer='raw' is not in adata\.layers\. It has: none"):
        select(adata, "condition", layer="raw")


def test_names_that_come_twice_are_refused(adata):
    adata.var_names = ["gene0", *adata.var_names[:-1]]
    with pytest.raises(DataError, match=r"1 name in adata\.var_names comes more than once: 'gene0'.*make_unique"):
        select(adata, "condition")


def test_an_object_without_a_matrix_is_refused(adata):
    empty = anndata.AnnData(obs=adata.obs, var=adata.var)
    with pytest.raises(DataError, match="no matrix X"):
        select(empty, "condition")


@pytest.mark.parametrize("key", ["", "a/b", None])
def test_a_key_that_files_cannot_hold_is_refused(adata, key):
    with pytest.raises(ValueError, match=r"key_added=.*without '/'"):
        select(adata, "condition", key_added=key)


@pytest.mark.parametrize("made", ["data.h5ad", np.eye(3), None])
def test_what_is_no_anndata_object_is_refused(made):
    with pytest.raises(TypeError, match=r"must be an AnnData object, but \w+ came. Read a file with anndata.read_h5ad"):
        select(made, "condition")


def test_a_missing_package_is_named_with_its_extra(monkeypatch):
    monkeypatch.setattr("holdfast.bridges._parts.find_spec", lambda name: None)
    with pytest.raises(TypeError, match=r"pip install 'holdfast\[anndata\]'"):
        table("data.h5ad")


def test_an_error_in_the_selection_leaves_the_object_as_it_was(adata):
    with pytest.raises(ValueError, match="n_features_to_select=99"):
        select(adata[:, :20], "condition", "f-test", 99)
    assert adata.var.columns.tolist() == []
    assert len(adata.uns) == 0


def test_a_table_has_values_names_and_target(adata):
    made = table(adata, "condition")
    assert isinstance(made, Table)
    assert np.array_equal(made.X, adata.X)
    assert made.feature_names == tuple(adata.var_names)
    assert made.sample_names == tuple(adata.obs_names)
    assert made.target.tolist() == adata.obs["condition"].tolist()
    assert made.target_name == "condition"
    assert table(adata).target is None


def test_a_table_of_a_file_knows_where_it_is_from(adata, tmp_path):
    adata.write_h5ad(tmp_path / "data.h5ad")
    backed = anndata.read_h5ad(tmp_path / "data.h5ad", backed="r")
    assert table(backed).source == str(tmp_path / "data.h5ad")
    backed.file.close()


def test_nullable_numbers_are_numbers(adata):
    adata.obs["grade"] = adata.obs["grade"].astype("Int64")
    assert table(adata, "grade").target.dtype.kind == "i"
    adata.obs["age"] = adata.obs["age"].astype("Float64")
    assert table(adata, "age").target.dtype.kind == "f"


def test_no_warning_comes_with_a_plain_selection(adata):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert select(adata[:, 2:], "condition", "f-test", 3) is None


def test_the_bridge_is_loaded_on_first_use_and_needs_no_anndata():
    code = "import sys, holdfast.bridges; holdfast.bridges.anndata.select; sys.exit('anndata' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_table_can_be_compared_on(adata):
    study = holdfast.compare(
        table(adata, "condition"),
        methods=["f-test"],
        sizes=[3],
        classifiers=["nb"],
        protocol="3cv",
        progress=lambda *_: None,
    )
    assert study.summary()["plan"]["data"]["classes"] == {"sick": 20, "well": 20}
