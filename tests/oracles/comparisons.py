"""Comparisons of methods as loops over pairs, signs and subsets, written from their definitions."""

from __future__ import annotations

from itertools import combinations, product


def ranks(row):
    """Ranks of one block, the largest value first, equal ones sharing their mean."""
    return [sum(other > value for other in row) + (sum(other == value for other in row) + 1) / 2 for value in row]


def cliques(names, mean_ranks, apart):
    """Every largest set of two or more methods of which no two are ``apart``, as sets."""
    rank = dict(zip(names, mean_ranks, strict=True))
    alike = [
        set(chosen)
        for size in range(2, len(names) + 1)
        for chosen in combinations(names, size)
        if all(abs(rank[a] - rank[b]) < apart for a, b in combinations(chosen, 2))
    ]
    return [one for one in alike if not any(one < other for other in alike)]


def signed_rank_p(differences):
    """Share of all ways to sign the ranks (zeros ranked, then left out) at least as far from the middle."""
    size = [-abs(d) for d in differences]
    kept = [rank for rank, d in zip(ranks(size), differences, strict=True) if d]
    middle = sum(kept) / 2
    seen = abs(sum(rank for rank, d in zip(ranks(size), differences, strict=True) if d > 0) - middle)
    sums = [
        sum(rank for rank, sign in zip(kept, signs, strict=True) if sign) for signs in product((0, 1), repeat=len(kept))
    ]
    return sum(abs(one - middle) >= seen for one in sums) / len(sums)


def holm_rejects(p_values, level):
    """Holm's steps: the smallest against level / m, the next against level / (m - 1), until one stays."""
    rejected, m = set(), len(p_values)
    for step, i in enumerate(sorted(range(m), key=lambda i: p_values[i])):
        if p_values[i] > level / (m - step):
            break
        rejected.add(i)
    return rejected


def front(points):
    """Points, large being good, that no other dominates."""

    def dominates(a, b):
        return all(x >= y for x, y in zip(a, b, strict=True)) and any(x > y for x, y in zip(a, b, strict=True))

    return [not any(dominates(other, one) for other in points) for one in points]


def area(truth, scores):
    """Share of pairs of a positive and a negative sample in which the positive one scores higher, ties one half."""
    won = [
        (p > n) + (p == n) / 2
        for p, is_p in zip(scores, truth, strict=True) if is_p
        for n, is_n in zip(scores, truth, strict=True) if not is_n
    ]  # fmt: skip
    return sum(won) / len(won) if won else float("nan")


def mean_over_pairs(agreement, runs):
    values = [agreement[i][j] for i, j in combinations(runs, 2)]
    return sum(values) / len(values)
