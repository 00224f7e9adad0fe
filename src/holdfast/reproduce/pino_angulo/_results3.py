"""What the parts of chapter 3 gave, by experiment and reading, and what a finding on a claim is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.pino_angulo._tables3 import BESIDE, JUDGED, READINGS, SOURCES
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED, Claim

Array = npt.NDArray[Any]

FIGURE = "figure only"


@dataclass(frozen=True)
class Swept:
    """One search at one threshold, for each order in which features were looked at (only SDCC has several).

    Others are run several times too, but for their seconds only.
    """

    data: str
    n_features: int
    method: str
    delta: float
    sizes: Sequence[int]
    risks: Sequence[float]
    n_evaluations: Sequence[int]
    seconds: Sequence[float]
    subsets: Sequence[Sequence[int]]
    auc: Mapping[str, Sequence[float]]

    def of(self, quantity: str) -> Sequence[float]:
        """By run "size", "risk", "evaluations", "seconds", or the AUC of a classifier; empty if it judged none."""
        named = {"size": self.sizes, "risk": self.risks, "evaluations": self.n_evaluations, "seconds": self.seconds}
        return named[quantity] if quantity in named else self.auc.get(quantity, ())

    def mean(self, quantity: str) -> float:
        """Mean over runs."""
        return float(np.mean(self.of(quantity)))


@dataclass(frozen=True)
class Removed:
    """P4: how many of the least relevant features can go at once without any loss; constant ones are among them."""

    data: str
    n_samples: int
    n_features: int
    n_classes: int
    n_constant: int
    n_removed: int
    risk_of_all: float

    @property
    def share(self) -> float:
        """Of all features."""
        return self.n_removed / self.n_features


@dataclass(frozen=True)
class Filtered:
    """P5: one filter; ``auc`` of features chosen on all samples, ``auc_inside`` of features chosen on nine folds."""

    data: str
    method: str
    size: int
    auc: Mapping[str, float]
    sizes_inside: Sequence[int]
    auc_inside: Mapping[str, float]

    @property
    def size_inside(self) -> float:
        """Mean over the folds."""
        return float(np.mean(self.sizes_inside))


@dataclass(frozen=True)
class Inside:
    """SALCC chosen on nine folds and judged on the tenth; sizes of LCC on the nine folds."""

    sizes: Sequence[int]
    n_judged: Sequence[int]
    lcc_sizes: Sequence[int]
    auc: Mapping[str, float]


@dataclass(frozen=True)
class Annealed:
    """P6 to P8: SALCC beside LCC on all samples, and inside the folds where that was run."""

    data: str
    n_judged: int
    n_all: int
    n_lcc_runs: int
    lcc_size: int
    salcc_size: int
    delta: float
    lcc_score: float
    slcc_score: float
    salcc_score: float
    best_score: float
    auc: Mapping[str, float]
    inside: Inside | None = None


@dataclass
class Results:
    """Everything that was run with one way of cutting numbers."""

    swept: list[Swept] = field(default_factory=list)
    removed: list[Removed] = field(default_factory=list)
    filtered: list[Filtered] = field(default_factory=list)
    annealed: list[Annealed] = field(default_factory=list)

    def size_of(self, data: str) -> Removed | None:
        """Samples, features and classes of a table, if it was looked at."""
        return next((one for one in self.removed if one.data == data), None)


@dataclass(frozen=True)
class Finding:
    """A claim, what is printed of it, and whether it holds, as in the thesis and with a choice inside the folds.

    ``inside`` is empty where nothing is chosen for a test.
    """

    key: str
    source: str
    text: str
    printed: str
    verdict: str
    inside: str
    evidence: str

    def claim(self, otherwise: Finding | None) -> Claim:
        """As a claim; what holds with the leak only holds in part. ``otherwise`` is the same with the other cuts."""
        verdict, told = self.verdict, self.evidence
        if self.inside:
            told = f"as in the thesis: {self.verdict}, chosen inside the folds: {self.inside}; {told}"
            verdict = IN_PART if self.verdict == HOLDS and self.inside in (IN_PART, FAILS) else self.verdict
        if otherwise is not None and verdict != NOT_TESTED:
            told += f"; {BESIDE}: {otherwise.verdict}"
        return Claim(self.source, self.text, verdict, told, self.printed)


def gathered(made: Mapping[str, Any]) -> dict[str, Results]:
    """Results by reading; tables of levels are the same in both."""
    found = {reading: Results() for reading in READINGS}
    n_features: dict[str, int] = {}
    for key, result in made.items():
        kind, data, *_ = key.split("/")
        if kind == "removed":
            for reading, one in result.items():
                found[reading].removed.append(Removed(data, **one))
            n_features[data] = result[JUDGED]["n_features"]
    for key, result in made.items():
        kind, data, *which = key.split("/")
        if kind in ("sweep", "filters", "salcc"):
            for reading in which[:1] if SOURCES[data].is_cut else READINGS:
                if kind == "salcc":
                    inside = made.get(f"salcc-inside/{data}/{which[0]}")
                    found[reading].annealed.append(
                        Annealed(data, **result, inside=None if inside is None else Inside(**inside))
                    )
                elif kind == "sweep":
                    found[reading].swept += [Swept(data, n_features[data], **one) for one in result]
                else:
                    found[reading].filtered += [Filtered(data, method, **one) for method, one in result.items()]
    return found
