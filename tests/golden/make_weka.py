"""Makes weka.json, weka_relief.json and weka_consistency.json: what Weka says about the data sets of this folder.

Needs Java 11 or newer and Weka's jars, none of which belong in the repository::

    cd SCRATCH
    pip download --no-deps --no-binary :all: python-weka-wrapper3    # weka.jar 3.9 and its helpers
    tar -xzf python_weka_wrapper3-*.tar.gz

    cd REPOSITORY
    export PYTHONPATH=tests
    python -m golden.make_weka weka SCRATCH/python_weka_wrapper3-*/python/weka/lib/*.jar
    python -m golden.make_weka weka_relief SCRATCH/python_weka_wrapper3-*/python/weka/lib/*.jar

The consistency of subsets left Weka's core with version 3.7, but Debian ships 3.6::

    cd SCRATCH
    apt-get download weka
    dpkg-deb -x weka_3.6.*_all.deb weka

    cd REPOSITORY
    PYTHONPATH=tests python -m golden.make_weka weka_consistency SCRATCH/weka/usr/share/java/weka.jar
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from golden import _store, datasets


def as_arff(data):
    """The table as ARFF text, class last; codes become nominal attributes."""
    nominal = set(data.nominal)
    lines = [f"@relation {data.name}"]
    lines += [
        f"@attribute f{column} {'{0,1,2}' if column in nominal else 'numeric'}" for column in range(data.X.shape[1])
    ]
    lines += [
        "@attribute class {" + ",".join(f"c{label}" for label in sorted(set(data.y.tolist()))) + "}",
        "@data",
    ]
    for row, label in zip(data.X.tolist(), data.y.tolist(), strict=True):
        cells = [str(int(cell)) if column in nominal else repr(cell) for column, cell in enumerate(row)]
        lines.append(",".join([*cells, f"c{label}"]))
    return "\n".join(lines) + "\n"


def run_java(jars, *arguments):
    """Run Java with the jars on the class path, Weka's own home in a folder that vanishes."""
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"WEKA_HOME": home}
        command = [
            "java",
            f"-Duser.home={home}",
            "-Djava.awt.headless=true",
            "-cp",
            os.pathsep.join(jars),
            *arguments,
        ]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


PROGRAMS = {
    "weka": ("WekaGolden.java", datasets.ALL),
    "weka_relief": ("WekaRelief.java", datasets.FOR_NEIGHBOURS),
    "weka_consistency": ("WekaConsistency.java", datasets.FOR_CONSISTENCY),
}


def main(name, jars):
    """Ask the Weka in ``jars`` about every data set and write ``name.json``."""
    program, makers = PROGRAMS[name]
    data_sets = [make() for make in makers]
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{data.name}.arff" for data in data_sets]
        for file, data in zip(files, data_sets, strict=True):
            file.write_text(as_arff(data))
        printed = run_java(jars, str(_store.HERE / program), *map(str, files))
    answers = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    java = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[0]
    weka = printed.splitlines()[0].removeprefix("Weka ")
    _store.save(
        name,
        {"weka": weka, "java": java},
        "tests/golden/make_weka.py",
        {
            data.name: {"fingerprint": data.fingerprint} | answer
            for data, answer in zip(data_sets, answers, strict=True)
        },
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
