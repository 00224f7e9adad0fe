"""What the methods of a study chose: how often each feature came back, and how far methods agree."""

from __future__ import annotations

from html import unescape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from holdfast.report._style import clipped, look, plain
from holdfast.report._summary import one_of, size_words, summary_of, words
from holdfast.report.frequency import frequency_bars
from holdfast.report.matrices import agreement

# What a phone has room for under the cells: letters in a line, and upright names.
_PHONE_LINE = 30
_MOST_LABELS = 24


def chosen_features(
    study: Any,
    *,
    method: str | None = None,
    size: int | str | None = None,
    classifier: str | None = None,
    n_top: int = 30,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """How often each feature was chosen in the splits of a study, and which are chosen on all samples.

    Use it to read the list that a study ends with: what is chosen on all samples but came back in few splits hangs on
    a few samples, and what came back often but is missing from the list lost by a hair.

    Parameters
    ----------
    study : Study or dict
        What ``compare`` gave, or its summary.
    method : str, default=None
        Name of the method; None for the recommended one.
    size : int or {"own", "tuned"}, default=None
        Number of features; None for the recommended one where the method has it, otherwise its first.
    classifier : str, default=None
        For which classifier a tuned size was tuned; None for the recommended one. Other sizes do not depend on it.
    n_top : int, default=30
        Most features to show.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One bar for each feature, the most often chosen at the top; strong colours for those chosen on all samples.

    Examples
    --------
    >>> from holdfast.report import chosen_features
    >>> features = [
    ...     {"name": "MYC", "frequency": 0.9, "rank": 1},
    ...     {"name": "TP53", "frequency": 0.6, "rank": None},
    ...     {"name": "ACTB", "frequency": 0.3, "rank": 2},
    ... ]
    >>> study = {
    ...     "schema": "holdfast.study",
    ...     "schema_version": 1,
    ...     "selections": [{"method": "t-test", "size": 2, "features": features}],
    ... }
    >>> chosen_features(study, method="t-test").layout.title.text
    '<b>Of 2 features that t-test chose on all samples, 1 came back in most splits.</b>'
    """
    colours = look(theme)
    selection = _selection(summary_of(study), method, size, classifier)
    name, features = selection["method"], selection.get("features") or []
    if not any(feature["frequency"] for feature in features):
        raise ValueError(f"{name} with {size_words(selection['size'])} chose no feature in any split.")
    figure = frequency_bars(
        [feature["frequency"] for feature in features],
        [feature["name"] for feature in features],
        n_top=n_top,
        title=_title(name, features) if title is None else title,
        theme=theme,
    )
    order = np.argsort([-feature["frequency"] for feature in features], kind="stable")
    (bars,) = figure.data
    figure.data = ()
    for is_kept, colour, legend in (
        (True, colours.series[0], "chosen on all samples"),
        (False, colours.faint, "not chosen on all samples"),
    ):
        here = [i for i in range(len(bars.x)) if (features[order[i]].get("rank") is not None) == is_kept]
        if here:
            figure.add_trace(
                go.Bar(
                    x=[bars.x[i] for i in here],
                    y=here,
                    orientation="h",
                    marker={"color": colour, "line": {"width": 0}},
                    name=legend,
                    showlegend=True,
                    customdata=[_hover(features[order[i]]) for i in here],
                    hovertemplate="%{customdata}<extra></extra>",
                )
            )
    figure.update_xaxes(title_text="Share of splits")
    return figure


def _selection(summary: dict[str, Any], method: str | None, size: Any, classifier: str | None) -> dict[str, Any]:
    rows = summary.get("selections") or []
    advice = summary.get("recommendation") or {}
    known = [row["method"] for row in rows]
    wanted = advice.get("method") if method is None else method
    if wanted is None:
        listed = ", ".join(repr(name) for name in dict.fromkeys(known)) or "none yet"
        raise ValueError(f"The study recommends no method; pass one of those it has: {listed}.")
    one_of(wanted, known, "method")
    sizes = [row["size"] for row in rows if row["method"] == wanted]
    if size is None:
        size = advice.get("size") if advice.get("size") in sizes else sizes[0]
    one_of(size, sizes, "size", where=f"in the study for {wanted}")
    here = [row for row in rows if (row["method"], row["size"]) == (wanted, size)]
    judges = [row.get("classifier") for row in here]
    if classifier is not None and None not in judges:
        one_of(classifier, judges, "classifier")
    judge = advice.get("classifier") if classifier is None else classifier
    found: dict[str, Any] = next((row for row in here if row.get("classifier") == judge), here[0])
    return found


def _title(method: str, features: list[dict[str, Any]]) -> str:
    kept = [feature["frequency"] for feature in features if feature.get("rank") is not None]
    if not kept:
        return f"None of the features that {clipped(method)} chose in the splits is chosen on all samples."
    n_often = sum(frequency > 0.5 for frequency in kept)
    some = "1 feature" if len(kept) == 1 else f"{len(kept)} features"
    often = f"{n_often or 'none'} came back in most splits"
    return f"Of {some} that {clipped(method)} chose on all samples, {often}."


def _hover(feature: dict[str, Any]) -> str:
    rank = feature.get("rank")
    last = "not chosen on all samples" if rank is None else f"rank {rank} on all samples"
    score = feature.get("score")
    return f"<b>{plain(feature['name'])}</b><br>chosen in {feature['frequency']:.1%} of splits<br>{last}" + (
        "" if score is None else f", score {score:.4g}"
    )


def agreement_of_methods(study: Any, *, title: str | None = None, theme: str = "light") -> go.Figure:
    """How far the methods of a study choose the same features, with like methods side by side.

    Use it to see which methods tell the same story and which stand alone.

    Parameters
    ----------
    study : Study or dict
        What ``compare`` gave, or its summary.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        Methods in the order of a hierarchical clustering; a method whose agreement is not defined is left out.

    Examples
    --------
    >>> from holdfast.report import agreement_of_methods
    >>> values = {"size": 20, "index": "jaccard", "methods": ["t-test", "cfs"], "values": [[1.0, 0.3], [0.3, 1.0]]}
    >>> study = {"schema": "holdfast.study", "schema_version": 1, "agreement": values}
    >>> agreement_of_methods(study).layout.title.text
    '<b>All pairs agree alike (0.30).</b>'
    """
    source = summary_of(study).get("agreement")
    if not source:
        raise ValueError("The study holds no agreement of methods: it needs at least two.")
    methods = [str(name) for name in source["methods"]]
    cells = np.array([[np.nan if value is None else value for value in row] for row in source["values"]], dtype=float)
    kept = list(range(len(methods)))
    while kept and np.isnan(cells[np.ix_(kept, kept)]).any():
        n_missing = np.isnan(cells[np.ix_(kept, kept)]).sum(axis=1)
        kept.pop(int(n_missing.argmax()))
    if len(kept) < 2:
        raise ValueError("The agreement of methods is not defined for any two of them, so there is nothing to draw.")
    figure = agreement(
        cells[np.ix_(kept, kept)],
        [clipped(methods[i]) for i in kept],
        measure=words(source["index"]),
        title=title,
        theme=theme,
    )
    labels = [plain(clipped(name, 16)) for name in map(unescape, figure.layout.yaxis.ticktext)]
    is_level = sum(map(len, labels)) <= _PHONE_LINE
    figure.update_layout(height=figure.layout.height + (40 if is_level else 110))
    figure.update_yaxes(ticktext=labels)
    figure.update_xaxes(
        ticktext=labels,
        tickangle=0 if is_level else 90,
        showticklabels=len(labels) <= _MOST_LABELS,
        title_text=f"{plain(words(source['index']))},<br>selections of {plain(size_words(source['size']))}",
    )
    return figure
