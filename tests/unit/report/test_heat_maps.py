"""Values of the recommended features in all samples."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.report.heat_maps import heat_map


def _blocks(figure):
    return [trace for trace in figure.data if trace.type == "heatmap"]


def test_samples_are_grouped_by_class_in_the_order_of_the_plan(made_study):
    figure = heat_map(made_study)
    assert [block.name for block in _blocks(figure)][::2] == ["well", "odd"]
    assert [name[-1] for name in figure.layout.xaxis.ticktext] == list("135042")


def test_cells_keep_the_values_of_the_study(made_study):
    cells = np.array(made_study["heat_map"]["values"], dtype=float)
    blocks = _blocks(heat_map(made_study))
    for block, rows in zip(blocks, ([1, 3, 5], [0, 4], [2]), strict=True):
        assert np.array_equal(np.asarray(block.z, dtype=float), cells[:, rows], equal_nan=True)


def test_colours_end_at_two_and_a_half_on_both_sides(made_study):
    assert {(block.zmin, block.zmax) for block in _blocks(heat_map(made_study))} == {(-2.5, 2.5)}


def test_blocks_stand_apart(made_study):
    first, second, third = (np.asarray(block.x) for block in _blocks(heat_map(made_study)))
    assert first[-1] + 1 < second[0]
    assert second[-1] + 1 < third[0]


def test_class_means_are_told_under_the_pointer(made_study):
    values = made_study["heat_map"]["values"][0]
    told = heat_map(made_study).layout.yaxis2.ticktext[0]
    assert told.startswith("<b>MYC</b><br>")
    assert f"mean of well: {np.mean([values[i] for i in (1, 3, 5)]):.2f}" in told


def test_the_mean_of_nothing_is_not_known(made_study):
    assert "mean of odd: not known" in heat_map(made_study).layout.yaxis2.ticktext[1]


def test_of_many_classes_only_the_ends_are_told(made_study):
    source = made_study["heat_map"]
    source.update(classes=list("abcdefghij"), samples=list("abcdefghij"), features=["MYC"], values=[list(range(10))])
    told = heat_map(made_study).layout.yaxis2.ticktext[0]
    assert told == "<b>MYC</b><br>mean of a: 0.00<br>mean of j: 9.00"


def test_missing_values_are_grey_and_said_to_be(made_study):
    figure = heat_map(made_study)
    assert len([shape for shape in figure.layout.shapes if shape.layer == "below"]) == 3
    assert "grey: missing" in figure.layout.xaxis.title.text


def test_nothing_is_said_of_missing_values_where_there_are_none(made_study):
    made_study["heat_map"]["values"][1][2] = 0.3
    figure = heat_map(made_study)
    assert not [shape for shape in figure.layout.shapes if shape.layer == "below"]
    assert "missing" not in figure.layout.xaxis.title.text


def test_short_class_names_stand_above_their_blocks(made_study):
    made_study["heat_map"]["classes"] = ["a", "b"] * 3
    assert [note.text for note in heat_map(made_study).layout.annotations] == ["a (3)", "b (3)"]


def test_long_class_names_are_numbered_and_explained_below(made_study):
    figure = heat_map(made_study)
    assert [note.text for note in figure.layout.annotations] == ["1", "2", "3"]
    assert "1 well (3)" in figure.layout.xaxis.title.text


def test_the_title_names_the_feature_whose_class_means_lie_furthest_apart(made_study):
    source = made_study["heat_map"]
    source.update(classes=["a", "a", "b", "b", "c", "c"])
    source["values"] = [[0, 0, 0, 0, 0, 1], [5, 1, 3, 3, 2, 4], [1, 1, 0, 0, -1, -1]]
    title = heat_map(made_study).layout.title.text
    assert title == "<b>3 features in 6 samples: ACTB differs most between the classes.</b>"


def test_one_class_is_one_block(made_study):
    made_study["heat_map"]["classes"] = ["a"] * 6
    figure = heat_map(made_study)
    assert len(_blocks(figure)) == 1
    assert figure.layout.title.text == "<b>3 features in 6 samples.</b>"


def test_one_entry_for_each_row_and_column_keeps_a_large_map_small(seed):
    rng = np.random.default_rng(seed)
    source = {
        "features": [f"gene {i}" for i in range(60)],
        "samples": [f"sample {i}" for i in range(300)],
        "classes": [str(i % 3) for i in range(300)],
        "values": rng.normal(size=(60, 300)).tolist(),
    }
    figure = heat_map({"schema": "holdfast.study", "schema_version": 1, "heat_map": source})
    assert len(figure.to_json()) < 400_000


@pytest.mark.parametrize("source", [None, {"features": [], "samples": [], "classes": [], "values": []}])
def test_a_study_without_values_is_refused(source, made_study):
    made_study["heat_map"] = source
    with pytest.raises(ValueError, match="no values of samples"):
        heat_map(made_study)


def test_rows_of_another_length_are_refused(made_study):
    made_study["heat_map"]["values"][0].pop()
    with pytest.raises(ValueError, match="names 6 samples, but not every row"):
        heat_map(made_study)
