# Two commands are enough: `make play` watches a match, `make test` proves the referee.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check

# A .venv works only where it was made and with the Python it was made with. Both are noted in it; where they no longer
# fit, because the folder was moved or Python was upgraded, the stamps go and the next rule begins anew.
HERE := $(CURDIR) $(shell $(RUN) -c 'import sys; print(*sys.version_info[:2])' 2>/dev/null)
ifneq ($(wildcard $(VENV)/place),)
ifneq ($(shell cat $(VENV)/place),$(HERE))
$(shell rm -f $(VENV)/made $(VENV)/made-dev)
STALE := yes
endif
endif

help:  ## these lines
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 10

$(VENV)/made: pyproject.toml
	@command -v $(PYTHON) >/dev/null || { \
	  echo "$(PYTHON) is not there: install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$$($(PYTHON) --version) is too old: 3.11 or newer is needed; name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make a venv: on Debian and Ubuntu, apt-get install python3-venv" >&2; exit 1; }
	@if test -n "$(STALE)" || ! $(RUN) -m pip --version >/dev/null 2>&1; then rm -rf $(VENV); $(PYTHON) -m venv $(VENV); fi
	$(PIP) --editable .
	@$(RUN) -c 'import os, sys; print(os.getcwd(), *sys.version_info[:2])' > $(VENV)/place
	@touch $@

$(VENV)/made-dev: $(VENV)/made
	$(PIP) --editable '.[dev]'
	@touch $@

setup: $(VENV)/made-dev  ## make .venv with every extra and the development tools

play: $(VENV)/made  ## watch two shipped bots play a match
	@$(RUN) -m donuts_referee play donuts:greedy donuts:random --watch

test: $(VENV)/made-dev  ## run the whole suite
	$(RUN) -m pytest -q -n auto --dist worksteal

clients: $(VENV)/made  ## build the clients in other languages, as far as the tools for them are here
	@$(RUN) clients/build.py

check: $(VENV)/made-dev  ## ruff, mypy, pyright, import-linter, generated files
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy
	$(RUN) -m pyright
	$(RUN) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'
	$(RUN) protocol/generate.py --check

fix: $(VENV)/made-dev  ## let ruff mend what it can
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

docs: $(VENV)/made-dev  ## write what is generated (message table, schema, vectors) anew
	$(RUN) protocol/generate.py

.PHONY: help setup play test clients check fix docs
