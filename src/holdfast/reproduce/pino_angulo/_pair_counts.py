"""How many pairs CFS and MRMR measure, in closed form, and what the printed counts say by it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from math import floor, isqrt
from typing import NamedTuple

from holdfast.reproduce.cells import Key, Printed

# Features that MRMR picks in Tables 4.4 and 4.5.
N_PICKED = 50
COUNT = "NEval in thousands"


class Size(NamedTuple):
    """Of a printed set: features without the class, samples and classes."""

    n_features: int
    n_samples: int
    n_classes: int


@lru_cache(maxsize=1)
def sizes() -> Mapping[tuple[str, str], Size]:
    """Tables 4.1 and 4.3, by table and set; printed numbers of features count the class as one."""
    text = (files("holdfast.reproduce.pino_angulo") / "chapter4_sets.csv").read_text(encoding="utf-8")
    return {
        (row["table"], row["data"]): Size(int(row["features"]) - 1, int(row["samples"]), int(row["classes"]))
        for row in csv.DictReader(text.splitlines())
    }


def mrmr_pairs(n_features: int, n_picked: int = N_PICKED) -> int:
    """(n - q/2)(q - 1): every open feature with every pick but the last, each pair once."""
    return (2 * n_features - n_picked) * (n_picked - 1) // 2


def cfs_pairs(n_features: int, n_kept: int) -> int:
    """K·n - K(K + 1)/2: every open feature with each of K features kept, the round that ends the search included."""
    return n_kept * n_features - n_kept * (n_kept + 1) // 2


def naive_values(n_features: int, n_rounds: int) -> int:
    """Symmetrical uncertainties of a CFS that computes every sum anew, the round that ends the search included."""
    n, k = n_features, n_rounds
    return k * (k + 1) * (4 * n * k - 3 * k * k + 8 * n - 3 * k + 6) // 24


def mrmr_values(n_features: int, n_picked: int) -> int:
    """The same of MRMR (Eq. 4.17)."""
    return (3 * n_features - 2 * n_picked + 2) * n_picked * (n_picked + 1) // 6


def in_thousands(count: int, like: float = 1.0) -> float:
    """A count as Table 4.4 has it: cut off, not rounded, after as many decimals as a printed number has."""
    decimals = 0 if float(like).is_integer() else len(repr(float(like)).partition(".")[2])
    unit: int = 10**decimals
    return floor(count * unit / 1000) / unit


def kept_in_print(n_features: int, printed: float) -> int | None:
    """The number of features for which CFS measures as many pairs as are printed; None if there is none."""
    wanted = printed * 1000
    # The smaller root of K·n - K(K + 1)/2 = wanted, give or take what was cut off.
    half = 2 * n_features - 1
    about = (half - isqrt(max(0, half * half - 8 * int(wanted)))) // 2
    near = (k for k in range(max(1, about - 1), about + 3))
    return next((k for k in near if in_thousands(cfs_pairs(n_features, k), printed) == printed), None)


def printed_counts(printed: Mapping[Key, Printed], method: str) -> dict[str, float]:
    """Table 4.4, by set."""
    return {key.data: one.value for key, one in printed.items() if (key.method, key.quantity) == (method, COUNT)}


def printed_avoided(printed: Mapping[Key, Printed], method: str) -> dict[str, float]:
    """By set, the share of the original's pairs that its saving does not measure, where both can be right."""
    count, saved = printed_counts(printed, method), printed_counts(printed, f"{method}+")
    return {
        data: 1 - saved[data] / value
        for data, value in count.items()
        if not printed[Key("4.4", data, method, "", COUNT)].impossible
    }


def printed_seconds(printed: Mapping[Key, Printed], table: str, method: str) -> dict[str, float]:
    """Of a table, by set, without what cannot be right and averages."""
    return {
        key.data: one.value
        for key, one in printed.items()
        if (key.table, key.method, key.quantity) == (table, method, "seconds") and not one.impossible
        if key.data != "AVE"
    }


def left_by_averages(printed: Mapping[Key, Printed], data: str = "BRE") -> float:
    """How many times as fast FCFS is on a set of Table 4.2 whose column is wrong, by what the averages leave to it."""
    seconds = {method: printed_seconds(printed, "4.2", method) for method in ("CFS", "FCFS")}
    right = seconds["CFS"]
    left = {
        method: (len(right) + 1) * printed[Key("4.2", "AVE", method, "", "seconds")].value
        - sum(by[one] for one in right)
        for method, by in seconds.items()
    }
    return left["CFS"] / left["FCFS"]


def kept(printed: Mapping[Key, Printed]) -> dict[str, int]:
    """Features that CFS kept in print, by set, as its counts have it."""
    found = {
        data: kept_in_print(sizes()["4.3", data].n_features, count)
        for data, count in printed_counts(printed, "CFS").items()
    }
    return {data: k for data, k in found.items() if k is not None}


def ratios(slow: Mapping[str, float], fast: Mapping[str, float]) -> dict[str, float]:
    """How many times as long, for the sets that both have."""
    return {data: seconds / fast[data] for data, seconds in slow.items() if data in fast}
