"""The order-blind tie rule, key by key, one feature at a time.

Merits closer than 1e-12 (relative above 1) tie. Ties go by relevance, then by how far apart the classes sit in rank,
then by the direction-blind sequence of classes along the sorted values, then by name. Without names, or among equal
ones, they go by a fingerprint of which samples lie how far from the middle rank, by the sorted values, by a
fingerprint of which samples have them, and only then by column.
"""

from __future__ import annotations

from fractions import Fraction
from math import isinf
from struct import pack, unpack

from oracles.separation import mid_ranks

TIE = 1e-12


def ties_with(value, best):
    """Whether a value cannot be told from the best one."""
    return value == best or (not isinf(best) and best - value <= TIE * max(1.0, abs(best)))


def tied_best(candidates, value_of):
    """The candidates of the best value and all that tie with it."""
    best = max(value_of(c) for c in candidates)
    return [c for c in candidates if ties_with(value_of(c), best)]


def separation(column, y):
    """Between-class sum of squares of the ranks (times four, ranks doubled); -1 for a constant."""
    if len(set(map(float, column))) == 1:
        return -1.0
    ranks = mid_ranks(column)
    n = len(ranks)
    terms = []
    for c in set(y):
        own = [2 * r - (n + 1) for r, label in zip(ranks, y, strict=True) if label == c]
        terms.append(sum(own) ** 2 / len(own))
    return sum(sorted(terms))


def _read(column, y):
    """Class numbers along the rising values: 2·class, plus 1 where a new value begins.

    Classes are numbered by mean rank, then size, then first value, then by who leads where they first differ.
    """
    column, y = [float(v) for v in column], list(y)
    ranks = mid_ranks(column)
    values = sorted(set(column))
    key = {}
    for c in set(y):
        own = [v for v, label in zip(column, y, strict=True) if label == c]
        mean_rank = Fraction(sum(int(2 * r) for r, label in zip(ranks, y, strict=True) if label == c), len(own))
        key[c] = (mean_rank, len(own), min(own), [-own.count(v) for v in values])
    number = {c: i for i, c in enumerate(sorted(key, key=key.get))}
    sequence = []
    for value in values:
        here = sorted(number[label] for v, label in zip(column, y, strict=True) if v == value)
        sequence += [2 * c + (1 if i == 0 else 0) for i, c in enumerate(here)]
    return sequence


def sequence(column, y):
    """The class sequence in the direction that reads first."""
    return min(_read(column, y), _read([-float(v) for v in column], y))


def mixed(value, key):
    """SplitMix64 of the bits of a value, started from a key; 0.0 and -0.0 are one value."""
    word = (unpack("<Q", pack("<d", float(value) + 0.0))[0] + key + 0x9E3779B97F4A7C15) % 2**64
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = (word ^ (word >> shift)) * factor % 2**64
    return word ^ (word >> 31)


def joined(own_keys, lines, other_keys):
    """Each key plus, modulo 2⁶⁴, the mixed values of its line, each started from the key of the line that crosses."""
    return [
        (own + sum(mixed(v, key) for v, key in zip(line, other_keys, strict=True))) % 2**64
        for own, line in zip(own_keys, lines, strict=True)
    ]


def fingerprints(columns, y):
    """A number per column: which values it has, and in which samples, these known by their values in turn.

    Sums forget the order of rows and columns. Samples start from the size of their class, so that no name matters.
    """
    rows = list(zip(*columns, strict=True))
    of_rows, of_columns = [list(y).count(c) for c in y], [0] * len(columns)
    for _ in range(2):
        of_rows = joined(of_rows, rows, of_columns)
        of_columns = joined(of_columns, columns, of_rows)
    return of_columns


def first_of(tied, columns, y, relevance, names):
    """The feature that goes first among tied ones."""
    tied = tied_best(sorted(tied), lambda f: relevance[f])
    if len(tied) > 1:
        tied = tied_best(tied, lambda f: separation(columns[f], y))
    if len(tied) > 1:

        def by_name(f):
            return sequence(columns[f], y), "" if names is None else str(names[f])

        least = min(map(by_name, tied))
        tied = [f for f in tied if by_name(f) == least]
    if len(tied) > 1:
        n = len(y)
        by_rank = fingerprints([[abs(2 * r - (n + 1)) for r in mid_ranks(column)] for column in columns], y)
        by_value = fingerprints(columns, y)
        tied = sorted(tied, key=lambda f: (by_rank[f], sorted(map(float, columns[f])), by_value[f], f))
    return tied[0]


def best_first_order(values, n_best, columns, y, relevance, names):
    """The ``n_best`` features of the largest values, one after the other."""
    left, order = list(range(len(values))), []
    while left and len(order) < n_best:
        pick = first_of(tied_best(left, lambda f: values[f]), columns, y, relevance, names)
        order.append(pick)
        left.remove(pick)
    return order
