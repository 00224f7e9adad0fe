"""The one dictionary about a study that every form of its report is made from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast import __version__
from holdfast.data import screen
from holdfast.evaluate._bootstrap import MetricInterval
from holdfast.evaluate._stabilities import StabilityIndices
from holdfast.evaluate.comparisons import baseline_accuracy, compared, number
from holdfast.evaluate.pareto import pareto_front
from holdfast.evaluate.recommend import Row, recommended
from holdfast.evaluate.study import TUNED, Study
from holdfast.stability._members import SMALL_CLASS

Array = npt.NDArray[Any]

SCHEMA, SCHEMA_VERSION = "holdfast.study", 1
_MOST_LISTED = 500
_VARIED = ("n_features_to_select", "k", "random_state", "n_jobs")
_MOST_IN_HEAT_MAP = 60


def summarised(study: Study) -> dict[str, Any]:
    """Everything about a study in plain values; None where something is undefined."""
    selections = _selections(study)
    rows = _rows(study, selections)
    advice = recommended(study, rows)
    size, classifier = advice["size"], advice["classifier"]
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "holdfast_version": __version__,
        "plan": _plan(study),
        "progress": {
            "n_cells": len(study.plan.cells),
            "n_done": len(study.found),
            "is_complete": study.is_complete,
        },
        "baseline": {"accuracy": number(baseline_accuracy(study)), "words": "always the most frequent class"},
        "results": _results(study, rows),
        "selections": selections,
        "agreement": _agreement(study, size),
        "comparisons": compared(study, size, classifier, advice["metric"], advice["method"]),
        "recommendation": advice,
        "heat_map": _heat_map(study, advice),
        "costs": _costs(study),
        "classifier_seconds": _classifier_seconds(study),
        "warnings": _warnings(study),
    }


def _plan(study: Study) -> dict[str, Any]:
    plan = study.plan
    document = plan.document
    return {
        "digest": plan.digest,
        "data": {
            "source": None if plan.table.source is None else str(plan.table.source).replace("\\", "/").split("/")[-1],
            **document["data"],
            "positive": plan.positive,
            "imputed": plan.impute,
        },
        "methods": [{"name": one["name"], "parameters": _fixed(one["parameters"])} for one in document["methods"]],
        "sizes": list(plan.sizes),
        "tune_size": plan.tune_size,
        "classifiers": [{"name": one.name, "words": one.words} for one in plan.classifiers],
        "protocol": {
            "name": plan.protocol,
            "words": plan.protocol_words,
            "n_splits": len(plan.splits),
            "n_train": float(np.mean([len(split.train) for split in plan.splits])),
            "n_test": float(np.mean([len(split.test) for split in plan.splits])),
        },
        "seed": plan.seed,
    }


def _fixed(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters without those that the study varies itself."""
    return {name: value for name, value in parameters.items() if name not in _VARIED}


def _selections(study: Study) -> list[dict[str, Any]]:
    indices = StabilityIndices(study.plan.table)
    found = []
    for method, contestant in enumerate(study.plan.methods):
        for size in study.sizes:
            for classifier in [one.name for one in study.plan.classifiers] if size == TUNED else [None]:
                runs = study.runs(method, size, classifier)
                sizes = runs.sum(axis=1)
                found.append(
                    {
                        "method": contestant.name,
                        "size": size,
                        "classifier": classifier,
                        "n_selected": {
                            "mean": number(float(sizes.mean())) if len(sizes) else None,
                            "least": int(sizes.min(initial=study.plan.table.n_features)),
                            "most": int(sizes.max(initial=0)),
                        },
                        "stability": indices.of(runs),
                        "features": _features(study, method, size, runs),
                    }
                )
    return found


def _features(study: Study, method: int, size: int | str, runs: Array) -> list[dict[str, Any]]:
    names = study.plan.table.feature_names
    frequency = runs.mean(axis=0) if len(runs) else np.zeros(runs.shape[1])
    chosen, scores = study.on_all_samples(method, size)
    rank = {int(j): place for place, j in enumerate(chosen)}
    listed = sorted(
        {*np.flatnonzero(frequency).tolist(), *rank}, key=lambda j: (-frequency[j], rank.get(j, 1e9), names[j])
    )
    kept = listed[:_MOST_LISTED]
    return [
        {
            "name": names[j],
            "index": j,
            "frequency": float(frequency[j]),
            "rank": rank[j] + 1 if j in rank else None,
            "score": scores[rank[j]] if j in rank else None,
        }
        for j in [*kept, *(j for j in rank if j not in kept)]
    ]


def _rows(study: Study, selections: list[dict[str, Any]]) -> list[Row]:
    stability = {(one["method"], one["size"], one["classifier"]): one for one in selections}
    rows = []
    for (method, size, classifier), metrics in study.metrics.items():
        name = study.plan.methods[method].name
        selection = stability[name, size, classifier if size == TUNED else None]
        rows.append(Row(method, name, size, classifier, metrics, selection))
    return rows


