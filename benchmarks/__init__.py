"""Holdfast beside every installable peer, in one run: ``python -m benchmarks``."""
