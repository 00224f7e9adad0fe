"""Compiled loops: plain arrays in, plain arrays out, and the only place that knows numba."""
