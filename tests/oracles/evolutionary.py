"""Slow twins of the searches by populations: plain sets, each judged by machines that LIBSVM trains.

The folds are scikit-learn's and the random draws numpy's, in the order in which the searches ask for them; the rest is
Pino Angulo 2019, §2.2.4.1, §4.5.3 and chapter 5. Fitness is a fraction, so that equal ones are equal.
"""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate, combinations
from math import fsum, sqrt

import numpy as np
from sklearn import config_context
from sklearn.svm import SVC

import holdfast
from holdfast._random import seed_sequence
from holdfast.measures.wrapper_score import WrapperScore
from oracles import information, pairwise, separation
from oracles.discretize import columns_of
from oracles.distance import _in_order
from oracles.ranking import n_to_select
from oracles.rbf_kernels import voted
from oracles.ties import TIE
from oracles.wrappers import sample_order, stratified_splits

STEP = 2.0**-18
FARTHEST = 2**25


def standardised(column, train):
    """Values by mean and deviation of the training part, in whole steps of 2⁻¹⁸ and cut at 2²⁵ of them."""
    own = [column[i] for i in train]
    mean = own[0] if len(set(own)) == 1 else fsum(own) / len(own)
    deviation = sqrt(fsum((v - mean) ** 2 for v in own) / len(own)) or 1.0
    return [min(max(round((v - mean) / (deviation * STEP)), -FARTHEST), FARTHEST) * STEP for v in column]


class Fitness:
    """From places to the share of test samples that radial machines get right, each set judged once.

    Where a machine is at a loss, either answer is right: then the library says which it gave.
    """

    def __init__(self, columns, y, parameters, seed):
        options = {"scoring": parameters["scoring"], "cv": parameters["cv"], "random_state": seed}
        self.library = WrapperScore(np.array(columns).T, np.array(y), estimator="svm", **options)
        order = sample_order(columns, y)
        columns, y = [[column[i] for i in order] for column in columns], [y[i] for i in order]
        self.y = [list(dict.fromkeys(y)).index(c) for c in y]
        self.splits = stratified_splits(self.y, parameters["cv"] or 10, seed)
        self.tables = [np.array([standardised(column, train) for column in columns]) for train, _ in self.splits]
        self.is_balanced = parameters["scoring"] == "balanced-accuracy"
        self.known = {}

    def __call__(self, places):
        places = frozenset(places)
        if places not in self.known:
            self.known[places] = self.judged(sorted(places))
        return self.known[places]

    def judged(self, places):
        said = [
            (self.y[i], classes)
            for split, table in zip(self.splits, self.tables, strict=True)
            for i, classes in zip(split[1], self.said(table[places], *split), strict=True)
        ]
        least = self.score([(c, classes == {c}) for c, classes in said])
        most = self.score([(c, c in classes) for c, classes in said])
        if least == most:
            return least
        value = Fraction(self.library.score(places)).limit_denominator(len(said) ** 3)
        assert least <= value <= most
        return value

    def said(self, values, train, test):
        """Classes of the test samples."""
        n_classes = len(set(self.y))
        machine = SVC(gamma=1 / len(values), tol=1e-8, decision_function_shape="ovo")
        with config_context(assume_finite=True, skip_parameter_validation=True):
            machine.fit(values.T[train], [self.y[i] for i in train])
            found = machine.decision_function(values.T[test])
        # Of two classes scikit-learn lets the second one be above 0, of more the first of each pair.
        found = -found[:, np.newaxis] if n_classes == 2 else found
        of_pairs = dict(zip(combinations(range(n_classes), 2), found.T, strict=True))
        return [voted(of_pairs, t, n_classes) for t in range(len(test))]

    def score(self, told):
        """Share of hits, or its mean over the classes."""
        classes = sorted({c for c, _ in told}) if self.is_balanced else [None]
        hits = [[is_hit for c, is_hit in told if label in (None, c)] for label in classes]
        return sum(Fraction(sum(own), len(own)) for own in hits) / len(hits)


def reaches(value, limit):
    """Whether a fitness is as good as asked for."""
    return limit is not None and value >= limit - TIE * max(1.0, abs(limit))


