"""Pictures of how far a selection holds: plotly figures, and files of them.

The functions are loaded on first use, and plotly with them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.report.export import save
    from holdfast.report.frequency import frequency_bars, frequency_curve
    from holdfast.report.matrices import agreement, colour_matrix
    from holdfast.report.samples import weight_profile
    from holdfast.report.sizes import stability_by_size

_HOME = {
    "export": ("save",),
    "frequency": ("frequency_bars", "frequency_curve"),
    "matrices": ("agreement", "colour_matrix"),
    "samples": ("weight_profile",),
    "sizes": ("stability_by_size",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "agreement",
    "colour_matrix",
    "frequency_bars",
    "frequency_curve",
    "save",
    "stability_by_size",
    "weight_profile",
]


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(import_module(f"holdfast.report.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module 'holdfast.report' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
