"""What needs no search: the screening, and the published models on our copies of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from holdfast.measures import distance_correlation, distance_dependence
from holdfast.reproduce.hosseini._classifiers import CLASSIFIERS, MEASURES, predicted, rates
from holdfast.reproduce.hosseini._tables import (
    BY_TRAIN,
    CONFIDENCE,
    HOLD_OUT,
    LEAVE_ONE_OUT,
    PER_SET,
    Array,
    Data,
    by_range,
    load,
    published_model,
    published_models,
    scaled_parts,
)
from holdfast.reproduce.shelf import Shelf

# Classifier of each model in Table 4.3.
OWN: Mapping[str, str] = {"Breast": "NB", "Leukemia": "NB", "Lung": "kNN", "Prostate": "SVM"}
ALL = "all"


def screened(data: Data, protocol: str, confidence: float) -> dict[str, Any]:
    """How many features are kept, with missing values as the thesis had them; constant ones are counted apart.

    ``between`` are the p-values of the last feature kept and the first one dropped: any significance from above the one
    to the other keeps as many.
    """
    rows = data.rows(protocol)
    X = data.filled[rows]
    p_values = np.sort(distance_dependence(X, data.y[rows]).p_value)
    n_kept = int((p_values < 1 - confidence).sum())
    return {
        "confidence": confidence,
        "n_kept": n_kept,
        "n_constant": int((np.ptp(X, axis=0) == 0).sum()),
        "between": [float(p_values[n_kept - 1]), float(p_values[n_kept])],
    }


def counts(name: str, shelf: Shelf) -> dict[str, Any]:
    """What Table 4.1 says of a table: features, and positive and negative samples of its parts."""
    data = load(shelf, name)
    parts = {"train": data.y[data.is_train], "test": data.y[~data.is_train]}
    return {
        "features": data.X.shape[1],
        "samples": {part: [int(y.sum()), int((1 - y).sum())] for part, y in parts.items() if len(y)},
    }


def screening(name: str, protocol: str, shelf: Shelf) -> dict[str, Any]:
    """Table 4.1, a count."""
    confidence = CONFIDENCE[name, protocol]
    if confidence is None:
        raise ValueError(f"{name} was not screened.")
    return screened(load(shelf, name), protocol, confidence)


def held_out(
    data: Data, model: Sequence[int], classifier: str, scaling: str, known: Array | None = None
) -> dict[str, float]:
    """A model on the nominal split, by the measures of Table 4.2; ``known`` are the samples that fill gaps."""
    X = data.model(model, known)
    train, test = scaled_parts(X[data.is_train], X[~data.is_train], scaling)
    y, truth = data.y[data.is_train], data.y[~data.is_train]
    answers = predicted(classifier, train, y, np.concatenate([train, test]))
    measured = (float((answers[: len(y)] == y).mean()), *rates(truth, answers[len(y) :]))
    return dict(zip(MEASURES, measured, strict=True))


def left_out(data: Data, model: Sequence[int], classifier: str) -> float:
    """Accuracy of leave-one-out around the classifier alone: the model, and the ranges, are of all samples."""
    X = by_range(data.model(model))
    is_right = []
    for i, rest in enumerate(~np.eye(len(X), dtype=bool)):
        is_right.append(predicted(classifier, X[rest], data.y[rest], X[i : i + 1])[0] == data.y[i])
    return float(np.mean(is_right))


def dcor_of(X: Array, y: Array, *, unbiased: bool = False) -> float:
    """Distance correlation of features in units of their ranges; the biased one with the root."""
    return float(distance_correlation(by_range(X), y, subsets="all", unbiased=unbiased))


def each_dropped(data: Data, model: Sequence[int], classifier: str) -> dict[str, dict[str, float]]:
    """Table 4.3: dCor on the training part and accuracies, of a model and without each of its features."""
    found = {}
    for dropped in (0, *model):
        rest = [feature for feature in model if feature != dropped]
        scores = {scaling: held_out(data, rest, classifier, scaling) for scaling in (PER_SET, BY_TRAIN)}
        found[f"without {dropped}" if dropped else ALL] = {
            "dCor": dcor_of(data.model(rest)[data.is_train], data.y[data.is_train]),
            "J_tr": scores[PER_SET]["J_tr"],
            "J_te": scores[PER_SET]["J_te"],
            "J_te, training range": scores[BY_TRAIN]["J_te"],
        }
    return found


def resplit(data: Data, model: Sequence[int], classifier: str, seed: int, n_splits: int) -> Array:
    """Figure 4.2: test accuracy on random splits of the nominal sizes and class counts; scaled once, on all samples."""
    X = by_range(data.model(model))
    return np.array(
        [
            np.mean(predicted(classifier, X[train], data.y[train], X[test]) == data.y[test])
            for train, test in other_splits(data, seed, n_splits)
        ]
    )


def other_splits(data: Data, seed: int, n_splits: int) -> list[tuple[Array, Array]]:
    """Random training and test parts of the nominal sizes and class counts."""
    members = [np.flatnonzero(data.y == c) for c in (0, 1)]
    n_train = [int(data.is_train[rows].sum()) for rows in members]
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_splits):
        train = np.concatenate([rng.permutation(rows)[:n] for rows, n in zip(members, n_train, strict=True)])
        found.append((train, np.setdiff1d(np.arange(len(data.y)), train)))
    return found


def class_ranges(data: Data, model: Sequence[int]) -> list[dict[str, Any]]:
    """Figure 4.1: values of a model's features by class and part, each part in units of its own range.

    ``overlap`` is the length that the ranges of both classes share, ``n_within`` the samples there.
    """
    X = data.model(model)
    found = []
    for part, rows in (("train", data.is_train), ("test", ~data.is_train)):
        Z, y = by_range(X[rows]), data.y[rows]
        for feature, values in zip(model, Z.T, strict=True):
            by_class = [values[y == c] for c in (1, 0)]
            low, high = max(one.min() for one in by_class), min(one.max() for one in by_class)
            found.append(
                {
                    "feature": int(feature),
                    "part": part,
                    "quantiles": [np.quantile(one, (0, 0.25, 0.5, 0.75, 1)).tolist() for one in by_class],
                    "overlap": float(max(high - low, 0.0)),
                    "n_within": int(((values >= low) & (values <= high)).sum()),
                    "n_samples": len(y),
                }
            )
    return found


def published_split(name: str, n_splits: int, shelf: Shelf) -> dict[str, Any]:
    """Tables 4.2 and 4.3 and Figures 4.1 and 4.2, for one published model."""
    data, model = load(shelf, name), published_model(name, HOLD_OUT)
    if model is None:
        raise ValueError(f"{name} has no published model.")
    X, y = data.model(model)[data.is_train], data.y[data.is_train]
    return {
        "scores": {
            scaling: {one: held_out(data, model, one, scaling) for one in CLASSIFIERS}
            for scaling in (PER_SET, BY_TRAIN)
        },
        "dropped": each_dropped(data, model, OWN[name]),
        "unbiased dCor": dcor_of(X, y, unbiased=True),
        "resplit": resplit(data, model, OWN[name], 0, n_splits).tolist(),
        "ranges": class_ranges(data, model),
    }


def published_left_out(name: str, shelf: Shelf) -> dict[str, Any]:
    """Table 4.4 for the published model, and the errors of the models of Table 4.5."""
    data, model = load(shelf, name), published_model(name, LEAVE_ONE_OUT)
    if model is None:
        raise ValueError(f"{name} has no published model.")
    n_samples = len(data.y)
    return {
        "accuracy": {one: left_out(data, model, one) for one in CLASSIFIERS},
        "dCor": dcor_of(data.model(model), data.y),
        "n_samples": n_samples,
        "errors": {
            label: round(n_samples * (1 - left_out(data, features, "NB")))
            for (table, of, label), features in published_models().items()
            if (table, of) == ("4.5", name)
        },
    }
