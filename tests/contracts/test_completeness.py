"""A selector without a row, a row without an oracle, a kernel without a twin, a name without an example: each fails."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

import holdfast
import holdfast.evaluate
import holdfast.kernels
import holdfast.knowledge
import holdfast.measures
import holdfast.prepare
import holdfast.report
import holdfast.selectors
import holdfast.stability
from holdfast.selectors import Selector
from oracles.index import ORACLES
from oracles.kernels import TWINS

METHODS = holdfast.methods()
TESTS = Path(__file__).parents[1]
SOURCE = Path(holdfast.__file__).parent


def _modules(package):
    return [import_module(found.name) for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]


def _modules_of_selectors():
    return [*_modules(holdfast.selectors), holdfast.stability, *_modules(holdfast.stability)]


def _public_selectors():
    found = set()
    for module in _modules_of_selectors():
        for name, value in vars(module).items():
            is_own = inspect.isclass(value) and value.__module__ == module.__name__
            if is_own and issubclass(value, Selector) and not name.startswith("_") and "fit" in dir(value):
                found.add(value)
    return found


def _kernels():
    """Public compiled functions, each in the module that defines it."""
    found = {}
    for module in _modules(holdfast.kernels):
        for name, value in vars(module).items():
            python = getattr(value, "py_func", None)
            if python is not None and python.__module__ == module.__name__ and not name.startswith("_"):
                found[f"{module.__name__.rpartition('.')[2]}.{name}"] = value
    return found


def test_every_public_selector_has_a_row():
    exported = {name for module in _modules_of_selectors() for name in getattr(module, "__all__", [])}
    is_base = {cls for cls in _public_selectors() if any(cls in other.__bases__ for other in _public_selectors())}
    missing = _public_selectors() - is_base - {method.selector_class for method in METHODS}
    assert missing == set()
    assert {cls.__name__ for cls in _public_selectors() - is_base} <= exported


def test_the_walk_over_selectors_finds_what_holdfast_exports():
    found = {cls.__name__ for cls in _public_selectors()}
    assert found >= {"MRMR", "CFS", "FCBF", "TTest", "LaplacianScore", "EnsembleSelector", "StabilitySelector"}


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_row_has_an_oracle(method):
    assert callable(ORACLES[method.oracle])


def test_every_oracle_belongs_to_a_row():
    assert set(ORACLES) == {method.oracle for method in METHODS}


def test_every_kernel_has_a_slow_twin_that_it_is_compared_with():
    assert set(_kernels()) == set(TWINS)


def test_the_walk_over_kernels_finds_kernels():
    assert {"information.pack", "lazy.lazy_round", "mdl.mdl_cuts"} <= set(_kernels())


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_row_says_what_a_reader_needs(method):
    for name in ("summary", "when", "source", "cost", "family"):
        text = getattr(method, name)
        assert text.strip(), name
    assert method.summary.endswith(".")
    assert method.references
    assert all(re.fullmatch(r"[a-z]+\d{4}[a-z]?", key) for key in method.references)
    assert set(method.takes) <= {"binary", "multi-class", "regression", "unlabelled"}
    package = "holdfast" if method.family == "stability" else "holdfast.selectors"
    assert method.class_path.startswith(f"{package}.{method.family}.")
    assert method.bench_features >= 1000


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_name_is_lower_case_and_joined_by_hyphens(method):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*\+?", method.name)
    assert all(alias == alias.lower() and " " not in alias and "_" not in alias for alias in method.aliases)


def test_no_two_methods_share_a_name_or_alias():
    names = [name for method in METHODS for name in (method.name, *method.aliases)]
    assert len(names) == len(set(names))


def _public_objects():
    packages = (holdfast.evaluate, holdfast.knowledge, holdfast.measures, holdfast.prepare)
    for package in (holdfast, *packages, holdfast.stability, holdfast.report):
        for name in package.__all__:
            value = getattr(package, name)
            if callable(value):
                yield pytest.param(value, id=f"{package.__name__}.{name}")


def _section(doc, title):
    match = re.search(rf"^{title}\n-{{{len(title)}}}\n(.*?)(?=^\S[^\n]*\n-{{3,}}\n|\Z)", doc, re.MULTILINE | re.DOTALL)
    return match.group(1) if match else None


@pytest.mark.parametrize("public", list(_public_objects()))
def test_every_public_name_is_documented_with_its_parameters_and_an_example(public):
    doc = inspect.getdoc(public)
    assert doc
    if inspect.isclass(public) and issubclass(public, BaseException):
        return
    signature = inspect.signature(public)
    # "*" marks of **parameters belong to the documented name.
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    expected = [stars.get(p.kind, "") + p.name for p in signature.parameters.values()]
    listed = re.findall(r"^(\*{0,2}\w+)(?: : .*)?$", _section(doc, "Parameters") or "", re.MULTILINE)
    assert listed == expected
    assert ">>>" in (_section(doc, "Examples") or "")


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_selector_documents_its_attributes(method):
    attributes = _section(inspect.getdoc(method.selector_class), "Attributes")
    for name in ("indices_", "scores_", "ranking_"):
        assert re.search(rf"^{name} : ", attributes, re.MULTILINE), name


def _python_files(folder):
    return sorted(folder.rglob("*.py"))


def test_no_example_is_skipped():
    marked = [path.name for path in _python_files(SOURCE) if re.search(r"doctest:\s*\+SKIP", path.read_text())]
    assert marked == []


def test_the_library_never_prints():
    printing = [
        f"{path.name}:{node.lineno}"
        for path in _python_files(SOURCE)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert printing == []


def _functions(path):
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]


def _asserts(node):
    """Whether a function contains an assertion: its own, numpy's, pytest's, or a helper's."""
    for part in ast.walk(node):
        if isinstance(part, ast.Assert):
            return True
        if isinstance(part, ast.Call):
            name = ast.unparse(part.func).rpartition(".")[2]
            if name.startswith(("assert_", "require_")) or name in ("raises", "warns", "check", "fail"):
                return True
    return False


def test_helpers_that_say_assert_do():
    idle = [
        f"{path.relative_to(TESTS)}:{node.name}"
        for path in _python_files(TESTS)
        for node in _functions(path)
        if node.name.startswith("assert_") and not _asserts(node)
    ]
    assert idle == []


def test_tests_can_fail():
    idle = [
        f"{path.relative_to(TESTS)}:{node.name}"
        for path in _python_files(TESTS)
        for node in _functions(path)
        if path.name.startswith("test_") and node.name.startswith("test_") and not _asserts(node)
    ]
    assert idle == []


def test_no_test_is_skipped_or_expected_to_fail():
    marked = [
        f"{path.relative_to(TESTS)}:{node.lineno}"
        for path in _python_files(TESTS)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and ast.unparse(node) in ("pytest.mark.xfail", "pytest.mark.skip", "pytest.xfail")
    ]
    assert marked == []
