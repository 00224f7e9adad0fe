"""Values of a set of features by class and part."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from holdfast import DataError
from holdfast.data import Table
from holdfast.evaluate import feature_values


@pytest.fixture
def made(seed):
    rng = np.random.default_rng([seed, 405])
    order = rng.permutation(21)
    y, part = np.repeat(["a", "b", "c"], 7)[order], np.tile(["train", "train", "test"], 7)[order]
    return rng.normal(size=(21, 4)) * [1, 10, 100, 0], y, part


def test_the_long_table_has_every_value_of_every_sample(made):
    X, y, part = made
    samples = [f"patient {i}" for i in range(21)]
    found = feature_values(Table(X, list("wxyz"), samples, y), None, ["y", "w"], part, scale=None)
    rows = pd.DataFrame(found.table())
    assert rows["value"].tolist() == [*X[:, 2], *X[:, 0]]
    assert rows["feature"].tolist() == ["y"] * 21 + ["w"] * 21
    assert rows["sample"].tolist() == samples * 2
    assert rows["class"].tolist() == y.tolist() * 2
    assert rows["part"].tolist() == part.tolist() * 2


@pytest.mark.parametrize("scale", ["pooled", "train", "per-set"])
def test_values_go_from_0_to_1_in_the_samples_asked_for(made, scale):
    X, y, part = made
    found = feature_values(X, y, [0, 1], part, scale=scale).values
    for i in (0, 1):
        for row in range(21):
            source = {"pooled": part == part, "train": part == "train", "per-set": part == part[row]}[scale]
            low, high = min(X[source, i]), max(X[source, i])
            assert found[row, i] == pytest.approx((X[row, i] - low) / (high - low))


def test_a_constant_becomes_0(made):
    X, y, _ = made
    assert not feature_values(X, y, [3]).values.any()


def test_overlaps_are_the_lengths_that_ranges_share(made):
    X, y, part = made
    found = feature_values(X, y, [0, 1], part)
    for row in found.overlaps():
        i = found.features.index(row["feature"])
        one, other = (
            [v for v, c, p in zip(found.values[:, i], y, part, strict=True) if (c, p) == (label, row["part"])]
            for label in (row["class"], row["other"])
        )
        inside = min(max(one), max(other)) - max(min(one), min(other))
        assert row["overlap"] == pytest.approx(max(0.0, inside))
        assert row["is_apart"] == (max(one) < min(other) or max(other) < min(one))
    assert len(found.overlaps()) == 2 * 2 * 3


def test_quantiles_tell_of_every_group_that_has_samples(made):
    X, y, _ = made
    part = np.where(y == "c", "later", "first")
    rows = pd.DataFrame(feature_values(X, y, [0], part, scale=None).quantiles())
    assert set(zip(rows["part"], rows["class"], strict=True)) == {("first", "a"), ("first", "b"), ("later", "c")}
    first = rows[rows["class"] == "a"].iloc[0]
    assert (first["q0"], first["q50"], first["q100"]) == (
        X[y == "a", 0].min(), pytest.approx(np.median(X[y == "a", 0])), X[y == "a", 0].max(),
    )  # fmt: skip
    assert rows["n_samples"].sum() == 21


def test_without_parts_all_samples_are_one(made):
    X, y, _ = made
    assert feature_values(X, y, [0]).parts == ["all"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"part": ["train"] * 3}, r"part has the shape \(3,\), but X has 21 samples"),
        ({"part": "train"}, "Give one word for each sample"),
        ({"scale": "train"}, "needs samples whose part is 'train'; part has 'all'"),
        ({"scale": "range"}, "scale='range' is not allowed for feature_values"),
    ],
)
def test_wrong_settings_are_refused(made, more, message):
    X, y, _ = made
    with pytest.raises(ValueError, match=message):
        feature_values(X, y, [0], **more)


def test_unknown_features_and_empty_sets_are_refused(made):
    X, y, _ = made
    with pytest.raises(ValueError, match="There is no feature called 'MYC'"):
        feature_values(X, y, ["MYC"])
    with pytest.raises(ValueError, match="features is empty"):
        feature_values(X, y, [])
    with pytest.raises(DataError, match="needs the class"):
        feature_values(X, None, [0])
