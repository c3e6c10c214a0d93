# One place for everything: `make serve` and `make chat` work on a machine with just Python 3.11
# or newer; the first call sets everything up in .venv, the next ones start at once.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=
PYTEST_JOBS ?= 2
SEED ?= 1
# Debian packages that tests use; installed where we are root, else named and done without.
TEST_PACKAGES ?= chromium chromium-headless-shell fonts-noto-core asterisk-core-sounds-en-wav \
	asterisk-core-sounds-ru-wav flite festival festvox-kallpc16k festvox-us-slt-hts festvox-ru
CODE := $(wildcard gateway voice tools tests examples setup.py)
PO := $(wildcard locales/*/LC_MESSAGES/messages.po)
MO := $(patsubst locales/%.po,gateway/locales/%.mo,$(PO))
SETUP := pyproject.toml setup.py constraints.txt

.PHONY: help serve chat demo-telegram test check bench ears soak late fmt locales constraints setup setup-dev packages \
	docker-steps clean

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

serve: setup ## start the server (ARGS="--port 8080")
	@exec $(BIN)/bargein serve $(ARGS)

chat: setup ## talk to it in this terminal (ARGS="--thread work --as Ann")
	@exec $(BIN)/bargein chat $(ARGS)

demo-telegram: setup-dev ## chat with a bot on a Bot API server of its own (ARGS=--ru)
	@exec $(BIN)/python -m tests.fakes.telegram.demo $(ARGS)

test: setup-dev packages ## run every test (ARGS="tests/core -k lease")
	$(BIN)/python -m pytest -n $(PYTEST_JOBS) --dist loadgroup $(ARGS)

check: setup-dev ## lint, types, layers, catalogs, generated docs
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy $(filter-out setup.py,$(CODE))
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/lengths.py
	$(BIN)/python tools/locales.py check
	$(BIN)/python tools/dockerfile.py lint
	$(BIN)/codespell $(CODE) $(wildcard *.md docs)
	$(BIN)/python -m tools.diagram --check
	$(BIN)/python -m tools.tables --check
	$(BIN)/python -m tools.voice_policy --check

bench: setup-dev ## measure; the figures of docs/performance.md
	$(BIN)/python -m tests.bench $(ARGS)

ears: setup-dev packages ## talk over a reply three hundred times, to the real engines (minutes)
	$(BIN)/python -m pytest -m ears -n $(PYTEST_JOBS) $(ARGS)

soak: setup-dev packages ## thousandfold schedules and mutants (long)
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -m soak --timeout 3600 $(ARGS)
	$(MAKE) late

late: setup-dev packages ## the tests in virtual time, with threads that come late by chance (SEED=2)
	$(BIN)/python -m pytest -m "looptime and not soak and not ears" -n $(PYTEST_JOBS) --late $(SEED) $(ARGS)

fmt: setup-dev ## format, and mend what can be mended
	$(BIN)/ruff check --fix --exit-zero $(CODE)
	$(BIN)/ruff format $(CODE)

locales: setup-dev ## bring catalogs up to the sources and compile them
	$(BIN)/python tools/locales.py update
	$(BIN)/python tools/locales.py compile

constraints: setup-dev ## resolve all dependencies anew into constraints.txt
	$(BIN)/python tools/constraints.py

docker-steps: ## run the Dockerfile's steps as a script, in a temporary directory
	@python=$$(tools/python) && $$python tools/dockerfile.py run

clean: ## remove what was built
	rm -rf build dist *.egg-info gateway/locales .mypy_cache .ruff_cache .pytest_cache

setup: $(VENV)/.ready $(MO)
setup-dev: $(VENV)/.ready-dev $(MO)

$(VENV)/.ready: $(SETUP)
	@tools/make-venv $(VENV) $@ telegram,voice

$(VENV)/.ready-dev: $(SETUP)
	@tools/make-venv $(VENV) $@ dev,hibari,telegram,voice

gateway/locales/%.mo: locales/%.po | $(VENV)/.ready
	@$(BIN)/python tools/locales.py compile

packages:
	@tools/apt $(TEST_PACKAGES)
