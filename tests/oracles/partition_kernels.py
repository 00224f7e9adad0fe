"""Slow twins of the kernels that split samples into blocks and take features away, and the comparisons."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import inf, log2

import numpy as np

from holdfast.kernels import partitions, removal
from holdfast.kernels.information import log_table

KINDS = (partitions.RISK, partitions.ENTROPY, partitions.BINARY)
# Entropies are rounded once per entry of their table; two that differ by less are equal.
SLACK = 1e-9


def value(levels, y, members, kind):
    """Value of a subset from its definition: bits over all samples for entropies, whole numbers otherwise."""
    blocks = defaultdict(Counter)
    for r, label in enumerate(y):
        blocks[tuple(levels[f][r] for f in members)][label] += 1
    counts = [list(block.values()) for block in blocks.values()]
    if kind == partitions.RISK:
        return sum(sum(block) - max(block) for block in counts)
    if kind == partitions.BINARY:
        return int(any(len(block) > 1 for block in counts))
    return sum(c * log2(sum(block) / c) for block in counts for c in block)


class _Case:
    """A small table, and the arrays a kernel wants."""

    def __init__(self, rng, n_features=None):
        n_samples = int(rng.choice([2, 3, 9, 20, 65]))
        n_features = int(rng.integers(1, 9)) if n_features is None else n_features
        n_levels = rng.integers(1, int(rng.choice([2, 3, 5, 200])) + 1, size=n_features)
        levels = np.array([rng.integers(0, k, size=n_samples) for k in n_levels], dtype=np.uint8)
        copies = rng.random(n_features) < 0.3
        levels[copies] = levels[rng.integers(0, n_features, size=int(copies.sum()))]
        self.n_classes = int(rng.integers(2, 5))
        self.levels, self.y = levels, rng.integers(0, self.n_classes, size=n_samples).astype(np.uint8)
        self.n_levels = levels.max(axis=1).astype(np.int64) + 1
        self.kind = int(rng.choice(KINDS))
        self.table, unit = log_table(n_samples)
        self.per_unit = unit * n_samples if self.kind == partitions.ENTROPY else 1
        self.slack = round(SLACK / self.per_unit) if self.kind == partitions.ENTROPY else 0
        self.scratch = partitions.scratch(n_samples, int(self.n_levels.max()), self.n_classes, removal.N_STATE)
        self.is_in = np.ones(n_features, dtype=bool)
        self.in_chain = np.zeros(n_features, dtype=bool)
        self.chain = np.zeros(n_features, dtype=np.int64)

    @property
    def data(self):
        return self.levels, self.n_levels, self.y, self.n_classes, self.kind

    @property
    def state(self):
        return *self.data, self.slack, self.table, self.is_in, self.in_chain, self.chain, *self.scratch

    def slow(self, members):
        return value(self.levels.tolist(), self.y.tolist(), list(members), self.kind)

    def units(self, amount):
        """An amount as a kernel counts it."""
        return round(amount / self.per_unit)

    def shown(self, amount):
        """What a kernel counted, in bits or as it is; rounding noise is cut off."""
        return round(amount * self.per_unit, 6) if self.kind == partitions.ENTROPY else int(amount)

    def seen(self, amount):
        return round(amount, 6) if self.kind == partitions.ENTROPY else amount

    def drop_some(self, rng):
        self.is_in[rng.random(len(self.is_in)) < 0.3] = False

    def members(self):
        return np.flatnonzero(self.is_in).tolist()

    def is_clean(self):
        _, lookup, counts, _ = self.scratch
        return bool((lookup == -1).all() and (counts == 0).all())


def compare_start(rng):
    case = _Case(rng)
    work, _, counts, at = case.scratch
    partitions.start(case.y, case.n_classes, case.kind, case.table, work, counts, at)
    is_mixed = len(set(case.y.tolist())) > 1
    n_samples = len(case.y)
    fast = [int(at[0]), int(at[1]), case.shown(at[2]), case.is_clean()]
    return fast, [n_samples * is_mixed, int(is_mixed), case.seen(case.slow([])), True]


def _mixed(case, members):
    blocks = defaultdict(list)
    for r, label in enumerate(case.y.tolist()):
        blocks[tuple(case.levels[f, r] for f in members)].append(label)
    mixed = [block for block in blocks.values() if len(set(block)) > 1]
    return sum(map(len, mixed)), len(mixed)


def compare_split(rng):
    case = _Case(rng)
    work, _, counts, at = case.scratch
    partitions.start(case.y, case.n_classes, case.kind, case.table, work, counts, at)
    fast, slow = [], []
    for f in range(len(case.levels)):
        has_split = partitions.split(
            case.levels[f], case.n_levels[f], case.y, case.n_classes, case.kind, case.table, *case.scratch
        )
        fast.append([bool(has_split), int(at[0]), int(at[1]), case.shown(at[2]), case.is_clean()])
        before, after = _blocks_of_mixed(case, range(f)), _blocks_of_mixed(case, range(f), f)
        slow.append([after > before, *_mixed(case, range(f + 1)), case.seen(case.slow(range(f + 1))), True])
    return fast, slow


def _blocks_of_mixed(case, members, further=None):
    """Into how many blocks the samples of blocks mixed so far fall, with one more feature or without."""
    blocks = defaultdict(list)
    for r, label in enumerate(case.y.tolist()):
        blocks[tuple(case.levels[f, r] for f in members)].append((r, label))
    mixed = [block for block in blocks.values() if len({label for _, label in block}) > 1]
    if further is None:
        return len(mixed)
    return sum(len({int(case.levels[further, r]) for r, _ in block}) for block in mixed)


def compare_split_by_each(rng):
    case = _Case(rng)
    work, _, counts, at = case.scratch
    n = len(case.levels)
    partitions.start(case.y, case.n_classes, case.kind, case.table, work, counts, at)
    values = np.empty(n, dtype=np.int64)
    partitions.split_by_each(*case.data, case.table, *case.scratch, values)
    return [case.shown(v) for v in values], [case.seen(case.slow(range(f + 1))) for f in range(n)]


def compare_value_of(rng):
    case = _Case(rng)
    members = rng.permutation(len(case.levels))[: int(rng.integers(0, len(case.levels) + 1))]
    enough = int(rng.choice([-1, case.units(case.slow(members)), case.units(case.slow(members[:1]))]))
    fast = partitions.value_of(*case.data, case.table, members, enough, *case.scratch)
    slow = case.slow(members)
    if fast <= enough:
        # Anything between the value and what is enough is an answer.
        return [case.is_clean(), case.units(slow) <= fast + case.slack + 10], [True, True]
    return [case.is_clean(), case.shown(fast)], [True, case.seen(slow)]


def compare_find_chain(rng):
    """A chain is in the set, has the set's value, and stays a chain when one of it goes."""
    case = _Case(rng)
    case.drop_some(rng)
    fast, slow = [], []
    for _ in range(3):
        kept = case.slow(case.members())
        found = removal.find_chain(case.units(kept), *case.state)
        chain = case.chain[: case.scratch[3][removal.N_CHAIN]].tolist()
        is_chain = sorted(chain) == np.flatnonzero(case.in_chain).tolist() and set(chain) <= set(case.members())
        fast.append([case.shown(found), case.seen(case.slow(chain)), is_chain, case.is_clean()])
        slow.append([case.seen(kept), case.seen(kept), True, True])
        if chain:
            case.is_in[chain[0]] = False
    return fast, slow


