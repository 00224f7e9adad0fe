"""Whether what came is what an analysis gave."""

from __future__ import annotations

from typing import Any


def require_result(result: Any, kind: str, maker: str) -> None:
    """Refuse anything but the named result; known by name, so that no analysis has to be loaded for it."""
    if type(result).__name__ != kind:
        raise TypeError(f"result must be what {maker} gave, but {type(result).__name__} came.")
