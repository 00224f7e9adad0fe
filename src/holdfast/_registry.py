"""One row per method: what it is called, where it is from, what it takes, what it costs, and how it is tested.

The row alone gives a method its command-line choice, its page in ``holdfast methods``, the estimator checks, the
invariance contracts and a benchmark entry. Classes are named by path, so that listing methods imports nothing heavy.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from holdfast._errors import PriorWarning
from holdfast._parameters import nearest

BINARY, MULTICLASS, REGRESSION, UNLABELLED = "binary", "multi-class", "regression", "unlabelled"
CLASSES = (BINARY, MULTICLASS)


@dataclass(frozen=True)
class Method:
    """What Holdfast knows about one selection method.

    Parameters
    ----------
    name : str
        The literature's name, lower case.
    class_path : str
        ``module:Class`` of the selector.
    family : str
        Folder of selectors it belongs to.
    summary : str
        What it does, in one line.
    when : str
        When to use it.
    source : str
        Thesis section or paper.
    cost : str
        Time as a function of n samples, p features and k chosen ones.
    references : tuple of str
        Keys of the works to cite.
    aliases : tuple of str
        Other names for the same method.
    parameters : mapping
        Constructor arguments that make this method out of its class.
    defaults : mapping
        Constructor arguments that the method has unless others are given.
    takes : tuple of str
        Kinds of target.
    test_parameters : mapping
        Small settings under which the contracts run.
    bench_features : int
        Largest number of features at which it is benchmarked.
    invariant_to : str
        What the data may undergo without a change of the result: "monotone" (each feature any monotone map, also a
        falling one), "affine" (each feature any a·x + b), "shift" (each feature any x + b), or "scale-up" (all
        features one positive factor).
    sees_redundancy : bool
        Whether it avoids features that repeat chosen ones.
    is_prefix : bool
        Whether the first k of a longer list is the list for k.
    oracle : str
        Name of the slow twin in ``tests/oracles``.
    takes_missing : bool
        Whether NaN is a missing value it can work with.
    takes_weights : bool
        Whether ``fit`` takes ``sample_weight``.
    weights_multiply : str
        Name of the parameter that weights multiply; empty if only their proportions count.
    keeps_copies : bool
        Whether it finds a feature wherever it finds a copy of it.
    takes_prior : bool
        Whether it is named after prior knowledge: built without any, it is the plain method and warns.
    with_prior : mapping
        Settings for use with prior knowledge, unless others are given.
    kept_per_sample : int
        Numbers that a fitted selector of the tests keeps of each sample, for plots; never the sample itself.
    """

    name: str
    class_path: str
    family: str
    summary: str
    when: str
    source: str
    cost: str
    references: tuple[str, ...]
    oracle: str
    aliases: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    takes: tuple[str, ...] = CLASSES
    test_parameters: Mapping[str, Any] = field(default_factory=dict)
    bench_features: int = 25_000
    invariant_to: str = "affine"
    sees_redundancy: bool = False
    is_prefix: bool = True
    takes_missing: bool = False
    takes_weights: bool = False
    weights_multiply: str = ""
    keeps_copies: bool = True
    takes_prior: bool = False
    with_prior: Mapping[str, Any] = field(default_factory=dict)
    kept_per_sample: int = 0

    @property
    def selector_class(self) -> Any:
        """The class behind the row; importing it is what costs."""
        module, _, name = self.class_path.partition(":")
        return getattr(import_module(module), name)

    def build(self, **parameters: Any) -> Any:
        """Make a selector of this method; the given parameters may not contradict its own.

        A method around another takes the parameters of that too, plainly or as ``selector__C``. One that is named after
        prior knowledge warns if it gets none, unless ``prior=None`` says that this is meant.
        """
        for name, value in self.parameters.items():
            if name in parameters and parameters[name] != value:
                raise ValueError(
                    f"{name}={parameters[name]!r} contradicts the method {self.name!r}, which has {name}={value!r}. "
                    f"Leave it out, or build {self.selector_class.__name__}({name}=…) yourself."
                )
        known = self.selector_class._get_param_names()
        parameters, inside = self._parted(parameters, known)
        if inside:
            parameters["selector"] = find(self._inner(parameters)).build(**inside)
        for name in parameters:
            if name not in known:
                near = nearest(name, known, n=1)
                raise TypeError(
                    f"{self.name!r} has no parameter {name!r}. It takes {', '.join(known)}."
                    + (f" Did you mean {near[0]!r}?" if near else "")
                )
        if self.takes_prior and "prior" not in parameters:
            warnings.warn(
                f"{self.name!r} has got no prior knowledge, so it is the method without it. Pass prior=…: names of "
                "features known to be relevant, a {name: weight} mapping, or an array; holdfast.knowledge reads them.",
                PriorWarning,
                stacklevel=3,
            )
        settings = self.with_prior if parameters.get("prior") is not None else {}
        return self.selector_class(**{**self.defaults, **settings, **self.parameters, **parameters})

    def _inner(self, parameters: Mapping[str, Any]) -> Any:
        """The method inside this one, if it is around another."""
        return {**self.defaults, **self.parameters, **parameters}.get("selector")

    def _parted(self, parameters: Mapping[str, Any], known: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Parameters of the method itself, and those of the method inside it."""
        inner = self._inner(parameters)
        if not isinstance(inner, str):
            return dict(parameters), {}
        of_inner = find(inner).selector_class._get_param_names()
        names = {
            name: name.removeprefix("selector__")
            for name in parameters
            if name.startswith("selector__") or (name not in known and name in of_inner)
        }
        own = {name: value for name, value in parameters.items() if name not in names}
        return own, {inside: parameters[name] for name, inside in names.items()}


_RANKING = "holdfast.selectors.ranking"
_PAIRWISE = "holdfast.selectors.pairwise"
_CONSISTENCY = "holdfast.selectors.consistency"
_NEIGHBOURS = "holdfast.selectors.neighbours"
_SEQUENTIAL = "holdfast.selectors.sequential"
_LINEAR = "holdfast.selectors.linear"
_DISTANCE = "holdfast.selectors.distance"
_EVOLUTIONARY = "holdfast.selectors.evolutionary"
_STABILITY = "holdfast.stability"
_ONE = {"n_features_to_select": 1}
_PINO = "Pino Angulo 2019"
_BRAHIM = "Ben Brahim 2015"
_HAN = "Han 2012"
_HOSSEINI = "Hosseini 2018"
_MICHEL = "Michel 2018"
_LIST: Mapping[str, Any] = {"max_features": 50}
_FEW_FOLDS: Mapping[str, Any] = {"cv": 3}
_BY_CONSISTENCY: Mapping[str, Any] = {"invariant_to": "monotone", "sees_redundancy": True}
_BY_DISTANCE: Mapping[str, Any] = {"test_parameters": _ONE, "takes_missing": True, "takes_weights": True}
_BY_MARGIN: Mapping[str, Any] = {"test_parameters": _ONE, "takes_weights": True, "weights_multiply": "C"}
_ON_A_PATH: Mapping[str, Any] = {"n_features_to_select": 1, "n_penalties": 12}
_FEW_BEES: Mapping[str, Any] = {"n_bees": 4, "n_cycles": 2, "cv": 3, "outer_cv": 2}
_BY_POPULATION: Mapping[str, Any] = {"is_prefix": False, "keeps_copies": False}
_BY_SAMPLE: Mapping[str, Any] = {"test_parameters": {"candidate_size": 3}, "kept_per_sample": 7}

