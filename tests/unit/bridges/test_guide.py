"""The guide page on notebooks: its code runs, and what it says is written is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GUIDE = (Path(__file__).parents[3] / "docs" / "notebook.md").read_text(encoding="utf-8")

pytest.importorskip("matplotlib").use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(scope="module")
def names():
    """What the page has made after its last block."""
    made = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL):
        exec(compile(block, "notebook.md", "exec"), made)
    yield made
    plt.close("all")


def test_every_block_of_code_runs_one_after_the_other(names):
    assert names["trade_off"].is_front.any()
    assert names["curve"].sizes == [5, 10, 20, 40]
    assert names["bars"].ax_ is names["left"]


def test_the_table_of_results_names_what_is_written(names):
    written = re.findall(r'^\| `var\["(stable_\w+)"\]`', GUIDE, flags=re.MULTILINE)
    assert written == names["adata"].var.columns.tolist()
    assert set(names["adata"].uns) == {"stable"}
