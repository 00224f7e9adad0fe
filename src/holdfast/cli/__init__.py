"""The command line: `holdfast select`, `check`, `methods` and `demo`."""
