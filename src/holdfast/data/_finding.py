"""Finding: one thing worth knowing about a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """One thing that screening found.

    Use `severity` to decide: an error stops a selection, a warning belongs in the report, a note explains.

    Parameters
    ----------
    kind : str
        A short fixed word such as "constant", "duplicate" or "missing".
    severity : {"error", "warning", "note"}
        How much it matters.
    message : str
        A full sentence for the reader of a report.
    names : tuple of str
        All features, samples or classes it is about.

    Examples
    --------
    >>> from holdfast.data import Finding
    >>> Finding("constant", "note", "1 feature never changes: 'MYC'.", ("MYC",)).severity
    'note'
    """

    kind: str
    severity: Severity
    message: str
    names: tuple[str, ...] = ()
