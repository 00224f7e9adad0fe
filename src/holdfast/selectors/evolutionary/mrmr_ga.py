"""MRMR-GA: a genetic search in what MRMR leaves (El Akadi et al. 2011; Pino Angulo 2019, §4.5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from holdfast._parameters import Rule, nothing, real_number, whole_number
from holdfast.search.evolution import Evolution
from holdfast.search.genetic import Breeding, GeneticSearch
from holdfast.selectors.evolutionary._base import COMMON, TwoStageSelector
from holdfast.selectors.evolutionary._pool import Blocks

_SHARE = real_number(at_least=0.0, at_most=1.0)


class MRMRGA(TwoStageSelector):
    """Breed sets of the features that MRMR takes first, the better ones more often.

    Use it as the plain genetic search to compare others with; ``BeeColony`` needs fewer evaluations. Two scores come
    with the result, which must not be confused: ``inner_fitness_`` is what was maximised, ``outer_score_`` what to
    expect of new samples.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them: no larger set is looked at. None sets no limit.
    filter : str or selector, default="mrmr+"
        Leaves the pool: "mrmr+", "mrmr" (the same pool, more slowly), the name of another method, or a selector.
    pool_size : int, default=50
        Features in the pool.
    population : int, default=40
        Sets in a generation.
    n_generations : int, default=50
        Generations after the first.
    tournament : int, default=2
        A parent is the best of so many drawn sets.
    crossover : float, default=0.8
        Probability that a child has features of two parents, each from either; else it is a copy of one.
    mutation : float or None, default=None
        Probability that a feature of a child comes or goes; None for one over the size of the pool.
    elite : int, default=1
        So many of the best sets go over to the next generation as they are.
    start_share : float, default=0.5
        Share of the pool in a set of the first generation.
    target_fitness : float or None, default=None
        Stop when the best set is so good.
    patience : int or None, default=None
        Stop when the best set has been the same for so many generations.
    look_up : bool, default=True
        Whether a set met again is looked up or evaluated again; the result is the same.
    prefer_smaller : bool, default=False
        Whether of two sets of one fitness the smaller one is the better one to end with.
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
        Fitness of the whole pool, which this method does not ask for: NaN.
    population_ : ndarray of shape (population, n_pool), dtype=bool
        The last generation, as sets of features of the pool.
    population_fitness_ : ndarray of shape (population,)
        Their fitness.
    queens_ : ndarray of shape (n_queens, n_pool), dtype=bool
        Every best set so far, from the first to the last.
    queen_trace_ : ndarray of shape (n_queens,)
        When each came: ``cycle`` (the generation), ``phase``, ``fitness``, ``n_features``, ``n_requests`` and
        ``n_evaluations`` till then.
    history_ : ndarray of shape (n_generations_done + 1,)
        Every generation, the first being ``cycle`` 0: ``best`` and ``mean`` fitness, ``n_features`` of the best set,
        ``n_requests`` and ``n_evaluations`` so far.
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
    >>> from holdfast import MRMRGA
    >>> X = np.random.default_rng(0).standard_normal((60, 30))
    >>> found = MRMRGA(population=20, n_generations=20, outer_cv=3).fit(X, X[:, 3] + X[:, 11] > 0)
    >>> found.indices_[:2].tolist()
    [11, 3]
    """

    rounds: ClassVar[str] = "generations"
    allowed: ClassVar[Mapping[str, Rule]] = {
        **COMMON,
        "pool_size": whole_number(at_least=1),
        "population": whole_number(at_least=2),
        "n_generations": whole_number(at_least=0),
        "tournament": whole_number(at_least=1),
        "crossover": _SHARE,
        "mutation": _SHARE | nothing(),
        "elite": whole_number(at_least=0),
        "start_share": real_number(above=0.0, at_most=1.0),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        filter: Any = "mrmr+",
        pool_size: int = 50,
        population: int = 40,
        n_generations: int = 50,
        tournament: int = 2,
        crossover: float = 0.8,
        mutation: float | None = None,
        elite: int = 1,
        start_share: float = 0.5,
        target_fitness: float | None = None,
        patience: int | None = None,
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
        self.pool_size = pool_size
        self.population = population
        self.n_generations = n_generations
        self.tournament = tournament
        self.crossover = crossover
        self.mutation = mutation
        self.elite = elite
        self.start_share = start_share
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
        return Blocks(self.pool_size, 1, 1.0)

    @property
    def _n_rounds(self) -> int:
        return self.n_generations

    def _search(self, *given: Any) -> tuple[Evolution, Breeding]:
        breeding = Breeding(
            self.population, self.crossover, self.mutation, self.tournament, min(self.elite, self.population),
            self.start_share,
        )  # fmt: skip
        return GeneticSearch(*given), breeding
