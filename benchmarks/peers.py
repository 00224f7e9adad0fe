"""The peers' own virtual environments: ``python -m benchmarks.peers`` makes them.

Each peer gets an environment of its own under the cache folder (``.bench/`` unless the variable
``HOLDFAST_BENCH_CACHE`` says otherwise), so that old pins of one cannot break another. What was
installed, and what could not be and why, is kept in ``peers.json`` there.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("HOLDFAST_BENCH_CACHE", ROOT / ".bench"))
INSTALL_SECONDS = 900


@dataclass(frozen=True)
class Peer:
    """One rival: what to install, and the name whose version is reported."""

    name: str
    packages: tuple[str, ...] = ()
    before: tuple[str, ...] = ()  # installed first; the packages are then built without isolation
    stale: str = ""  # a generated file in the source archive that this Python no longer compiles
    missing_because: str = ""

    @property
    def distribution(self) -> str:
        return re.split(r"[=<>!~]", self.packages[0])[0]


PEERS = (
    Peer("fast-select", ("fast-select",)),
    Peer("skfeature", ("skfeature-chappers", "numpy<2")),
    Peer("itmo-fs", ("ITMO_FS", "numpy<2")),
    Peer(
        "pymrmr",
        ("pymrmr", "numpy<2", "pandas<2.3"),
        before=("setuptools<70", "wheel", "cython<3.1", "numpy<2"),
        stale="pymrmr/pymrmr.cpp",
    ),
    Peer("feature-engine", ("feature-engine",)),
    Peer("mrmrs", ("mrmrs", "pandas", "polars", "pyarrow")),
    Peer("scikit-lego", ("scikit-lego",)),
    Peer("mrmr-selection", ("mrmr_selection",)),
    Peer("arfs", ("arfs", "pandas<2.3", "numpy<2.1")),
    Peer(
        "pymrmre",
        ("pymrmre", "pandas<2", "numpy<2"),
        before=("setuptools<70", "wheel", "cython<3", "numpy<2"),
    ),
    Peer("orange", ("Orange3",)),
    Peer("fcbf", ("fcbf", "numpy<2", "pandas<2.3")),
    Peer("weka", ("python-weka-wrapper3",)),
    Peer("weka-debian", ("weka",)),  # 3.6: its core still has SVMAttributeEval, whose package is on no registry
    Peer("skrebate", ("skrebate",)),
    Peer("relieff", ("ReliefF",)),
    Peer("sklearn-relief", ("sklearn-relief",)),
    Peer("pyensemblefs", ("pyensemblefs",)),
    Peer(
        "fast-mrmr",
        missing_because="C++ source on a code host only; on no package registry (PyPI, Debian, npm)",
    ),
    Peer("mifspy", missing_because="not on PyPI under mifs or mifspy"),
    Peer("praznik", missing_because="R package outside Debian"),
    Peer("mrmre", missing_because="R package outside Debian"),
    Peer(
        "stability-selection",
        missing_because="pip finds no matching distribution: source on a code host only",
    ),
    Peer(
        "stabl",
        missing_because="`stabl` on PyPI (0.0.1) is another project, and empty: source on a code host only",
    ),
)


def peer_python(name: str) -> Path:
    """The interpreter of a peer; Weka's adapters are plain Python and run on ours."""
    return Path(sys.executable) if name in WEKAS else CACHE / name / "bin" / "python"


def weka_classpath(name: str = "weka") -> str:
    return os.pathsep.join(str(jar) for jar in sorted((CACHE / name).glob("*.jar")))


def installed() -> dict[str, dict[str, str]]:
    """What ``peers.json`` says: per peer a version, or the reason there is none."""
    record = CACHE / "peers.json"
    known = json.loads(record.read_text()) if record.exists() else {}
    not_tried = {"reason": "not installed: run `make bench-peers`"}
    absent = {peer.name: {"reason": peer.missing_because} for peer in PEERS if peer.missing_because}
    return {peer.name: absent.get(peer.name) or known.get(peer.name, not_tried) for peer in PEERS}


def _run(*command: str | Path, cwd: str | None = None) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
    )
    if done.returncode:
        raise RuntimeError(_last_error(done.stderr or done.stdout))
    return done.stdout


def _last_error(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if "rror" in line and "note:" not in line]
    return (lines[-1] if lines else text.strip()[-200:])[:300].replace(str(CACHE), "<cache>")


def _install_environment(peer: Peer) -> str:
    venv.create(CACHE / peer.name, with_pip=True, clear=True)
    pip = (peer_python(peer.name), "-m", "pip", "--quiet", "--disable-pip-version-check", "install")
    if peer.before:
        _run(*pip, *peer.before)
    packages = list(peer.packages)
    if peer.stale:
        packages[0] = str(_unpacked_without_stale(peer))
    _run(*pip, *(("--no-build-isolation",) if peer.before else ()), *packages)
    ask = f"from importlib.metadata import version; print(version({peer.distribution!r}))"
    return _run(peer_python(peer.name), "-c", ask).strip()


def _unpacked_without_stale(peer: Peer) -> Path:
    folder = CACHE / peer.name / "source"
    _run(peer_python(peer.name), "-m", "pip", "--quiet", "download", "--no-deps", "--no-binary", ":all:",
         "--no-build-isolation", "-d", folder, peer.packages[0])  # fmt: skip
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    source = next(path for path in folder.iterdir() if path.is_dir())
    (source / peer.stale).unlink()
    return source


def _install_weka(peer: Peer) -> str:
    """The jars inside the sdist; nothing is built, because only Java runs them."""
    folder = CACHE / peer.name
    folder.mkdir(parents=True, exist_ok=True)
    _run("java", "-version")
    pip = (sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--no-binary", ":all:")
    _run(*pip, "-d", folder, *peer.packages)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        for member in archive.getmembers():
            if member.name.endswith(".jar") and "/lib/" in member.name:
                source = archive.extractfile(member)
                assert source is not None
                (folder / Path(member.name).name).write_bytes(source.read())
    return _weka_version(peer)


def _install_weka_debian(peer: Peer) -> str:
    """The jar inside Debian's package, unpacked and not installed."""
    folder = CACHE / peer.name
    folder.mkdir(parents=True, exist_ok=True)
    _run("java", "-version")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        _run("apt-get", "download", *peer.packages, cwd=scratch)
        _run("dpkg-deb", "-x", next(Path(scratch).glob("*.deb")), scratch)
        shutil.copy(Path(scratch) / "usr/share/java/weka.jar", folder)
    return _weka_version(peer)


def _weka_version(peer: Peer) -> str:
    return _run("java", "-cp", weka_classpath(peer.name), "weka.core.Version").split()[0]


WEKAS = {"weka": _install_weka, "weka-debian": _install_weka_debian}


def install(peer: Peer) -> dict[str, str]:
    """Install one peer; gives its version or the reason it cannot be had."""
    if peer.missing_because:
        return {"reason": peer.missing_because}
    try:
        return {"version": WEKAS.get(peer.name, _install_environment)(peer)}
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as problem:
        return {"reason": str(problem)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="install only these peers (default: those not yet installed)")
    names = parser.parse_args().names
    CACHE.mkdir(parents=True, exist_ok=True)
    (CACHE / ".gitignore").write_text("*\n")
    for peer in PEERS:
        known = installed()
        if peer.name not in names if names else "version" in known[peer.name]:
            continue
        known[peer.name] = install(peer)
        (CACHE / "peers.json").write_text(json.dumps(known, indent=1))
        state = known[peer.name]
        print(f"{peer.name}: {state.get('version') or 'not installable: ' + state['reason']}")


if __name__ == "__main__":
    main()