def compare_one_pass(rng):
    case = _Case(rng)
    n = len(case.levels)
    start = case.slow(range(n))
    limit = start if rng.random() < 0.5 else start + float(rng.integers(0, 3))
    threshold = 0.0 if rng.random() < 0.5 else float(rng.integers(0, 3))
    begun = case.units(limit if threshold == 0 else start)
    removal.find_chain(begun, *case.state)
    middle = int(rng.integers(0, n + 1))
    after = removal.one_pass(0, middle, begun, case.units(threshold), *case.state)
    after = removal.one_pass(middle, n, after, case.units(threshold), *case.state)
    kept, current = list(range(n)), limit if threshold == 0 else start
    for f in range(n):
        without = max(case.slow([g for g in kept if g != f]), current)
        if without <= current + threshold + SLACK:
            kept.remove(f)
            current = without
    return [case.members(), case.shown(after), case.is_clean()], [kept, case.seen(current), True]


def compare_best_removal(rng):
    case = _Case(rng)
    case.drop_some(rng)
    n, kept = len(case.levels), case.members()
    current = case.slow(kept)
    limit = current + float(rng.integers(0, 4))
    rule = int(rng.choice([removal.STEEPEST, removal.LAZY, removal.WINDOWED]))
    n_looked_at = n if rule != removal.WINDOWED else int(rng.integers(0, n + 1))
    scan = rng.permutation(n) if rule == removal.STEEPEST else np.arange(n)
    costs = np.sort(rng.integers(0, 8, size=n) / 8.0)
    weight = float(rng.choice([0.0, 0.25, 1.0]))
    without = {f: case.slow([g for g in kept if g != f]) for f in kept}
    known = {f: without[f] if rng.random() < 0.2 else 0.0 for f in range(n) if f in without}
    fast_known = np.array([case.units(known.get(f, 0.0)) for f in range(n)], dtype=np.int64)
    found = np.zeros(2, dtype=np.int64)
    removal.find_chain(case.units(current), *case.state)
    place = removal.best_removal(
        rule, scan, n_looked_at, case.units(current), case.units(limit), case.units(current), weight * case.per_unit,
        costs, fast_known, found, *case.state,
    )  # fmt: skip
    best, n_asked = _best(rule, scan[:n_looked_at].tolist(), without, known, current, limit, costs, weight)
    fast = [int(place), int(found[1]), case.is_clean()]
    slow = [best, n_asked, True]
    if best >= 0:
        fast.append(case.shown(found[0]))
        slow.append(case.seen(without[best]))
    return fast, slow


def _best(rule, scan, without, known, current, limit, costs, weight):
    scan = [f for f in scan if f in without]
    if rule == removal.STEEPEST:
        allowed = [f for f in scan if without[f] <= limit + SLACK]
        least = min((without[f] for f in allowed), default=inf)
        return next((f for f in allowed if without[f] <= least + SLACK), -1), len(scan)
    best, best_cost, least, n_asked = -1, inf, inf, 0
    for f in scan:
        if known[f] > limit + SLACK or (rule == removal.LAZY and known[f] >= least - SLACK):
            continue
        n_asked += 1
        if without[f] > limit + SLACK:
            continue
        cost = costs[f] + weight * (without[f] - current)
        is_cheaper = cost < best_cost - SLACK
        if without[f] <= current + SLACK and (is_cheaper or rule == removal.WINDOWED):
            return f, n_asked
        if rule == removal.LAZY and without[f] >= least - SLACK:
            continue
        least = without[f]
        if is_cheaper:
            best, best_cost = f, cost
    return best, n_asked


COMPARISONS = {
    "partitions.split": (compare_split,),
    "partitions.split_by_each": (compare_split_by_each,),
    "partitions.start": (compare_start,),
    "partitions.value_of": (compare_value_of,),
    "removal.best_removal": (compare_best_removal,),
    "removal.find_chain": (compare_find_chain,),
    "removal.one_pass": (compare_one_pass,),
}