def filter_of(given):
    """The slow twin of a filter, its parameters, and what makes ties between its features."""
    from oracles.index import ORACLES

    if not isinstance(given, str):
        return getattr(pairwise, f"mrmr_{given.objective}"), given.get_params(), given.objective[0]
    row = next(m for m in holdfast.methods() if given in (m.name, *m.aliases))
    built = row.build()
    return ORACLES[row.oracle], built.get_params(), getattr(built, "objective", "t")[0]


class Pool:
    """Stage one: what the filter takes first, by blocks, until a machine gets all of it right."""

    def __init__(self, X, y, parameters, names, block_size, max_blocks, enough):
        self.table, self.y, self.names = [list(map(float, column)) for column in zip(*X, strict=True)], list(y), names
        self.parameters = parameters
        fold_seed, draw_seed, _ = seed_sequence(parameters["random_state"]).spawn(3)
        self.rng = np.random.default_rng(draw_seed)
        twin, own, kind = filter_of(parameters["filter"])
        if kind == "m":
            self.relevance = [
                information.mutual_information(c, self.y) for c in columns_of(X, y, own.get("discretizer"))
            ]
        else:
            statistic = separation.t_test if kind == "t" and len(set(y)) == 2 else separation.f_test
            self.relevance = [statistic(column, self.y) for column in self.table]
        ranked, _ = twin(X, y, {**own, "n_features_to_select": len(self.table)}, names)
        pools = []
        for n in range(1, max_blocks + 1):
            columns = [f for f in ranked[: n * block_size] if len(set(self.table[f])) > 1]
            if not columns or (pools and columns == pools[-1][0]):
                break
            seed = int(fold_seed.generate_state(1)[0])
            fitness = Fitness([self.table[f] for f in columns], self.y, parameters, seed)
            value = fitness(range(len(columns))) if max_blocks > 1 else 0
            pools.append((columns, fitness, value))
            if reaches(value, enough):
                break
        self.columns, self.fitness, _ = max(pools, key=lambda pool: pool[2]) if pools else ([], None, 0)
        self.most = min(n_to_select(parameters, len(self.table)), len(self.columns))

    def __len__(self):
        return len(self.columns)

    def is_better(self, one, other):
        """Whether a set is better than another, of which there may be none."""
        if not other:
            return True
        mine, its = self.fitness(one), self.fitness(other)
        return mine > its or (mine == its and self.parameters["prefer_smaller"] and len(one) < len(other))

    def best(self, sets):
        """The best of some sets, the first of several."""
        found = frozenset()
        for one in sets:
            found = one if self.is_better(one, found) else found
        return found

    def in_bounds(self, one):
        """A set with a drawn feature if it had none, and without drawn ones if it had too many."""
        if not one:
            return frozenset([int(self.rng.integers(len(self)))])
        if len(one) > self.most:
            return frozenset(self.rng.permutation(sorted(one))[: self.most].tolist())
        return one

    def crossed(self, parents, mates, probability=1.0):
        """Children that have every feature from either parent, or are copies of the first."""
        takes_mate = self.rng.random((len(parents), len(self))) < 0.5
        is_crossed = self.rng.random(len(parents)) < probability
        return [
            frozenset(f for f in range(len(self)) if f in (mate if is_crossed[i] and takes_mate[i, f] else parent))
            for i, (parent, mate) in enumerate(zip(parents, mates, strict=True))
        ]

    def is_over(self, best, n_rounds, n_same, most_rounds):
        """Whether a search ends with a best set that has been the same for so many rounds."""
        patience = self.parameters["patience"]
        is_stale = patience is not None and n_same >= patience
        return reaches(self.fitness(best), self.parameters["target_fitness"]) or is_stale or n_rounds >= most_rounds

    def told(self, best):
        """The features of a set, the one that goes last first, and what each took along; nothing is worth nothing."""
        value = {f: place for place, f in enumerate(self.columns)}

        def fitness(features):
            return self.fitness([value[f] for f in features]) if features else 0

        chosen = [self.columns[place] for place in best]
        order = _in_order(fitness, chosen, self.table, self.y, self.relevance, self.names)
        return [f for f, _ in order], [float(loss) for _, loss in order]


