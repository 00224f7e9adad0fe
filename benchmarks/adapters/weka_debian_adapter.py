"""Weka 3.6, which Debian ships: the last whose core ranks by SVM-RFE. Java keeps the clock, as with the newer one."""

import os

from _run import serve
from weka_adapter import Weka


def svm_rfe(problem):
    return Weka("svm-rfe", problem.X, problem.y, False, problem.n_select, classpath="WEKA_DEBIAN_CLASSPATH")


if __name__ == "__main__":
    serve("weka", {"svm-rfe": svm_rfe}, os.environ["WEKA_DEBIAN_VERSION"])
