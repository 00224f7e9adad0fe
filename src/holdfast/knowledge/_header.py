"""What columns are called in lists of genes, tables of aliases and annotations of chips."""

from __future__ import annotations

import re
from collections.abc import Sequence

GENE = (
    "symbol", "genesymbol", "approvedsymbol", "hgncsymbol", "gene", "genes", "geneid", "genename", "name", "feature",
    "features",
)  # fmt: skip
PROBE = ("probe", "probes", "probeid", "probeset", "probesetid", "probename", "id", "idref")
ALIASES = (
    "aliases", "alias", "aliassymbol", "aliassymbols", "synonym", "synonyms", "prevsymbol", "previoussymbol",
    "previoussymbols", "othernames",
)  # fmt: skip
WEIGHTS = ("weight", "weights", "prior", "beta", "score", "relevance")


def plain(title: str) -> str:
    """A title without case, spaces and marks, so that 'Gene Symbol' and 'gene_symbol' are one."""
    return re.sub(r"[\W_]+", "", title.casefold())


def column_named(header: Sequence[str], titles: Sequence[str]) -> int | None:
    """The column of the first of some titles that is there."""
    titled = [plain(title) for title in header]
    return next((titled.index(title) for title in titles if title in titled), None)


def is_header(cells: Sequence[str]) -> bool:
    """Whether the first cell that is not empty is a title."""
    first = next((plain(cell) for cell in cells if cell.strip()), "")
    return first in (*GENE, *PROBE, *WEIGHTS)
