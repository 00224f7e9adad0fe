"""The guide page on consistency: its code runs and does what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import holdfast

GUIDE = (Path(__file__).parents[3] / "docs" / "consistency.md").read_text(encoding="utf-8")


def test_every_block_of_code_runs_one_after_the_other():
    names = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL):
        exec(compile(block, "consistency.md", "exec"), names)
    X, y, measures = names["X"], names["y"], names["measures"]
    assert set(holdfast.selector("fsdcc", discretizer=None).fit(X, y).indices_) == {0, 1}
    assert not {0, 1} & set(holdfast.FCBF(2, discretizer=None).fit(X, y).indices_)
    wide = names["wide"]
    others = holdfast.selector("fsdcc", discretizer=None).fit(wide, y).indices_
    assert len(others) == 10
    assert not {0, 1} & set(others)
    assert set(holdfast.selector("focus", discretizer=None).fit(wide, y).indices_) == {0, 1}
    assert measures.bayesian_risk(names["chosen"], y) == 0
    assert measures.bayesian_risk(X[:, [0]], y) == 0.5
    assert measures.interacts(names["chosen"], y, feature=1)
    assert names["found"].score_ > 0.9


def test_every_method_of_the_family_is_in_the_table():
    rows = re.findall(r"^\| `([a-z-]+)` \|", GUIDE, flags=re.MULTILINE)
    assert [name for name in rows if name not in holdfast.measures.__all__] == [
        method.name for method in holdfast.methods("consistency")
    ]
