"""How names and counts are written in messages."""

from __future__ import annotations

from collections.abc import Sequence

_LONGEST = 60


def shown(text: object) -> str:
    """Return a value in quotes, cut to a readable length."""
    plain = str(text)
    return repr(plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…")


def listed(names: Sequence[object], limit: int = 5) -> str:
    """Up to `limit` names, and how many more there are."""
    first = ", ".join(shown(name) for name in names[:limit])
    more = len(names) - limit
    return f"{first} and {more} more" if more > 0 else first


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun: 1 feature, 2 features."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def percent(share: float) -> str:
    """A share of 1 in per cent, two figures below 10.

    Examples
    --------
    >>> percent(0.00083), percent(0.112), percent(1.0)
    ('0.083 %', '11 %', '100 %')
    """
    number = 100 * share
    return f"{number:.2g} %" if number < 9.95 else f"{number:.0f} %"
