"""Genetic bee colony, GBC (Alshamlan et al. 2015), and GBC+ (Pino Angulo 2019, §2.2.4.1 and chapter 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from holdfast._parameters import Rule, one_of, real_number, whole_number
from holdfast.search.colony import BeeSearch, Habits
from holdfast.search.evolution import Evolution
from holdfast.selectors.evolutionary._base import COMMON, TwoStageSelector
from holdfast.selectors.evolutionary._pool import Blocks


class BeeColony(TwoStageSelector):
    """Search a pool of features from MRMR for the set that a classifier does best with, as bees search for nectar.

    Use it for a small set that a given classifier does well with, where there is time for some thousand evaluations.
    The defaults are GBC+; ``holdfast.selector("gbc")`` is the original. Two scores come with the result, which must not
    be confused: ``inner_fitness_`` is what was maximised, ``outer_score_`` what to expect of new samples.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them: no larger set is looked at. None sets no limit.
    filter : str or selector, default="mrmr+"
        Leaves the pool: "mrmr+", "mrmr" (the same pool, more slowly), the name of another method, or a selector such as
        ``MRMR(objective="fcq")``; how many features it takes is up to the blocks.
    block_size : int, default=50
        The pool grows by so many features at a time …
    max_blocks : int, default=10
        … at most so many times …
    pool_fitness : float, default=1.0
        … until all of it has this fitness. If none has, the pool with the best one is searched.
    n_bees : int, default=40
        Sets in the colony.
    n_cycles : int, default=100
        Cycles of employed, onlooker and scout bees.
    limit : int, default=5
        A bee that has tried in vain more often than this starts anew.
    positions : {"all", "one"}, default="all"
        Whether a bee that flies changes all of its features or one.
    start : {"ranked", "uniform"}, default="ranked"
        How features are drawn for new bees: the first bees take those that the filter took first, later ones any
        (GBC+), or all take any (GBC).
    intensify : {"greedy", "mutation"}, default="greedy"
        What the queen, the best set so far, does in every cycle: add features that the better bees have and drop others
        for as long as it gets better (GBC+), or let some features mutate (GBC).
    mutation : float, default=0.01
        Probability that a feature of the queen mutates; of no account with "greedy".
    target_fitness : float or None, default=1.0
        Stop when the queen is so good. GBC has None.
    patience : int or None, default=10
        Stop when the queen has been the same for so many cycles. GBC has None.
    look_up : bool, default=True
        Whether a set met again is looked up (GBC+) or evaluated again (GBC); the result is the same.
    prefer_smaller : bool, default=False
        Whether of two sets of one fitness the smaller one is better, or the one that was there first.
    estimator : classifier or None, default=None
        Whose score is the fitness. None for a support vector machine with a radial kernel of width one over the number
        of features, C = 1, on features standardised by the training part. It, any other ``SVC`` with this kernel (alone
        or behind a ``StandardScaler``) and nearest neighbours are counted by compiled code.
    cv : int, splitter, list of (train, test) or None, default=5
        Splits of the inner fitness: so many stratified folds (at most the size of the smallest class), or any. None for
        10.
    scoring : {"accuracy", "auc", "balanced-accuracy"} or callable, default="accuracy"
        Score of a set.
    outer_cv : int, splitter, list of (train, test) or None, default=5
        Splits of the outer score: filter and search are repeated in every training part and the list is tested on the
        rest. It takes as many more searches; None leaves it out. Studies and ensembles, which have splits of their own,
        leave it out by themselves. If ``cv`` is a list, a number means the splits of that list, and each outer search
        has what is left of them in its training part.
    max_time : float or None, default=None
        Seconds after which the best so far is returned, outer searches included, each of which gets the same share.
        With it a result depends on the machine. Ctrl-C ends a search likewise.
    random_state : int, Generator or None, default=0
        Seed of folds and draws.
    n_jobs : int or None, default=None
        Parallel jobs, as in joblib; no result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, the one whose loss costs most first.
    scores_ : ndarray of shape (n_features,)
        Inner fitness lost when each chosen feature went, as they went one by one with the least loss; NaN for the
        others, and for all if ``max_time`` or Ctrl-C left no time for it.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … for the chosen features; the others share the rank behind.
    inner_fitness_ : float
        Score of the chosen set in the cross-validation that the search maximised: too good.
    outer_score_ : float
        Score on samples that took no part in filter and search, over all outer splits; NaN if there is none.
    outer_interval_ : tuple of two floats
        95 % interval (Wilson, each tested sample counted once) of an accuracy; NaN for other scores.
    outer_frequency_ : ndarray of shape (n_features,) or None
        Share of the outer searches that chose each feature.
    n_outer_splits_ : int
        Outer splits behind these.
    outer_note_ : str
        Why there is no outer score, or why it is not of all splits; empty if there is nothing to say.
    ended_ : str
        Why the search ended: "rounds", "target_fitness", "patience", "max_time" or "interrupted".
    pool_ : ndarray of shape (n_pool,)
        Columns that were searched, in the order of the filter.
    pool_fitness_ : float
        Fitness of the whole pool.
    population_ : ndarray of shape (n_bees, n_pool), dtype=bool
        The bees at the end, as sets of features of the pool.
    population_fitness_ : ndarray of shape (n_bees,)
        Their fitness.
    queens_ : ndarray of shape (n_queens, n_pool), dtype=bool
        Every best set so far, from the first to the last.
    queen_trace_ : ndarray of shape (n_queens,)
        When each came: ``cycle``, ``phase``, ``fitness``, ``n_features``, ``n_requests`` and ``n_evaluations`` till
        then.
    history_ : ndarray of shape (n_cycles_done + 1,)
        Every cycle, the first bees being cycle 0: ``best`` and ``mean`` fitness, ``n_features`` of the queen,
        ``n_requests`` and ``n_evaluations`` so far, and ``n_renewed``, the bees that started anew.
    relevance_ : ndarray of shape (n_features,)
        What the filter says of each feature alone.
    n_evaluations_ : Evaluations
        ``subset`` counts sets evaluated, ``classifier`` the classifiers trained for them, outer searches aside.
    n_requests_ : int
        Times that a fitness was asked for.
    n_cache_hits_ : int
        Of these, sets that were looked up.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import BeeColony
    >>> X = np.random.default_rng(0).standard_normal((100, 30))
    >>> found = BeeColony(n_bees=10, n_cycles=5, outer_cv=3).fit(X, X[:, 3] + X[:, 11] > 0)
    >>> sorted(found.indices_.tolist())
    [3, 11]
    >>> round(found.inner_fitness_, 2), round(found.outer_score_, 2)
    (0.98, 0.95)
    """

    rounds: ClassVar[str] = "cycles"
    allowed: ClassVar[Mapping[str, Rule]] = {
        **COMMON,
        "block_size": whole_number(at_least=1),
        "max_blocks": whole_number(at_least=1),
        "pool_fitness": real_number(),
        "n_bees": whole_number(at_least=2),
        "n_cycles": whole_number(at_least=0),
        "limit": whole_number(at_least=0),
        "positions": one_of("all", "one"),
        "start": one_of("ranked", "uniform"),
        "intensify": one_of("greedy", "mutation"),
        "mutation": real_number(at_least=0.0, at_most=1.0),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        filter: Any = "mrmr+",
        block_size: int = 50,
        max_blocks: int = 10,
        pool_fitness: float = 1.0,
        n_bees: int = 40,
        n_cycles: int = 100,
        limit: int = 5,
        positions: str = "all",
        start: str = "ranked",
        intensify: str = "greedy",
        mutation: float = 0.01,
        target_fitness: float | None = 1.0,
        patience: int | None = 10,
        look_up: bool = True,
        prefer_smaller: bool = False,
        estimator: Any = None,
        cv: Any = 5,
        scoring: Any = "accuracy",
        outer_cv: Any = 5,
        max_time: float | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.filter = filter
        self.block_size = block_size
        self.max_blocks = max_blocks
        self.pool_fitness = pool_fitness
        self.n_bees = n_bees
        self.n_cycles = n_cycles
        self.limit = limit
        self.positions = positions
        self.start = start
        self.intensify = intensify
        self.mutation = mutation
        self.target_fitness = target_fitness
        self.patience = patience
        self.look_up = look_up
        self.prefer_smaller = prefer_smaller
        self.estimator = estimator
        self.cv = cv
        self.scoring = scoring
        self.outer_cv = outer_cv
        self.max_time = max_time
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def _blocks(self) -> Blocks:
        return Blocks(self.block_size, self.max_blocks, self.pool_fitness)

    @property
    def _n_rounds(self) -> int:
        return self.n_cycles

    def _search(self, *given: Any) -> tuple[Evolution, Habits]:
        habits = Habits(self.n_bees, self.limit, self.mutation, self.positions, self.start, self.intensify)
        return BeeSearch(*given), habits
