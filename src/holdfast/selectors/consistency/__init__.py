"""Methods that keep the features which determine the class together, by how many samples they leave undecided."""

from holdfast.selectors.consistency.focus import Focus
from holdfast.selectors.consistency.interact import Interact
from holdfast.selectors.consistency.lcc import LCC
from holdfast.selectors.consistency.salcc import SALCC
from holdfast.selectors.consistency.sdcc import SDCC
from holdfast.selectors.consistency.swcfs import SWCFS

__all__ = ["LCC", "SALCC", "SDCC", "SWCFS", "Focus", "Interact"]
