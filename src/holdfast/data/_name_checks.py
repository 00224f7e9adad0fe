"""What screening finds in the names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from holdfast.data._cells import is_numeric
from holdfast.data._finding import Finding
from holdfast.data._wording import counted, listed

_MONTH = r"(?:jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sept?|oct|okt|nov|dec|dez)"
# SEPT2 becomes 2-Sep, Sep-02 or 2024-09-02; the clone 2310009E13 becomes 2.31E+19.
_EXCEL = re.compile(
    rf"\d{{1,2}}[-. ]{_MONTH}\.?|{_MONTH}[- ]\d{{1,4}}|(?:19|20)\d\d[-/]\d{{1,2}}[-/]\d{{1,2}}(?: 00:00:00)?"
    r"|\d{1,2}/\d{1,2}/(?:19|20)\d\d|\d(?:\.\d+)?e\+\d{2}",
    re.IGNORECASE,
)


def name_findings(features: tuple[str, ...], samples: tuple[str, ...]) -> Iterator[Finding]:
    """Repeated, empty and Excel-mangled feature names, numbers for names, repeated sample names."""
    empty = tuple(name for name in features if not name.strip())
    if empty:
        places = [str(j) for j, name in enumerate(features, start=1) if not name.strip()]
        yield Finding(
            "empty-name",
            "warning",
            f"{counted(len(empty), 'feature has', 'features have')} no name, in column "
            f"{', '.join(places[:5])}"
            f"{f' and {len(places) - 5} more' if len(places) > 5 else ''} of the table. Name or remove them.",
            empty,
        )
    repeated = _repeated(features)
    if repeated:
        yield Finding(
            "duplicate-name",
            "warning",
            f"{counted(len(repeated), 'name is', 'names are')} carried by more than one feature: "
            f"{listed(repeated)}. "
            "A selected name will not say which one is meant; make the names unique.",
            repeated,
        )
    mangled = tuple(name for name in features if name[:1] and _EXCEL.fullmatch(name.strip()))
    if mangled:
        yield Finding(
            "excel-name",
            "warning",
            f"{counted(len(mangled), 'feature name looks', 'feature names look')} like a gene that Excel "
            "turned into "
            f"a date or a number (SEPT2 becomes 2-Sep): {listed(mangled)}. Restore the names from the "
            "original file.",
            mangled,
        )
    if len(features) > 1 and all(is_numeric(name) for name in features):
        yield Finding(
            "number-name",
            "note",
            f"All feature names are numbers ({listed(features, 3)}). If these are values, the file has no "
            "header "
            "line; add one.",
            features,
        )
    repeated = _repeated(samples)
    if repeated:
        yield Finding(
            "duplicate-sample-name",
            "warning",
            f"{counted(len(repeated), 'sample name is', 'sample names are')} used more than once: "
            f"{listed(repeated)}. "
            "If they are measurements of one patient, keep one or average them: a half-sample may hold one and "
            "leave the other out. If not, make the names unique.",
            repeated,
        )


def _repeated(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name, count in Counter(names).items() if count > 1 and name.strip())
