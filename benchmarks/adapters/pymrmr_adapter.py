"""pymrmr: Peng's own C++ behind Python; the class is the first column of the frame."""

import pymrmr
from _frames import columns_of, named
from _run import serve


def mrmr_mi(problem):
    frame = named(problem.codes.astype(int))
    frame.insert(0, "class", problem.y)
    return lambda: columns_of(pymrmr.mRMR(frame, "MID", problem.n_select))


if __name__ == "__main__":
    serve("pymrmr", {"mrmr-mi": mrmr_mi})
