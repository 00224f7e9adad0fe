"""parquet, arff, mat, npz and h5ad files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from holdfast._errors import DataError
from holdfast.data import read

SHARED = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[4] / "shared" / "data"))


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def parquet(folder, columns):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table(columns), folder / "t.parquet")
    return folder / "t.parquet"


class TestParquet:
    def test_genes_in_columns_with_a_target(self, tmp_path):
        path = parquet(
            tmp_path,
            {"id": ["a", "b"], "g": [1, None], "h": [1.5, 2.5], "on": [True, None], "y": ["sick", "well"]},
        )
        table = read(path, target="y")
        np.testing.assert_array_equal(table.X, [[1, 1.5, 1], [np.nan, 2.5, np.nan]])
        assert table.feature_names == ("g", "h", "on")
        assert table.sample_names == ("a", "b")
        assert table.target.tolist() == ["sick", "well"]

    def test_genes_in_rows_with_a_target_row(self, tmp_path):
        path = parquet(tmp_path, {"gene": ["g", "h", "y"], "a": ["1", "2.5", "sick"], "b": ["3", None, "well"]})
        table = read(path, target="y")
        np.testing.assert_array_equal(table.X, [[1, 2.5], [3, np.nan]])
        assert table.sample_names == ("a", "b")
        assert table.target.tolist() == ["sick", "well"]

    def test_the_index_of_pandas_names_the_samples(self, tmp_path):
        pd = pytest.importorskip("pandas")
        frame = pd.DataFrame({"g": [1.0, 2.0], "y": pd.Categorical(["u", "v"])}, index=["a", "b"])
        frame.to_parquet(tmp_path / "t.parquet")
        table = read(tmp_path / "t.parquet", target="y")
        assert table.sample_names == ("a", "b")
        assert table.feature_names == ("g",)
        assert table.target.tolist() == ["u", "v"]

    def test_a_numeric_first_column_is_a_feature(self, tmp_path):
        table = read(parquet(tmp_path, {"g": [0.1, 1e300], "h": [3, 4]}), genes_in="columns")
        np.testing.assert_array_equal(table.X, [[0.1, 3], [1e300, 4]])

    def test_text_among_the_numbers_is_named(self, tmp_path):
        path = parquet(tmp_path, {"id": ["a", "b", "c"], "g": ["1", "2", "many"], "h": [1, 2, 3]})
        with pytest.raises(DataError, match="'many' in sample 'c', feature 'g'"):
            read(path, genes_in="columns")

    def test_a_broken_file_is_named(self, tmp_path):
        with pytest.raises(DataError, match=r"t\.parquet could not be read as a parquet file"):
            read(write(tmp_path, "t.parquet", "not parquet at all"), genes_in="columns")


ARFF = """% a comment
@RELATION 'small one'
@attribute 'gene one' numeric
@Attribute level {low, 'very high'}
@attribute "it's" REAL
@attribute count {0,1,2}
@attribute class {sick,well}
@data
1.5, low, ?, 2, sick
% between
2, 'very high', 1e3, 0, well
"""


class TestArff:
    def test_dense_rows(self, tmp_path):
        table = read(write(tmp_path, "t.arff", ARFF))
        assert table.feature_names == ("gene one", "level", "it's", "count")
        np.testing.assert_array_equal(table.X, [[1.5, 0, np.nan, 2], [2, 1, 1000, 0]])
        assert table.target.tolist() == ["sick", "well"]
        assert table.target_name == "class"

    def test_sparse_rows_leave_out_zeros_and_first_levels(self, tmp_path):
        head, _, _ = ARFF.partition("@data")
        path = write(tmp_path, "t.arff", head + "@data\n{0 1.5, 2 ?, 3 2}\n{1 'very high',2 7, 4 well}\n{}\n")
        table = read(path)
        np.testing.assert_array_equal(table.X, [[1.5, 0, np.nan, 2], [0, 1, 7, 0], [0, 0, 0, 0]])
        assert table.target.tolist() == ["sick", "well", "sick"]

    def test_a_string_attribute_names_the_samples(self, tmp_path):
        text = "@attribute id string\n@attribute g real\n@attribute y {u,v}\n@data\n'a b',1,u\nc,2,v\n"
        table = read(write(tmp_path, "t.arff", text))
        assert table.sample_names == ("a b", "c")
        assert table.target_name == "y"

    def test_another_target_can_be_named(self, tmp_path):
        table = read(write(tmp_path, "t.arff", ARFF), target="gene one")
        assert table.target.tolist() == [1.5, 2.0]
        assert "class" in table.feature_names

    def test_no_nominal_attribute_means_no_target(self, tmp_path):
        table = read(write(tmp_path, "t.arff", "@attribute g real\n@attribute h real\n@data\n1,2\n"))
        assert table.target is None

    @pytest.mark.parametrize(
        ("old", "new", "says"),
        [
            ("@attribute class", "@attribute kind", "3 nominal attributes .*'kind'.*target="),
            ("@data", "", "no @data"),
            ("1e3, 0", "1e3, 0, 0", "line 11 has 6 values, but 5 attributes"),
            ("1e3", "abc", r"line 11: 'abc' is not a number, in feature \"it's\""),
            ("1.5, low", "1.5, medium", "line 9: 'medium' is not a declared level of attribute 'level'"),
            ("REAL", "date", "type 'date'"),
            ("1.5, low, ?, 2, sick", "{9 1}", "line 9: '{9 1}' is not a sparse row"),
            ("1.5, low, ?, 2, sick", "{0 1, nonsense}", "not a sparse row"),
            ("1.5, low, ?, 2, sick", "{0 1", "not a sparse row"),
        ],
    )
    def test_mistakes_are_named_with_their_line(self, tmp_path, old, new, says):
        with pytest.raises(DataError, match=says):
            read(write(tmp_path, "t.arff", ARFF.replace(old, new)))

    def test_samples_are_always_in_rows(self, tmp_path):
        with pytest.raises(DataError, match="samples in rows"):
            read(write(tmp_path, "t.arff", ARFF), genes_in="rows")


class TestMat:
    def save(self, folder, **variables):
        scipy_io = pytest.importorskip("scipy.io")
        scipy_io.savemat(folder / "t.mat", variables)
        return folder / "t.mat"

    def test_x_and_y_as_scikit_feature_stores_them(self, tmp_path):
        path = self.save(tmp_path, X=np.arange(6.0).reshape(3, 2), Y=np.array([[1.0], [2.0], [1.0]]))
        table = read(path)
        assert table.X.tolist() == [[0, 1], [2, 3], [4, 5]]
        assert table.target.tolist() == [1, 2, 1]
        assert table.target_name == "Y"
        assert table.feature_names == ("f1", "f2")

    def test_the_only_matrix_is_x_and_the_target_is_named(self, tmp_path):
        sparse = pytest.importorskip("scipy.sparse")
        path = self.save(tmp_path, genes=["a", "b"], values=np.eye(2), who=np.array([["u"], ["v"]], dtype=object))
        table = read(path, target="who")
        assert table.target.tolist() == ["u", "v"]
        assert table.feature_names == ("a", "b")
        path = self.save(tmp_path, X=sparse.csc_matrix(np.eye(2)), Y=[1, 2])
        assert read(path).X.tolist() == [[1, 0], [0, 1]]

    def test_genes_in_rows_are_turned(self, tmp_path):
        path = self.save(tmp_path, X=np.arange(6.0).reshape(3, 2), Y=[1, 2])
        with pytest.raises(DataError, match="genes_in='rows'"):
            read(path)
        assert read(path, genes_in="rows").X.tolist() == [[0, 2, 4], [1, 3, 5]]

    @pytest.mark.parametrize(
        ("variables", "options", "says"),
        [
            ({"A": np.eye(2), "B": np.eye(3)}, {}, r"no variable X. It holds A \(2, 2\), B \(3, 3\)"),
            ({"X": np.eye(2)}, {"target": "z"}, "no variable 'z'"),
        ],
    )
    def test_missing_variables_are_named(self, tmp_path, variables, options, says):
        with pytest.raises(DataError, match=says):
            read(self.save(tmp_path, **variables), **options)

    def test_the_hdf5_version_is_refused(self, tmp_path):
        (tmp_path / "t.mat").write_bytes(b"MATLAB 7.3 MAT-file, Platform".ljust(512) + b"\x89HDF")
        with pytest.raises(DataError, match="-v7"):
            read(tmp_path / "t.mat")


class TestNpz:
    def save(self, folder, **arrays):
        np.savez(folder / "t.npz", **arrays)
        return folder / "t.npz"

    def test_class_numbers_become_class_names(self, tmp_path):
        path = self.save(
            tmp_path,
            X=np.eye(2, dtype=np.int8),
            y=np.array([1, 0], dtype=np.int8),
            class_names=["u", "v"],
            feature_names=["g", "h"],
            sample_ids=["a", "b"],
            batch=[3, 4],
        )
        table = read(path)
        assert table.target.tolist() == ["v", "u"]
        assert table.feature_names == ("g", "h")
        assert table.sample_names == ("a", "b")
        assert read(path, target="batch").target.tolist() == [3, 4]

    def test_x_alone_is_enough(self, tmp_path):
        table = read(self.save(tmp_path, X=np.eye(2)))
        assert table.target is None
        assert table.sample_names == ("s1", "s2")

    @pytest.mark.parametrize(
        ("arrays", "options", "says"),
        [
            ({"Z": [1]}, {}, "no array 'X', only 'Z'"),
            ({"X": [1.0]}, {}, r"shape \(1,\)"),
            ({"X": np.eye(2)}, {"target": "q"}, "no array 'q'"),
            ({"X": np.eye(2), "y": [0, 5], "class_names": ["u", "v"]}, {}, "y runs from 0 to 5"),
            ({"X": np.eye(2), "y": [0, 1, 2]}, {}, "3 labels"),
            ({"X": np.array([[{}]], dtype=object)}, {}, "holds Python objects, which are never loaded"),
        ],
    )
    def test_what_is_wrong_is_named(self, tmp_path, arrays, options, says):
        with pytest.raises(DataError, match=says):
            read(self.save(tmp_path, **arrays), **options)

    @pytest.mark.parametrize("name", ["colon", "leukemia", "boston_housing", "zoo"])
    def test_shared_sets_are_read_as_they_are(self, name):
        path = SHARED / f"{name}.npz"
        if not path.exists():
            pytest.skip(f"no table {name}: set HOLDFAST_DATA to a folder that has it")
        table = read(path)
        with np.load(path) as raw:
            np.testing.assert_array_equal(table.X, raw["X"].astype(float))
            assert table.feature_names == tuple(raw["feature_names"].tolist())
            if len(raw["class_names"]):
                assert table.target.tolist() == raw["class_names"][raw["y"]].tolist()
            else:
                np.testing.assert_array_equal(table.target, raw["y"])


class TestH5ad:
    @pytest.mark.filterwarnings("ignore")
    def test_obs_names_var_names_and_an_obs_column(self, tmp_path):
        anndata = pytest.importorskip("anndata")
        pd = pytest.importorskip("pandas")
        sparse = pytest.importorskip("scipy.sparse")
        adata = anndata.AnnData(
            sparse.csr_matrix(np.array([[1.0, 0], [0, 2]])),
            obs=pd.DataFrame({"state": pd.Categorical(["u", "v"])}, index=["a", "b"]),
            var=pd.DataFrame(index=["g", "h"]),
        )
        adata.write_h5ad(tmp_path / "t.h5ad")
        table = read(tmp_path / "t.h5ad", target="state")
        assert table.X.tolist() == [[1, 0], [0, 2]]
        assert table.feature_names == ("g", "h")
        assert table.sample_names == ("a", "b")
        assert table.target.tolist() == ["u", "v"]
        with pytest.raises(DataError, match=r"no obs column 'x'\. Pass one of 'state'"):
            read(tmp_path / "t.h5ad", target="x")

    def test_without_the_package_the_extra_is_named(self, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "anndata", None)
        with pytest.raises(DataError, match=r"pip install 'holdfast\[anndata\]'"):
            read(write(tmp_path, "t.h5ad", "x"))
