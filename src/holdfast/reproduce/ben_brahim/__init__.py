"""Ben Brahim 2015."""
