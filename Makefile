# Two commands do everything on a fresh machine with Python 3.11+ and make:
#   make run    set up, fold a recording of a real agent, run the conformance corpus
#   make test   set up, run every test
PYTHON ?= python3
UV_VERSION := 0.13.9
UV := .tools/bin/uv
BIN := .venv/bin
# The releases that changed the fold; 2.0.9 and 2.0.10 did not.
ORACLES := 2.0.4 2.0.5 2.0.6 2.0.7 2.0.8 2.0.11
RECORDING ?= conformance/recordings/2.0.4/hitl_confirm.ndjson

# uv must use the interpreter that is here, and never fetch another.
export UV_PYTHON_DOWNLOADS := never
export UV_PROJECT_ENVIRONMENT := .venv

.DEFAULT_GOAL := help
.PHONY: help run test fuzz lint types generate check-generated buf oracle bench bench-check ci clean setup mutants \
        mutants-tool node-packages typescript test-typescript
.SECONDARY:

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 26

setup: .venv/.ready ## make the environment in .venv

.tools/.ready:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "msgfold needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; say PYTHON=/path/to/python3.11")'
	@echo "setting up: the installer"
	@$(PYTHON) -m venv .tools
	@.tools/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@touch $@

.venv/.ready: .tools/.ready pyproject.toml uv.lock
	@echo "setting up: packages"
	@$(UV) sync --quiet --locked --python $(PYTHON) --extra serve --group dev
	@touch $@

typescript/node_modules/.ready: typescript/package-lock.json
	@echo "setting up: packages of typescript/"
	@npm ci --prefix typescript --silent --no-audit --no-fund
	@touch $@

run: setup ## fold a real recording, run the corpus against the reference
	@echo "== $(RECORDING), folded"
	@$(BIN)/msgfold fold $(RECORDING)
	@echo "== the conformance corpus against the reference reducer"
	@$(BIN)/msgfold conformance run

test: setup node-packages ## run every test
	@$(BIN)/python -m pytest
	@$(MAKE) --no-print-directory typescript-test

typescript: node-packages ## make the environment in typescript/node_modules

test-typescript: typescript-test ## run the tests of typescript/

# Work on the rest needs no Node, so its absence is said and passed over; in CI it is a failure.
typescript-%: setup node-packages
	@if command -v node >/dev/null; then npm run --silent --prefix typescript $*; \
	elif [ -n "$$CI" ]; then echo "typescript/: Node is not here, and CI needs it"; exit 1; \
	else echo "SKIPPED typescript/: Node is not here; install Node 20 or newer"; fi

node-packages:
	@if command -v node >/dev/null; then \
	  $(MAKE) --silent --no-print-directory typescript/node_modules/.ready; fi

fuzz: setup ## a hundred thousand mutated messages and streams (make test has some thousand)
	@MSGFOLD_FUZZ=100000 $(BIN)/python -m pytest -s python/tests/fuzz

mutants: setup ## change the reference wrongly, as each case says: the case must catch it
	@$(BIN)/python conformance/mutants/run.py

mutants-tool: setup ## the same with mutants that mutmut makes of fold/, many minutes: FILES="text.py"
	@$(BIN)/python conformance/mutants/tool.py $(FILES)

lint: setup ## style
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory typescript-lint

types: setup ## static types
	@$(BIN)/mypy
	@$(BIN)/mypy conformance/mutants/*.py
	@$(MAKE) --no-print-directory typescript-types

generate: setup node-packages ## write generated/ again
	@$(BIN)/msgfold generate

check-generated: setup node-packages ## fail when generated/ is not what would be generated
	@$(BIN)/msgfold generate --check

buf: setup ## lint the proto contract, and hold it against the released image
	@cd proto && ../$(BIN)/buf lint
	@cd proto && ../$(BIN)/buf breaking --against baseline/msgfold-v1.binpb

oracle: setup $(addprefix oracle-,$(ORACLES)) ## fold random streams with the real AgentScope, release by release, beside ours

oracle-env-%: setup
	@UV_PROJECT_ENVIRONMENT=.oracles/$* $(UV) sync --quiet --locked --python $(PYTHON) --no-default-groups --extra serve --group oracle-$(subst .,-,$*)

oracle-2%: oracle-env-2%
	@echo "== AgentScope 2$*"
	@MSGFOLD_ORACLE=2$* .oracles/2$*/bin/python -m pytest -q -m oracle python/tests/oracle

bench: setup oracle-env-2.0.4 oracle-env-2.0.11 ## measure against AgentScope, msgspec and orjson; write benchmarks/results
	@$(BIN)/python benchmarks/run.py

bench-check: setup oracle-env-2.0.4 oracle-env-2.0.11 ## assert the ratios that must hold
	@$(BIN)/python benchmarks/check.py
	@$(MAKE) --no-print-directory typescript-bench-check

ci: ## everything that CI checks
	@bash .ci/run

clean: ## remove what was set up
	rm -rf .venv .oracles .tools .pytest_cache .mypy_cache .ruff_cache .hypothesis typescript/node_modules typescript/dist
