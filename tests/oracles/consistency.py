"""Slow twins of the consistency methods: every subset counted from its rows, every round over every feature left."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import floor, fsum, inf, log2

import numpy as np

from oracles.discretize import columns_of
from oracles.information import symmetrical_uncertainty
from oracles.ranking import n_to_select
from oracles.ties import TIE, best_first_order, ties_with

# Entropies and what users measure are sums of rounded terms; counts are exact.
NOISE = 1e-9


def _classes_by_values(rows, y):
    """How often each class occurs with each tuple of values."""
    counts = {}
    for row, label in zip(rows, y, strict=True):
        counts.setdefault(tuple(row), Counter())[label] += 1
    return counts.values()


def inconsistency_count(rows, y):
    """E(S) = m - Σ_x max_y #{S = x, C = y}."""
    return len(y) - sum(max(classes.values()) for classes in _classes_by_values(rows, y))


def bayesian_risk(rows, y):
    """Br(S) = E(S) / m."""
    return inconsistency_count(rows, y) / len(y)


def binary_consistency(rows, y):
    """0 if equal rows are always of one class, 1 if not."""
    return int(any(len(classes) > 1 for classes in _classes_by_values(rows, y)))


def conditional_entropy(rows, y):
    """H(C|S) = -Σ p(x, y) log2 p(y|x)."""
    terms = []
    for classes in _classes_by_values(rows, y):
        size = sum(classes.values())
        terms += [-count / len(y) * log2(count / size) for count in classes.values()]
    bits = fsum(terms)
    return bits if bits >= TIE else 0.0


def without(rows, feature):
    """The rows with one column left out."""
    return [[v for i, v in enumerate(row) if i != feature] for row in rows]


def consistency_contribution(rows, y, feature):
    """CC(f, S) = Br(S∖f) - Br(S)."""
    return bayesian_risk(without(rows, feature), y) - bayesian_risk(rows, y)


def interacts(rows, y, feature, delta=0.0):
    """Br(S) ≤ δ < Br(S∖f)."""
    allowed = floor(delta * len(y) + NOISE)
    return inconsistency_count(rows, y) <= allowed < inconsistency_count(without(rows, feature), y)


def theta(relevance, risk_without, risk, delta, alpha=0.75):
    """ϑ = α SU + (1 - α) (Br(S∖f) - Br(S)) / (δ - Br(S)), the fraction 0 where nothing is left of δ."""
    room = delta - risk
    return alpha * relevance + (1 - alpha) * ((risk_without - risk) / room if room > TIE else 0.0)


def inter_relevance(relevance, risk_without, risk_of_all, delta, least, most, alpha=0.5):
    """IR = (1 - α) (Br(S∖f) - Br(F)) / (δ - Br(F)) + α (r - r⁻) / (r⁺ - r⁻)."""
    lost = risk_without - risk_of_all
    scaled = (relevance - least) / (most - least) if most > least else 0.0
    return (1 - alpha) * (lost / (delta - risk_of_all) if delta - risk_of_all > TIE else lost) + alpha * scaled


MEASURES = {
    "bayesian-risk": inconsistency_count,
    "binary": binary_consistency,
    "conditional-entropy": conditional_entropy,
}


class _Problem:
    """Features least relevant first, the value of a set of them, and the largest value that is allowed."""

    def __init__(self, X, y, parameters, names):
        self.columns = list(zip(*X, strict=True))
        self.y = list(y)
        self.levels = columns_of(X, y, parameters["discretizer"])
        relevance = [symmetrical_uncertainty(levels, self.y) for levels in self.levels]
        n = len(relevance)
        self.best_first = best_first_order(relevance, n, self.columns, self.y, relevance, names)
        self.features = self.best_first[::-1]
        self.scores = relevance
        self.relevance = one_value_each_tie(relevance, self.best_first)
        self.n_select = n_to_select(parameters, n)
        self.measure = parameters["measure"]
        self.is_counted = self.measure == "bayesian-risk"
        self.seen = {}
        self.of_all = self.value(self.features)
        self.start = self.of_all if parameters.get("delta_mode") == "relative" else 0
        delta = parameters["delta"] * (len(self.y) if self.is_counted else 1)
        self.delta = self.start + delta
        self.allowed = self.start + (floor(delta + NOISE) if self.is_counted else delta)

    def value(self, subset):
        """The measure of some features, its integer form where it has one."""
        key = frozenset(subset)
        if key not in self.seen:
            rows = [tuple(self.levels[f][i] for f in sorted(key)) for i in range(len(self.y))]
            if callable(self.measure):
                table = np.array(rows, dtype=float).reshape(len(rows), len(key))
                self.seen[key] = self.measure(table, np.unique(self.y, return_inverse=True)[1])
            else:
                self.seen[key] = MEASURES[self.measure](rows, self.y)
        return self.seen[key]

    def is_above(self, value, other):
        """Whether a value is larger, by more than what rounding does to it."""
        return value > other + (0 if self.is_counted else NOISE)

    def is_feasible(self, subset):
        return not self.is_above(self.value(subset), self.allowed)

    def must_be_feasible(self):
        if not self.is_feasible(self.features):
            raise ValueError(f"All features have {self.of_all}, above {self.allowed}.")

    def result(self, kept):
        """The most relevant of the features kept, and their relevance."""
        order = [f for f in self.best_first if f in set(kept)][: self.n_select]
        return order, [self.scores[f] for f in order]

    def descend(self, features, score):
        """Take away the feature of the least score, the first of those that tie, while one can be spared."""
        kept = list(features)
        while True:
            best, least = None, inf
            for f in kept:
                rest = _without(kept, f)
                if not self.is_feasible(rest):
                    continue
                own = score(f, rest, kept)
                if own < least - TIE:
                    best, least = f, own
            if best is None:
                return kept
            kept.remove(best)


