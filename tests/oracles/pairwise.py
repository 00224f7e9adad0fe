"""Slow twins of the pairwise filters: every merit of every candidate from its definition, in every round."""

from __future__ import annotations

from math import inf, sqrt

from oracles import information, separation
from oracles.discretize import columns_of
from oracles.ranking import n_to_select
from oracles.ties import first_of, tied_best, ties_with

LEAST_CORRELATION = 1e-3


def _is_constant(levels):
    return len(set(levels)) == 1


class _Problem:
    """Columns, levels, relevance, and who goes first."""

    def __init__(self, X, y, parameters, names, relevance):
        self.columns = list(zip(*X, strict=True))
        self.y = list(y)
        self.names = names
        self.levels = columns_of(X, y, parameters["discretizer"]) if "discretizer" in parameters else self.columns
        self.relevance = [relevance(levels, self.y) for levels in self.levels]
        self.n_select = n_to_select(parameters, len(self.columns))

    def first_of(self, tied):
        return first_of(tied, self.columns, self.y, self.relevance, self.names)

    def greedy(self, merit, stops=lambda merit, merits: False):
        """Add the best candidate until there are enough; a constant one only when nothing else is left."""
        chosen, merits = [], []
        while len(chosen) < self.n_select:
            rest = [f for f in range(len(self.columns)) if f not in chosen]
            if not rest:
                break
            value = {f: -inf if _is_constant(self.levels[f]) else merit(f, chosen) for f in rest}
            tied = tied_best(rest, value.get)
            best = max(value[f] for f in tied)
            if stops(best, merits):
                break
            chosen.append(self.first_of(tied))
            merits.append(best)
        return chosen, merits


def _mean(values):
    values = list(values)
    return sum(values) / len(values)


def _mrmr(X, y, parameters, names, relevance, shared, combine):
    own = dict(parameters)
    if shared is not information.mutual_information:
        del own["discretizer"]
    problem = _Problem(X, y, own, names, relevance)
    levels = problem.levels

    def merit(f, chosen):
        if not chosen:
            return problem.relevance[f]
        return combine(problem.relevance[f], _mean(shared(levels[f], levels[s]) for s in chosen))

    return problem.greedy(merit)


def _quotient(relevance, redundancy):
    if redundancy > 0:
        return relevance / redundancy
    return inf if relevance > 0 else relevance


def mrmr_mid(X, y, parameters, names=None):
    """I(f;C) - 2α · mean I(f;s)."""
    mi = information.mutual_information
    return _mrmr(X, y, parameters, names, mi, mi, lambda a, b: a - 2 * parameters["alpha"] * b)


def mrmr_miq(X, y, parameters, names=None):
    """I(f;C) / mean I(f;s)."""
    mi = information.mutual_information
    return _mrmr(X, y, parameters, names, mi, mi, _quotient)


def _absolute_correlation(x, z):
    return abs(separation.pearson(x, z))


def mrmr_fcd(X, y, parameters, names=None):
    """F(f;C) - 2α · mean |r(f,s)|."""
    return _mrmr(
        X, y, parameters, names, separation.f_test, _absolute_correlation, lambda a, b: a - 2 * parameters["alpha"] * b
    )


def mrmr_fcq(X, y, parameters, names=None):
    """F(f;C) / mean max(|r(f,s)|, 0.001)."""

    def shared(x, z):
        return max(_absolute_correlation(x, z), LEAST_CORRELATION)

    return _mrmr(X, y, parameters, names, separation.f_test, shared, _quotient)


def cfs_merit(subset, levels, relevance):
    """Σ SU(f;C) / sqrt(k + 2 Σ_{i<j} SU(f_i;f_j))."""
    pairs = sum(
        information.symmetrical_uncertainty(levels[f], levels[g]) for i, f in enumerate(subset) for g in subset[:i]
    )
    return sum(relevance[f] for f in subset) / sqrt(len(subset) + 2 * pairs)


