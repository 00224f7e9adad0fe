"""The guide page on comparing methods: its code runs, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdfast.evaluate import CLASSIFIERS, protocol

GUIDE = (Path(__file__).parents[3] / "docs" / "compare.md").read_text(encoding="utf-8")


def test_every_block_of_code_runs_one_after_the_other(capsys):
    names = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL):
        exec(compile(block, "compare.md", "exec"), names)
    said = capsys.readouterr().out
    assert said.startswith(names["study"].recommendation["sentence"])
    assert "'report.html'" in said


@pytest.mark.parametrize(
    "name", re.findall(r"`([^`]+)`", GUIDE.partition("| Protocol |")[2].partition("| a splitter")[0])
)
def test_every_protocol_of_the_table_is_one(name):
    assert protocol(name).words


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_classifier_is_told_of(name):
    assert f"`{name}`" in GUIDE
