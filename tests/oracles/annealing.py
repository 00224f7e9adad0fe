"""Slow twin of SALCC: LCC by trying every feature, thresholds from a plain list, areas from pairs counted one by one.

The folds and the decision tree are scikit-learn's, the random draws numpy's; the rest is stated from the definitions.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, floor, log

import numpy as np
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from holdfast._random import generators
from oracles.consistency import MEASURES, NOISE
from oracles.discretize import columns_of
from oracles.information import symmetrical_uncertainty
from oracles.ranking import n_to_select
from oracles.separation import mid_ranks
from oracles.ties import best_first_order, ties_with
from oracles.wrappers import sample_order, stratified_splits


def area(truth, scores):
    """Share of pairs that the sample of a class wins against one of another, a tie being half; by size of class."""
    total = Fraction(0)
    for c in set(truth):
        own = [s[c] for s, t in zip(scores, truth, strict=True) if t == c]
        others = [s[c] for s, t in zip(scores, truth, strict=True) if t != c]
        won = sum(Fraction(2 * (a > b) + (a == b), 2) for a in own for b in others)
        total += Fraction(len(own), len(truth)) * won / (len(own) * len(others))
    return float(total)


def accuracy(truth, predicted):
    return sum(t == p for t, p in zip(truth, predicted, strict=True)) / len(truth)


def balanced_accuracy(truth, predicted):
    hits = [(t, t == p) for t, p in zip(truth, predicted, strict=True)]
    shares = [Fraction(sum(hit for t, hit in hits if t == c), truth.count(c)) for c in set(truth)]
    return float(sum(shares) / len(shares))


ACCURACIES = {"accuracy": accuracy, "balanced-accuracy": balanced_accuracy}


def upright(column):
    """A column from 0 up, turned so that the first sample off the middle rank lies above it.

    A power of two makes its largest value less than 2²⁴, but at least half of that.
    """
    middle = (len(column) + 1) / 2
    side = next((r - middle for r in mid_ranks(column) if r != middle), 0)
    turned = [-v if side < 0 else v for v in column]
    turned = [v - min(turned) for v in turned]
    factor = 1.0
    while 0 < max(turned) * factor < 2.0**23:
        factor *= 2
    while max(turned) * factor >= 2.0**24:
        factor /= 2
    return [v * factor for v in turned]


def subset_score(columns, y, parameters, folds):
    """A function from a subset of features to the score of the classifier, each subset asked for once."""
    order = sample_order(columns, y)
    columns, y = [[column[i] for i in order] for column in columns], [y[i] for i in order]
    estimator = parameters["estimator"]
    if estimator is None:
        estimator = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
        columns, y = [upright(column) for column in columns], [list(dict.fromkeys(y)).index(c) for c in y]
    splits = stratified_splits(y, parameters["cv"] or 10, folds)
    truth = [y[i] for _, test in splits for i in test]
    scoring, known = parameters["scoring"], {}

    def answers(subset, method):
        X = np.array([columns[f] for f in sorted(subset)]).T
        for train, test in splits:
            fitted = clone(estimator).fit(X[train], np.array(y)[train])
            found = getattr(fitted, method)(X[test])
            yield from found if method == "predict" else (dict(zip(fitted.classes_, row, strict=True)) for row in found)

    def score(subset):
        if not subset:
            share = Fraction(max(map(truth.count, truth)), len(truth))
            nothing = {"auc": 0.5, "accuracy": float(share), "balanced-accuracy": float(Fraction(1, len(set(truth))))}
            return nothing[scoring]
        if subset not in known:
            judge, method = (area, "predict_proba") if scoring == "auc" else (ACCURACIES[scoring], "predict")
            known[subset] = judge(truth, list(answers(subset, method)))
        return known[subset]

    return score


class _Problem:
    """Features by relevance, the measure of a set of them, and LCC."""

    def __init__(self, X, y, parameters, names):
        columns = list(zip(*X, strict=True))
        self.levels, self.y = columns_of(X, y, parameters["discretizer"]), list(y)
        self.relevance = [symmetrical_uncertainty(levels, self.y) for levels in self.levels]
        self.best_first = best_first_order(self.relevance, len(columns), columns, self.y, self.relevance, names)
        self.measure = parameters["measure"]
        self.is_counted = self.measure == "bayesian-risk"
        self.n_units = len(self.y) if self.is_counted else 1
        self.slack = 0 if self.is_counted else NOISE
        self.of_all = self.value(self.best_first)

    def value(self, subset):
        rows = [tuple(self.levels[f][i] for f in sorted(subset)) for i in range(len(self.y))]
        return MEASURES[self.measure](rows, self.y)

    def lcc(self, threshold):
        """What is left when every feature, least relevant first, goes if that is allowed; and its risk."""
        allowed = floor(threshold * self.n_units + NOISE) if self.is_counted else threshold
        kept = list(self.best_first)
        for f in self.best_first[::-1]:
            rest = [g for g in kept if g != f]
            if self.value(rest) <= allowed + self.slack:
                kept = rest
        return frozenset(kept), self.value(kept) / self.n_units

    def pool(self):
        """The most relevant features that have the value of all between them, and those tied with the last."""
        size = 0
        while self.value(self.best_first[:size]) > self.of_all + self.slack:
            size += 1
        ranked = [self.relevance[f] for f in self.best_first]
        while 0 < size < len(ranked) and ties_with(ranked[size], ranked[size - 1]):
            size += 1
        return self.best_first[:size]


def _next(problem, stored, threshold, gap):
    """Algorithm 6: the largest risk stored below the threshold, or the one LCC finds if that is too far below."""
    below = [risk for risk in stored if risk <= threshold]
    if not below or threshold - max(below) > gap:
        kept, risk = problem.lcc(threshold)
        stored[risk] = kept
        return risk
    return max(below)


def _visited(problem, score, low, high, parameters, draws):
    """Algorithm 5: every state in order, and the last one that was accepted."""
    stored = {}
    current = _next(problem, stored, low, parameters["gap"])
    visited, step = [current], 1
    while parameters["temperature"] / log(step + 1) > parameters["min_temperature"]:
        if parameters["max_steps"] is not None and step > parameters["max_steps"]:
            break
        threshold = min(max(current + parameters["step"] * (draws.random() - 0.5), low), high)
        new = _next(problem, stored, threshold, parameters["gap"])
        visited.append(new)
        change = score(stored[new]) - score(stored[current])
        if draws.random() < exp(min(change, 0) / (parameters["temperature"] / log(step + 1))):
            current = new
        step += 1
    return [(stored[risk], risk) for risk in visited], (stored[current], current)


def _swept(problem, low, high):
    """Every set that LCC keeps under some threshold, from the largest down."""
    found, threshold = [], high
    while True:
        kept, risk = problem.lcc(threshold)
        found.append((kept, risk))
        if risk <= low + problem.slack:
            return found
        threshold = risk - (1 / problem.n_units if problem.is_counted else 2 * NOISE)


def salcc(X, y, parameters, names=None):
    """The features LCC keeps under the threshold at which a classifier does best."""
    problem = _Problem(X, y, parameters, names)
    low = problem.of_all / problem.n_units
    high = parameters["delta_max"] + (low if parameters["delta_mode"] == "relative" else 0)
    folds, draws = generators(parameters["random_state"], 2)
    pool = problem.pool()
    columns = [[float(row[f]) for row in X] for f in pool]
    of_places = subset_score(columns, problem.y, parameters, folds)

    def score(kept):
        return of_places(frozenset(map(pool.index, kept)))

    if parameters["search"] == "sweep":
        visited = _swept(problem, low, high)
    else:
        visited, current = _visited(problem, score, low, high, parameters, draws)
    end = max(visited, key=lambda state: (score(state[0]), -len(state[0]), -state[1]))
    if parameters["search"] == "annealing" and parameters["keep"] == "current":
        end = current
    order = [f for f in problem.best_first if f in end[0]][: n_to_select(parameters, len(problem.best_first))]
    return order, [problem.relevance[f] for f in order]
