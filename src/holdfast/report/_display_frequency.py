"""How often features were chosen, as a display."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.pipeline import Pipeline

from holdfast.report._axes import axes_for, fitted_with, name_rows
from holdfast.report._inputs import frequency_of, labels, share, whole

_HAIR = 1e-9
_SHOWN = 30


class FrequencyDisplay:
    """How often the most chosen features were chosen, as bars with names.

    Use it to read a signature and what lies just below the cut. Make it with ``from_estimator`` or ``from_frequency``.

    Parameters
    ----------
    frequency : array-like of shape (n_features,)
        Share of runs that chose each feature.
    names : list of str, default=None
        Names of the features; None numbers the columns: x0, x1 and so on.
    threshold : float, default=None
        Share of runs from which on a feature is kept.

    Attributes
    ----------
    ax_ : matplotlib Axes
        What ``plot`` drew on.
    figure_ : matplotlib Figure
        The figure of these axes.
    bars_ : matplotlib BarContainer
        One bar for each feature shown, the most often chosen first.
    line_ : matplotlib Line2D or None
        The threshold, if there is one.

    Examples
    --------
    >>> from holdfast.report.displays import FrequencyDisplay
    >>> display = FrequencyDisplay([0.2, 0.9, 0.7], ["TP53", "MYC", "ACTB"], threshold=0.6)
    >>> display.figure().layout.title.text
    '<b>2 features were chosen in at least 60% of the runs.</b>'
    """

    def __init__(self, frequency: Any, names: Any = None, *, threshold: float | None = None) -> None:
        self.frequency = frequency_of(frequency, "frequency")
        self.names = labels(names, len(self.frequency), "features", prefix="x")
        self.threshold = None if threshold is None else share(threshold, "threshold")

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, names: Any = None, n_top: int = _SHOWN, ax: Any = None, draw: bool = True, **kwargs: Any
    ) -> Self:
        """From a fitted selector that repeats its selection.

        Parameters
        ----------
        estimator : StabilitySelector, EnsembleSelector or Pipeline that ends in one
            Fitted; it has ``frequency_``.
        names : list of str, default=None
            Names of the features; None takes those the selector was fitted with.
        n_top : int, default=30
            Most features to show.
        ax : matplotlib Axes, default=None
            Where to draw; None makes new axes.
        draw : bool, default=True
            Whether to draw at once; False leaves it to ``plot`` or ``figure``.
        **kwargs : Any
            Passed to ``plot``.

        Returns
        -------
        display : FrequencyDisplay
            The display, drawn.
        """
        last = fitted_with(
            estimator, "frequency_", "FrequencyDisplay.from_frequency(selection_frequency(selector, X, y))"
        )
        known = _names_of(estimator) if names is None else names
        threshold = getattr(last, "threshold_", None)
        return cls.from_frequency(last.frequency_, known, threshold=threshold, n_top=n_top, ax=ax, draw=draw, **kwargs)

    @classmethod
    def from_frequency(
        cls,
        frequency: Any,
        names: Any = None,
        *,
        threshold: float | None = None,
        n_top: int = _SHOWN,
        ax: Any = None,
        draw: bool = True,
        **kwargs: Any,
    ) -> Self:
        """From shares of runs, or what ``selection_frequency`` found.

        Parameters
        ----------
        frequency : array-like of shape (n_features,) or Frequency
            Share of runs that chose each feature.
        names : list of str, default=None
            Names of the features; None numbers the columns.
        threshold : float, default=None
            Share of runs from which on a feature is kept; drawn as a line.
        n_top : int, default=30
            Most features to show.
        ax : matplotlib Axes, default=None
            Where to draw; None makes new axes.
        draw : bool, default=True
            Whether to draw at once; False leaves it to ``plot`` or ``figure``.
        **kwargs : Any
            Passed to ``plot``.

        Returns
        -------
        display : FrequencyDisplay
            The display, drawn.
        """
        display = cls(frequency, names, threshold=threshold)
        return display.plot(ax, n_top=n_top, **kwargs) if draw else display

    def plot(self, ax: Any = None, *, n_top: int = _SHOWN, **kwargs: Any) -> Self:
        """Draw on matplotlib axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes new axes.
        n_top : int, default=30
            Most features to show; features that were never chosen are left out.
        **kwargs : Any
            Passed to ``Axes.barh``.

        Returns
        -------
        display : FrequencyDisplay
            The same, with what was drawn.
        """
        order = np.argsort(-self.frequency, kind="stable")
        order = order[: min(whole(n_top, "n_top"), int((self.frequency > 0).sum()))]
        if len(order) == 0:
            raise ValueError("No feature was chosen in any run, so there are no bars to draw.")
        ax = axes_for(ax, "FrequencyDisplay.plot", height=max(2.5, 1.2 + 0.21 * len(order)))
        shown = self.frequency[order]
        self.bars_ = ax.barh(np.arange(len(order)), shown, **kwargs)
        self.line_ = None
        if self.threshold is not None:
            for bar, value in zip(self.bars_, shown, strict=True):
                if value < self.threshold - _HAIR:
                    bar.set_alpha(0.4)
            self.line_ = ax.axvline(self.threshold, color="0.4", linestyle="--", linewidth=1)
        name_rows(ax, [self.names[j] for j in order])
        ax.set(xlim=(0, 1.02), xlabel="Share of runs that chose the feature")
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def figure(self, *, n_top: int = _SHOWN, theme: str = "light") -> Any:
        """Draw the same with plotly.

        Parameters
        ----------
        n_top : int, default=30
            Most features to show.
        theme : {"light", "dark"}, default="light"
            Background.

        Returns
        -------
        figure : plotly.graph_objects.Figure
            What ``holdfast.report.frequency_bars`` draws.
        """
        from holdfast.report.frequency import frequency_bars

        return frequency_bars(self.frequency, self.names, n_top=n_top, threshold=self.threshold, theme=theme)


def _names_of(estimator: Any) -> Any:
    """Names of the features that a selector chose from, where they are known."""
    if isinstance(estimator, Pipeline) and len(estimator) > 1 and hasattr(estimator, "feature_names_in_"):
        return estimator[:-1].get_feature_names_out()
    last = estimator[-1] if isinstance(estimator, Pipeline) else estimator
    return getattr(last, "feature_names_in_", None)
