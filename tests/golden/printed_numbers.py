"""Digests of every printed table, so that no printed number changes unseen: `python tests/golden/printed_numbers.py`.

The numbers were compared with the texts of the theses by script before the digests were taken.
"""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

from holdfast.reproduce import ROWS
from holdfast.reproduce.cells import read_printed

PLACE = Path(__file__).with_suffix(".csv")
HEADER = ("plan", "table", "numbers", "digest")


def digests():
    """A row a table: plan, table, how many numbers it has, and letters that change with any of them."""
    for row in ROWS:
        printed = read_printed(row.load().printed)
        for table in dict.fromkeys(key.table for key in printed):
            lines = sorted(f"{key}: {one.value!r}" for key, one in printed.items() if key.table == table)
            digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
            yield (row.name, table, str(len(lines)), digest)


if __name__ == "__main__":
    with open(PLACE, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([HEADER, *digests()])
