"""Makes weka_svm_rfe.json: the orders of Weka's SVMAttributeEval on the data sets of ``svm_datasets.py``.

The evaluator left Weka's core with version 3.7 and its package is on no registry, but Debian ships 3.6::

    cd SCRATCH
    apt-get download weka
    dpkg-deb -x weka_3.6.*_all.deb weka

    cd REPOSITORY
    PYTHONPATH=tests python -m golden.make_weka_svm_rfe SCRATCH/weka/usr/share/java/weka.jar
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from golden import _store
from golden.make_weka import as_arff, run_java
from golden.svm_datasets import THREE_CLASSES, TWO_CLASSES


def main(jars):
    """Ask the Weka in ``jars`` about every data set and write weka_svm_rfe.json."""
    data_sets = [*TWO_CLASSES.values(), *THREE_CLASSES.values()]
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{data.name}.arff" for data in data_sets]
        for file, data in zip(files, data_sets, strict=True):
            file.write_text(as_arff(data))
        printed = run_java(jars, str(_store.HERE / "WekaSvmRfe.java"), *map(str, files))
    first, *answers = [line for line in printed.splitlines() if line.startswith(("Weka ", "{"))]
    java = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[0]
    _store.save(
        "weka_svm_rfe",
        {"weka": first.removeprefix("Weka "), "java": java},
        "tests/golden/make_weka_svm_rfe.py",
        {
            data.name: {"fingerprint": data.fingerprint} | json.loads(answer)
            for data, answer in zip(data_sets, answers, strict=True)
        },
    )


if __name__ == "__main__":
    main(sys.argv[1:])
