"""Statistics of one measured feature against classes, a measured target, or its neighbourhood.

A constant feature scores -inf (comes last); one that is constant within every class but not over all scores +inf.
"""

from __future__ import annotations

from math import exp, fsum, inf, sqrt


def _mean(values):
    return fsum(values) / len(values)


def _squares(values):
    centre = _mean(values)
    return fsum((v - centre) ** 2 for v in values)


def _by_class(x, y):
    x = [float(v) for v in x]
    return [[v for v, c in zip(x, y, strict=True) if c == name] for name in sorted(set(y))]


def _quotient(above, below):
    if below > 0:
        return above / below
    return inf if above > 0 else -inf


def _is_constant(x):
    return len({float(v) for v in x}) == 1


def t_test(x, y):
    """Welch: |m1 - m2| / sqrt(s1²/n1 + s2²/n2)."""
    first, second = _by_class(x, y)
    if _is_constant(x):
        return -inf
    error = sqrt(sum(_squares(g) / (len(g) - 1) / len(g) for g in (first, second)))
    return _quotient(abs(_mean(first) - _mean(second)), error)


def pooled_t(x, y):
    """Student: |m1 - m2| / sqrt(s² (1/n1 + 1/n2)), s² from both classes together."""
    first, second = _by_class(x, y)
    if _is_constant(x):
        return -inf
    variance = (_squares(first) + _squares(second)) / (len(first) + len(second) - 2)
    return _quotient(abs(_mean(first) - _mean(second)), sqrt(variance * (1 / len(first) + 1 / len(second))))


def _scatter(x, y):
    groups = _by_class(x, y)
    grand = _mean([v for g in groups for v in g])
    between = fsum(len(g) * (_mean(g) - grand) ** 2 for g in groups)
    within = fsum(_squares(g) for g in groups)
    return between, within, len(groups)


def f_test(x, y):
    """One-way analysis of variance: [between / (classes - 1)] / [within / (n - classes)]."""
    if _is_constant(x):
        return -inf
    between, within, n_classes = _scatter(x, y)
    return _quotient(between / (n_classes - 1), within / (len(x) - n_classes))


def fisher(x, y):
    """Σ n_c (m_c - m)² / Σ n_c σ_c², population variances."""
    if _is_constant(x):
        return -inf
    between, within, _ = _scatter(x, y)
    return _quotient(between, within)


def relative_entropy(x, y):
    """½ (s1²/s2² + s2²/s1² - 2) + ½ (m1 - m2)² (1/s1² + 1/s2²)."""
    if _is_constant(x):
        return -inf
    first, second = _by_class(x, y)
    a, b = (_squares(g) / (len(g) - 1) for g in (first, second))
    if a == 0 or b == 0:
        return inf
    return 0.5 * (a / b + b / a - 2) + 0.5 * (_mean(first) - _mean(second)) ** 2 * (1 / a + 1 / b)


def chi2(x, y):
    """Σ over classes of (observed total - expected total)² / expected total."""
    total = fsum(float(v) for v in x)
    if total == 0:
        return -inf
    terms = []
    for group in _by_class(x, y):
        expected = total * len(group) / len(x)
        terms.append((fsum(group) - expected) ** 2 / expected)
    return fsum(terms)


def pearson(x, y):
    """Correlation coefficient, 0 for a constant."""
    x, y = [float(v) for v in x], [float(v) for v in y]
    if _is_constant(x) or _is_constant(y):
        return 0.0
    mx, my = _mean(x), _mean(y)
    shared = fsum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    return shared / sqrt(_squares(x) * _squares(y))


def mid_ranks(x):
    """Rank of each value from 1; equal values share the mean of theirs."""
    x = [float(v) for v in x]
    return [sum(w < v for w in x) + (sum(w == v for w in x) + 1) / 2 for v in x]


def spearman(x, y):
    """Pearson correlation of the ranks."""
    return pearson(mid_ranks(x), mid_ranks(y))


def laplacian(X, *, n_neighbors=5, bandwidth=1.0, squared=False, weighted_mean=False):
    """Score of every feature: Σ_jk (x_j - x_k)² W_jk / Σ_j (x_j - m)² A_jj; smaller is better."""
    rows = [[float(v) for v in row] for row in X]
    n = len(rows)
    distance = [[sqrt(fsum((a - b) ** 2 for a, b in zip(p, q, strict=True))) for q in rows] for p in rows]
    # Every sample as near as the k-th nearest counts as one of the k.
    reach = [sorted(distance[i][j] for j in range(n) if j != i)[min(n_neighbors, n - 1) - 1] for i in range(n)]
    lists = [[i != j and distance[i][j] <= reach[i] * (1 + 1e-12) for j in range(n)] for i in range(n)]
    power = 2 if squared else 1
    # The common factor exp(least distance) cancels, and keeps the weights from vanishing.
    least = min((distance[i][j] for i in range(n) for j in range(n) if lists[i][j]), default=0.0) ** power
    weight = [
        [exp((least - distance[i][j] ** power) / bandwidth) if lists[i][j] or lists[j][i] else 0.0 for j in range(n)]
        for i in range(n)
    ]
    degree = [fsum(w) for w in weight]
    scores = []
    for x in zip(*rows, strict=True):
        if _is_constant(x):
            scores.append(inf)
            continue
        near = fsum(weight[i][j] * (x[i] - x[j]) ** 2 for i in range(n) for j in range(n))
        centre = fsum(d * v for d, v in zip(degree, x, strict=True)) / fsum(degree) if weighted_mean else _mean(x)
        scores.append(near / fsum(d * (v - centre) ** 2 for d, v in zip(degree, x, strict=True)))
    return scores
