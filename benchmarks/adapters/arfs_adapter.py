"""arfs: F over mean association, in the manner of mrmr_selection."""

import pandas as pd
from _frames import columns_of, named
from _run import serve
from arfs.feature_selection import MinRedundancyMaxRelevance


def mrmr_f(problem):
    frame = named(problem.X)
    target = pd.Series(problem.y).astype(str).rename("class")

    def call():
        model = MinRedundancyMaxRelevance(problem.n_select, task="classification", n_jobs=1, show_progress=False)
        model.fit(frame, target)
        return columns_of(model.selected_features_)

    return call


if __name__ == "__main__":
    serve("arfs", {"mrmr-f": mrmr_f})
