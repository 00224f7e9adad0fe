"""Ways into Holdfast from the objects of other libraries.

Loaded on first use; ``holdfast.bridges.anndata`` works on AnnData objects.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.bridges import anndata

__all__ = ["anndata"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return import_module(f"holdfast.bridges.{name}")
    raise AttributeError(f"module 'holdfast.bridges' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
