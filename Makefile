# `make help` lists what there is.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SECONDS := 60
NETS := 1000
VULKAN_NETS := $(if $(filter command line,$(origin NETS)),$(NETS),2)
EXTRAS := -k "not export"
# A folder for the outcomes of all tests (used by .ci/run).
OUTCOMES ?=
PIP := $(BIN)/python -m pip --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo check test lit pytest test-native test-releases test-vulkan test-arm test-wheel prove test-page examples docs man dist bench fuzz hunt lint format clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.demo ## optimize a bundled model and show it before and after
	@$(BIN)/python examples/demo.py

check: $(VENV)/.test ## run the tests that are quick: units, and the lit tests of what is read and written
	$(BIN)/lit -q $(addprefix tests/filecheck/,dialects frontends targets)
	$(BIN)/pytest -q -n auto --dist worksteal -m 'not slow' tests/unit

test: lit pytest ## run all tests

lit: $(VENV)/.wheels ## run the lit tests
	$(BIN)/lit $(if $(OUTCOMES),-o $(OUTCOMES)/test.lit) tests/filecheck

pytest: $(VENV)/.wheels ## run the unit and differential tests
	$(BIN)/pytest -n auto --dist worksteal $(if $(OUTCOMES),--outcomes $(OUTCOMES)/test.json)

test-native: $(VENV)/.wheels ## compare all cases of layers as native code (IREE) with the reference, not a part of them
	$(BIN)/pytest -q -n auto --dist worksteal --all-cases tests/differential/native

test-releases: $(VENV)/.test ## compare models before and after -O in older releases of ncnn (RELEASES="--models DIR")
	cd tests && $(CURDIR)/$(BIN)/python -m differential.releases $(RELEASES)

test-vulkan: $(VENV)/.test ## run models on a Vulkan device, in float16 (NETS=500: so many random nets of each family)
	$(BIN)/pytest -q tests/vulkan
	cd tests && $(CURDIR)/$(BIN)/python -m differential.vulkan --nets $(VULKAN_NETS)

test-arm: $(VENV)/.test ## compare float16 with an emulated arm processor (NCNN_AARCH64_PYTHON=PROGRAM, see docs/float16.md)
	$(BIN)/pytest -q tests/arm

prove: $(VENV)/.test ## prove the passes that are made of patterns, print a table (PROVE=--write: also to docs/proofs.md)
	cd tests && $(CURDIR)/$(BIN)/python -m proofs.table $(PROVE)

test-page: $(VENV)/.browser ## run the pages of reports in a headless Chromium, if there is one
	$(BIN)/pytest -q tests/browser

examples: $(VENV)/.test ## take the examples of `ncnn-opt --help PASS` from the lit tests again
	$(BIN)/python docs/making/pass_examples.py

docs: $(VENV)/.docs ## make the documentation as a site, site/index.html, and check its links
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q
	@$(BIN)/python docs/making/check_links.py site

test-wheel: $(VENV)/.test ## install a wheel with each extra into an empty environment (EXTRAS= : also torch)
	$(BIN)/pytest -q tests/installed $(EXTRAS)

dist: | $(VENV)/bin/python ## build a wheel (to dist/)
	@$(PIP) wheel -q --no-deps -w dist .

man: $(VENV)/.test ## write the manual pages of the commands (to man/)
	@$(BIN)/python docs/making/manual.py man

bench: $(VENV)/.wheels ## measure time and memory (BENCH="--ncnnoptimize FILE --only start scale")
	@$(BIN)/python -m benchmarks $(BENCH)

fuzz: $(VENV)/.test ## try damaged inputs on the readers, for a minute (SECONDS=600: for ten)
	@$(PIP) install -q --only-binary :all: atheris 2>/dev/null || echo "no atheris here: Hypothesis makes the inputs"
	cd tests && $(CURDIR)/$(BIN)/python -m fuzz --seconds $(SECONDS)

hunt: $(VENV)/.test ## compare random nets before and after rewrites (NETS=20000 HUNT="--seed 7 mixed")
	cd tests && $(CURDIR)/$(BIN)/python -m differential.hunting --nets $(NETS) $(HUNT)

lint: $(VENV)/.lint ## ruff and pyright
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python

format: $(VENV)/.lint ## let ruff format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove what the other targets made
	rm -rf $(VENV) .package demo site build dist *.egg-info .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "ncnn-opt needs Python 3.11 or newer: make PYTHON=python3.11 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# The demo runs without the ncnn runtime too; it only cannot check its result then.
$(VENV)/.demo: pyproject.toml setup.py | $(VENV)/bin/python
	@echo "installing into $(VENV) …"
	@$(PIP) install -q -e '.[verify]' || $(PIP) install -q -e .
	@touch $@

$(VENV)/.test: pyproject.toml setup.py | $(VENV)/bin/python
	@echo "installing into $(VENV) …"
	@$(PIP) install -q -e '.[test]'
	@touch $@

$(VENV)/.browser: pyproject.toml setup.py | $(VENV)/bin/python
	@echo "installing into $(VENV) …"
	@$(PIP) install -q -e '.[test,browser]'
	@touch $@

# Everything that tests use and that a package index has, but for torch, which is three times as
# large as all of it.
$(VENV)/.wheels: pyproject.toml setup.py | $(VENV)/bin/python
	@echo "installing into $(VENV) …"
	@$(PIP) install -q -e '.[test,native,dask,notebook]'
	@touch $@ $(VENV)/.test # it has both

$(VENV)/.docs: pyproject.toml setup.py | $(VENV)/bin/python
	@echo "installing into $(VENV) …"
	@$(PIP) install -q -e '.[docs]'
	@touch $@

$(VENV)/.lint: pyproject.toml setup.py | $(VENV)/bin/python
	@echo "installing into $(VENV) …"
	@$(PIP) install -q -e '.[test,lint,browser,docs,notebook,dask,native]'
	@touch $(addprefix $(VENV)/.,test wheels browser docs lint) # it has all of these
