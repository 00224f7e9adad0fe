"""The machine and the versions, without host names or paths."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("holdfast", "numpy", "scipy", "scikit-learn", "numba", "llvmlite", "joblib")


def _cpu_model() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def describe() -> dict:
    """Cores, processor, memory, Python and package versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "memory_gigabytes": round(memory),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {package: _version(package) for package in PACKAGES},
    }


def sentence(machine: dict) -> str:
    """The description as one line of text."""
    packages = ", ".join(f"{name} {found}" for name, found in machine["packages"].items())
    return (
        f"{machine['cores']} cores ({machine['cpu']}), {machine['memory_gigabytes']} GB, "
        f"{machine['system']}, Python {machine['python']}; {packages}."
    )
