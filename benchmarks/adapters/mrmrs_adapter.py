"""mrmrs: Rust; F over mean absolute Pearson."""

import polars as pl
from _run import over_halves, serve
from mrmrs import mrmr


def mrmr_f(problem):
    frame = pl.DataFrame({f"f{column}": values for column, values in enumerate(problem.X.T)})
    target = pl.Series("class", problem.y)
    return lambda: [int(found.name[1:]) for found in mrmr(frame, target, problem.n_select, "classification")]


if __name__ == "__main__":
    serve("mrmrs", {"mrmr-f": mrmr_f, "stable-mrmr-f": over_halves(mrmr_f)})