METHODS: tuple[Method, ...] = (
    Method(
        "t-test", f"{_RANKING}.separation:TTest", "ranking",
        "Ranks features by the difference of two class means over its standard error.",
        "Two classes, measured values, a quick and well-understood first look.",
        f"{_BRAHIM}, §1.2.1; Welch 1947", "O(n p)", ("benbrahim2015", "welch1947"), "t_test",
        aliases=("t", "welch", "welch-t"), takes=(BINARY,), test_parameters=_ONE,
    ),
    Method(
        "pooled-t", f"{_RANKING}.separation:TTest", "ranking",
        "Ranks features by Student's t with one pooled variance.",
        "Two classes that spread alike; few samples make separate variances unreliable.",
        f"{_BRAHIM}, §1.2.1; Student 1908", "O(n p)", ("benbrahim2015", "student1908"), "pooled_t",
        aliases=("student-t",), parameters={"equal_var": True}, takes=(BINARY,), test_parameters=_ONE,
    ),
    Method(
        "f-test", f"{_RANKING}.separation:FTest", "ranking",
        "Ranks features by the F statistic of one-way analysis of variance.",
        "Two or more classes, measured values; the usual baseline.",
        "Fisher 1925", "O(n p)", ("fisher1925",), "f_test",
        aliases=("f", "anova", "f-classif"), test_parameters=_ONE,
    ),
    Method(
        "fisher", f"{_RANKING}.separation:FisherScore", "ranking",
        "Ranks features by between-class over within-class scatter.",
        "Two or more classes; ranks as F does, on a scale that does not grow with the samples.",
        f"{_PINO}, §2.2.1.3, Eq. 2.5; {_BRAHIM}, Eq. 1.1", "O(n p)", ("pinoangulo2019", "benbrahim2015"), "fisher",
        aliases=("fisher-score",), test_parameters=_ONE,
    ),
    Method(
        "entropy", f"{_RANKING}.separation:RelativeEntropy", "ranking",
        "Ranks features by the relative entropy between Gaussian models of two classes.",
        "Two classes that may differ in spread as well as in mean.",
        f"{_BRAHIM}, §2.3.3 (named there; symmetric Gaussian form)", "O(n p)", ("benbrahim2015",), "relative_entropy",
        aliases=("relative-entropy", "kullback-leibler"), takes=(BINARY,), test_parameters=_ONE,
    ),
    Method(
        "information-gain", f"{_RANKING}.information:InformationGain", "ranking",
        "Ranks features by how many bits they tell about the class.",
        "Any relation, not only linear; features binned where the classes change (MDL).",
        f"{_PINO}, §2.2.1.4, Eq. 2.6; {_BRAHIM}, Eq. 1.2–1.3", "O(n p log n) with MDL bins",
        ("pinoangulo2019", "benbrahim2015"), "information_gain",
        aliases=("ig", "info-gain", "mi"), test_parameters=_ONE, invariant_to="monotone",
    ),
    Method(
        "mim", f"{_RANKING}.information:InformationGain", "ranking",
        "Ranks features by mutual information on three levels, mean ± σ/2.",
        "As the relevance-only baseline to MRMR, JMI and CMIM on the same bins.",
        "Lewis 1992", "O(n p)", ("lewis1992",), "information_gain", aliases=("mutual-information-maximisation",),
        parameters={"discretizer": "mean-sigma"}, test_parameters=_ONE,
    ),
    Method(
        "su", f"{_RANKING}.information:SymmetricalUncertainty", "ranking",
        "Ranks features by symmetrical uncertainty, mutual information scaled to 0 … 1.",
        "As information gain, without its favour for features of many levels.",
        f"{_PINO}, §2.2.1.4, Eq. 2.7", "O(n p log n) with MDL bins", ("pinoangulo2019",), "symmetrical_uncertainty",
        aliases=("symmetrical-uncertainty",), test_parameters=_ONE, invariant_to="monotone",
    ),
    Method(
        "chi2", f"{_RANKING}.counts:Chi2", "ranking",
        "Ranks non-negative features by the χ² statistic of their totals per class.",
        "Counts, frequencies, presence or absence: texts, reads, mutations.",
        "Pearson 1900", "O(n p)", ("pearson1900",), "chi2",
        aliases=("chi-squared", "chi-square", "χ²"), test_parameters=_ONE, invariant_to="scale-up",
    ),
    Method(
        "laplacian", f"{_RANKING}.locality:LaplacianScore", "ranking",
        "Ranks features by how well they keep neighbouring samples together; looks at no class.",
        "No labels, or labels that must not be looked at.",
        f"{_PINO}, §2.2.1.2, Eq. 2.3–2.4; He et al. 2005", "O(n² p)", ("pinoangulo2019", "he2005"), "laplacian",
        aliases=("laplacian-score",), takes=(UNLABELLED, *CLASSES, REGRESSION), test_parameters=_ONE,
        invariant_to="shift",
    ),
    Method(
        "pearson", f"{_RANKING}.correlation:Correlation", "ranking",
        "Ranks features by the size of their linear correlation with a measured target.",
        "A measured target such as a dose or a survival time, or two classes.",
        "Pearson 1895", "O(n p)", ("pearson1895",), "pearson", aliases=("correlation",),
        takes=(BINARY, REGRESSION), test_parameters=_ONE,
    ),
    Method(
        "spearman", f"{_RANKING}.correlation:Correlation", "ranking",
        "Ranks features by the size of their rank correlation with a measured target.",
        "As Pearson, where only the order of the values is to be trusted.",
        "Spearman 1904", "O(n p log n)", ("spearman1904",), "spearman", aliases=("rank-correlation",),
        parameters={"ranks": True}, takes=(BINARY, REGRESSION), test_parameters=_ONE, invariant_to="monotone",
    ),
    Method(
        "dcor", f"{_RANKING}.distance:DistanceCorrelation", "ranking",
        "Ranks features by their distance correlation with the class.",
        "Classes that differ in any way, also in spread or in the middle against both ends.",
        f"Székely et al. 2007; {_HOSSEINI}, §2.3.9", "O(n p log n)", ("szekely2007", "hosseini2018"), "dcor",
        aliases=("distance-correlation",), parameters={"y_is": "classes"}, test_parameters=_ONE,
    ),
    Method(
        "dcor-regression", f"{_RANKING}.distance:DistanceCorrelation", "ranking",
        "Ranks features by their distance correlation with a measured target.",
        "As Pearson, where a feature may depend on the target in any way, not just along a line.",
        f"Székely et al. 2007; {_HOSSEINI}, §2.3.9", "O(n p log n)", ("szekely2007", "hosseini2018"),
        "dcor_regression", aliases=("distance-correlation-regression",), parameters={"y_is": "numbers"},
        takes=(BINARY, REGRESSION), test_parameters=_ONE,
    ),
    Method(
        "mrmr", f"{_PAIRWISE}.mrmr:MRMR", "pairwise",
        "Picks features that tell about the class and repeat each other little, all pairs counted.",
        "To check MRMR+ against the original; both give the same list.",
        f"{_PINO}, §2.2.2.3, Eq. 2.12–2.13; Peng et al. 2005", "O(n p k)", ("pinoangulo2019", "peng2005"), "mrmr_mid",
        aliases=("mid", "mrmr-mid"), parameters={"search": "exhaustive"}, test_parameters=_ONE, sees_redundancy=True,
    ),
    Method(
        "mrmr+", f"{_PAIRWISE}.mrmr:MRMR", "pairwise",
        "MRMR that stops counting a feature as soon as it cannot win; the same list in a fraction of the time.",
        "The first choice for a short list of genes that complement each other.",
        f"{_PINO}, §4.4.1, Algorithm 9", "O(n p) and a few pairs per pick", ("pinoangulo2019", "peng2005"), "mrmr_mid",
        aliases=("mrmr-plus", "mid+"), parameters={"search": "lazy"}, test_parameters=_ONE, sees_redundancy=True,
    ),
    Method(
        "pk-mrmr", f"{_PAIRWISE}.mrmr:MRMR", "pairwise",
        "MRMR in which what is known beforehand about a feature is added to its relevance.",
        "Some features are known to matter, from the literature or another study, and should lead the list.",
        f"{_BRAHIM}, §4.2.2.1, Eq. 4.1–4.5", "O(n p) and a few pairs per pick", ("benbrahim2015", "peng2005"),
        "pk_mrmr", aliases=("prior-mrmr",), test_parameters=_ONE, sees_redundancy=True, takes_prior=True,
    ),
    Method(
        "miq", f"{_PAIRWISE}.mrmr:MRMR", "pairwise",
        "MRMR by quotient: relevance over mean redundancy.",
        "When redundancy should weigh more than in the difference form.",
        f"{_PINO}, Eq. 2.14; Ding and Peng 2005", "O(n p k) at worst", ("pinoangulo2019", "ding2005"), "mrmr_miq",
        aliases=("mrmr-miq",), parameters={"objective": "miq"}, test_parameters=_ONE, sees_redundancy=True,
    ),
    Method(
        "fcd", f"{_PAIRWISE}.mrmr:MRMR", "pairwise",
        "MRMR on measured values by difference: F statistic less mean absolute correlation.",
        "Measured values without binning; F soon outweighs the correlation, so redundancy counts little.",
        "Ding and Peng 2005", "O(n p k) at worst", ("ding2005",), "mrmr_fcd",
        aliases=("mrmr-fcd",), parameters={"objective": "fcd"}, test_parameters=_ONE, sees_redundancy=True,
    ),
    Method(
        "fcq", f"{_PAIRWISE}.mrmr:MRMR", "pairwise",
        "MRMR on measured values by quotient: F statistic over mean absolute correlation.",
        "Measured values without binning; the form most mRMR packages offer.",
        "Ding and Peng 2005", "O(n p k) at worst", ("ding2005",), "mrmr_fcq",
        aliases=("mrmr-fcq", "mrmr-f"), parameters={"objective": "fcq"}, test_parameters=_ONE, sees_redundancy=True,
    ),
    Method(
        "cfs", f"{_PAIRWISE}.cfs:CFS", "pairwise",
        "Grows a subset while its merit rises: class relevance over redundancy; every sum computed anew.",
        "To check the faster forms against the original; all give the same subset.",
        f"{_PINO}, §2.2.2.2, Algorithm 2; Hall 2000", "O(n p k³)", ("pinoangulo2019", "hall2000"), "cfs",
        aliases=("cbfs", "cfs-naive"), parameters={"search": "naive"}, bench_features=2_000, invariant_to="monotone",
        sees_redundancy=True,
    ),
    Method(
        "fcfs", f"{_PAIRWISE}.cfs:CFS", "pairwise",
        "CFS with the sums carried along from pick to pick; the same subset.",
        "When the evaluation counts of CFS with cached pairs are wanted.",
        f"{_PINO}, §4.2–4.3, Algorithm 7", "O(n p k)", ("pinoangulo2019", "hall2000"), "cfs",
        aliases=("fast-cfs",), parameters={"search": "incremental"}, invariant_to="monotone", sees_redundancy=True,
    ),
    Method(
        "cfs+", f"{_PAIRWISE}.cfs:CFS", "pairwise",
        "CFS that stops counting a feature as soon as it cannot win; the same subset in a fraction of the time.",
        "When the method should decide how many features are enough.",
        f"{_PINO}, §4.4.2, Algorithm 10", "O(n p log n) and a few pairs per pick",
        ("pinoangulo2019", "hall2000"), "cfs",
        aliases=("cfs-plus",), parameters={"search": "lazy"}, invariant_to="monotone", sees_redundancy=True,
    ),
    Method(
        "cfs-best-first", f"{_PAIRWISE}.cfs:CFS", "pairwise",
        "CFS by best-first search that goes back to earlier subsets, up to five times in vain.",
        "To match Weka's CfsSubsetEval with its usual search.",
        "Hall 2000; Weka's BestFirst", "O(n p k)", ("hall2000",), "cfs_best_first",
        aliases=("cfs-bf", "weka-cfs"), parameters={"search": "best-first"}, invariant_to="monotone",
        sees_redundancy=True, is_prefix=False,
    ),
    Method(
        "fcbf", f"{_PAIRWISE}.fcbf:FCBF", "pairwise",
        "Walks down the SU ranking and drops each feature that a better one predicts better than the class does.",
        "A quick subset without redundancy, of a size the method finds itself.",
        f"{_PINO}, §2.2.2.1, Algorithm 1; Yu and Liu 2003", "O(n p k)", ("pinoangulo2019", "yu2003"), "fcbf",
        aliases=("fast-correlation-based-filter",), invariant_to="monotone", sees_redundancy=True,
    ),
    Method(
        "s3f", f"{_PAIRWISE}.s3f:S3F", "pairwise",
        "Clusters features by what they share and how relevant they are; keeps a medoid and a companion of each.",
        "Features that come in groups, each of which should be represented; also to see the groups.",
        f"{_PINO}, §2.2.2.5, Eq. 2.17–2.19; Covões and Hruschka 2011", "O(n p²)", ("pinoangulo2019", "covoes2011"),
        "s3f", aliases=("supervised-simplified-silhouette-filter", "sss-filter"), invariant_to="monotone",
        bench_features=10_000, sees_redundancy=True,
    ),
    Method(
        "jmi", f"{_PAIRWISE}.conditional:JMI", "pairwise",
        "Picks features that together with each chosen one tell most about the class.",
        "When features may only speak in pairs; steady on small samples.",
        "Yang and Moody 1999; Brown et al. 2012", "O(n p k)", ("yang1999", "brown2012"), "jmi",
        test_parameters=_ONE, sees_redundancy=True,
    ),
    Method(
        "cmim", f"{_PAIRWISE}.conditional:CMIM", "pairwise",
        "Picks the feature whose information about the class survives knowing any one chosen feature.",
        "When no chosen feature should explain away another.",
        "Fleuret 2004", "O(n p k)", ("fleuret2004",), "cmim", test_parameters=_ONE, sees_redundancy=True,
    ),
    Method(
        "disr", f"{_PAIRWISE}.conditional:DISR", "pairwise",
        "As JMI, each pair's information scaled by its joint entropy.",
        "When features have different numbers of levels.",
        "Meyer and Bontempi 2006", "O(n p k)", ("meyer2006",), "disr", test_parameters=_ONE, sees_redundancy=True,
    ),
    Method(
        "focus", f"{_CONSISTENCY}.focus:Focus", "consistency",
        "Tries all subsets, smallest first, and keeps the first that determines the class well enough.",
        "The shortest list there is, where few features are enough or there are few to choose from.",
        f"Almuallim and Dietterich 1992; {_PINO}, §2.2.3", "up to p choose k risks; max_subsets limits them",
        ("almuallim1992", "pinoangulo2019"), "focus", bench_features=2_000, **_BY_CONSISTENCY,
    ),
    Method(
        "interact", f"{_CONSISTENCY}.interact:Interact", "consistency",
        "Takes away, least relevant first, each feature whose loss alone hardly blurs the class.",
        "As the elder of LCC, to compare with: small losses add up unseen.",
        f"Zhao and Liu 2007; {_PINO}, §2.2.3.1", "O(n p log n) with MDL bins, then p risks, most of them for nothing",
        ("zhao2007", "pinoangulo2019"), "interact", **_BY_CONSISTENCY,
    ),
    Method(
        "lcc", f"{_CONSISTENCY}.lcc:LCC", "consistency",
        "Takes away, least relevant first, each feature without which the class stays determined well enough.",
        "A short list that determines the class as a whole, pairs and triples included; super-lcc gives the same.",
        f"Shin and Xu 2009; {_PINO}, §2.2.3.2", "O(n p log n) with MDL bins, then p risks, most of them for nothing",
        ("shin2009a", "pinoangulo2019"), "lcc", parameters={"search": "linear"}, **_BY_CONSISTENCY,
    ),
    Method(
        "super-lcc", f"{_CONSISTENCY}.lcc:LCC", "consistency",
        "LCC's list, each feature to keep found by halving.",
        "A short list that determines the class as a whole, from any number of features.",
        f"Shin et al. 2015; {_PINO}, §2.2.3.4", "O(n p log n) with MDL bins, then about k log p risks",
        ("shin2015", "pinoangulo2019"), "lcc", aliases=("slcc",), parameters={"search": "binary"},
        **_BY_CONSISTENCY,
    ),
    Method(
        "sdcc", f"{_CONSISTENCY}.sdcc:SDCC", "consistency",
        "Takes away, round by round, the feature that is missed least, ties as they come.",
        "As the baseline to its corrected and fast forms; ties are drawn, so seeds give different lists.",
        f"Shin and Xu 2009; {_PINO}, §2.2.3.3", "about p²/2 risks, most of them for nothing",
        ("shin2009b", "pinoangulo2019"), "sdcc", parameters={"variant": "original"},
        **{**_BY_CONSISTENCY, "keeps_copies": False},
    ),
    Method(
        "corrected-sdcc", f"{_CONSISTENCY}.sdcc:SDCC", "consistency",
        "SDCC, the least relevant of those missed least going first.",
        "As the slow twin of fsdcc, which gives the same list.",
        f"{_PINO}, §3.5, Eq. 3.2", "about p²/2 risks, most of them for nothing",
        ("pinoangulo2019",), "sdcc", aliases=("csdcc",), parameters={"variant": "corrected"}, **_BY_CONSISTENCY,
    ),
    Method(
        "fsdcc", f"{_CONSISTENCY}.sdcc:SDCC", "consistency",
        "The corrected SDCC's list, asking only for risks that can matter.",
        "A short list that determines the class as a whole, mostly shorter than lcc's.",
        f"{_PINO}, §3.2; Pino Angulo and Shin 2015", "O(n p log n) with MDL bins, then p to p²/2 risks",
        ("pinoangulo2015", "pinoangulo2019"), "sdcc", aliases=("fast-sdcc",), parameters={"variant": "fast"},
        **_BY_CONSISTENCY,
    ),
    Method(
        "asdcc", f"{_CONSISTENCY}.sdcc:SDCC", "consistency",
        "Steepest descent that weighs what is lost against relevance.",
        "Between fsdcc (alpha=0), which looks at the set, and lcc (alpha=1), which looks at the features.",
        f"{_PINO}, §3.3, Eq. 3.1; Pino Angulo and Shin 2015", "O(n p log n) with MDL bins, then p to p²/2 risks",
        ("pinoangulo2015", "pinoangulo2019"), "sdcc", aliases=("accurate-sdcc",), parameters={"variant": "accurate"},
        **_BY_CONSISTENCY,
    ),
    Method(
        "swcfs", f"{_CONSISTENCY}.swcfs:SWCFS", "consistency",
        "Drops the bulk of irrelevant features at once, then what is missed least among the less relevant half.",
        "As fsdcc, with the less relevant features looked at first.",
        f"{_PINO}, §3.5–3.6, Algorithm 4", "O(n p log n) with MDL bins, then about log p + k² risks",
        ("pinoangulo2019",), "swcfs", aliases=("swsdcc", "sliding-window-cfs"), **_BY_CONSISTENCY,
    ),
    Method(
        "salcc", f"{_CONSISTENCY}.salcc:SALCC", "consistency",
        "Anneals LCC's threshold until what LCC keeps serves a classifier best.",
        "The right delta for LCC is unknown, and a classifier is to judge.",
        f"{_PINO}, §3.7, Algorithms 5–6", "some dozen runs of super-lcc and of a cross-validated classifier",
        ("pinoangulo2019",), "salcc", aliases=("simulated-annealing-lcc",), keeps_copies=False,
        test_parameters={"cv": 3, "max_steps": 12, "step": 0.4}, **{**_BY_CONSISTENCY, "invariant_to": "affine"},
    ),
    Method(
        "relief", f"{_NEIGHBOURS}.relief:Relief", "neighbours",
        "Ranks features by how much farther they put a sample's nearest miss than its nearest hit.",
        "Features that matter together, little noise; as the baseline of this family.",
        f"{_BRAHIM}, §1.2.1, Eq. 1.11; {_PINO}, §2.2.1.1; Kira and Rendell 1992", "O(n² p)",
        ("benbrahim2015", "pinoangulo2019", "kira1992"), "relief", **_BY_DISTANCE,
    ),
    Method(
        "relieff", f"{_NEIGHBOURS}.relief:ReliefF", "neighbours",
        "Ranks features by how much farther they put the nearest misses of each class than the nearest hits.",
        "Features that matter together, two or more classes, noise, names and missing values.",
        f"{_HAN}, §5.2.2, Eq. 5.1 and 5.3; {_BRAHIM}, Eq. 1.12; Kononenko 1994", "O(n² p)",
        ("han2012", "benbrahim2015", "kononenko1994", "robnik2003"), "relieff", aliases=("relief-f", "rf"),
        **_BY_DISTANCE,
    ),
    Method(
        "pk-relief", f"{_NEIGHBOURS}.relief:Relief", "neighbours",
        "Relief in which what is known beforehand about a feature is added to its score.",
        "Features that matter together, some of them known; the prior counts less the more samples there are.",
        f"{_BRAHIM}, §4.2.2.2, Algorithm 3", "O(n² p)", ("benbrahim2015", "kira1992"), "pk_relief",
        aliases=("prior-relief",), takes_prior=True, **_BY_DISTANCE,
    ),
    Method(
        "surf", f"{_NEIGHBOURS}.surf:SURF", "neighbours",
        "ReliefF with all samples closer than the mean distance as neighbours.",
        "Features that act in pairs, no number of neighbours to choose.",
        "Greene et al. 2009", "O(n² p)", ("greene2009",), "surf", **_BY_DISTANCE,
    ),
    Method(
        "surf-star", f"{_NEIGHBOURS}.surf:SURF", "neighbours",
        "SURF in which samples farther than the mean distance count with the opposite sign.",
        "Features that act in pairs only, none by itself.",
        "Greene et al. 2010", "O(n² p)", ("greene2010",), "surf", aliases=("surf*",), parameters={"star": True},
        **_BY_DISTANCE,
    ),
    Method(
        "multisurf", f"{_NEIGHBOURS}.surf:MultiSURF", "neighbours",
        "ReliefF with all samples clearly closer than a sample's own mean distance as neighbours.",
        "Features that act in pairs or by themselves, no number of neighbours to choose.",
        "Urbanowicz et al. 2018", "O(n² p)", ("urbanowicz2018",), "multisurf", **_BY_DISTANCE,
    ),
    Method(
        "multisurf-star", f"{_NEIGHBOURS}.surf:MultiSURF", "neighbours",
        "MultiSURF in which samples clearly farther than the mean count with the opposite sign.",
        "Features that act in pairs only, none by itself.",
        "Granizo-Mackenzie and Moore 2013", "O(n² p)", ("granizo2013",), "multisurf", aliases=("multisurf*",),
        parameters={"star": True}, **_BY_DISTANCE,
    ),
    Method(
        "turf", f"{_NEIGHBOURS}.turf:TuRF", "neighbours",
        "Ranks by ReliefF (or its kin), drops the worst tenth, and repeats on the rest.",
        "Thousands of features that say nothing and blur who is near whom.",
        "Moore and White 2007", "O(n² p)", ("moore2007",), "turf", is_prefix=False, **_BY_DISTANCE,
    ),
    Method(
        "ib-of", f"{_NEIGHBOURS}.instance:InstanceBased", "neighbours",
        "Every sample proposes a list of features; ranks features by how many lists hold them.",
        "Heterogeneous classes: a feature counts for as many samples as it sets apart.",
        f"{_BRAHIM}, §2.3.2.1", "O(n² p)", ("benbrahim2015",), "instance_based",
        aliases=("instance-based", "occurrence-frequency"), parameters={"aggregate": "occurrence"}, **_BY_SAMPLE,
    ),
    Method(
        "ib-wma", f"{_NEIGHBOURS}.instance:InstanceBased", "neighbours",
        "Every sample proposes a list of features; ranks features by their mean weight in the lists.",
        "As IB-OF, where how far a feature sets samples apart should count; steadier lists.",
        f"{_BRAHIM}, §2.3.2.2, Eq. 2.2", "O(n² p)", ("benbrahim2015",), "instance_based",
        parameters={"aggregate": "mean_weight"}, **_BY_SAMPLE,
    ),
    Method(
        "ib-ra", f"{_NEIGHBOURS}.instance:InstanceBased", "neighbours",
        "Every sample proposes a list of features; ranks features by the sum of their places in the lists.",
        "As IB-OF, where the order within the lists should count; steadier lists.",
        f"{_BRAHIM}, §2.3.2.3, Eq. 2.3", "O(n² p)", ("benbrahim2015",), "instance_based",
        parameters={"aggregate": "rank"}, **_BY_SAMPLE,
    ),
    Method(
        "ib-rede", f"{_NEIGHBOURS}.instance:InstanceBased", "neighbours",
        "Every sample proposes a list of features; ranks by summed weight less what features share.",
        "As IB-WMA, where many listed features repeat each other.",
        f"{_BRAHIM}, §2.3.2.4, Eq. 2.4–2.7", "O(n² p + n s²) with s listed features", ("benbrahim2015",),
        "instance_based", parameters={"aggregate": "redundancy"}, **_BY_SAMPLE,
    ),
    Method(
        "hib-sbs", f"{_NEIGHBOURS}.hybrid:HIBSBS", "neighbours",
        "Every sample proposes a list; whole lists go as long as a classifier does better without them.",
        "When every sample should have a say but a classifier the last word.",
        f"{_BRAHIM}, §2.4.1, Algorithm 1", "O(n² p) and up to n² / 2 subsets to classify",
        ("benbrahim2015",), "hib_sbs",
        aliases=("hybrid-backward",), test_parameters={"candidate_size": 3, "cv": 3}, kept_per_sample=7,
    ),
    Method(
        "hib-css", f"{_NEIGHBOURS}.hybrid:HIBCSS", "neighbours",
        "Every sample proposes a list; features are weighed by how well a classifier does with the lists.",
        "The quicker and steadier of the two hybrids: one round of classifiers, one per sample.",
        f"{_BRAHIM}, §2.4.2, Algorithm 2", "O(n² p) and n subsets to classify",
        ("benbrahim2015",), "hib_css",
        aliases=("hybrid-cooperative",), test_parameters={"candidate_size": 3, "cv": 3}, kept_per_sample=7,
        keeps_copies=False,
    ),
    Method(
        "hyb-seq", f"{_SEQUENTIAL}.hybrid:HybridSequential", "sequential",
        "Keeps the 150 features of the best t or F, then adds whichever most lowers a classifier's error.",
        "A handful of features for one classifier, or as the wrapper that others must beat.",
        f"{_BRAHIM}, §2.4.3.3", "O(n p + n² q k) with q = 150 candidates and nearest neighbours",
        ("benbrahim2015",), "hybrid_sequential",
        aliases=("hybrid-sequential", "hybseq"), test_parameters={"cv": 3},
    ),
    Method(
        "randomized", f"{_SEQUENTIAL}.randomized:RandomizedWrapper", "sequential",
        "Starts from random features and replaces one at random while a classifier gets no worse.",
        "As the baseline that a wrapper must beat; other seeds give other features.",
        f"{_BRAHIM}, §1.2.2 and §2.4.3.3; Skalak 1994", "O(n² k) for each of up to 1,000 steps",
        ("benbrahim2015", "skalak1994"), "randomized",
        aliases=("randomized-wrapper", "random-hill-climbing"), test_parameters={**_ONE, "cv": 3, "max_steps": 30},
        is_prefix=False,
    ),
    Method(
        "fs-cv", f"{_SEQUENTIAL}.forward:ForwardSearch", "sequential",
        "Adds whichever feature nearest neighbours classify best with, in cross-validation.",
        "A short list for a classifier; ask its stopping rules how long it should be.",
        f"{_MICHEL}, §4, Algorithm 1", "O(n² p k)", ("michel2018",), "fs_cv",
        aliases=("forward-search", "sfs"), parameters={"criterion": "cv", "y_is": "classes"}, defaults=_LIST,
        test_parameters={**_FEW_FOLDS, "n_neighbors": [1, 2, 4]},
    ),
    Method(
        "fs-cv-regression", f"{_SEQUENTIAL}.forward:ForwardSearch", "sequential",
        "Adds whichever feature nearest neighbours predict a number best with, in cross-validation.",
        "As fs-cv, for a measured target.",
        f"{_MICHEL}, §4 and §5", "O(n² p k)", ("michel2018",), "fs_cv",
        aliases=("forward-search-regression",), parameters={"criterion": "cv", "y_is": "numbers"}, defaults=_LIST,
        takes=(BINARY, REGRESSION), test_parameters={**_FEW_FOLDS, "n_neighbors": [1, 3]},
    ),
    Method(
        "fs-train", f"{_SEQUENTIAL}.forward:ForwardSearch", "sequential",
        "Adds whichever feature nearest neighbours classify best with, on the samples they were trained with.",
        "As the baseline of fs-cv; a single neighbour is always right, so that ties decide.",
        f"{_MICHEL}, §4, Algorithm 1", "O(n² p k)", ("michel2018",), "fs_train",
        parameters={"criterion": "train", "y_is": "classes"}, defaults=_LIST,
        test_parameters={**_FEW_FOLDS, "n_neighbors": [2, 3]},
    ),
    Method(
        "dt", f"{_SEQUENTIAL}.forward:ForwardSearch", "sequential",
        "Adds whichever feature leaves least noise in y, estimated from nearest neighbours (delta test).",
        "A measured target that may depend on few features in any way.",
        f"{_MICHEL}, §2.2 and §5, Algorithm 2; Eirola et al. 2008", "O(n² p k)", ("michel2018", "eirola2008"), "dt",
        aliases=("delta-test",), parameters={"criterion": "delta"}, defaults={**_LIST, "y_is": "numbers"},
        takes=(BINARY, REGRESSION),
    ),
    Method(
        "dt-cv", f"{_SEQUENTIAL}.forward:ForwardSearch", "sequential",
        "As dt, with the mean of the delta test over ten parts of the samples.",
        "As dt, where the list should hang less on single samples.",
        f"{_MICHEL}, §5, Algorithm 2; Eirola et al. 2008", "O(n² p k) for each part", ("michel2018", "eirola2008"),
        "dt_cv", aliases=("delta-test-cv",), parameters={"criterion": "delta-cv"},
        defaults={**_LIST, "y_is": "numbers"}, takes=(BINARY, REGRESSION), test_parameters=_FEW_FOLDS,
    ),
    Method(
        "sfs-lw", f"{_SEQUENTIAL}.sfs_lw:SFSLW", "sequential",
        "Adds whichever feature moves the classes farthest apart, between centroids and beyond their radii.",
        "Classes that form clouds of their own; fast.",
        f"{_PINO}, §2.2.2.4, Eq. 2.15–2.16; Liu et al. 2017", "O(n p k)", ("pinoangulo2019", "liu2017"), "sfs_lw",
        aliases=("lw", "lw-index"),
    ),
    Method(
        "svm-rfe", f"{_LINEAR}.svm_rfe:SVMRFE", "linear",
        "Fits a linear SVM, drops the tenth of the features with the smallest weights, and repeats on the rest.",
        "Features that separate the classes together; each is judged beside all that are left.",
        f"{_HAN}, §5.2.1; {_BRAHIM}, §1.2.3; Guyon et al. 2002", "O(n² p)", ("han2012", "benbrahim2015", "guyon2002"),
        "svm_rfe", aliases=("rfe", "svm-recursive-feature-elimination"), **_BY_MARGIN,
    ),
    Method(
        "pk-rfe", f"{_LINEAR}.svm_rfe:SVMRFE", "linear",
        "Rescales features by their SVM weight times what is known beforehand, again and again.",
        "As SVM-RFE, where some features are known to matter and should have an advantage.",
        f"{_BRAHIM}, §4.2.2.3", "O(n² p) a fit", ("benbrahim2015", "guyon2002"), "pk_rfe",
        aliases=("prior-rfe",), takes_prior=True, with_prior={"C": 1e4, "scale": "standard"}, is_prefix=False,
        **_BY_MARGIN,
    ),
    Method(
        "l2-arom", f"{_LINEAR}.arom:AROM", "linear",
        "Rescales features by their SVM weight again and again, until few are left that separate the classes.",
        "As few features as a linear model needs.",
        f"{_BRAHIM}, §1.2.3; Weston et al. 2003", "O(n² p) a fit", ("benbrahim2015", "weston2003"), "l2_arom",
        aliases=("arom",), parameters={"norm": "l2"}, is_prefix=False, **_BY_MARGIN,
    ),
    Method(
        "l1-arom", f"{_LINEAR}.arom:AROM", "linear",
        "As l2-AROM with linear models of the smallest sum of absolute weights, which leave few features at once.",
        "As few features as a linear model needs; not more of them than samples.",
        f"{_BRAHIM}, §1.2.3; Weston et al. 2003", "a linear programme a fit", ("benbrahim2015", "weston2003"),
        "l1_arom", parameters={"norm": "l1"}, is_prefix=False, keeps_copies=False, **_BY_MARGIN,
    ),
    Method(
        "ps-l2-arom", f"{_LINEAR}.arom:AROM", "linear",
        "l2-AROM in which features known beforehand start with an advantage and keep it.",
        "As few features as a linear model needs, preferably ones that are known.",
        f"{_BRAHIM}, §4.3.1.2; Helleputte and Dupont 2009", "O(n² p) a fit", ("benbrahim2015", "helleputte2009"),
        "ps_l2_arom", aliases=("ps-l2arom", "partially-supervised-arom"), parameters={"norm": "l2"}, takes_prior=True,
        is_prefix=False, **_BY_MARGIN,
    ),
    Method(
        "ss-l2arom", f"{_LINEAR}.semi_supervised:SemiSupervisedAROM", "linear",
        "Known features spread to features like them, l2-AROM selects with their advantage, and both repeat.",
        "A few relevant features are known, and more of their kind are looked for.",
        f"{_BRAHIM}, §4.3.1, Algorithms 4 and 5", "O(n p²) at most, and O(n² p) a fit, a round",
        ("benbrahim2015", "helleputte2009"), "ss_l2arom", aliases=("ss-l2-arom", "semi-supervised-arom"),
        takes_prior=True, is_prefix=False, invariant_to="shift", **_BY_MARGIN,
    ),
    Method(
        "lasso", f"{_LINEAR}.penalised:ElasticNet", "linear",
        "Ranks features by the penalty at which they enter an l1-penalised logistic model.",
        "The embedded baseline readers expect: few features of a linear model, all looked at together.",
        "Tibshirani 1996; Friedman et al. 2010", "O(n p) a penalty", ("tibshirani1996", "friedman2010"), "elastic_net",
        aliases=("logistic-lasso", "l1-logistic"), parameters={"l1_ratio": 1.0}, test_parameters=_ON_A_PATH,

    ),
    Method(
        "elastic-net", f"{_LINEAR}.penalised:ElasticNet", "linear",
        "As the lasso, with half of the penalty on squares, so that features that go together enter together.",
        "As the lasso, where features come in correlated groups that should not lose all members but one.",
        "Zou and Hastie 2005; Friedman et al. 2010", "O(n p) a penalty", ("zou2005", "friedman2010"), "elastic_net",
        aliases=("enet", "logistic-elastic-net"), parameters={"l1_ratio": 0.5}, test_parameters=_ON_A_PATH,

    ),
    Method(
        "dcorfs", f"{_DISTANCE}.dcorfs:DCORFS", "distance",
        "Draws sets of features, and those features more often whose sets depend most on the class.",
        "A few features that tell the class together, in any way; up to some thousand features.",
        f"{_HOSSEINI}, §3.2, Algorithm 2; Brankovic et al. 2019", "O(n² k) a set of k, some thousand sets",
        ("hosseini2018", "brankovic2019", "szekely2007"), "dcorfs", aliases=("distance-correlation-search",),
        test_parameters={"n_iterations": 10, "n_subsets": 24, "n_traced": 1, "step": 2.0}, keeps_copies=False,
    ),
    Method(
        "d2corfs", f"{_DISTANCE}.d2corfs:D2CORFS", "distance",
        "DCORFS on random bins of features, which share the best set found, round by round.",
        "As DCORFS, with many features, on several cores or a cluster.",
        f"{_HOSSEINI}, §3.1, Algorithm 1; Brankovic et al. 2019", "bins × rounds × DCORFS on a bin",
        ("hosseini2018", "brankovic2019", "szekely2007"), "d2corfs", aliases=("distributed-dcorfs",),
        defaults={"selector": "dcorfs"},
        test_parameters={"n_bins": 2, "max_rounds": 2},
        keeps_copies=False,
    ),
    Method(
        "gbc", f"{_EVOLUTIONARY}.bee_colony:BeeColony", "evolutionary",
        "MRMR leaves a pool; bees, crossed with the best set so far, search it for what an SVM does best with.",
        "To compare GBC+ with the original; it takes all of its cycles and evaluates sets again.",
        f"{_PINO}, §2.2.4.1, Eq. 2.20–2.23; Alshamlan et al. 2015", "MRMR and about 10,000 SVMs in 5 folds",
        ("pinoangulo2019", "alshamlan2015"), "gbc", aliases=("genetic-bee-colony",),
        parameters={
            "filter": "mrmr", "start": "uniform", "intensify": "mutation", "target_fitness": None, "patience": None,
            "look_up": False,
        },
        test_parameters=_FEW_BEES, bench_features=2_000, **_BY_POPULATION,
    ),
    Method(
        "gbc+", f"{_EVOLUTIONARY}.bee_colony:BeeColony", "evolutionary",
        "GBC with MRMR+, first bees by rank, a queen that is improved feature by feature, stops and a look-up table.",
        "A small set for a classifier at hand, with some thousand evaluations to spend.",
        f"{_PINO}, chapter 5, Eq. 5.4–5.9; Alshamlan et al. 2015", "MRMR+ and some thousand SVMs in 5 folds",
        ("pinoangulo2019", "alshamlan2015"), "gbc", aliases=("gbc-plus", "bee-colony"),
        parameters={"start": "ranked", "intensify": "greedy", "look_up": True},
        test_parameters=_FEW_BEES, **_BY_POPULATION,
    ),
    Method(
        "mrmr-ga", f"{_EVOLUTIONARY}.mrmr_ga:MRMRGA", "evolutionary",
        "MRMR leaves a pool; sets of it are bred by tournaments, crossover and mutation, judged by an SVM.",
        "As the plain genetic search to compare others with.",
        f"{_PINO}, §4.5.3; El Akadi et al. 2011", "MRMR+ and about 2,000 SVMs in 5 folds",
        ("pinoangulo2019", "elakadi2011"), "mrmr_ga", aliases=("mrmr-ga+", "genetic"),
        test_parameters={"population": 6, "n_generations": 2, "cv": 3, "outer_cv": 2}, **_BY_POPULATION,
    ),
    Method(
        "iw-svm-rfe", f"{_STABILITY}.weighted:InstanceWeightedSelector", "stability",
        "SVM-RFE in which samples unlike all others with respect to the classes count less.",
        "As SVM-RFE, where the list should hang less on single samples; compare with weight_scale='uniform'.",
        f"{_HAN}, §4.3 and §5.2.2, Algorithm 1, Eq. 5.2", "O(n² p)", ("han2012", "guyon2002"), "iw_svm_rfe",
        aliases=("instance-weighted-svm-rfe", "iw-rfe"), parameters={"selector": "svm-rfe"}, test_parameters=_ONE,
        kept_per_sample=2,
    ),
    Method(
        "iw-relieff", f"{_STABILITY}.weighted:InstanceWeightedSelector", "stability",
        "ReliefF in which samples unlike all others with respect to the classes count less.",
        "As ReliefF, where the list should hang less on single samples.",
        f"{_HAN}, §4.3 and §5.2.2, Algorithm 1, Eq. 5.3", "O(n² p)", ("han2012", "kononenko1994"), "iw_relieff",
        aliases=("instance-weighted-relieff",), parameters={"selector": "relieff"}, test_parameters=_ONE,
        kept_per_sample=2,
    ),
    Method(
        "en-svm-rfe", f"{_STABILITY}.ensemble:EnsembleSelector", "stability",
        "SVM-RFE on 20 bootstraps; ranks by the sum of the places in all orders of elimination.",
        "As SVM-RFE, where the list should hang less on which samples were measured.",
        f"{_HAN}, §5.2.3; Abeel et al. 2010", "20 × SVM-RFE", ("han2012", "abeel2010"), "en_svm_rfe",
        aliases=("ensemble-svm-rfe",), parameters={"selector": "svm-rfe", "rule": "cla", "complete_ranks": True},
        defaults={"n_runs": 20}, test_parameters={**_ONE, "n_runs": 4}, is_prefix=False,
    ),
    Method(
        "en-relieff", f"{_STABILITY}.ensemble:EnsembleSelector", "stability",
        "ReliefF on 20 bootstraps; ranks by the sum of the places in all rankings.",
        "As ReliefF, where the list should hang less on which samples were measured.",
        f"{_HAN}, §5.2.3; {_BRAHIM}, §3.2.2.3", "20 × ReliefF", ("han2012", "benbrahim2015"), "en_relieff",
        aliases=("ensemble-relieff",), parameters={"selector": "relieff", "rule": "cla", "complete_ranks": True},
        defaults={"n_runs": 20}, test_parameters={**_ONE, "n_runs": 4}, takes_missing=True, is_prefix=False,
    ),
    Method(
        "stability-selection", f"{_STABILITY}.selection:StabilitySelector", "stability",
        "Repeats a selection (MRMR+, unless told otherwise) on 50 pairs of halves; keeps what is chosen often.",
        "A list with a bound on how many false features to expect.",
        "Meinshausen and Bühlmann 2010; Shah and Samworth 2013", "100 × the selector",
        ("meinshausen2010", "shah2013"), "stability_selection", aliases=("complementary-pairs-selection",),
        test_parameters={"list_size": 2, "n_runs": 10}, is_prefix=False, keeps_copies=False,
    ),
)  # fmt: skip