def flown(own, other, uniforms, n_pool, chosen):
    """Eq. 2.21: chosen places of a bee after a step from or towards those of another, which is read again and again."""
    own, other = sorted(own), sorted(other)
    places = list(own)
    for i, u in zip(chosen, uniforms, strict=True):
        step = u * (own[i] - other[i % len(other)])
        place = own[i] + step if n_pool - step > own[i] else own[i] - step
        places[i] = min(max(round(place), 0), n_pool - 1)
    return frozenset(places)


def ranked_probabilities(n_pool, number):
    """Eq. 5.4 and 5.5."""
    gamma = 1 - 1 / (number + 1)
    return [(1 - gamma) / (1 - gamma**n_pool) * gamma**i for i in range(n_pool)]


def goodness(sets, values, n_pool):
    """Eq. 5.9; a side without fitness says nothing."""
    mean = sum(values) / len(values)
    told = [Fraction(0)] * n_pool
    for sign, side in (
        (1, [i for i, v in enumerate(values) if v > mean]),
        (-1, [i for i, v in enumerate(values) if v <= mean]),
    ):
        total = sum(values[i] for i in side)
        for f in range(n_pool):
            told[f] += sign * sum(values[i] for i in side if f in sets[i]) / total if total else 0
    return told


class _Bees:
    """A colony."""

    def __init__(self, pool, parameters):
        self.pool, self.parameters, self.rng = pool, parameters, pool.rng
        self.n = parameters["n_bees"]
        self.sets, self.in_vain = [frozenset()] * self.n, [0] * self.n
        self.renew(range(self.n))
        self.queen = pool.best(self.sets)

    def drawn(self, bee, has):
        """A feature for a bee, from those it does not have."""
        n_pool = len(self.pool)
        weights = ranked_probabilities(n_pool, bee + 1) if self.parameters["start"] == "ranked" else [1] * n_pool
        open_ = [f for f in range(n_pool) if f not in has]
        sums = list(accumulate(weights[f] for f in open_))
        return open_[min(bisect_right(sums, self.rng.random() * sums[-1]), len(open_) - 1)]

    def renew(self, bees):
        """Bees start anew: round by round each takes a drawn feature, until one does not make its set better."""
        growing = list(bees)
        for bee in growing:
            self.sets[bee], self.in_vain[bee] = frozenset(), 0
        while growing:
            tried = {bee: self.sets[bee] | {self.drawn(bee, self.sets[bee])} for bee in growing}
            fitness = self.pool.fitness
            growing = [b for b in growing if not self.sets[b] or fitness(tried[b]) > fitness(self.sets[b])]
            for bee in growing:
                self.sets[bee] = tried[bee]
            growing = [bee for bee in growing if len(self.sets[bee]) < self.pool.most]

    def replace(self, bees, tried):
        """What is better takes a bee's place."""
        for bee, one in zip(bees, tried, strict=True):
            is_better = self.pool.is_better(one, self.sets[bee])
            self.sets[bee] = one if is_better else self.sets[bee]
            self.in_vain[bee] = 0 if is_better else self.in_vain[bee] + 1
        self.crown(self.sets)

    def crown(self, sets):
        """The best set so far."""
        self.queen = self.pool.best([self.queen, *sets])

    def employed(self):
        others = self.rng.integers(self.n - 1, size=self.n).tolist()
        tried = []
        for bee, own in enumerate(self.sets):
            other = [b for b in range(self.n) if b != bee][others[bee]]
            chosen = range(len(own))
            if self.parameters["positions"] == "one":
                chosen = self.rng.integers(len(own), size=1).tolist()
            uniforms = self.rng.uniform(-1, 1, size=len(chosen)).tolist()
            tried.append(flown(own, self.sets[other], uniforms, len(self.pool), chosen))
        self.replace(range(self.n), tried)

    def onlookers(self):
        values = [float(self.pool.fitness(one)) for one in self.sets]
        values = values if sum(values) else [1] * self.n
        drawn = self.rng.choice(self.n, size=self.n, p=[v / sum(values) for v in values]).tolist()
        tried = self.pool.crossed([self.sets[bee] for bee in drawn], [self.queen] * self.n)
        self.replace(drawn, [self.pool.in_bounds(one) for one in tried])

    def scouts(self):
        self.renew([bee for bee in range(self.n) if self.in_vain[bee] > self.parameters["limit"]])
        self.crown(self.sets)

    def mutate_queen(self):
        own, bee = sorted(self.queen), int(self.rng.integers(self.n))
        chosen = [i for i, u in enumerate(self.rng.random(len(own))) if u < self.parameters["mutation"]]
        if chosen:
            uniforms = self.rng.uniform(-1, 1, size=len(chosen)).tolist()
            self.crown([flown(own, self.sets[bee], uniforms, len(self.pool), chosen)])

    def improve_queen(self):
        """Add the good feature with which the queen is best while she gets better; then take away others."""
        told = goodness(self.sets, [self.pool.fitness(one) for one in self.sets], len(self.pool))
        good = sorted((f for f in range(len(told)) if told[f] > 0), key=lambda f: -told[f])
        others = sorted((f for f in range(len(told)) if told[f] <= 0), key=lambda f: told[f])
        before = None
        while self.queen != before and len(self.queen) < self.pool.most:
            before = self.queen
            self.crown([before | {f} for f in good if f not in before])
        before = None
        while self.queen != before and len(self.queen) > 1:
            before = self.queen
            self.crown([before - {f} for f in others if f in before])


