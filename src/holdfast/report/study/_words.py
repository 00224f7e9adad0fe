"""What the scores and the stability indices mean, one sentence each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdfast.report._summary import size_words, words

METRICS = ("accuracy", "balanced_accuracy", "auc", "sensitivity", "specificity", "f1", "brier", "error")


@dataclass(frozen=True)
class Term:
    """A name for headings and what it means."""

    label: str
    meaning: str


SCORES = {
    "accuracy": Term("Accuracy", "Share of the test samples that were given the right class."),
    "balanced_accuracy": Term(
        "Balanced accuracy",
        "Share given the right class, computed for each class and averaged, so that a large class weighs no more than "
        "a small one.",
    ),
    "auc": Term(
        "AUC",
        "Area under the ROC curve: the chance that a sample of the class gets a higher score than one of the others; "
        "0.5 is guessing.",
    ),
    "sensitivity": Term("Sensitivity", "Share of the samples of the positive class that were found."),
    "specificity": Term("Specificity", "Share of the samples of the other class that were not taken for positive."),
    "f1": Term("F1", "Harmonic mean of the sensitivity and of the share of positive calls that were right."),
    "brier": Term(
        "Brier score",
        "Mean squared distance of the predicted probabilities from the truth; lower is better, and classifiers "
        "without probabilities have none.",
    ),
    "error": Term("Error", "Share of the test samples that were given a wrong class; lower is better."),
}
INDICES = {
    "nogueira": Term(
        "Nogueira",
        "Agreement of the lists beyond chance, for lists of any size: 1 for identical lists, about 0 for random ones.",
    ),
    "kuncheva": Term("Kuncheva", "Overlap of two lists of one size beyond chance, averaged over all pairs of lists."),
    "jaccard": Term("Jaccard", "Features that two lists share out of those in either; grows with the lists by chance."),
    "dice": Term(
        "Dice", "Features that two lists share out of the mean of their sizes; grows with the lists by chance."
    ),
    "ochiai": Term(
        "Ochiai", "Features that two lists share out of the geometric mean of their sizes; grows with them by chance."
    ),
    "percentage_overlap": Term(
        "Percentage overlap", "Share of one list that is also in another; grows with the lists by chance."
    ),
    "lustgarten": Term(
        "Lustgarten", "Overlap of two lists beyond chance, in units of the range that their sizes allow."
    ),
    "pogr": Term("POGR", "Share of one list that is in another or goes closely with a feature of it."),
    "npogr": Term("nPOGR", "The same beyond chance: features that stand in for each other count as agreement."),
    "nogueira_adjusted": Term(
        "Nogueira, adjusted", "Nogueira's index in which similar features count as agreement in part."
    ),
}


def scores_in(summary: dict[str, Any]) -> dict[str, Term]:
    """What the scores mean in a study of these classes."""
    positive = summary["plan"]["data"]["positive"]
    of_one = ("sensitivity", "specificity", "f1")
    here = "Here: the mean over the classes, each against the rest." if positive is None else f"Positive: {positive}."
    return {
        name: Term(term.label, f"{term.meaning} {here}") if name in of_one else term for name, term in SCORES.items()
    }


def score_label(name: str) -> str:
    """The name of a score for headings."""
    return SCORES[name].label if name in SCORES else words(name)


def index_label(name: str) -> str:
    """The name of a stability index for headings."""
    return INDICES[name].label if name in INDICES else words(name)


def rivals(found: list[dict[str, Any]]) -> list[str]:
    """Configurations, one line per method, with its sizes; the classifiers are in the table."""
    sizes: dict[str, list[Any]] = {}
    for one in found:
        of_method = sizes.setdefault(one["method"], [])
        if one["size"] not in of_method:
            of_method.append(one["size"])
    return [f"{method} with {_either(of_method)}" for method, of_method in sizes.items()]


def _either(sizes: list[Any]) -> str:
    numbers = [str(size) for size in sizes if not isinstance(size, str)]
    said = [size_words(size) for size in sizes if isinstance(size, str)]
    if len(numbers) > 1:
        said.insert(0, f"{', '.join(numbers[:-1])} or {numbers[-1]} features")
    elif numbers:
        said.insert(0, size_words(int(numbers[0])))
    return " or ".join(said)