_BY_NAME: dict[str, Method] = {}
for _method in METHODS:
    for _name in (_method.name, *_method.aliases):
        if _name in _BY_NAME:
            raise RuntimeError(f"Two methods are called {_name!r}.")
        _BY_NAME[_name] = _method


def methods(family: str | None = None) -> tuple[Method, ...]:
    """Every selection method, one row each.

    Use it to see what there is, or to run the same code over all of it.

    Parameters
    ----------
    family : str, default=None
        Keep the methods of one family only, such as "ranking" or "pairwise".

    Returns
    -------
    methods : tuple of Method
        The rows; each has a ``name``.

    Examples
    --------
    >>> import holdfast
    >>> "mrmr+" in [method.name for method in holdfast.methods()]
    True
    """
    families = list(dict.fromkeys(row.family for row in METHODS))
    if family is not None and family not in families:
        raise ValueError(f"family={family!r} does not exist. Choose one of {', '.join(families)}.")
    return tuple(row for row in METHODS if family in (None, row.family))


def find(name: str) -> Method:
    """Return the row of a method, by its name or any alias, in any case."""
    if not isinstance(name, str):
        raise TypeError(f"A method is named by a text such as 'mrmr+', but {name!r} came.")
    row = _BY_NAME.get(name.strip().lower().replace("_", "-").replace(" ", "-"))
    if row is None:
        near = list(dict.fromkeys(_BY_NAME[n].name for n in nearest(name, _BY_NAME)))
        offer = f"The nearest are {', '.join(map(repr, near))}." if near else "None is close."
        raise ValueError(
            f"There is no method called {name!r}. {offer} holdfast.methods() (or `holdfast methods`) lists all."
        )
    return row


def selector(name: str, **parameters: Any) -> Any:
    """Make a selector from a method's name.

    Use it when the method is a choice of the user or of a loop; the classes do the same by hand.

    Parameters
    ----------
    name : str
        The literature's name or an alias, such as "mrmr+", "cfs+" or "su".
    **parameters
        Constructor arguments, such as ``n_features_to_select=50``.

    Returns
    -------
    selector : estimator
        Unfitted, in scikit-learn's grammar.

    Examples
    --------
    >>> import holdfast
    >>> holdfast.selector("mrmr+", n_features_to_select=20)
    MRMR(n_features_to_select=20)
    """
    return find(name).build(**parameters)