def one_value_each_tie(relevance, best_first):
    """Relevances of which those that tie are the largest among them."""
    values, head = list(relevance), None
    for f in best_first:
        head = relevance[f] if head is None or not ties_with(relevance[f], head) else head
        values[f] = head
    return values


def _without(kept, f):
    return [g for g in kept if g != f]


def focus(X, y, parameters, names=None):
    """The smallest feasible subset; of several the first, the most relevant feature being the first letter."""
    problem = _Problem(X, y, parameters, names)
    problem.must_be_feasible()
    for size in range(len(problem.best_first) + 1):
        for subset in combinations(problem.best_first, size):
            if problem.is_feasible(subset):
                return problem.result(subset)
    raise AssertionError("All features together are feasible.")


def interact(X, y, parameters, names=None):
    """Take each feature away, the least relevant first, that contributes no more than δ."""
    problem = _Problem(X, y, parameters, names)
    kept = problem.features
    for f in problem.features:
        rest = _without(kept, f)
        if not problem.is_above(problem.value(rest) - problem.value(kept), problem.allowed):
            kept = rest
    return problem.result(kept)


def lcc(X, y, parameters, names=None):
    """Take each feature away, the least relevant first, without which the rest is feasible."""
    problem = _Problem(X, y, parameters, names)
    problem.must_be_feasible()
    kept = problem.features
    for f in problem.features:
        if problem.is_feasible(_without(kept, f)):
            kept = _without(kept, f)
    return problem.result(kept)


def sdcc(X, y, parameters, names=None):
    """Take the feature away that costs least, in a random order (original) or the least relevant of those that tie.

    ``accurate`` weighs the cost against the relevance.
    """
    problem = _Problem(X, y, parameters, names)
    problem.must_be_feasible()
    features = problem.features
    if parameters["variant"] == "original":
        scan = np.random.default_rng(parameters["random_state"]).permutation(len(features))
        features = [features[i] for i in scan]

    def cost(f, rest, kept):
        return problem.value(rest)

    def weighed(f, rest, kept):
        return theta(problem.relevance[f], problem.value(rest), problem.value(kept), problem.delta, parameters["alpha"])

    return problem.result(problem.descend(features, weighed if parameters["variant"] == "accurate" else cost))


def swcfs(X, y, parameters, names=None):
    """Take features away inside a window of relevance that grows round by round: a useless one at once."""
    problem = _Problem(X, y, parameters, names)
    problem.must_be_feasible()
    r = problem.relevance
    kept = list(problem.features)
    while kept and not problem.is_above(problem.value(kept[1:]), problem.of_all):
        kept = kept[1:]
    if not kept:
        return problem.result(kept)
    low, high = min(r[f] for f in kept), max(r[f] for f in kept)
    step = (high - low) / (len(kept) - 1) if len(kept) > 1 else 0.0
    edge = low + parameters["window"] * (high - low)
    while True:
        best, least = None, inf
        for f in [f for f in kept if r[f] <= edge + TIE]:
            rest = _without(kept, f)
            if not problem.is_feasible(rest):
                continue
            if not problem.is_above(problem.value(rest), problem.value(kept)):
                best = f
                break
            own = inter_relevance(
                r[f], problem.value(rest), problem.of_all, problem.delta, min(r), max(r), parameters["alpha"]
            )
            if own < least - TIE:
                best, least = f, own
        if best is None and edge >= high:
            return problem.result(kept)
        if best is not None:
            kept.remove(best)
        wider = edge + parameters["growth"] * step
        edge = high if wider <= edge or wider > high else wider
