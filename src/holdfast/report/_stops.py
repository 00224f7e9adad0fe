"""What figures of stopping rules share: rules by name, and the axis of sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from holdfast.report._summary import reach

if TYPE_CHECKING:
    from holdfast.search.stopping import Stopping

MOST_MARKERS = 60
_MOST_TICKS = 12


def by_rule(stops: Any) -> dict[str, Stopping]:
    """Rules by name, from what compare_stops or stop_at gave."""
    given = stops if isinstance(stops, Mapping) else {getattr(stops, "rule", ""): stops}
    for one in given.values():
        if not hasattr(one, "trace") or not hasattr(one, "n_features"):
            raise TypeError(f"stops must be what compare_stops or stop_at gave, but {type(one).__name__} came.")
    return {str(name): one for name, one in given.items()}


def axis_of_sizes(figure: go.Figure, sizes: Iterable[int]) -> None:
    """Let the lower axis hold these numbers of features, with ticks at whole numbers only."""
    known = list(sizes)
    least, most = min(known), max(known)
    figure.update_xaxes(range=reach(known, room=0.04) if least < most else [least - 0.6, most + 0.6], tickformat="d")
    if most - least < _MOST_TICKS:
        figure.update_xaxes(dtick=1)
