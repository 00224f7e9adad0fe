"""A whole study as its definition says it, split by split, with scikit-learn's pipelines and scores.

Of ``holdfast.evaluate`` the twin knows the splits only, which it is given; selectors see the training part alone.
Besides, small tables for studies, plans without the work, and studies of made-up results.
"""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from sklearn import config_context
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.metrics import accuracy_score, multilabel_confusion_matrix, roc_auc_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from holdfast.evaluate._contestants import contestants
from holdfast.evaluate._request import judges, plan_for, table_of
from holdfast.evaluate.run import Memory
from holdfast.evaluate.study import Study
from holdfast.stability.perturb import folds

METRICS = ("accuracy", "balanced_accuracy", "error", "auc", "sensitivity", "specificity", "f1", "brier")


def small_table(seed, n_samples=36, n_features=24, n_classes=2, n_missing=0):
    """A data frame with names for rows and columns, of which some features tell the classes apart, and the classes."""
    rng = np.random.default_rng([seed, n_samples, n_features, n_classes])
    y = rng.permutation(np.arange(n_samples) % n_classes)
    strength = np.concatenate([np.linspace(2.0, 0.5, 6), np.zeros(n_features - 6)])
    X = rng.normal(size=(n_samples, n_features)) + np.outer(y - y.mean(), rng.permutation(strength))
    X[rng.integers(n_samples, size=n_missing), rng.integers(n_features, size=n_missing)] = np.nan
    columns = [f"gene{j:03d}" for j in rng.permutation(n_features)]
    rows = [f"patient{i:03d}" for i in rng.permutation(n_samples)]
    return pd.DataFrame(X, index=rows, columns=columns), y


def without_costs(study):
    """A summary as text, without what differs from run to run: seconds and megabytes."""
    kept = {key: value for key, value in study.summary().items() if key not in ("costs", "classifier_seconds")}
    return json.dumps(kept, sort_keys=True, allow_nan=False)


def planned(X, y=None, **asked):
    """The plan that ``compare`` would work on."""
    asked = {
        "groups": None, "methods": ["f-test"], "sizes": [2], "classifiers": ["nb"], "protocol": "3cv", "seed": 0,
        "impute": None, "tune_size": False, "positive": None, "prior": None, **asked,
    }  # fmt: skip
    methods, judged = contestants(asked.pop("methods"), asked.pop("prior")), judges(asked.pop("classifiers"))
    groups, sizes, *others = asked.values()
    return plan_for(table_of(X, y), groups, methods, sizes, judged, *others)


def told_study(plan, chosen, predicted, tuned=None, left_out=()):
    """A study of made-up results.

    ``chosen(method, size, split)`` gives columns, ``predicted(method, size, classifier, split)`` codes of classes for
    the test samples, ``tuned(method, classifier, split)`` a size; cells in ``left_out`` are not done.
    """
    cells = Memory()
    for method, split in plan.cells:
        if (method, split) in left_out:
            continue
        lists = {str(size): [int(j) for j in chosen(method, size, split)] for size in plan.sizes}
        result = {"method": plan.methods[method].name, "split": split, "chosen": lists}
        if split == "all":
            result["scores"] = {
                size: [float(len(columns) - i) for i in range(len(columns))] for size, columns in lists.items()
            }
        else:
            result["test"] = plan.splits[split].test.tolist()
            names = [one.name for one in plan.classifiers]
            result["predictions"] = {
                name: {str(size): _told(predicted(method, size, name, split)) for size in plan.sizes} for name in names
            }
            if plan.tune_size:
                result["tuned"] = {name: tuned(method, name, split) for name in names}
        cells.put((method, split), result, {})
    return Study(plan, cells)


def _told(codes):
    return {"predicted": [int(code) for code in codes], "scores": None, "is_probability": False}


def seed_of(seed, split):
    """Seed of the selections on a split: child number split + 1 of the study's seed."""
    return int(np.random.SeedSequence(seed, spawn_key=(split + 1,)).generate_state(1)[0])


@dataclass
class Twin:
    """What a study found: lists of columns, predictions and metrics of each split, by method, size and classifier."""

    lists: dict = field(default_factory=dict)
    predicted: dict = field(default_factory=dict)
    scores: dict = field(default_factory=dict)
    tuned: dict = field(default_factory=dict)
    metrics: dict = field(default_factory=dict)


def slow_study(
    X, codes, splits, methods, sizes, classifiers, *, seed, groups=None, impute=None, tune=False, pool=False
):
    """Everything on every split; groups are known by the order in which they are met.

    ``X`` is a data frame, ``splits`` pairs of row numbers, ``methods`` functions of a size and a seed that give an
    unfitted selector, ``classifiers`` estimators; both by name. ``pool`` judges all test parts as one.
    """
    with config_context(skip_parameter_validation=True):
        return _slow_study(X, codes, splits, methods, sizes, classifiers, seed, groups, impute, tune, pool)


