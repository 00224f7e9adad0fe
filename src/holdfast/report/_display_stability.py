"""How far repeated selections agree, as a display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from holdfast.report._axes import axes_for, fitted_with, legend, marker, name_rows, parted, reaches, selection_entry
from holdfast.report._inputs import by_name, numbers, whole
from holdfast.report._summary import SCHEMA, VERSION, check_index, stability_of, summary_of, words
from holdfast.stability import nogueira_interval
from holdfast.stability._runs import as_runs

_HAIR = 1e-9


class StabilityDisplay:
    """How far repeated selections agree, with intervals, for one method or several, at one size or several.

    Use it to compare methods, or to choose how many features to keep. Make it with ``from_runs``, ``from_estimator`` or
    ``from_study``.

    Parameters
    ----------
    stability : array-like of shape (n_points,)
        Values of the index.
    low : array-like of shape (n_points,)
        Lower ends of the intervals; NaN where there is none.
    high : array-like of shape (n_points,)
        Upper ends of the intervals.
    methods : list of str
        Which method each point belongs to.
    sizes : list of int or str
        How many features each point is about; "own" or "tuned" where that is not fixed.
    n_selected : array-like of shape (n_points,)
        How many features were chosen, on average.
    index : str, default="nogueira"
        Which index of stability the values are of.

    Attributes
    ----------
    ax_ : matplotlib Axes
        What ``plot`` drew on.
    figure_ : matplotlib Figure
        The figure of these axes.
    errorbars_ : list of matplotlib ErrorbarContainer
        Values and intervals of each method, in the order of their appearance.
    lines_ : list of matplotlib Line2D
        A line through the fixed sizes of each method; none if every method has one value.

    Examples
    --------
    >>> from holdfast.report.displays import StabilityDisplay
    >>> runs = {"steady": [{0, 1}, {0, 1}, {0, 2}], "shaky": [{0, 1}, {2, 3}, {0, 4}]}
    >>> display = StabilityDisplay.from_runs(runs, n_features=20, draw=False)
    >>> dict(zip(display.methods, display.stability.round(2).tolist()))
    {'steady': 0.63, 'shaky': 0.07}
    """

    def __init__(
        self,
        stability: Any,
        low: Any,
        high: Any,
        *,
        methods: Sequence[str],
        sizes: Sequence[Any],
        n_selected: Any,
        index: str = "nogueira",
    ) -> None:
        self.stability = numbers(stability, "stability")
        n_points = len(self.stability)
        self.low, self.high = (np.asarray(end, dtype=np.float64) for end in (low, high))
        self.methods = [str(name) for name in methods]
        self.sizes = list(sizes)
        self.n_selected = numbers(n_selected, "n_selected")
        self.index = index
        for what in ("low", "high", "methods", "sizes", "n_selected"):
            if len(getattr(self, what)) != n_points:
                raise ValueError(f"There are {n_points} values of stability but {len(getattr(self, what))} of {what}.")

    @classmethod
    def from_runs(
        cls,
        runs: Any,
        *,
        n_features: int | None = None,
        level: float = 0.95,
        ax: Any = None,
        draw: bool = True,
        **kwargs: Any,
    ) -> Self:
        """From what repeated selections chose (Nogueira's index).

        Parameters
        ----------
        runs : runs, or dict of names or sizes to runs, or dict of names to dicts of sizes to runs
            Runs are what ``nogueira_interval`` takes: zeros and ones with one run per row, lists of names or column
            numbers, fitted selectors, or a Frequency. Whole numbers as keys are sizes, texts are names of methods.
        n_features : int or None, default=None
            Number of features to choose from; needed if runs are lists of names or of column numbers.
        level : float, default=0.95
            Confidence of the intervals.
        ax : matplotlib Axes, default=None
            Where to draw; None makes new axes.
        draw : bool, default=True
            Whether to draw at once; False leaves it to ``plot`` or ``figure``.
        **kwargs : Any
            Passed to ``plot``.

        Returns
        -------
        display : StabilityDisplay
            The display, drawn.
        """
        points = []
        for name, size, one in _runs_by_name(runs):
            found = nogueira_interval(one, n_features=n_features, level=level)
            if np.isnan(found.value):
                raise ValueError(f"The stability of {name} is undefined: its runs choose nothing, or everything.")
            chosen = as_runs(one, n_features).sizes
            fixed = int(chosen[0]) if (chosen == chosen[0]).all() else "own"
            points.append((found.value, found.low, found.high, name, size or fixed, float(chosen.mean())))
        return cls._of(points, "nogueira", ax, draw, kwargs)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, draw: bool = True, **kwargs: Any) -> Self:
        """From fitted selectors that repeat their selection.

        Parameters
        ----------
        estimator : StabilitySelector, EnsembleSelector, Pipeline that ends in one, or dict of names to these
            Fitted; they have ``stability_``.
        ax : matplotlib Axes, default=None
            Where to draw; None makes new axes.
        draw : bool, default=True
            Whether to draw at once; False leaves it to ``plot`` or ``figure``.
        **kwargs : Any
            Passed to ``plot``.

        Returns
        -------
        display : StabilityDisplay
            The display, drawn.
        """
        points = []
        for name, one in by_name(estimator, "").items():
            last = fitted_with(one, "stability_", "StabilityDisplay.from_runs(selection_frequency(selector, X, y))")
            label = name or type(last).__name__
            if np.isnan(last.stability_):
                raise ValueError(
                    f"The stability of {label} is undefined: it has one run only, or one without features."
                )
            mean = float(last.frequency_.sum())
            fixed = round(mean) if abs(mean - round(mean)) < _HAIR else "own"
            points.append((last.stability_, *last.stability_interval_, label, fixed, mean))
        return cls._of(points, "nogueira", ax, draw, kwargs)

    @classmethod
    def from_study(
        cls, study: Any, *, index: str = "nogueira", ax: Any = None, draw: bool = True, **kwargs: Any
    ) -> Self:
        """From a study: every method at every size.

        Parameters
        ----------
        study : Study or dict
            What ``compare`` gave, or its summary.
        index : str, default="nogueira"
            Index of stability: any that the study holds.
        ax : matplotlib Axes, default=None
            Where to draw; None makes new axes.
        draw : bool, default=True
            Whether to draw at once; False leaves it to ``plot`` or ``figure``.
        **kwargs : Any
            Passed to ``plot``.

        Returns
        -------
        display : StabilityDisplay
            The display, drawn.
        """
        summary = summary_of(study)
        check_index(summary, index)
        points = []
        for row in summary["selections"]:
            value = stability_of(row, index)
            mean = (row.get("n_selected") or {}).get("mean")
            at = row["size"] if not isinstance(row["size"], str) else mean
            if value is not None and at is not None:
                ((center,), (low,), (high,)) = parted([value])
                points.append((center, low, high, row["method"], row["size"], float(at)))
        if not points:
            raise ValueError(f"No selection of the study has a value of {index}. Pass another index.")
        return cls._of(points, index, ax, draw, kwargs)

    @classmethod
    def _of(cls, points: list[Any], index: str, ax: Any, draw: bool, kwargs: dict[str, Any]) -> Self:
        stability, low, high, methods, sizes, n_selected = zip(*points, strict=True)
        display = cls(stability, low, high, methods=methods, sizes=sizes, n_selected=n_selected, index=index)
        return display.plot(ax, **kwargs) if draw else display

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw on matplotlib axes: methods from the top down if each has one value, else against the size.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes new axes.
        **kwargs : Any
            Passed to ``Axes.errorbar``.

        Returns
        -------
        display : StabilityDisplay
            The same, with what was drawn.
        """
        names = list(dict.fromkeys(self.methods))
        is_single = len(names) == len(self.methods)
        height = max(2.0, 1.2 + 0.35 * len(names)) if is_single else 4.8
        is_new = ax is None
        ax = axes_for(ax, "StabilityDisplay.plot", height=height)
        label = f"Stability ({words(self.index)})"
        self.errorbars_, self.lines_ = [], []
        for number, name in enumerate(names):
            here = np.array([i for i, other in enumerate(self.methods) if other == name])
            here = here[np.argsort(self.n_selected[here], kind="stable")]
            values, ends = self.stability[here], reaches(self.stability[here], self.low[here], self.high[here])
            style = {"fmt": marker(number), "capsize": 3.0, **kwargs}
            if is_single:
                self.errorbars_.append(ax.errorbar(values, [number], xerr=ends, **style))
                continue
            self.errorbars_.append(ax.errorbar(self.n_selected[here], values, yerr=ends, **style))
            fixed = [i for i in here if not isinstance(self.sizes[i], str)]
            colour = self.errorbars_[-1].lines[0].get_color()
            self.lines_ += ax.plot(self.n_selected[fixed], self.stability[fixed], color=colour)
        if is_single:
            name_rows(ax, names)
            ax.set(xlabel=label)
        else:
            ax.set(xlabel="Number of chosen features", ylabel=label)
        if len(names) > 1 and not is_single:
            legend(ax, self.errorbars_, names, is_beside=is_new)
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
            What ``holdfast.report.stability_across_sizes`` draws.
        """
        from holdfast.report.by_size import stability_across_sizes

        rows = [
            selection_entry(self.methods[i], self.sizes[i], self.n_selected[i], self.index, *ends)
            for i, ends in enumerate(zip(self.stability, self.low, self.high, strict=True))
        ]
        summary = {"schema": SCHEMA, "schema_version": VERSION, "selections": rows}
        return stability_across_sizes(summary, index=self.index, theme=theme)


def _runs_by_name(runs: Any) -> list[tuple[str, int | None, Any]]:
    """A name, a size if it is said, and runs, for every point."""
    if not isinstance(runs, Mapping):
        return [("the runs", None, runs)]
    if not runs:
        raise ValueError("The mapping is empty: give at least one method, as {'its name': its runs}.")
    found: list[tuple[str, int | None, Any]] = []
    for key, value in runs.items():
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            found.append(("the runs", whole(key, "A size among runs"), value))
        elif isinstance(value, Mapping):
            found += [(str(key), whole(size, f"A size among runs of {key}"), one) for size, one in value.items()]
        else:
            found.append((str(key), None, value))
    return found
