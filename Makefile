# The two commands are `make demo` and `make test`; each sets up what it needs, once.
# Settings: PYTHON (a Python of 3.11 or later), VENV (where to install).

VENV = .venv
BIN = $(VENV)/bin
BASE_STAMP = $(VENV)/.base-installed
DEV_STAMP = $(VENV)/.dev-installed
COMPILE = uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-header

.PHONY: help demo test test-long lint golden viewer lock setup setup-dev clean

help:
	@echo "make demo    set up, then run the main job offline"
	@echo "make test    set up, then run the test suite"
	@echo "make test-long  the same with 200 kills and the long local-model tests"
	@echo "make lint    format, lint, types and layers"
	@echo "make golden  make the golden playthroughs anew"
	@echo "make viewer  build the page of the viewer anew (needs Node)"
	@echo "make lock    make the pinned requirements anew (needs uv)"
	@echo "make clean   remove the environment and what tools left behind"

demo: setup
	@$(BIN)/socialcircuits demo

test: setup-dev
	@$(BIN)/python -m pytest

test-long: setup-dev
	@SOCIALCIRCUITS_KILLS=200 SOCIALCIRCUITS_LONG=1 $(BIN)/python -m pytest

lint: setup-dev
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

golden: setup-dev
	@$(BIN)/python -m tests.playthroughs
	@$(BIN)/python -m tests.unit.judges.golden

viewer:
	@sh scripts/viewer.sh

lock:
	$(COMPILE) --upgrade -o requirements/base.txt pyproject.toml
	$(COMPILE) --upgrade -c requirements/base.txt -o requirements/dev.txt \
		pyproject.toml requirements/dev.in

setup: $(BASE_STAMP)

setup-dev: $(DEV_STAMP)

$(BASE_STAMP): requirements/base.txt pyproject.toml scripts/setup.sh
	@sh scripts/setup.sh "$(VENV)" requirements/base.txt "$(PYTHON)"
	@touch $@

$(DEV_STAMP): requirements/dev.txt requirements/base.txt pyproject.toml scripts/setup.sh
	@sh scripts/setup.sh "$(VENV)" requirements/dev.txt "$(PYTHON)"
	@touch $(BASE_STAMP) $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
