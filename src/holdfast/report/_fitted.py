"""What figures of one fitted selector share: that it is one, and what its columns are called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sklearn.utils.validation import check_is_fitted


def require(search: Any, attribute: str, kind: str) -> None:
    """Refuse what is not fitted, or has not what is to be drawn."""
    if not hasattr(search, "fit") or isinstance(search, type):
        raise TypeError(f"This figure shows a fitted {kind}, but {type(search).__name__} came.")
    check_is_fitted(search)
    if not hasattr(search, attribute):
        raise TypeError(
            f"This figure shows a fitted {kind}, but {type(search).__name__} came, which has no {attribute}."
        )


def names_of(search: Any, columns: Iterable[int]) -> list[str]:
    """Names of columns as the selector was given them, or x0, x1 and so on."""
    known = getattr(search, "feature_names_in_", None)
    return [f"x{column}" if known is None else str(known[column]) for column in columns]
