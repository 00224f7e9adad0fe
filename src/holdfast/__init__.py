"""Holdfast finds the features that hold: stable, efficient feature selection for wide data.

Public names load on first use, so that ``import holdfast`` and the command line start at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast._errors import (
        DataError,
        NothingSelected,
        PlanMismatch,
        PriorWarning,
        SmallSampleWarning,
        StoreError,
        StudyStopped,
    )
    from holdfast._registry import methods, selector
    from holdfast.data import Table, read, screen
    from holdfast.evaluate.compare import compare
    from holdfast.evaluate.study import Study
    from holdfast.prepare import (
        EqualFrequencyDiscretizer,
        EqualWidthDiscretizer,
        MDLDiscretizer,
        MeanSigmaDiscretizer,
    )
    from holdfast.search.stop_rules import (
        ClassicStop,
        HoeffdingStop,
        InformationStop,
        MarginStop,
        PermutationStop,
        hoeffding_bound,
        permutation_level,
    )
    from holdfast.search.stopping import Stopping
    from holdfast.selectors.consistency import LCC, SALCC, SDCC, SWCFS, Focus, Interact
    from holdfast.selectors.distance import D2CORFS, DCORFS
    from holdfast.selectors.evolutionary import MRMRGA, BeeColony
    from holdfast.selectors.linear import AROM, SVMRFE, ElasticNet, SemiSupervisedAROM
    from holdfast.selectors.neighbours import HIBCSS, HIBSBS, SURF, InstanceBased, MultiSURF, Relief, ReliefF, TuRF
    from holdfast.selectors.pairwise import CFS, CMIM, DISR, FCBF, JMI, MRMR, S3F
    from holdfast.selectors.ranking import (
        Chi2,
        Correlation,
        DistanceCorrelation,
        FisherScore,
        FTest,
        InformationGain,
        LaplacianScore,
        RelativeEntropy,
        SymmetricalUncertainty,
        TTest,
    )
    from holdfast.selectors.sequential import SFSLW, ForwardSearch, HybridSequential, RandomizedWrapper
    from holdfast.stability import (
        ClassifierEnsemble,
        EnsembleSelector,
        InstanceWeightedSelector,
        InstanceWeighting,
        StabilitySelector,
        selection_frequency,
    )

__version__ = "0.1.0.dev0"

_HOME = {
    "holdfast._errors": (
        "DataError",
        "NothingSelected",
        "PlanMismatch",
        "PriorWarning",
        "SmallSampleWarning",
        "StoreError",
        "StudyStopped",
    ),
    "holdfast._registry": ("methods", "selector"),
    "holdfast.data": ("Table", "read", "screen"),
    "holdfast.evaluate": ("Study", "compare"),
    "holdfast.prepare": (
        "EqualFrequencyDiscretizer",
        "EqualWidthDiscretizer",
        "MDLDiscretizer",
        "MeanSigmaDiscretizer",
    ),
    "holdfast.search.stop_rules": (
        "ClassicStop",
        "HoeffdingStop",
        "InformationStop",
        "MarginStop",
        "PermutationStop",
        "hoeffding_bound",
        "permutation_level",
    ),
    "holdfast.search.stopping": ("Stopping",),
    "holdfast.selectors.consistency": ("LCC", "SALCC", "SDCC", "SWCFS", "Focus", "Interact"),
    "holdfast.selectors.distance": ("D2CORFS", "DCORFS"),
    "holdfast.selectors.evolutionary": ("MRMRGA", "BeeColony"),
    "holdfast.selectors.linear": ("AROM", "SVMRFE", "ElasticNet", "SemiSupervisedAROM"),
    "holdfast.selectors.neighbours": (
        "HIBCSS",
        "HIBSBS",
        "SURF",
        "InstanceBased",
        "MultiSURF",
        "Relief",
        "ReliefF",
        "TuRF",
    ),
    "holdfast.selectors.pairwise": ("CFS", "CMIM", "DISR", "FCBF", "JMI", "MRMR", "S3F"),
    "holdfast.selectors.ranking": (
        "Chi2",
        "Correlation",
        "DistanceCorrelation",
        "FTest",
        "FisherScore",
        "InformationGain",
        "LaplacianScore",
        "RelativeEntropy",
        "SymmetricalUncertainty",
        "TTest",
    ),
    "holdfast.selectors.sequential": ("SFSLW", "ForwardSearch", "HybridSequential", "RandomizedWrapper"),
    "holdfast.stability": (
        "ClassifierEnsemble",
        "EnsembleSelector",
        "InstanceWeightedSelector",
        "InstanceWeighting",
        "StabilitySelector",
        "selection_frequency",
    ),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
_SUBPACKAGES = ("bridges", "data", "evaluate", "knowledge", "measures", "prepare", "report", "selectors", "stability")

__all__ = [
    "AROM",
    "CFS",
    "CMIM",
    "D2CORFS",
    "DCORFS",
    "DISR",
    "FCBF",
    "HIBCSS",
    "HIBSBS",
    "JMI",
    "LCC",
    "MRMR",
    "MRMRGA",
    "S3F",
    "SALCC",
    "SDCC",
    "SFSLW",
    "SURF",
    "SVMRFE",
    "SWCFS",
    "BeeColony",
    "Chi2",
    "ClassicStop",
    "ClassifierEnsemble",
    "Correlation",
    "DataError",
    "DistanceCorrelation",
    "ElasticNet",
    "EnsembleSelector",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "FTest",
    "FisherScore",
    "Focus",
    "ForwardSearch",
    "HoeffdingStop",
    "HybridSequential",
    "InformationGain",
    "InformationStop",
    "InstanceBased",
    "InstanceWeightedSelector",
    "InstanceWeighting",
    "Interact",
    "LaplacianScore",
    "MDLDiscretizer",
    "MarginStop",
    "MeanSigmaDiscretizer",
    "MultiSURF",
    "NothingSelected",
    "PermutationStop",
    "PlanMismatch",
    "PriorWarning",
    "RandomizedWrapper",
    "RelativeEntropy",
    "Relief",
    "ReliefF",
    "SemiSupervisedAROM",
    "SmallSampleWarning",
    "StabilitySelector",
    "Stopping",
    "StoreError",
    "Study",
    "StudyStopped",
    "SymmetricalUncertainty",
    "TTest",
    "Table",
    "TuRF",
    "compare",
    "hoeffding_bound",
    "methods",
    "permutation_level",
    "read",
    "screen",
    "selection_frequency",
    "selector",
]


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(import_module(_MODULE_OF[name]), name)
    if name in _SUBPACKAGES:
        return import_module(f"holdfast.{name}")
    raise AttributeError(f"module 'holdfast' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_SUBPACKAGES, "__version__"])
