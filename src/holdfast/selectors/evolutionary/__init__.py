"""Selectors in two stages: a filter leaves a pool of features, and a population of sets searches it by a classifier."""

from holdfast.selectors.evolutionary.bee_colony import BeeColony
from holdfast.selectors.evolutionary.mrmr_ga import MRMRGA

__all__ = ["MRMRGA", "BeeColony"]
