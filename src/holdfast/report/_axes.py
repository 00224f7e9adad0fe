"""What displays share: matplotlib axes, which are asked for only when something is drawn, and marks on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from holdfast.report._summary import Value

Array = npt.NDArray[Any]
_LONGEST = 30
_MOST_LINES = 18
_MARKERS = "osD^vP*X<>"


def axes_for(ax: Any, what: str, *, height: float = 4.8) -> Any:
    """The axes that were given, or new ones."""
    if ax is not None:
        if not hasattr(ax, "errorbar") or not hasattr(ax, "figure"):
            raise TypeError(f"ax must be matplotlib axes, but {type(ax).__name__} came. Make them with plt.subplots().")
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{what} needs the package matplotlib, which is not installed. Run: pip install 'holdfast[plots]'. "
            "The method figure() draws with plotly instead."
        ) from error
    return plt.subplots(figsize=(6.4, height), layout="constrained")[1]


def marker(number: int) -> str:
    """The mark of a curve, which tells it in print without colours."""
    return _MARKERS[number % len(_MARKERS)]


def brief(name: str) -> str:
    """A name that leaves room for the plot."""
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def name_rows(ax: Any, names: Sequence[str]) -> None:
    """Names from the top down beside a plot; a dollar in a name is no formula."""
    ax.set_yticks(np.arange(len(names)), [brief(name) for name in names], parse_math=False)
    ax.set_ylim(len(names) - 0.4, -0.6)


def legend(ax: Any, handles: Sequence[Any], names: Sequence[str], *, is_beside: bool) -> None:
    """A legend of these, beside new axes, which make room for it, or inside given ones."""
    place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)} if is_beside else {"loc": "best"}
    n_columns = 1 + len(names) // _MOST_LINES
    made = ax.legend(handles, [brief(name) for name in names], fontsize="small", ncols=n_columns, **place)
    for text in made.get_texts():
        text.set_parse_math(False)


def reaches(values: Array, low: Array, high: Array) -> Array:
    """How far intervals go below and above their values (2 × n); NaN where an end is not known."""
    # A percentile interval need not hold the mean, and matplotlib takes no negative lengths.
    below: Array = np.maximum(np.stack([values - low, high - values]), 0.0)
    return below


def parted(values: Sequence[Value]) -> tuple[Array, Array, Array]:
    """Numbers and the ends of their intervals as arrays, with NaN where an end is not known."""
    table = np.array([[np.nan if part is None else part for part in value] for value in values], dtype=np.float64)
    return table[:, 0], table[:, 1], table[:, 2]


def entry(key: str, value: float, low: float, high: float) -> dict[str, float | None]:
    """A number and its interval as the summary of a study has them."""
    return {key: float(value), "low": _known(low), "high": _known(high)}


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def selection_entry(method: str, size: Any, mean: float, index: str, *stability: float) -> dict[str, Any]:
    """A selection as the summary of a study has it."""
    chosen = None if np.isnan(mean) else {"mean": float(mean)}
    return {"method": method, "size": size, "n_selected": chosen, "stability": {index: entry("value", *stability)}}


def fitted_with(estimator: Any, attribute: str, instead: str) -> Any:
    """The fitted selector at the end of a pipeline, or the selector itself, if it has what is to be drawn."""
    last = estimator[-1] if isinstance(estimator, Pipeline) else estimator
    check_is_fitted(last)
    if not hasattr(last, attribute):
        raise ValueError(
            f"{type(last).__name__} has no {attribute}, since it does not repeat its selection. Use a "
            f"StabilitySelector or an EnsembleSelector, or {instead}."
        )
    return last
