"""The estimators, one small file a method, in folders by family."""

from holdfast.selectors._base import Evaluations, Selector

__all__ = ["Evaluations", "Selector"]
