# Everything a contributor runs. Only python3 with its own venv module is needed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
GAME   ?= edition-wars
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Many tests start the program anew: it is not to be compiled each time.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help venv verify test campaign lint reports record bench clean

help: #> print this list
	@awk -F ':.*#> ' '/^[a-z]+:.*#> / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

venv: $(VENV)/.installed #> create .venv and install ruleproof into it, editable, with what the tests need

$(VENV)/.installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --editable '.[test]'
	@touch $@

$(VENV)/.linters: $(VENV)/.installed
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --group dev
	@touch $@

verify: venv #> verify a bundled game and print what was found (GAME=edition-wars)
	$(BIN)/ruleproof verify $(GAME) --fail-on never

test: venv #> run the tests
	$(BIN)/python -m pytest -n auto --dist worksteal

campaign: venv #> run the long tests: random games, all seeded changes (minutes)
	RULEPROOF_EXAMPLES=500 $(BIN)/python -m pytest -m "campaign or hypothesis"

lint: $(VENV)/.linters #> check style and types
	$(BIN)/ruff check .
	$(BIN)/mypy

reports: venv #> write the published reports of the bundled games anew
	$(BIN)/python -m ruleproof.cli.commands.publish

record: venv #> write anew what the tests expect of reports, and what the README shows (read the diff)
	RULEPROOF_RECORD=1 $(BIN)/python -m pytest tests/reports/test_golden.py tests/repository/test_readme.py

$(VENV)/.benchmarks: $(VENV)/.installed
	$(PIP) install --upgrade 'pip>=25.1'
	-$(PIP) install --group bench
	@touch $@

bench: $(VENV)/.benchmarks #> measure, beside SPIN, TLC and OpenSpiel if they are there, and write reports/benchmarks.md (minutes; LARGE=--large: gigabytes)
	$(BIN)/python -m ruleproof.tests.benchmarks $(LARGE)

clean: #> remove what the tools left behind, .venv included
	rm -rf $(VENV) build dist ./*.egg-info .coverage htmlcov .hypothesis
	rm -rf .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
