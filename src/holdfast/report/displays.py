"""Displays in the manner of scikit-learn's: plain data, ``plot`` on matplotlib axes, ``figure`` for plotly.

Neither matplotlib nor plotly is loaded before something is drawn with it.
"""

from __future__ import annotations

from holdfast.report._display_frequency import FrequencyDisplay
from holdfast.report._display_stability import StabilityDisplay
from holdfast.report._display_trade_off import TradeOffDisplay

__all__ = ["FrequencyDisplay", "StabilityDisplay", "TradeOffDisplay"]
