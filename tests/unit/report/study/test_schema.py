"""The written schema of a summary, and what keeps to it."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

import holdfast
from holdfast.data import copies
from unit.report.study.examples import ALL, usual

SCHEMA = json.loads((files("holdfast.report.study") / "schema.json").read_text(encoding="utf-8"))
PAGE = Path(__file__).parents[4] / "docs" / "study-json.md"


@pytest.fixture
def validate():
    return jsonschema.Draft202012Validator(SCHEMA).validate


def _properties(node, path=""):
    if isinstance(node, dict):
        for name, value in node.get("properties", {}).items():
            if isinstance(value, dict):
                yield f"{path}.{name}", value
        for key, value in node.items():
            if key != "else":
                yield from _properties(value, f"{path}.{key}")
    elif isinstance(node, list):
        for value in node:
            yield from _properties(value, path)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["schema"]["const"] == "holdfast.study"


def test_every_field_is_described():
    bare = [
        path
        for path, value in _properties(SCHEMA)
        if "description" not in value and not value.get("$ref") and "const" not in value
    ]
    assert bare == []


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "many_methods" else ()) for name in ALL]
)
def test_the_examples_keep_to_it(validate, name):
    validate(ALL[name]())
    assert json.dumps(ALL[name](), allow_nan=False)


@pytest.mark.parametrize(
    "asked",
    [
        {"methods": ["f-test", "mrmr+", "relieff"], "sizes": [3, 6], "classifiers": ["nb", "svm"], "protocol": "5cv"},
        {"methods": ["f-test"], "sizes": [3], "classifiers": ["knn"], "protocol": "holdout"},
        {
            "methods": ["cfs", "f-test"],
            "sizes": ["own", 4],
            "classifiers": ["nb"],
            "protocol": "5cv",
            "tune_size": True,
        },
    ],
    ids=["several", "one split", "tuned"],
)
def test_a_study_keeps_to_it(validate, asked):
    made = copies(n_samples=40, n_features=60, random_state=0)
    assert validate(holdfast.compare(made.X, made.y, **asked).summary()) is None


@pytest.mark.parametrize(
    "break_it",
    [
        lambda found: found.update(more=1),
        lambda found: found.pop("plan"),
        lambda found: found.update(schema_version=2),
        lambda found: found["results"][0].update(size="all"),
        lambda found: found["results"][0].update(sizes_chosen={"5": 1}),
        lambda found: found["results"][0]["accuracy"].pop("low"),
        lambda found: found["selections"][0]["features"][0].update(frequency=1.5),
    ],
    ids=["more", "less", "version", "size", "not tuned", "interval", "share"],
)
def test_what_does_not_keep_to_it_is_refused(validate, break_it):
    found = usual()
    break_it(found)
    with pytest.raises(jsonschema.ValidationError):
        validate(found)


def test_the_page_of_the_docs_names_every_field():
    text = PAGE.read_text(encoding="utf-8")
    missing = [path for path, _ in _properties(SCHEMA) if f"`{path.rpartition('.')[2]}`" not in text]
    assert missing == []
