# Croupier. Two commands are enough: `make run` and `make test`.
# They make .venv themselves, with the versions of constraints.txt.

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$python; break; }; done)
BIN := .venv/bin
# Many short processes import the same modules: let the first one keep them compiled.
unexport PYTHONDONTWRITEBYTECODE
PORT ?= 8080
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# uv takes seconds where pip takes minutes. Where it cannot reach what pip can, pip installs; compiling is left to the imports.
INSTALL = { $(PIP) uv && $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable $(1) ; } || \
	$(PIP) --no-compile --editable $(1)
# What the web app shows; a variable, because a comma would end an argument of call.
SHOWN := .[plots,solana,web]
PROJECT_FILES := pyproject.toml constraints.txt

# Coverage is measured apart, where it costs little: exhaustive checks by second methods, notebooks, real processes and the browser
# would take several times as long under a tracer, which does not see into compiled kernels or other processes anyway.
TRACED := tests/cards tests/rulebook tests/numerics tests/runs tests/banluck/engine tests/blackjack/engine tests/durak/engine src README.md docs

.PHONY: run test types behaviour docs verify coverage browser bench format lock clean help

run: .venv/installed-run  ## solve Banluck, print the headline and the chart, serve the web app (PORT=8080)
	@echo "Solving Banluck (the very first time, its kernels are compiled: some 20 seconds) ..."
	@$(BIN)/croupier banluck solve
	@$(BIN)/croupier banluck chart
	@echo "In another terminal:  $(BIN)/croupier banluck play --coach"
	@echo "                      $(BIN)/croupier banluck explain T-6"
	@$(BIN)/croupier serve --port $(PORT)

test: .venv/installed-dev browser  ## format, lint, types, import rules, tests, doctests
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/lint-imports --no-cache
	@$(MAKE) --no-print-directory --jobs 2 types behaviour

types:  # beside the tests: mypy alone would leave the other processors idle
	$(BIN)/mypy

behaviour:
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal --quiet

docs: .venv/installed-dev  ## build the documentation site into build/site
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --builder html --doctree-dir build/doctrees docs build/site
	@echo "The site is in build/site/index.html"

verify: .venv/installed-dev browser  ## the long checks, and every property with new random examples
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal --quiet -m 'verify or not verify' --hypothesis-profile verify

coverage: .venv/installed-dev  ## which lines of the engines and the web app the tests reach
	$(BIN)/python -m pytest --numprocesses 2 --quiet --cov --cov-report=term $(TRACED)

bench: .venv/installed-run  ## measure speed and memory, side by side
	$(BIN)/python -m benchmarks.banluck
	$(BIN)/python -m benchmarks.banluck_two_players
	$(BIN)/python -m benchmarks.banluck_tables
	$(BIN)/python -m benchmarks.blackjack
	$(BIN)/python -m benchmarks.blackjack_simulation
	$(BIN)/python -m benchmarks.blackjack_evolution
	$(BIN)/python -m benchmarks.blackjack_counter --quick
	$(BIN)/python -m benchmarks.blackjack_ruin --quick
	$(BIN)/python -m benchmarks.blackjack_published --quick
	$(BIN)/python -m benchmarks.printed_cards
	$(BIN)/python -m benchmarks.durak
	$(BIN)/python -m benchmarks.durak_variants
	$(BIN)/python -m benchmarks.solana
	$(BIN)/python -m benchmarks.solana_house
	$(BIN)/python -m benchmarks.solana_withholding
	$(BIN)/python -m benchmarks.web

browser:  # the web app and the report are looked at in a real browser where one is there or may be installed
	@command -v chromium chromium-browser google-chrome >/dev/null 2>&1 || { \
		test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "Installing Chromium for the browser tests ..." && \
		apt-get update -qq >/dev/null 2>&1 && apt-get install -y -qq chromium >/dev/null 2>&1; } || \
		echo "No Chromium here: the browser tests will be skipped."

format: .venv/installed-dev  ## rewrite the source in the house style
	$(BIN)/ruff format --quiet .
	$(BIN)/ruff check --quiet --fix .

# PyTorch is left out: which build of it fits depends on the GPU.
lock: .venv/installed-dev  ## take the newest versions that the bounds allow into constraints.txt
	$(BIN)/uv pip compile pyproject.toml --extra dev --extra gpu --universal --upgrade --quiet \
		--no-annotate --no-header --no-emit-index-url --output-file constraints.txt

clean:  ## remove what make and the tools left behind
	rm -rf .venv .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /make \1  -  /p' Makefile

.venv/installed-run: .venv/made $(PROJECT_FILES)
	@echo "Installing Croupier into .venv (the first time takes a minute) ..."
	@$(call INSTALL,'$(SHOWN)')
	@touch $@

.venv/installed-dev: .venv/made $(PROJECT_FILES)
	@echo "Installing Croupier and its test tools into .venv (the first time takes a minute) ..."
	@$(call INSTALL,'.[dev]')
	@touch $@ .venv/installed-run

.venv/made:
	@test -n "$(PYTHON)" || { echo "Croupier needs Python 3.11 or newer; none was found. Set PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -m venv --clear .venv 2>/dev/null || $(PYTHON) -m virtualenv --quiet --clear .venv 2>/dev/null || { \
		echo "$(PYTHON) cannot make a virtual environment: install its venv module (Debian: apt install python3-venv)."; exit 1; }
	@touch $@
