"""Numbers as readers want them: as many digits as they are worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NONE = "–"


def share(value: float | None, digits: int = 3) -> str:
    """A score or an index with a fixed number of digits, so that columns line up."""
    return NONE if value is None else f"{value:.{digits}f}"


def signed(value: float | None, digits: int = 3) -> str:
    """A difference, with its sign."""
    return NONE if value is None else f"{value:+.{digits}f}"


def interval(low: float | None, high: float | None) -> str:
    """The ends of an interval, or nothing."""
    return "" if low is None or high is None else f"[{low:.2f}, {high:.2f}]"


def estimate(found: Mapping[str, Any] | None) -> str:
    """A mean, or the value of an index, with its interval."""
    if found is None:
        return NONE
    value = found.get("mean", found.get("value"))
    return f"{share(value)} {interval(found['low'], found['high'])}".rstrip() if value is not None else NONE


def percent(value: float | None) -> str:
    """A share in hundredths."""
    return NONE if value is None else f"{100 * value:.0f}%"


def p_value(value: float | None) -> str:
    """A p-value, without false precision."""
    if value is None:
        return NONE
    return "<0.001" if value < 0.001 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def p_words(value: float) -> str:
    """A p-value in a sentence."""
    return "p < 0.001" if value < 0.001 else f"p = {p_value(value)}"


def count(number: int, one: str, more: str | None = None) -> str:
    """A number of things."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"
