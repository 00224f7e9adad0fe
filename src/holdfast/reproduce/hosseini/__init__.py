"""Hosseini 2018."""