def gbc(X, y, parameters, names=None):
    """Employed bees, onlookers and scouts around a queen, in a pool from MRMR."""
    pool = Pool(X, y, parameters, names, parameters["block_size"], parameters["max_blocks"], parameters["pool_fitness"])
    if not pool.columns:
        return [], []
    bees = _Bees(pool, parameters)
    n_cycles = n_same = 0
    while not pool.is_over(bees.queen, n_cycles, n_same, parameters["n_cycles"]):
        before = bees.queen
        bees.employed()
        bees.onlookers()
        bees.scouts()
        (bees.improve_queen if parameters["intensify"] == "greedy" else bees.mutate_queen)()
        n_cycles, n_same = n_cycles + 1, n_same + 1 if bees.queen == before else 0
    return pool.told(bees.queen)


def winners(values, drawn):
    """Of the sets that were drawn together the best, the first drawn of several."""
    return [max(together, key=lambda i: values[i]) for together in zip(*drawn.tolist(), strict=True)]


def mrmr_ga(X, y, parameters, names=None):
    """Tournaments, uniform crossover and mutation in a pool from MRMR; the best sets live on."""
    pool = Pool(X, y, parameters, names, parameters["pool_size"], 1, None)
    if not pool.columns:
        return [], []
    rng, n, n_pool = pool.rng, parameters["population"], len(pool)
    mutation = 1 / n_pool if parameters["mutation"] is None else parameters["mutation"]
    has = rng.random((n, n_pool)) < parameters["start_share"]
    sets = [pool.in_bounds(frozenset(np.flatnonzero(row).tolist())) for row in has]
    best = pool.best(sets)
    n_generations = n_same = 0
    while not pool.is_over(best, n_generations, n_same, parameters["n_generations"]):
        values = [pool.fitness(one) for one in sets]
        parents, mates = (
            [sets[i] for i in winners(values, rng.integers(n, size=(parameters["tournament"], n)))] for _ in range(2)
        )
        children = pool.crossed(parents, mates, parameters["crossover"])
        is_flipped = rng.random((n, n_pool)) < mutation
        children = [
            pool.in_bounds(child ^ frozenset(np.flatnonzero(row).tolist()))
            for child, row in zip(children, is_flipped, strict=True)
        ]
        before, best = best, pool.best([best, *children])
        n_generations, n_same = n_generations + 1, n_same + 1 if best == before else 0
        elite = sorted(range(n), key=lambda i: -values[i])[: parameters["elite"]]
        worst = sorted(range(n), key=lambda i: pool.fitness(children[i]))[: len(elite)]
        for place, i in zip(worst, elite, strict=True):
            children[place] = sets[i]
        sets = children
    return pool.told(best)
