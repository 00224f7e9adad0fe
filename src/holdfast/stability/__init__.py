"""How far a selection holds when the data shift a little."""

from holdfast.stability.frequency import Frequency, selection_frequency
from holdfast.stability.perturb import half_samples

__all__ = ["Frequency", "half_samples", "selection_frequency"]
