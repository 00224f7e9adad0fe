"""Settings of a method as a user types them: ``--set n_neighbors=5 --set nominal=smoker,site``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from holdfast._parameters import value_of


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
        is_list = "," in value and not value.strip().startswith("[")
        found[name] = [value_of(part) for part in value.split(",") if part.strip()] if is_list else value_of(value)
    return found
