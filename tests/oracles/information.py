"""Entropy and its relatives as the textbooks write them: probabilities, logarithms, sums."""

from __future__ import annotations

from collections import Counter
from math import fsum, log2

# Information below this is rounding; independence is 0.
NOISE = 1e-12


def _clean(bits):
    return bits if bits >= NOISE else 0.0


def entropy(*variables):
    """H(X, Y, …) = -Σ p log2 p over the value tuples seen together."""
    tuples = list(zip(*[list(v) for v in variables], strict=True))
    n = len(tuples)
    return _clean(fsum(-c / n * log2(c / n) for c in Counter(tuples).values()))


def mutual_information(x, y):
    """I(X;Y) = Σ p(x,y) log2 [p(x,y) / p(x) p(y)]."""
    x, y = list(x), list(y)
    n = len(x)
    of_x, of_y, of_both = Counter(x), Counter(y), Counter(zip(x, y, strict=True))
    return _clean(fsum(c / n * log2(c * n / (of_x[a] * of_y[b])) for (a, b), c in of_both.items()))


def conditional_mutual_information(x, y, given):
    """I(X;Y|Z) = Σ p(z) I(X;Y | Z = z)."""
    x, y, given = list(x), list(y), list(given)
    n = len(x)
    parts = []
    for z in sorted(set(given)):
        rows = [i for i in range(n) if given[i] == z]
        parts.append(len(rows) / n * mutual_information([x[i] for i in rows], [y[i] for i in rows]))
    return _clean(fsum(parts))


def joint_information(x, z, y):
    """I(X,Z;Y): what the pair (X, Z) tells about Y."""
    return mutual_information(list(zip(x, z, strict=True)), y)


def symmetrical_uncertainty(x, y):
    """SU(X;Y) = 2 I(X;Y) / (H(X) + H(Y)), 0 where nothing is uncertain."""
    total = entropy(x) + entropy(y)
    return 2.0 * mutual_information(x, y) / total if total > 0 else 0.0
