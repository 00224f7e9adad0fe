"""The plans by name, as data, so that listing them loads none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

from holdfast._citations import WORKS
from holdfast.reproduce.plan import Plan

EVERYTHING = "all"


@dataclass(frozen=True)
class Thesis:
    """One of the theses: its name here, and the key of its citation."""

    name: str
    cite: str

    @property
    def label(self) -> str:
        """Author and year."""
        work = WORKS[self.cite]
        return f"{work.authors[0].partition(',')[0]} {work.year}"

    @property
    def title(self) -> str:
        """As printed."""
        return WORKS[self.cite].title


@dataclass(frozen=True)
class Row:
    """A plan in the list: its name, its tables, what it is about, and its usual minutes on two cores.

    ``more_chapters`` are those that it covers besides the one in its name.
    """

    name: str
    thesis: Thesis
    title: str
    tables: Sequence[str]
    minutes: int
    module: str
    more_chapters: Sequence[str] = ()

    def load(self) -> Plan:
        """The plan itself."""
        plan: Plan = import_module(f"holdfast.reproduce.{self.module}").PLAN
        return plan


BEN_BRAHIM = Thesis("ben-brahim", "benbrahim2015")
PINO_ANGULO = Thesis("pino-angulo", "pinoangulo2019")
HOSSEINI = Thesis("hosseini", "hosseini2018")
MICHEL = Thesis("michel", "michel2018")
HAN = Thesis("han", "han2012")
THESES = (BEN_BRAHIM, PINO_ANGULO, HOSSEINI, MICHEL, HAN)

ROWS: tuple[Row, ...] = (
    Row(
        "ben-brahim-2", BEN_BRAHIM, "instance-based filters and hybrid wrappers",
        ("2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9"), 30, "ben_brahim.chapter2",
    ),
    Row(
        "ben-brahim-3", BEN_BRAHIM, "ensembles and reliability aggregation", ("3.5", "3.6", "3.7", "3.8", "A"), 6,
        "ben_brahim.chapter3",
    ),
    Row(
        "ben-brahim-4", BEN_BRAHIM, "prior knowledge",
        ("4.2", "4.3", "4.4", "4.5", "4.6", "4.7", "4.8", "4.9"), 8, "ben_brahim.chapter4",
    ),
    Row(
        "pino-angulo-3", PINO_ANGULO, "consistency search", ("3.2", "3.3", "3.4", "3.5"), 15, "pino_angulo.chapter3",
    ),
    Row(
        "pino-angulo-4", PINO_ANGULO, "fewer evaluations in CFS and MRMR", ("4.2", "4.4", "4.5"), 7,
        "pino_angulo.chapter4",
    ),
    Row(
        "pino-angulo-5", PINO_ANGULO, "two-stage search with bees", ("4.6", "5.1", "5.2", "5.3", "5.4"), 15,
        "pino_angulo.chapter5",
    ),
    Row("hosseini-2", HOSSEINI, "dCor and columns that say nothing", ("2.11", "2.12"), 1, "hosseini.chapter2"),
    Row(
        "hosseini-4", HOSSEINI, "randomised selection by dCor",
        ("4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7"), 35, "hosseini.chapter4",
    ),
    Row(
        "michel-10", MICHEL, "forward search and its stopping rules",
        ("4.1", "10.14", "10.15", "10.16", "10.17", "10.18"), 13, "michel.chapter10", ("4", "5", "11"),
    ),
    Row("han-6", HAN, "bias, variance and stability on synthetic data", (), 6, "han.chapter6"),
    Row("han-7", HAN, "stability on real data", ("7.2", "7.3", "7.4", "7.5", "7.6"), 9, "han.chapter7"),
)  # fmt: skip


def find(name: str) -> list[Row]:
    """The plans meant by a name: of a plan, of a thesis, of a chapter or table such as ``michel-10.14``, or ``all``."""
    asked = name.strip().lower()
    if asked == EVERYTHING:
        return list(ROWS)
    for means in (
        lambda row: row.name == asked,
        lambda row: row.thesis.name == asked,
        lambda row: asked in {f"{row.thesis.name}-{place}".lower() for place in (*row.more_chapters, *row.tables)},
    ):
        found = [row for row in ROWS if means(row)]
        if found:
            return found
    known = [row.name for row in ROWS]
    near = get_close_matches(asked, [*known, *(thesis.name for thesis in THESES)], n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise ValueError(
        f"There is no plan {name!r}.{hint} Plans: {', '.join(known)}; a thesis ({', '.join(t.name for t in THESES)}), "
        f"a table such as {ROWS[0].thesis.name}-{ROWS[0].tables[0]}, and {EVERYTHING} name several or one of them."
    )
