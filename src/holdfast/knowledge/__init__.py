"""Prior knowledge: names known to be relevant, read from files and matched to the features of a table."""

from __future__ import annotations

from holdfast.knowledge.known import Known
from holdfast.knowledge.match import Matched, match
from holdfast.knowledge.read import read

__all__ = ["Known", "Matched", "match", "read"]