def _slow_study(X, codes, splits, methods, sizes, classifiers, seed, groups, impute, tune, pool):
    found = Twin()
    if groups is not None:
        groups = np.array([list(dict.fromkeys(groups)).index(group) for group in groups])
    truths = [codes[test] for _, test in splits]
    for number, (train, test) in enumerate(splits):
        filled = _filled(X, train, impute)
        inside, outside, y = filled.iloc[train], filled.iloc[test], codes[train]
        own = None if groups is None else groups[train]
        for name, make in methods.items():
            draw = seed_of(seed, number)
            lists = {size: chosen_columns(make(size, draw), inside, y, own) for size in sizes}
            for size in sizes:
                found.lists.setdefault((name, size), []).append(lists[size])
                for judge, model in classifiers.items():
                    predicted, scores = answers(model, inside, y, outside, lists[size])
                    found.predicted.setdefault((name, size, judge), []).append(predicted)
                    found.scores.setdefault((name, size, judge), []).append(scores)
            if tune:
                best = _tuned(make, sizes, classifiers, inside, y, train if own is None else own, own, draw)
                for judge, size in best.items():
                    found.tuned.setdefault((name, judge), []).append(size)
                    found.lists.setdefault((name, "tuned", judge), []).append(lists[size])
                    for kept in (found.predicted, found.scores):
                        kept.setdefault((name, "tuned", judge), []).append(kept[name, size, judge][-1])
    n_classes = int(codes.max()) + 1
    for key, predicted in found.predicted.items():
        parts = list(zip(truths, predicted, found.scores[key], strict=True))
        if pool:
            parts = [tuple(None if one[0] is None else np.concatenate(one) for one in zip(*parts, strict=True))]
        judged = [scikit_metrics(*part, n_classes) for part in parts]
        found.metrics[key] = {name: [one[name] for one in judged] for name in METRICS}
    return found


def _filled(X, train, impute):
    if impute is None:
        return X
    imputer = SimpleImputer(strategy=impute, keep_empty_features=True).fit(X.to_numpy()[train])
    return pd.DataFrame(imputer.transform(X.to_numpy()), index=X.index, columns=X.columns)


def chosen_columns(selector, inside, y, groups=None):
    """Numbers of the columns that a selector keeps, best first, without those of a single value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        takes_groups = groups is not None and hasattr(selector, "list_size") and hasattr(selector, "n_runs")
        fitted = selector.fit(inside, y, groups=groups) if takes_groups else selector.fit(inside, y)
    if hasattr(fitted, "indices_"):
        names = inside.columns[fitted.indices_]
    else:
        last = fitted[-1] if isinstance(fitted, Pipeline) else fitted
        names = fitted.get_feature_names_out()
        if hasattr(last, "scores_"):
            names = names[np.argsort(-last.scores_[last.get_support()], kind="stable")]
    return [inside.columns.get_loc(name) for name in names if inside[name].nunique() > 1]


def answers(model, inside, y, outside, columns):
    """Predicted classes and scores of test samples: probabilities, else distances from the border, else None."""
    if columns:
        fitted = clone(model) if isinstance(model, Pipeline) else make_pipeline(StandardScaler(), clone(model))
        inside, outside = inside.to_numpy()[:, columns], outside.to_numpy()[:, columns]
    else:
        fitted = DummyClassifier(strategy="prior")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted.fit(inside, y)
        predicted = fitted.predict(outside)
        scores = None
        if hasattr(fitted, "predict_proba"):
            scores = fitted.predict_proba(outside)
        elif hasattr(fitted, "decision_function"):
            scores = fitted.decision_function(outside)
    return predicted, scores


def inner_training_parts(y, units, seed):
    """Training parts of five folds of the units, fewer where a class has fewer, that have two samples of each class."""
    n_folds = min(5, max(2, min(len(np.unique(units[y == c])) for c in np.unique(y))))
    parts = folds(y, n_folds, seed, groups=units)
    return [part for part in parts if min(np.bincount(y[part], minlength=int(y.max()) + 1)) >= 2]


def _tuned(make, sizes, classifiers, inside, y, units, groups, seed):
    right = {(judge, size): 0 for judge in classifiers for size in sizes}
    for part in inner_training_parts(y, units, seed):
        rest = np.setdiff1d(np.arange(len(y)), part)
        for size in sizes:
            columns = chosen_columns(
                make(size, seed), inside.iloc[part], y[part], None if groups is None else groups[part]
            )
            for judge, model in classifiers.items():
                predicted, _ = answers(model, inside.iloc[part], y[part], inside.iloc[rest], columns)
                right[judge, size] += int((predicted == y[rest]).sum())
    best = {judge: max(right[judge, size] for size in sizes) for judge in classifiers}
    return {judge: next(size for size in sizes if right[judge, size] == best[judge]) for judge in classifiers}


def scikit_metrics(truth, predicted, scores, n_classes):
    """Every metric of one test part by scikit-learn; NaN where it is undefined."""
    every = range(n_classes)
    counts = multilabel_confusion_matrix(truth, predicted, labels=every).reshape(n_classes, 4)
    recall = [_ratio(hits, hits + missed) for _, _, missed, hits in counts]
    rejected = [_ratio(left, left + false) for left, false, _, _ in counts]
    f1 = [_ratio(2 * hits, 2 * hits + false + missed) for _, false, missed, hits in counts]
    accuracy = accuracy_score(truth, predicted)
    found = {"accuracy": accuracy, "error": 1 - accuracy, "balanced_accuracy": _mean(recall)}
    found |= {"sensitivity": recall, "specificity": rejected, "f1": f1}
    for name in ("sensitivity", "specificity", "f1"):
        found[name] = float(found[name][1]) if n_classes == 2 else _mean(found[name])
    columns = {}
    if scores is not None and scores.ndim == 1:
        columns = {1: scores}
    elif scores is not None:
        columns = {c: scores[:, c] for c in ([1] if n_classes == 2 else every)}
    areas = [
        roc_auc_score(truth == c, of) if 0 < sum(truth == c) < len(truth) else math.nan for c, of in columns.items()
    ]
    is_probability = scores is not None and scores.ndim == 2 and np.allclose(scores.sum(axis=1), 1)
    misses = [np.mean((of - (truth == c)) ** 2) for c, of in columns.items()]
    loss = sum(misses) if n_classes == 2 else sum(misses) / 2
    return {**found, "auc": _mean(areas), "brier": float(loss) if is_probability else math.nan}


def _ratio(part, whole):
    return part / whole if whole else math.nan


def _mean(values):
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
