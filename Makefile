# Two commands do everything on a fresh machine with git, make and Python 3.11 or newer: `make demo`, `make test`.
# The demo installs only what it needs itself.
.PHONY: bench busy-hall schemas schemas-check demo docs test quick check lint types floors proof pictures lock wheel clean env help
ARGS ?=
PY := .venv/bin/python
export PYTHONHASHSEED ?= 0
# Programs are started by the hundred; where the environment forbids bytecode, each start costs a second more.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make demo    a simulated table plays, with its console page   (ARGS=--headless without a page to wait for)"
	@echo "make test    the whole test suite                             make quick: a part of every file"
	@echo "make check   lint, types, import floors                       make proof: the long measurements, make bench: speed"
	@echo "make docs    the documentation as a site, in site/"

env:
	@sh tools/setup.sh

demo:
	@sh tools/debian.sh mosquitto
	@sh tools/setup.sh demo
	@echo "tavolo: starting the demo (some 5 seconds until the first line)"
	@$(PY) -m table_service.cli demo $(ARGS)

# Three workers for two cores: each waits now and then for a browser, a broker or a node.
test: env
	@sh tools/debian.sh mosquitto chromium nginx caddy postgresql
	@$(PY) -m hw.twin.provide_micropython || true
	@$(PY) -m lab.chips.emulated_core || true
	@$(PY) tools/run_tests.py -n 3 --dist loadgroup -q -m "not sweep" $(ARGS)

quick: env
	@$(PY) tools/run_tests.py -n 2 --dist loadgroup -q --at-most 2 $(ARGS)

check: lint types floors schemas-check docs

docs: env
	@$(PY) -m sphinx -q -W --keep-going -b html docs site

schemas: env
	@$(PY) tools/make_schemas.py
	@$(PY) tools/make_catalogue.py
	@$(PY) tools/make_architecture.py

schemas-check: env
	@$(PY) tools/make_schemas.py --check
	@$(PY) tools/make_catalogue.py --check
	@$(PY) tools/make_architecture.py --check

lint: env
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

types: env
	@$(PY) -m mypy

floors: env
	@.venv/bin/lint-imports

bench: env
	@$(PY) tools/bench.py $(ARGS)

busy-hall: env
	@sh tools/debian.sh mosquitto
	@$(PY) tools/overload.py --tables 500 --rate 5 --seconds 60 --hogs 0 --signed $(ARGS)
	@$(PY) tools/bench_console.py

proof: env
	@sh tools/debian.sh mosquitto postgresql
	@mkdir -p proof
	@$(PY) -m pytest -n 2 -q -m sweep
	@bad=0; prove="$(PY) -m table_service.rehearsal.prove --jobs 2 --quiet --kept proof/cases.jsonl"; \
	$$prove --clean 200 --each 30 --ruled 30 --faults all,ways --seed 910000 \
	    --json proof/report.json --markdown proof/report.md $(ARGS) || bad=1; \
	for gaps in declared silent; do \
	    $$prove --clean 100 --each 0 --seed 920000 --gaps $$gaps --markdown proof/gaps-$$gaps.md || bad=1; \
	done; exit $$bad

pictures: env
	@sh tools/debian.sh mosquitto chromium
	@$(PY) tools/make_pictures.py
	@$(PY) tools/make_animation.py

lock:
	uv pip compile --universal --generate-hashes --no-emit-index-url --python-version 3.11 --extra demo \
	    --extra federation --group dev pyproject.toml -o requirements.lock
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-annotate --python-version 3.11 \
	    -c requirements.lock pyproject.toml -o requirements-table.lock
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-annotate --python-version 3.11 \
	    --extra demo --group build -c requirements.lock pyproject.toml -o requirements-demo.lock

wheel:
	@sh tools/setup.sh demo
	@$(PY) tools/try_wheel.py --only-make

clean:
	rm -rf .venv .work .mypy_cache .ruff_cache .pytest_cache
