"""A plan: what is rerun of a thesis, cut into parts that can be kept, and how the parts become cells and claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from holdfast.reproduce.cells import Key, Ours
from holdfast.reproduce.shelf import Set, Shelf

HOLDS, IN_PART, FAILS, NOT_TESTED = "holds", "holds in part", "does not hold", "not tested"


@dataclass(frozen=True)
class Part:
    """A piece of work that needs nothing of the others: ``call(shelf)`` gives what JSON can hold.

    ``call`` goes to another process, so it is a function of a module, or a ``functools.partial`` of one.
    """

    key: str
    call: Callable[[Shelf], Any]


@dataclass(frozen=True)
class Claim:
    """What a thesis says, whether it holds here, and the numbers."""

    source: str
    text: str
    verdict: str
    evidence: str
    printed: str = ""


@dataclass(frozen=True)
class Section:
    """A table of our own numbers, for readers who want more than verdicts; ``n_words`` columns hold words."""

    title: str
    text: str = ""
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    n_words: int = 1


@dataclass(frozen=True)
class Judgement:
    """What the parts come to: our number for every cell that was run, the claims, and tables of our own."""

    ours: Mapping[Key, Ours] = field(default_factory=dict)
    claims: Sequence[Claim] = ()
    sections: Sequence[Section] = ()


@dataclass(frozen=True)
class Plan:
    """How some tables of a thesis are rerun.

    Parameters
    ----------
    printed : str
        File of the printed numbers.
    sets : mapping
        Data sets by the names that the thesis gives them.
    protocol : sequence of str
        What is done, a paragraph each, in Markdown.
    better : mapping
        By quantity, whether more of it is better (None: neither).
    parts : callable
        From a shelf and whether few runs are enough (``quick``) to the parts.
    judge : callable
        From the parts' results by key, the shelf and ``quick`` to a judgement.
    leaks : mapping, default={}
        Tables whose protocol lets test samples take part in a choice, and how.
    remarks : mapping, default={}
        What the marks of printed numbers mean.
    kind : {"Table", "Figure"}, default="Table"
        Where the numbers are printed.
    """

    printed: str
    sets: Mapping[str, Set]
    protocol: Sequence[str]
    better: Mapping[str, bool | None]
    parts: Callable[[Shelf, bool], Sequence[Part]]
    judge: Callable[[Mapping[str, Any], Shelf, bool], Judgement]
    leaks: Mapping[str, str] = field(default_factory=dict)
    remarks: Mapping[str, str] = field(default_factory=dict)
    kind: str = "Table"
