"""What target a method takes, in words."""

from __future__ import annotations

from holdfast._registry import BINARY, MULTICLASS, REGRESSION, UNLABELLED, Method

_IN_WORDS = {BINARY: "2 classes", MULTICLASS: "classes", REGRESSION: "measures"}


def takes_in_words(method: Method) -> str:
    """Say what target a method takes."""
    if UNLABELLED in method.takes:
        return "no target"
    kinds = [kind for kind in method.takes if not (kind == BINARY and MULTICLASS in method.takes)]
    return ", ".join(_IN_WORDS[kind] for kind in kinds)
