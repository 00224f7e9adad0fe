"""Selectors around another selector, which may be given by name."""

from __future__ import annotations

from typing import Any, Self

from holdfast._parameters import Rule, having
from holdfast._registry import find

PLAIN_SELECTOR = Rule(lambda value: isinstance(value, str), "a method's name such as 'mrmr+'", (0,)) | having(
    "fit", "get_support", words="a selector with fit and get_support"
)


class HoldsSelector:
    """Takes parameters of the selector inside."""

    selector: Any

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also of the selector inside (``selector__C``), which a name then no longer stands for."""
        if isinstance(self.selector, str) and any(name.startswith("selector__") for name in params):
            self.selector = params.pop("selector", None) or find(self.selector).build()
        super().set_params(**params)  # type: ignore[misc]
        return self
