"""Makes fcbf.json: FCBF subsets of the discrete data sets, from two packages of the Python index.

Weka's FCBF is a separate package outside the jars of the Python index and of Debian, so Orange3 and the
package fcbf stand in. They run in the environments of the benchmark (``make bench-peers``)::

    PYTHONPATH=tests python -m golden.make_fcbf .bench
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from golden import _store, datasets

ADAPTERS = _store.HERE.parent.parent / "benchmarks" / "adapters"


def ask(cache, peer, data):
    """The subset one peer keeps, best first, and its version."""
    with tempfile.TemporaryDirectory() as folder:
        problem, result = Path(folder) / "problem.npz", Path(folder) / "result.json"
        np.savez(problem, X=data.X, codes=data.X.astype(np.int8), y=data.y, n_select=data.X.shape[1])
        python = Path(cache) / peer / "bin" / "python"
        command = [python, ADAPTERS / f"{peer}_adapter.py", "fcbf", problem, result, "--repeats", "1"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return json.loads(result.read_text())


def main(cache):
    """Ask both packages about each discrete data set."""
    versions, answers = {}, {}
    for data in (make() for make in datasets.ALL):
        if data.is_discrete:
            answers[data.name] = {"fingerprint": data.fingerprint}
            for peer in ("orange", "fcbf"):
                found = ask(cache, peer, data)
                versions[peer] = found["version"]
                answers[data.name][peer] = found["picks"]
    _store.save("fcbf", versions, "tests/golden/make_fcbf.py", answers)


if __name__ == "__main__":
    main(sys.argv[1])
