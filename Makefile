# Two commands are enough: `make play` watches a match, `make test` proves the referee.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

help:  ## these lines
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 10

$(VENV)/made: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=23'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/made-dev: $(VENV)/made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

setup: $(VENV)/made-dev  ## make .venv with every extra and the development tools

play: $(VENV)/made  ## watch two shipped bots play a match
	$(BIN)/donuts play donuts:greedy donuts:random --watch

test: $(VENV)/made-dev  ## run the whole suite
	$(BIN)/python -m pytest -q -n auto

check: $(VENV)/made-dev  ## ruff, mypy, pyright, import-linter, generated files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python protocol/generate.py --check

fix: $(VENV)/made-dev  ## let ruff mend what it can, write the generated files anew
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python protocol/generate.py

.PHONY: help setup play test check fix
