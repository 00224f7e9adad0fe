"""Slow twins of the filters with prior knowledge, from the definitions in Ben Brahim 2015, §4.2.2.1 and §4.2.2.2."""

from __future__ import annotations

from math import inf

from oracles import information, neighbours, separation
from oracles.discretize import columns_of
from oracles.ranking import n_to_select
from oracles.ties import best_first_order, first_of, tied_best

KNOWN, OTHERS = 10.0, 1.0


def beta(prior, names, n_features):
    """One weight per feature: a number each, a mark each, some by name, or names of the known ones."""
    if prior is None:
        return None
    if isinstance(prior, dict):
        return [float(prior.get(name, OTHERS)) for name in names]
    if all(isinstance(entry, str) for entry in prior):
        return [KNOWN if name in prior else OTHERS for name in names]
    if all(isinstance(entry, bool) for entry in prior):
        return [KNOWN if entry else OTHERS for entry in prior]
    return [float(entry) for entry in prior]


def _added(parameters, names, n_features):
    weights = beta(parameters["prior"], names, n_features)
    return [0.0] * n_features if weights is None else [parameters["prior_scale"] * weight for weight in weights]


def pk_mrmr(X, y, parameters, names=None):
    """I(f;C) + β(f) - mean I(f;s), or one of the other three forms of mRMR with the same addition."""
    columns, y = list(zip(*X, strict=True)), list(y)
    of_information = parameters["objective"] in ("mid", "miq")
    by_difference = parameters["objective"] in ("mid", "fcd")
    levels = columns_of(X, y, parameters["discretizer"]) if of_information else columns
    measure = information.mutual_information if of_information else separation.f_test
    added = _added(parameters, names, len(columns))
    relevance = [measure(column, y) + more for column, more in zip(levels, added, strict=True)]

    def shared(f, g):
        if of_information:
            return information.mutual_information(levels[f], levels[g])
        correlation = abs(separation.pearson(levels[f], levels[g]))
        return correlation if by_difference else max(correlation, 0.001)

    def merit(f, chosen):
        if len(set(levels[f])) == 1:
            return -inf
        if not chosen:
            return relevance[f]
        redundancy = sum(shared(f, g) for g in chosen) / len(chosen)
        if by_difference:
            return relevance[f] - 2 * parameters["alpha"] * redundancy
        return relevance[f] / redundancy if redundancy > 0 else inf if relevance[f] > 0 else relevance[f]

    chosen, merits = [], []
    while len(chosen) < n_to_select(parameters, len(columns)):
        value = {f: merit(f, chosen) for f in range(len(columns)) if f not in chosen}
        tied = tied_best(list(value), value.get)
        merits.append(max(value[f] for f in tied))
        chosen.append(first_of(tied, columns, y, relevance, names))
    return chosen, merits


def _added_to(rule):
    def oracle(X, y, parameters, names=None, sample_weight=None):
        """(Σ over the samples looked at + β(f)) / their number."""
        plain = neighbours.scores_of(rule, X, y, parameters, names, sample_weight)
        n_visited = parameters["n_samples"] or len(y)
        added = _added(parameters, names, len(plain))
        scores = [(score * n_visited + more) / n_visited for score, more in zip(plain, added, strict=True)]
        columns = neighbours.filled(X)
        order = best_first_order(scores, n_to_select(parameters, len(columns)), columns, list(y), scores, names)
        return order, [scores[f] for f in order]

    return oracle


pk_relief = _added_to("Relief")
pk_relieff = _added_to("ReliefF")
