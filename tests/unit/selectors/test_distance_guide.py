"""The guide page on distance correlation: its code runs and does what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import holdfast
from holdfast.measures import distance_correlation

GUIDE = (Path(__file__).parents[3] / "docs" / "distance.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore::holdfast.NothingSelected")
def test_every_block_of_code_runs_one_after_the_other():
    names = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL):
        exec(compile(block, "distance.md", "exec"), names)
    X, y = names["X"], names["y"]
    by_size = distance_correlation(X, y, subsets=[[10], [10, 150], [10, 150, 290]])
    assert by_size[0] < by_size[1] < by_size[2]
    parabola = distance_correlation(X, X[:, 3] ** 2)[3]
    assert abs(holdfast.measures.pearson(X, X[:, 3] ** 2)[3]) < 0.3 < parabola
    assert sorted(names["found"].indices_.tolist()) == [10, 150, 290]
    assert names["by_classifier"].value_ > 0.6
    assert len(names["by_relief"].indices_) == 3
    assert names["by_function"].value_ > 0.05
    assert len(names["by_function"].indices_) > 0


def test_every_method_is_in_the_table():
    rows = re.findall(r"^\| `([a-z0-9-]+)` \|", GUIDE, flags=re.MULTILINE)
    assert rows == ["dcor", "dcor-regression", *(method.name for method in holdfast.methods("distance"))]
