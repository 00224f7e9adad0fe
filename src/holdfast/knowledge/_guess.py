"""Why names and features have nothing in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from holdfast.data._wording import shown

_LOOKED_AT = 1000
_KINDS = (
    ("Affymetrix probes", re.compile(r"X?(?:AFFX-\S+|\d+(?:_[a-z])*_at|[A-Z]+\d+(?:_[a-z]+)*_at)"), True),
    ("Illumina probes", re.compile(r"ILMN_\d+"), True),
    ("Agilent probes", re.compile(r"A_\d+_P\d+"), True),
    ("Ensembl genes", re.compile(r"ENS[A-Z]*G\d{6,}(?:\.\d+)?"), False),
    ("RefSeq transcripts", re.compile(r"[NX][MR]_\d+(?:\.\d+)?"), False),
    ("numbers", re.compile(r"X?\d+"), False),
    ("gene symbols", re.compile(r"(?=.*[A-Za-z])[A-Za-z][A-Za-z0-9.-]{1,14}"), False),
)
_LOOSER: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("but for case", str.casefold),
    ("but for the version at the end", lambda name: re.sub(r"\.\d+$", "", name).casefold()),
    ("but for an X that R puts before numbers", lambda name: name.casefold().removeprefix("x")),
    ("but for marks such as - and .", lambda name: re.sub(r"[\W_]+", "", name).casefold()),
)


def kind_of(names: Sequence[str]) -> tuple[str, bool]:
    """What most of some names look like, and whether that is probes."""
    some = [name.strip() for name in names[:_LOOKED_AT]]
    for kind, pattern, is_probe in _KINDS:
        if sum(pattern.fullmatch(name) is not None for name in some) > len(some) / 2:
            return kind, is_probe
    return "", False


def guess(known: Sequence[str], features: Sequence[str]) -> str:
    """A sentence on why none of the known names is a feature, or nothing."""
    for how, loosened in _LOOSER:
        by_name = {loosened(name): name for name in features}
        for name in known:
            if loosened(name) in by_name:
                return f"They would match {how}: {shown(name)} and {shown(by_name[loosened(name)])}."
    (kind, is_probe), (other, other_is_probe) = kind_of(known), kind_of(features)
    if not kind or not other or kind == other:
        return ""
    remedy = " Pass probes=…, a map from probes to genes." if is_probe != other_is_probe else " Translate one of them."
    return f"The names look like {kind} and the features like {other}.{remedy}"
