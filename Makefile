# Everything runs in .venv, which these rules make and keep up to date.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
OUT    ?= demo-output

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow bench bench-peers docs clean

help:
	@echo "make demo         install into $(VENV) and run the main job on an embedded data set"
	@echo "make test         install and run style, type, import and unit checks"
	@echo "make test-slow    the long tier of the tests: real tables, from HOLDFAST_DATA"
	@echo "make bench        race Holdfast against the installed peers, then its own curves, start-up and methods"
	@echo "make bench-peers  install the peers, one environment each"
	@echo "make docs         rewrite the lists of methods and the demo in README.md and docs/"
	@echo "make clean        remove $(VENV), $(OUT) and caches"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Holdfast needs Python 3.11 or newer, but $(PYTHON) is " + sys.version.split()[0] + ". Name a newer one: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

# One stamp per set of extras, so that each is installed once and again when pyproject.toml changes.
$(VENV)/.plain: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.plain

$(VENV)/.bench: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@ $(VENV)/.plain

demo: $(VENV)/.plain
	$(BIN)/holdfast demo --out $(OUT)

test: $(VENV)/.dev
	$(BIN)/ruff check src tests benchmarks docs
	$(BIN)/ruff format --check src tests benchmarks docs
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto -m "not slow"

test-slow: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto -m slow

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.scaling
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.methods
	$(BIN)/python -m benchmarks.limits
	$(BIN)/python -m benchmarks.svm_rfe
	$(BIN)/python -m benchmarks.svm_rfe_accuracy
	$(BIN)/python -m benchmarks.stability
	$(BIN)/python -m benchmarks.study
	$(BIN)/python -m benchmarks.consistency
	$(BIN)/python -m benchmarks.distance
	$(BIN)/python -m benchmarks.sequential
	$(BIN)/python -m benchmarks.evolutionary

bench-peers: $(VENV)/.bench
	$(BIN)/python -m benchmarks.peers

docs: $(VENV)/.plain
	$(BIN)/python docs/make_docs.py

clean:
	rm -rf $(VENV) $(OUT) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .numba_cache
	find src tests benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +
