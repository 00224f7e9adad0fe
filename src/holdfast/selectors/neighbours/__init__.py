"""Methods that ask who is near whom."""

from holdfast.selectors.neighbours.hybrid import HIBCSS, HIBSBS
from holdfast.selectors.neighbours.instance import InstanceBased
from holdfast.selectors.neighbours.relief import Relief, ReliefF
from holdfast.selectors.neighbours.surf import SURF, MultiSURF
from holdfast.selectors.neighbours.turf import TuRF

__all__ = ["HIBCSS", "HIBSBS", "SURF", "InstanceBased", "MultiSURF", "Relief", "ReliefF", "TuRF"]
