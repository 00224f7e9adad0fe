"""Scores of sets of features that grow and shrink by one feature at a time; larger is better."""
