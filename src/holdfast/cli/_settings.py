"""Settings of a method as a user types them: ``--set n_neighbors=5 --set nominal=smoker,site``."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

_WORDS = {"none": None, "true": True, "false": False}


def settings(given: Iterable[str]) -> dict[str, Any]:
    """Parameters by name, each value a number, a word, None, True or False, or a list of these."""
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise ValueError(f"--set {text} is no setting. Write it as --set NAME=VALUE, such as --set n_neighbors=5.")
        if name in found:
            raise ValueError(f"--set {name} is there twice. Say it once.")
        found[name] = [_value(part) for part in value.split(",") if part.strip()] if "," in value else _value(value)
    return found


def _value(text: str) -> Any:
    text = text.strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        number = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return number if isinstance(number, (int, float, str)) else text
