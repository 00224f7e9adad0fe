"""Charts of the page: which there are, what a reader can choose, and each view for both backgrounds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from itertools import product
from typing import Any

import plotly.graph_objects as go

from holdfast.report._style import HEIGHT, top_margin
from holdfast.report.by_size import score_by_size, stability_across_sizes
from holdfast.report.choices import agreement_of_methods, chosen_features
from holdfast.report.costs import times
from holdfast.report.heat_maps import heat_map
from holdfast.report.ranks import critical_difference
from holdfast.report.study._lookup import Row, indices_of, main_metric, metrics_of, sizes_of
from holdfast.report.study._words import index_label, score_label
from holdfast.report.trade_offs import trade_off

_THEMES = ("light", "dark")
_SCORES = ("accuracy", "balanced_accuracy", "auc")
# What a page may hold of points in all views of a chart, and of views of chosen features.
_MOST_POINTS = 3000
_MOST_LISTS = 60
_N_TOP = 30

_DRAWINGS: dict[str, Callable[..., go.Figure]] = {
    "trade_off": trade_off,
    "score_by_size": score_by_size,
    "stability_across_sizes": stability_across_sizes,
    "chosen_features": chosen_features,
    "heat_map": heat_map,
    "agreement_of_methods": agreement_of_methods,
    "critical_difference": critical_difference,
    "times": times,
}
Draw = Callable[..., go.Figure]
Options = list[tuple[Any, str]]


@dataclass(frozen=True)
class Choice:
    """Something a reader can choose for a chart, with the words for each option."""

    key: str
    label: str
    options: Options


@dataclass(frozen=True)
class Chart:
    """A chart: its views by the places of the options chosen, such as "0,2"."""

    name: str
    choices: list[Choice]
    views: dict[str, dict[str, Any]]

    @property
    def caption(self) -> str:
        """What the first view shows."""
        return str(next(iter(self.views.values()))["caption"])

    @property
    def height(self) -> int:
        """Room to keep until the first view is drawn."""
        first = next(iter(self.views.values()))
        return int(first["light"]["layout"].get("height", HEIGHT)) if "light" in first else 0

    def data(self) -> dict[str, Any]:
        """All that the script needs."""
        return {"views": self.views}


def charts(summary: Row) -> dict[str, Chart]:
    """Every chart of the study; one that cannot be drawn says why."""
    found = [_chart(name, _DRAWINGS[name], summary, choices) for name, choices in _choices(summary).items()]
    return {chart.name: chart for chart in found}


def _choices(summary: Row) -> dict[str, list[Choice]]:
    scores, classifiers = _affordable(summary)
    chosen: dict[str, list[Choice]] = {}
    has_sizes = len(sizes_of(summary)) > 1
    if scores:
        metric = Choice("metric", "Score", [(name, score_label(name)) for name in scores])
        judge = Choice("classifier", "Classifier", classifiers)
        chosen |= {"trade_off": [metric, judge]} | ({"score_by_size": [metric, judge]} if has_sizes else {})
    if has_sizes and (indices := indices_of(summary)):
        chosen["stability_across_sizes"] = [Choice("index", "Index", [(name, index_label(name)) for name in indices])]
    if summary["selections"]:
        chosen["chosen_features"] = _lists(summary)
    for name, part in (("heat_map", "heat_map"), ("agreement_of_methods", "agreement"), ("times", "costs")):
        if summary[part]:
            chosen[name] = []
    if summary["comparisons"] and summary["comparisons"]["friedman"]:
        chosen["critical_difference"] = []
    return chosen


def _affordable(summary: Row) -> tuple[list[str], Options]:
    """Scores and classifiers to choose from, fewer in a study of many methods and sizes."""
    first_score, there = main_metric(summary), metrics_of(summary)
    scores = sorted((name for name in _SCORES if name in there), key=lambda name: name != first_score)
    names = [one["name"] for one in summary["plan"]["classifiers"]]
    first = summary["recommendation"]["classifier"] if summary["recommendation"] else None
    names.sort(key=lambda name: name != first)
    options: Options = (
        [(None, "best of each"), *((name, name) for name in names)] if len(names) > 1 else [(None, names[0])]
    )
    n_points = len({(row["method"], row["size"]) for row in summary["results"]})
    most = max(1, _MOST_POINTS // max(1, n_points))
    scores = scores[: max(1, most // len(options))]
    return scores, options[:most]


def _lists(summary: Row) -> list[Choice]:
    """Methods and sizes, the recommended ones first; fewer sizes in a study of many."""
    found = summary["recommendation"]
    methods = list(dict.fromkeys(row["method"] for row in summary["selections"]))
    sizes = sizes_of(summary)
    if found is not None:
        methods.sort(key=lambda name: name != found["method"])
        nearest = {size: place for place, size in enumerate(sizes)}
        here = nearest.get(found["size"], 0)
        sizes.sort(key=lambda size: abs(nearest[size] - here))
    kept = sorted(sizes[1 : max(1, _MOST_LISTS // len(methods))], key=sizes_of(summary).index)
    sizes = [*sizes[:1], *kept]
    return [
        Choice("method", "Method", [(name, name) for name in methods]),
        Choice("size", "Size", [(size, f"{size:,}" if isinstance(size, int) else size) for size in sizes]),
    ]


def _chart(name: str, draw: Draw, summary: Row, choices: list[Choice]) -> Chart:
    views = {}
    for places in product(*(range(len(choice.options)) for choice in choices)):
        given = {choice.key: choice.options[place][0] for choice, place in zip(choices, places, strict=True)}
        views[",".join(map(str, places))] = _view(draw, summary, given | ({"n_top": _N_TOP} if "size" in given else {}))
    return Chart(name, choices, views)


def _view(draw: Draw, summary: Row, given: dict[str, Any]) -> dict[str, Any]:
    """A figure on both backgrounds, its title as text; or why there is none."""
    try:
        figures = {theme: draw(summary, **given, theme=theme) for theme in _THEMES}
    except ValueError as error:
        return {"caption": str(error)}
    caption = _caption(figures["light"])
    return {"caption": caption, **{theme: _bare(figure) for theme, figure in figures.items()}}


def _caption(figure: go.Figure) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", figure.layout.title.text or "")).split())


def _bare(figure: go.Figure) -> dict[str, Any]:
    """A figure without its title, which stands above it as text."""
    stored: dict[str, Any] = json.loads(figure.to_json())
    layout = stored["layout"]
    layout.pop("template", None)
    if layout.pop("title", {}).get("text"):
        margin = layout.setdefault("margin", {})
        layout["height"] = layout.get("height", HEIGHT) - (margin.get("t", 100) - top_margin(0))
        margin["t"] = top_margin(0)
    return {"data": stored["data"], "layout": layout}
