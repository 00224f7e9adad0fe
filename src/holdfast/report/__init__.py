"""What was found, to look at: figures of selections and studies, the report of a study, and files of both.

The functions are loaded on first use, and plotly with them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.report.by_size import score_by_size, stability_across_sizes
    from holdfast.report.choices import agreement_of_methods, chosen_features
    from holdfast.report.costs import times
    from holdfast.report.displays import FrequencyDisplay, StabilityDisplay, TradeOffDisplay
    from holdfast.report.evolutions import evolution
    from holdfast.report.export import save
    from holdfast.report.frequency import frequency_bars, frequency_curve
    from holdfast.report.growth import cost_curves
    from holdfast.report.heat_maps import heat_map
    from holdfast.report.matrices import agreement, colour_matrix
    from holdfast.report.p_values import stop_p_values
    from holdfast.report.paths import search_path
    from holdfast.report.ranks import critical_difference
    from holdfast.report.samples import weight_profile
    from holdfast.report.searches import inclusion_trace, rounds
    from holdfast.report.sets import diversity_matrix, redundancy_bars
    from holdfast.report.sizes import stability_by_size
    from holdfast.report.splits import sensitivity_histogram
    from holdfast.report.study import page, tables, text, write
    from holdfast.report.trade_offs import trade_off
    from holdfast.report.values import value_strips

_HOME = {
    "by_size": ("score_by_size", "stability_across_sizes"),
    "choices": ("agreement_of_methods", "chosen_features"),
    "costs": ("times",),
    "displays": ("FrequencyDisplay", "StabilityDisplay", "TradeOffDisplay"),
    "evolutions": ("evolution",),
    "export": ("save",),
    "frequency": ("frequency_bars", "frequency_curve"),
    "growth": ("cost_curves",),
    "heat_maps": ("heat_map",),
    "matrices": ("agreement", "colour_matrix"),
    "p_values": ("stop_p_values",),
    "paths": ("search_path",),
    "ranks": ("critical_difference",),
    "samples": ("weight_profile",),
    "searches": ("inclusion_trace", "rounds"),
    "sets": ("diversity_matrix", "redundancy_bars"),
    "sizes": ("stability_by_size",),
    "splits": ("sensitivity_histogram",),
    "study": ("page", "tables", "text", "write"),
    "trade_offs": ("trade_off",),
    "values": ("value_strips",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "FrequencyDisplay",
    "StabilityDisplay",
    "TradeOffDisplay",
    "agreement",
    "agreement_of_methods",
    "chosen_features",
    "colour_matrix",
    "cost_curves",
    "critical_difference",
    "diversity_matrix",
    "evolution",
    "frequency_bars",
    "frequency_curve",
    "heat_map",
    "inclusion_trace",
    "page",
    "redundancy_bars",
    "rounds",
    "save",
    "score_by_size",
    "search_path",
    "sensitivity_histogram",
    "stability_across_sizes",
    "stability_by_size",
    "stop_p_values",
    "tables",
    "text",
    "times",
    "trade_off",
    "value_strips",
    "weight_profile",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(import_module(f"holdfast.report.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module 'holdfast.report' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
