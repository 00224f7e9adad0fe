"""Values as JSON has them."""

from __future__ import annotations

import json
import math
from typing import Any


def plain(value: Any) -> Any:
    """Return a value without NaN, infinity or objects.

    Examples
    --------
    >>> plain({"score": float("nan"), "best": float("inf")})
    {'score': None, 'best': 'Infinity'}
    """
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def to_json(value: Any) -> str:
    """Return JSON text with a line end; letters beyond ASCII are escaped, so that any terminal can carry it."""
    return json.dumps(plain(value), indent=2, allow_nan=False) + "\n"