def _does_not_rise(merit, merits):
    best = merits[-1] if merits else 0.0
    return merit <= best or ties_with(best, merit)


def cfs(X, y, parameters, names=None):
    """Add the feature of the best subset merit while that merit rises."""
    problem = _Problem(X, y, parameters, names, information.symmetrical_uncertainty)
    return problem.greedy(
        lambda f, chosen: cfs_merit([*chosen, f], problem.levels, problem.relevance), stops=_does_not_rise
    )


def cfs_best_first(X, y, parameters, names=None):
    """Expand the best subset seen so far; stop after ``max_stale`` expansions that gain no more than 1e-5.

    The list of subsets to expand is no longer than ``max_stale``; among equal merits the older goes first.
    """
    problem = _Problem(X, y, parameters, names, information.symmetrical_uncertainty)
    usable = [f for f in range(len(problem.columns)) if not _is_constant(problem.levels[f])]
    longest = parameters["max_stale"]
    merit_of = {(): 0.0}
    waiting, best, n_stale = [()], (), 0
    while n_stale < longest and waiting:
        subset = waiting.pop(0)
        improved = False
        rest = [f for f in usable if f not in subset] if len(subset) < problem.n_select else []
        merit = {f: cfs_merit([*subset, f], problem.levels, problem.relevance) for f in rest}
        while rest:
            f = problem.first_of(tied_best(rest, merit.get))
            rest.remove(f)
            child = (*subset, f)
            merit_of[child] = merit[f]
            place = 0
            while place < len(waiting) and (
                merit_of[waiting[place]] >= merit[f] or ties_with(merit_of[waiting[place]], merit[f])
            ):
                place += 1
            waiting.insert(place, child)
            del waiting[longest:]
            if merit[f] - merit_of[best] > 1e-5:
                best, improved = child, True
        n_stale = 0 if improved else n_stale + 1
    return list(best), [merit_of[best[: i + 1]] for i in range(len(best))]


def fcbf(X, y, parameters, names=None):
    """From the most relevant on, each survivor deletes those it predicts better than the class does."""
    problem = _Problem(X, y, parameters, names, information.symmetrical_uncertainty)
    su, relevance, levels = information.symmetrical_uncertainty, problem.relevance, problem.levels
    least = parameters["min_su"]
    alive = [f for f in range(len(levels)) if not _is_constant(levels[f]) and (least is None or relevance[f] > least)]
    chosen = []
    while alive and len(chosen) < problem.n_select:
        pick = problem.first_of(tied_best(alive, lambda f: relevance[f]))
        chosen.append(pick)

        def is_redundant(f, pick=pick):
            shared = su(levels[pick], levels[f])
            is_equal = abs(shared - relevance[f]) <= 1e-12
            return (is_equal and not parameters["strict"]) or (shared > relevance[f] and not is_equal)

        alive = [f for f in alive if f != pick and not is_redundant(f)]
    return chosen, [relevance[f] for f in chosen]


def _on_triples(score):
    def oracle(X, y, parameters, names=None):
        problem = _Problem(X, y, parameters, names, information.mutual_information)
        levels = problem.levels

        def merit(f, chosen):
            if not chosen:
                return problem.relevance[f]
            return score(levels[f], [levels[s] for s in chosen], problem.y)

        return problem.greedy(merit)

    return oracle


# Σ_s I(f,s;C)
jmi = _on_triples(lambda f, chosen, y: sum(information.joint_information(f, s, y) for s in chosen))


@_on_triples
def disr(f, chosen, y):
    """Σ_s I(f,s;C) / H(f,s,C)."""
    return sum(information.joint_information(f, s, y) / information.entropy(f, s, y) for s in chosen)


@_on_triples
def cmim(f, chosen, y):
    """min(I(f;C), min_s I(f;C|s))."""
    given = min(information.conditional_mutual_information(f, y, s) for s in chosen)
    return min(information.mutual_information(f, y), given)