def _results(study: Study, rows: list[Row]) -> list[dict[str, Any]]:
    both = np.array([[row.metrics["accuracy"].value, row.stability] for row in rows], dtype=np.float64)
    on_front = pareto_front(both)
    results = []
    for row, is_on_front in zip(rows, on_front, strict=True):
        found: dict[str, Any] = {
            "method": row.name,
            "size": row.size,
            "classifier": row.classifier,
            "on_front": bool(is_on_front),
        }
        if row.size == TUNED:
            tuned = [study.found[row.method, split]["tuned"][row.classifier] for split in study.splits]
            found["sizes_chosen"] = {str(size): tuned.count(size) for size in study.plan.sizes if size in tuned}
        drawn = study.bootstraps[row.method, row.size, row.classifier]
        results.append({**found, **{name: _metric(metric, drawn[name]) for name, metric in row.metrics.items()}})
    return results


def _metric(metric: MetricInterval, drawn: MetricInterval) -> dict[str, Any] | None:
    if not math.isfinite(metric.value):
        return None
    known = metric.per_split[np.isfinite(metric.per_split)]
    return {
        "mean": metric.value,
        "low": number(metric.low),
        "high": number(metric.high),
        "sd": number(float(known.std(ddof=1))) if len(known) > 1 else None,
        "n": len(known),
        "bootstrap_low": number(drawn.low),
        "bootstrap_high": number(drawn.high),
    }


def _agreement(study: Study, size: int | str) -> dict[str, Any] | None:
    """Jaccard index of the lists that two methods choose on the same split, averaged over the splits."""
    names = [one.name for one in study.plan.methods]
    if len(names) < 2 or not study.splits:
        return None
    runs = [study.runs(method, size).astype(np.float64) for method in range(len(names))]
    values = [[_mean_overlap(a, b) for b in runs] for a in runs]
    return {"size": size, "index": "jaccard", "methods": names, "values": values}


def _mean_overlap(a: Array, b: Array) -> float:
    both, either = (a * b).sum(axis=1), np.maximum(a, b).sum(axis=1)
    return float(np.divide(both, either, out=np.ones(len(a)), where=either > 0).mean())


def _heat_map(study: Study, advice: dict[str, Any]) -> dict[str, Any] | None:
    """The recommended features of every sample, in units of their spread; samples by class."""
    table = study.plan.table
    method = [one.name for one in study.plan.methods].index(advice["method"])
    columns = study.on_all_samples(method, advice["size"])[0][:_MOST_IN_HEAT_MAP]
    if len(columns) == 0:
        return None
    order = np.argsort(study.plan.classes, kind="stable")
    values = table.X[np.ix_(order, columns)]
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled = (values - np.nanmean(values, axis=0)) / np.nanstd(values, axis=0)
    return {
        "features": [table.feature_names[j] for j in columns],
        "samples": [table.sample_names[row] for row in order],
        "classes": [study.plan.class_names[study.plan.classes[row]] for row in order],
        "values": [[None if not math.isfinite(x) else round(float(x), 3) for x in row] for row in scaled.T],
    }


def _costs(study: Study) -> list[dict[str, Any]]:
    found = []
    for method, contestant in enumerate(study.plan.methods):
        seconds = [cost["select_seconds"] for cost in study.costs(method) if "select_seconds" in cost]
        found.append(
            {
                "method": contestant.name,
                "seconds": {
                    "mean": float(np.mean(seconds)) if seconds else None,
                    "least": min(seconds, default=None),
                    "most": max(seconds, default=None),
                    "n": len(seconds),
                },
                "peak_megabytes": study.peak_megabytes(method),
            }
        )
    return found


def _classifier_seconds(study: Study) -> list[dict[str, Any]]:
    known = [
        cost["classify_seconds"]
        for method in range(len(study.plan.methods))
        for cost in study.costs(method)
        if "classify_seconds" in cost
    ]
    return [
        {"classifier": one.name, "mean": float(np.mean([seconds[one.name] for seconds in known])) if known else None}
        for one in study.plan.classifiers
    ]


def _warnings(study: Study) -> list[str]:
    plan = study.plan
    found = [*plan.remarks, *(finding.message for finding in screen(plan.table) if finding.severity == "warning")]
    lacking = sum(len(np.unique(plan.classes[split.test])) < len(plan.class_names) for split in plan.splits)
    if lacking and not plan.pools_test_parts:
        found.append(
            f"{lacking} of {len(plan.splits)} test parts lack a class: balanced accuracy and sensitivity are of the "
            "others. Fewer folds, or random splits, give larger test parts."
        )
    smallest = min(int(np.bincount(plan.classes[np.unique(split.train)]).min()) for split in plan.splits)
    if smallest < SMALL_CLASS:
        found.append(f"A training part has only {smallest} samples of a class: selections from it are close to chance.")
    return found
