"""Michel 2018."""
