"""Accuracy and stability of the configurations of a study, as a display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from holdfast.evaluate.pareto import pareto_front
from holdfast.report._axes import axes_for, entry, legend, marker, parted, reaches, selection_entry
from holdfast.report._inputs import numbers
from holdfast.report._summary import (
    SCHEMA,
    SMALLER_IS_BETTER,
    VERSION,
    Result,
    check_index,
    results_of,
    selection_of,
    stability_of,
    summary_of,
    value_of,
    words,
)

Array = npt.NDArray[Any]


class TradeOffDisplay:
    """How accurate and how stable the methods of a study are, and which no other beats in both.

    Use it to choose a method and a size. Make it with ``from_study``.

    Parameters
    ----------
    stability : array-like of shape (n_points, 3)
        Stability of each configuration, with the lower and upper end of its interval; NaN where there is none.
    score : array-like of shape (n_points, 3)
        What the classifier reached, with the ends of its interval.
    methods : list of str
        Method of each configuration.
    sizes : list of int or str
        How many features it takes; "own" or "tuned" where that is not fixed.
    classifiers : list of str
        Classifier of each configuration.
    recommended : int or None, default=None
        Number of the configuration that the study recommends.
    metric : str, default="accuracy"
        What the scores are.
    index : str, default="nogueira"
        Which index of stability.

    Attributes
    ----------
    is_front : ndarray of shape (n_points,)
        Whether no other configuration is better in both.
    ax_ : matplotlib Axes
        What ``plot`` drew on.
    figure_ : matplotlib Figure
        The figure of these axes.
    points_ : list of matplotlib PathCollection
        Points of each method, in the order of their appearance.
    line_ : matplotlib Line2D
        The front.
    ring_ : matplotlib PathCollection or None
        Around what is recommended.
    texts_ : list of matplotlib Annotation
        Sizes beside the points on the front and the recommended one.

    Examples
    --------
    >>> from holdfast.report.displays import TradeOffDisplay
    >>> display = TradeOffDisplay(
    ...     [[0.7, 0.6, 0.8], [0.4, 0.3, 0.5]], [[0.91, 0.88, 0.94], [0.88, 0.85, 0.91]],
    ...     methods=["t-test", "relieff"], sizes=[10, 10], classifiers=["svm", "svm"],
    ... )
    >>> display.is_front.tolist()
    [True, False]
    """

    def __init__(
        self,
        stability: Any,
        score: Any,
        *,
        methods: Sequence[str],
        sizes: Sequence[Any],
        classifiers: Sequence[str],
        recommended: int | None = None,
        metric: str = "accuracy",
        index: str = "nogueira",
    ) -> None:
        self.stability, self.score = (
            _with_ends(table, what) for table, what in ((stability, "stability"), (score, "score"))
        )
        self.methods, self.classifiers = [str(name) for name in methods], [str(name) for name in classifiers]
        self.sizes = list(sizes)
        self.recommended = recommended
        self.metric, self.index = metric, index
        for what in ("score", "methods", "sizes", "classifiers"):
            if len(getattr(self, what)) != len(self.stability):
                raise ValueError(
                    f"There are {len(self.stability)} values of stability but {len(getattr(self, what))} of {what}."
                )
        goals = np.column_stack([self.stability[:, 0], self.score[:, 0]])
        self.is_front = pareto_front(goals, maximise=[True, metric not in SMALLER_IS_BETTER])

    @classmethod
    def from_study(
        cls,
        study: Any,
        *,
        metric: str = "accuracy",
        index: str = "nogueira",
        classifier: str | None = None,
        ax: Any = None,
        draw: bool = True,
        **kwargs: Any,
    ) -> Self:
        """From a study: one point for each method and size, and one for what is recommended.

        Parameters
        ----------
        study : Study or dict
            What ``compare`` gave, or its summary.
        metric : str, default="accuracy"
            What the classifiers reached: any metric of the study. Of error and brier, less is better.
        index : str, default="nogueira"
            Index of stability: any that the study holds.
        classifier : str, default=None
            Name of the classifier; None takes the one with the best mean for each point.
        ax : matplotlib Axes, default=None
            Where to draw; None makes new axes.
        draw : bool, default=True
            Whether to draw at once; False leaves it to ``plot`` or ``figure``.
        **kwargs : Any
            Passed to ``plot``.

        Returns
        -------
        display : TradeOffDisplay
            The display, drawn.
        """
        summary = summary_of(study)
        check_index(summary, index)
        results = results_of(summary, metric, classifier)
        advice = _recommended(summary, metric, classifier)
        if advice is not None and advice not in results:
            results.append(advice)
        pairs = []
        for result in results:
            value = stability_of(selection_of(summary, result.method, result.size, result.classifier), index)
            if value is not None:
                pairs.append((value, result))
        if not pairs:
            raise ValueError(
                f"No method and size has both a value of {metric} and of {index}: there is no point to draw."
            )
        shown = [result for _, result in pairs]
        display = cls(
            np.column_stack(parted([value for value, _ in pairs])),
            np.column_stack(parted([result.score for result in shown])),
            methods=[result.method for result in shown],
            sizes=[result.size for result in shown],
            classifiers=[result.classifier for result in shown],
            recommended=shown.index(advice) if advice in shown else None,
            metric=metric,
            index=index,
        )
        return display.plot(ax, **kwargs) if draw else display

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw on matplotlib axes: stability to the right, score upwards, the front as a stepped line.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes new axes.
        **kwargs : Any
            Passed to ``Axes.scatter``.

        Returns
        -------
        display : TradeOffDisplay
            The same, with what was drawn.
        """
        is_new = ax is None
        ax = axes_for(ax, "TradeOffDisplay.plot")
        x, y = self.stability[:, 0], self.score[:, 0]
        front = np.flatnonzero(self.is_front)
        front = front[np.argsort(x[front], kind="stable")]
        (self.line_,) = ax.plot(x[front], y[front], drawstyle="steps-pre", color="0.4", linestyle=":", zorder=1.5)
        names = list(dict.fromkeys(self.methods))
        self.points_ = []
        for number, name in enumerate(names):
            here = np.array([i for i, other in enumerate(self.methods) if other == name])
            style = {"marker": marker(number), "zorder": 3, **kwargs}
            points = ax.scatter(x[here], y[here], **style)
            ax.errorbar(
                x[here],
                y[here],
                xerr=reaches(*self.stability[here].T),
                yerr=reaches(*self.score[here].T),
                fmt="none",
                ecolor=points.get_facecolor()[:1],
                elinewidth=0.8,
                alpha=0.35,
                zorder=2,
            )
            self.points_.append(points)
        handles, said = [*self.points_, self.line_], [*names, "none is better in both"]
        self.ring_ = None
        if self.recommended is not None:
            at = self.recommended
            self.ring_ = ax.scatter(x[at], y[at], s=160, facecolors="none", edgecolors="0.2", zorder=4)
            handles.append(self.ring_)
            said.append("recommended")
        told = sorted({*front.tolist(), *([] if self.recommended is None else [self.recommended])})
        self.texts_ = [
            ax.annotate(str(self.sizes[i]), (x[i], y[i]), xytext=(6, 6), textcoords="offset points", fontsize="small")
            for i in told
        ]
        legend(ax, handles, said, is_beside=is_new)
        less = ", less is better" if self.metric in SMALLER_IS_BETTER else ""
        ax.set(xlabel=f"Stability ({words(self.index)})", ylabel=f"{words(self.metric)}{less}")
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def figure(self, *, theme: str = "light") -> Any:
        """Draw the same with plotly.

        Parameters
        ----------
        theme : {"light", "dark"}, default="light"
            Background.

        Returns
        -------
        figure : plotly.graph_objects.Figure
            What ``holdfast.report.trade_off`` draws.
        """
        from holdfast.report.trade_offs import trade_off

        results, selections = [], []
        for method, size, classifier, stability, score in zip(
            self.methods, self.sizes, self.classifiers, self.stability, self.score, strict=True
        ):
            who = {"method": method, "size": size, "classifier": classifier}
            results.append({**who, self.metric: entry("mean", *score)})
            selections.append(selection_entry(method, size, np.nan, self.index, *stability) | who)
        summary: dict[str, Any] = {"schema": SCHEMA, "schema_version": VERSION}
        summary |= {"results": results, "selections": selections}
        if self.recommended is not None:
            summary["recommendation"] = {
                key: results[self.recommended][key] for key in ("method", "size", "classifier")
            }
        return trade_off(summary, metric=self.metric, index=self.index, theme=theme)


def _with_ends(table: Any, what: str) -> Array:
    """Values with the ends of their intervals (n × 3); the values themselves are known."""
    found = np.asarray(table, dtype=np.float64)
    if found.ndim != 2 or found.shape[1] != 3:
        raise ValueError(f"{what} has the shape {found.shape}, but a value and two ends are needed for each point.")
    numbers(found[:, 0], what)
    return found


def _recommended(summary: Mapping[str, Any], metric: str, classifier: str | None) -> Result | None:
    """What the study recommends, unless another classifier was asked for."""
    advice = summary.get("recommendation") or {}
    wanted = (advice.get("method"), advice.get("size"), advice.get("classifier"))
    for row in summary.get("results") or []:
        if (row["method"], row["size"], row["classifier"]) == wanted and classifier in (None, wanted[2]):
            score = value_of(row.get(metric), "mean")
            return None if score is None else Result(*wanted, score)
    return None
