"""One rule for all plans: when a claim about several tables, or about several parts of one thing, holds.

Claims about one number or an average have tests of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED

# A claim about nearly all must be true of at least this share.
NEARLY_ALL = 0.8
RULE = (
    "A claim about several tables (or sizes, readings, things said) holds if it is true of all that were tested; one "
    "that says “most” or “in general”, or is true in print of a part only, if it is of more than half; one that says "
    f"“nearly all”, if of at least {NEARLY_ALL:.0%}. Each of them holds in part if it is true of some, and does not "
    "hold if of none."
)


def all_of(n: int, of: int) -> str:
    """Of a claim about all, by how many it is true of."""
    return share_of(n, of, 1.0)


def most_of(n: int, of: int) -> str:
    """Of a claim about most."""
    return HOLDS if 2 * n > of else share_of(n, of, 1.0)


def nearly_all_of(n: int, of: int) -> str:
    """Of a claim about nearly all."""
    return share_of(n, of, NEARLY_ALL)


def share_of(n: int, of: int, least: float) -> str:
    """Of a claim about at least a share."""
    if not of:
        return NOT_TESTED
    return HOLDS if n >= least * of else IN_PART if n else FAILS


def on_all(is_so: Iterable[bool]) -> str:
    """Of a claim about all, by whether it is true of each."""
    return all_of(*counted(is_so))


def on_most(is_so: Iterable[bool]) -> str:
    """Of a claim about most, by whether it is true of each."""
    return most_of(*counted(is_so))


def as_in_print(here: Iterable[bool], there: Iterable[bool]) -> str:
    """Of a claim that does not say of how many: of all if it is true of all in print, and else of most."""
    return (on_all if all(there) else on_most)(here)


def together(verdicts: Iterable[str]) -> str:
    """Of a claim that says several things, by the verdicts on those that were tested."""
    known = {one for one in verdicts if one != NOT_TESTED}
    if not known:
        return NOT_TESTED
    return known.pop() if len(known) == 1 else IN_PART


def counted(is_so: Iterable[bool]) -> tuple[int, int]:
    """Of how many it is true, and of how many it could be."""
    known = [bool(one) for one in is_so]
    return sum(known), len(known)
