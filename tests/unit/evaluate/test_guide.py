"""The guide page on stability: its code runs, and the numbers of its table of bounds are those of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdfast.stability.bounds import BOUNDS, expected_false

GUIDE = (Path(__file__).parents[3] / "docs" / "compare.md").read_text(encoding="utf-8")


def test_every_block_of_code_runs_one_after_the_other(capsys):
    names = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL):
        exec(compile(block, "compare.md", "exec"), names)
    assert 0 < names["value"] <= 1
    assert re.fullmatch(r"0\.\d\d \(0\.\d\d to 0\.\d\d\)\n", capsys.readouterr().out)


@pytest.mark.parametrize("bound", BOUNDS)
def test_the_table_of_bounds_is_right(bound):
    printed = re.search(rf'`"{bound}"`.*\| ([\d.]+) \|$', GUIDE, flags=re.MULTILINE).group(1)
    assert float(printed) == round(expected_false(1000, 50, 0.6, bound=bound), 1)
