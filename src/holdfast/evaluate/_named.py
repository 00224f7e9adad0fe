"""Names with settings, as a user types them: ``svm-rfe(C=0.01, step=0.1)``, ``fs-cv(n_neighbors=[1, 3])``."""

from __future__ import annotations

import re
from typing import Any

from holdfast._parameters import value_of

_FORM = re.compile(r"([^()]+?)\s*(?:\(([^()]*)\))?", re.DOTALL)


def listed_names(text: str) -> list[str]:
    """Parts between commas that are not inside parentheses.

    Examples
    --------
    >>> listed_names("mrmr+, svm-rfe(C=0.01, step=0.1)")
    ['mrmr+', 'svm-rfe(C=0.01, step=0.1)']
    """
    return [part.strip() for part in re.split(r",(?![^(]*\))", text) if part.strip()]


def name_and_settings(text: str) -> tuple[str, dict[str, Any]]:
    """What is named, and the parameters in parentheses behind it.

    Examples
    --------
    >>> name_and_settings("knn(n_neighbors=3)")
    ('knn', {'n_neighbors': 3})
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no name with settings. Write it as in svm-rfe(C=0.01, step=0.1).")
    name, inside = found.groups()
    settings: dict[str, Any] = {}
    for part in re.split(r",(?![^[]*\])", inside or ""):
        if not part.strip():
            continue
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key.isidentifier():
            raise ValueError(f"{text!r}: {part.strip()!r} is no setting. Write NAME=VALUE, as in svm-rfe(C=0.01).")
        if key in settings:
            raise ValueError(f"{text!r} sets {key} twice. Say it once.")
        settings[key] = value_of(value)
    return name.strip(), settings
