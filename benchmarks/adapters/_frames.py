"""Column names and data frames for the peers that want pandas."""

import pandas as pd


def named(table):
    """A data frame with columns f0, f1, …"""
    return pd.DataFrame(table, columns=[f"f{column}" for column in range(table.shape[1])])


def columns_of(names):
    """Back from names to column numbers."""
    return [int(str(name)[1:]) for name in names]
