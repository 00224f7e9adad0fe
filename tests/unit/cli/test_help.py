import subprocess
import sys

import pytest

import holdfast as package

HEAVY = ("numpy", "scipy", "sklearn", "numba", "pyarrow", "pandas", "joblib")


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_the_app_imports_nothing_heavy():
    loaded = python(f"import sys, holdfast.cli.app; print([m for m in {HEAVY!r} if m in sys.modules])")
    assert loaded.strip() == "[]"


def test_listing_the_methods_imports_nothing_heavy():
    code = f"""
import sys
from typer.testing import CliRunner
from holdfast.cli.app import app
assert CliRunner().invoke(app, ["methods"]).exit_code == 0
print([m for m in {HEAVY!r} if m in sys.modules])
"""
    assert python(code).strip() == "[]"


@pytest.mark.parametrize("command", [(), ("select",), ("check",), ("methods",), ("demo",)])
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_leads_with_an_example(holdfast, command, flag):
    result = holdfast(*command, flag)
    assert result.exit_code == 0
    before_options = result.stdout.partition("Options:")[0]
    assert "Example" in before_options
    assert " ".join(("  holdfast", *command)) in before_options


def test_help_fits_into_80_columns(holdfast):
    assert max(map(len, holdfast("select", "--help").stdout.splitlines())) <= 82


def test_help_of_select_shows_how_to_work_on_a_cluster(holdfast):
    before_options, _, options = holdfast("select", "--help").stdout.partition("Options:")
    assert "--cluster tcp://" in before_options
    assert [flag for flag in ("--workers", "--jobs", "--cluster") if flag not in options] == []


def test_version_is_that_of_the_package(holdfast):
    assert holdfast("--version").stdout == f"holdfast {package.__version__}\n"
