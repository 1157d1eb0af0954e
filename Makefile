# Everything a source tree is used for.  Each target does the set-up that it needs, once.
#
#   make demo                  compile a small real network
#   make test                  run the tests (PYTEST_ARGS=... narrows them)
#   make conformance           run all backend test cases of ONNX (docs/onnx-conformance.md)
#   make sanitize              run tests and damaged models under sanitizers (docs/testing.md)
#   make lint                  check style and types
#   make bench                 run the benchmarks
#   make wheel                 a wheel in dist/
#   make install PREFIX=/root  the tree bin/ lib64/ python/ set_env.sh under PREFIX
#
# PYTHON=/path/to/python3 chooses the interpreter that .venv is made with.

.DELETE_ON_ERROR:
.PHONY: demo test conformance sanitize lint bench wheel install clean

# A compiler job takes up to 1 GB of memory.
export CMAKE_BUILD_PARALLEL_LEVEL ?= 2

python := .venv/bin/python
sources := pyproject.toml CMakeLists.txt README.md \
	$(shell find bin cmake core ge include pyx scripts/set_env.sh -type f ! -name "*.pyc")

demo: .venv/installed
	scripts/demo.sh

test: .venv/installed .venv/test
	$(python) -P -m pytest $(PYTEST_ARGS)

conformance: .venv/installed .venv/test
	PYTHONPATH=tests $(python) -P -m conformance $(ARGS)

sanitize: .venv/ready .venv/test .venv/build
	scripts/sanitize.sh $(python) $(PYTEST_ARGS)

bench: .venv/installed .venv/bench
	$(python) -P scripts/fetch_model.py --out build/models
	$(python) -P benchmarks/bench_compile.py --models build/models \
		--atc "$$($(python) -P -c 'import ge; print(ge.__path__[0] + "/atc")')"
	$(python) -P benchmarks/bench_run.py --models build/models
	$(python) -P benchmarks/bench_aclop.py

lint: .venv/lint
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	PATH="$(CURDIR)/.venv/bin:$$PATH" cython-lint pyx
	find benchmarks core include pyx tests -name '*.cc' -o -name '*.c' -o -name '*.h' | xargs clang-format --dry-run -Werror
	shellcheck bin/pyatc scripts/*.sh .ci/run

wheel: dist/built

install: dist/built
	$(if $(PREFIX),,$(error say where: make install PREFIX=/path))
	cmake --install build/cp311-abi3-* --prefix "$(PREFIX)" --component tree --strip

clean:
	rm -rf build dist .venv

.venv/ready: scripts/setup.sh
	scripts/setup.sh
	touch $@

dist/built: .venv/ready $(sources)
	rm -f dist/pyatc-*.whl
	$(python) -m pip wheel -q --no-deps -w dist .
	touch $@

.venv/installed: dist/built
	$(python) -m pip install -q --no-deps --force-reinstall dist/pyatc-*.whl
	touch $@

# What a wheel is built with, for a build outside of a wheel.
.venv/build: .venv/ready pyproject.toml
	$(python) -P -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $@.txt
	$(python) -m pip install -q -r $@.txt
	mv $@.txt $@

.venv/test .venv/lint .venv/bench: .venv/ready pyproject.toml
	scripts/setup.sh $(@F)
	# The extra of pyproject.toml that is called like the target.
	$(python) -P -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["$(@F)"], sep="\n")' > $@.txt
	$(python) -m pip install -q -r $@.txt
	mv $@.txt $@
