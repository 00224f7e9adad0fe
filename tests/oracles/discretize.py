"""The four discretisers, one column at a time. A level is the number of cut points below the value."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import fsum, inf, log2, sqrt

from oracles.information import entropy

SLACK = 1e-9


def levels_of(column, cuts):
    return [sum(float(v) > c for c in cuts) for v in column]


def mean_sigma_limits(column, width=0.5):
    """Mean, and width·σ with σ over n - 1; a value within a billionth of σ of the limit is still inside."""
    column = [float(v) for v in column]
    mean = fsum(column) / len(column)
    sigma = sqrt(fsum((v - mean) ** 2 for v in column) / (len(column) - 1))
    return mean, (sigma * (width + SLACK) if len(set(column)) > 1 else inf)


def mean_sigma(column, width=0.5):
    mean, reach = mean_sigma_limits(column, width)
    return [0 if v - mean < -reach else 2 if v - mean > reach else 1 for v in map(float, column)]


def equal_width_cuts(column, n_bins=5):
    low, high = Fraction(min(map(float, column))), Fraction(max(map(float, column)))
    return [low + (high - low) * i / n_bins for i in range(1, n_bins)] if low < high else []


def equal_width(column, n_bins=5):
    return levels_of(column, equal_width_cuts(column, n_bins))


def equal_frequency_cuts(column, n_bins=5):
    """Cut half-way between neighbours that differ, at the places nearest to n·i/bins.

    Of two equally near the one nearer to the middle; none if the two mirror each other.
    """
    ordered = sorted(map(float, column))
    n = len(ordered)
    steps = [i for i in range(1, n) if ordered[i - 1] < ordered[i]]
    places = set()
    for i in {round(Fraction(k * n, n_bins)) for k in range(1, n_bins)}:
        if 0 < i < n and steps:
            key = min((abs(step - i), abs(2 * step - n)) for step in steps)
            nearest = [step for step in steps if (abs(step - i), abs(2 * step - n)) == key]
            places.update(nearest if len(nearest) == 1 else [])
    return [half_way(ordered[i - 1], ordered[i]) for i in sorted(places)]


def equal_frequency(column, n_bins=5):
    return levels_of(column, equal_frequency_cuts(column, n_bins))


def half_way(low, high):
    middle = 0.5 * low + 0.5 * high
    return middle if middle < high else low


def mdl_cuts(column, y):
    """Fayyad and Irani: the cut of least class entropy, while it pays for its description."""
    return sorted(_mdl_of_range(sorted(zip(map(float, column), list(y), strict=True))))


def mdl(column, y):
    return levels_of(column, mdl_cuts(column, y))


def _mdl_of_range(pairs):
    values, labels = [v for v, _ in pairs], [c for _, c in pairs]
    n = len(pairs)
    places = [i for i in range(1, n) if values[i - 1] < values[i]]
    if not places:
        return []
    split = {i: i * entropy(labels[:i]) + (n - i) * entropy(labels[i:]) for i in places}
    least = min(split.values())
    best = [i for i in places if split[i] <= least + 1e-11 * n]
    most_even = min(abs(2 * i - n) for i in best)
    best = [i for i in best if abs(2 * i - n) == most_even]
    if len(best) == 1:
        chosen = best
    else:
        upwards, downwards = _reading(pairs), _reading([(-v, c) for v, c in reversed(pairs)])
        # Read alike from both ends, no side is first: a one-sided choice would depend on the direction.
        chosen = best if upwards == downwards else [best[0] if upwards < downwards else best[1]]
    if not _pays(labels, chosen[0]):
        return []
    ends = [0, *chosen, n]
    cuts = [half_way(values[i - 1], values[i]) for i in chosen]
    for start, end in pairwise(ends):
        cuts += _mdl_of_range(pairs[start:end])
    return cuts


def _pays(labels, place):
    n = len(labels)
    parts = (labels, labels[:place], labels[place:])
    h, h1, h2 = (entropy(p) for p in parts)
    c, c1, c2 = (len(set(p)) for p in parts)
    gain = h - place / n * h1 - (n - place) / n * h2
    return gain > 0 and gain > (log2(n - 1) + log2(3**c - 2) - (c * h - c1 * h1 - c2 * h2)) / n


def _reading(pairs):
    """The class counts value by value: smaller groups first, then more of the class that is ahead.

    Of two classes the one that is more frequent at the first value where they differ is ahead; names play no part.
    """
    groups = [[c for v, c in pairs if v == value] for value in dict.fromkeys(v for v, _ in pairs)]
    counts = sorted(([g.count(c) for g in groups] for c in {c for _, c in pairs}), reverse=True)
    return [(len(g), [-own[i] for own in counts]) for i, g in enumerate(groups)]


BY_NAME = {
    "mdl": mdl,
    "mean-sigma": lambda column, y: mean_sigma(column),
    "equal-width": lambda column, y: equal_width(column),
    "equal-frequency": lambda column, y: equal_frequency(column),
    None: lambda column, y: [float(v) for v in column],
}


def columns_of(X, y, discretizer):
    """Levels of every column of X by the name of a discretiser."""
    return [BY_NAME[discretizer](column, y) for column in zip(*X, strict=True)]
