# The front door: each target installs what it needs, then calls CMake or CTest.
# `make help` lists them.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PRESET ?= release
TAGS ?= run test
PREFIX ?= /usr/local
# of `make soak`: seconds for each long test, cases for each property
SOAK ?= 60
SOAK_CASES ?= 10000

BUILD = build/$(PRESET)
DEMO_TIME ?= 3
DEMO = showcase --contact st,ap,deepest,volumetric
CONTACT ?= fast
SOURCES = $(shell git ls-files '*.h' '*.cpp')
UNITS = $(shell git ls-files 'abut/*.cpp' 'tools/*.cpp')

# the Python that wheels and packages are for
PYTHON ?= /usr/bin/python3

.PHONY: build deps demo test test-long wheel deb test-asan test-tsan corpus golden pictures bench bench-haptic bench-engines soak fuzz format check-format tidy install docs clean help
.NOTPARALLEL:

build: ## build the library and the abut tool (PRESET=release, debug, asan, tsan)
	@cmake/deps.sh run
	@$(call configure-without-tests,$(PRESET))
	cmake --build $(BUILD) -j $(JOBS) --target abut-all

deps: ## install the Debian packages of TAGS="run test" (also: bench, python, dev)
	@cmake/deps.sh $(TAGS)

# (the tool alone: neither the papers' experiments nor tests; at a terminal it ends with a live viewer)
demo: ## one world under four contact models, side by side: a report that plays by itself
	@cmake/deps.sh run
	@$(call configure-without-tests,$(PRESET))
	cmake --build $(BUILD) -j $(JOBS) --target abut-tool
	@mkdir -p build/demo
	$(BUILD)/abut compare $(DEMO) --time $(DEMO_TIME) --report build/demo/report.html
	@printf '\n  The report: file://%s/build/demo/report.html\n  Live:       %s view %s\n' "$(CURDIR)" $(BUILD)/abut "$(DEMO)"
	@[ ! -t 0 ] || [ ! -t 1 ] || $(BUILD)/abut view $(DEMO) || true

wheel: ## the Python package, with the libraries that it needs, as build/dist/abut-*.whl
	@cmake/deps.sh run python
	@$(call configure-without-tests,release)
	@ABUT_BUILD_DIR=build/release ABUT_JOBS=$(JOBS) $(PYTHON) python/backend.py build/dist

deb: ## Debian packages (library, tool, Python module, worlds) in build/deb
	@cmake/deps.sh run python cluster package
	@$(call configure-without-tests,release)
	@cmake -B build/release -DABUT_BUILD_PYTHON=ON >/dev/null
	cmake --build build/release -j $(JOBS) --target abut-all abut_python
	@packaging/deb.sh build/release build/deb

test: ## build and run every test
	@$(call build-tests,$(PRESET))
	@cmake/run_tests.sh $(BUILD) -j $(JOBS) -LE long

# Debian packages in a chroot, the wheel in a virtual environment, sweeps by MPI, Slurm and Dask
test-long: wheel deb ## the tests that want services, a chroot or an hour
	@cmake/run_tests.sh build/release -L long -j 1 --timeout 3600

test-asan: ## the same, with the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory test PRESET=asan

test-tsan: ## the same, with the thread sanitizer
	@$(MAKE) --no-print-directory test PRESET=tsan

soak: ## the long random runs (SOAK=60 seconds a test, SOAK_CASES=10000 a property)
	@$(call build-tests,$(PRESET))
	@ABUT_SOAK=$(SOAK) RC_PARAMS="max_success=$(SOAK_CASES)" \
	  cmake/run_tests.sh $(BUILD) -j $(JOBS) -LE 'build|long' --timeout 7200
	@$(MAKE) --no-print-directory fuzz

# what it finds stays in build/fuzz as crash-*, to be tried again by naming it
FUZZ ?= mjcf urdf obj stl state problem command hand sweep
fuzz: ## feed damaged files to everything that reads any, SOAK=60 seconds for each of FUZZ="mjcf .." (clang)
	@cmake/deps.sh run test fuzz
	@cmake --preset fuzz >/dev/null
	cmake --build build/fuzz -j $(JOBS) --target fuzzer
	@for target in $(FUZZ); do \
	  mkdir -p build/fuzz/corpus/$$target; \
	  seeds=; dict=; [ $$target != mjcf ] || { seeds="tests/data/mjcf worlds"; dict=-dict=tests/fuzz/mjcf.dict; }; \
	  ABUT_FUZZ_TARGET=$$target build/fuzz/tests/fuzzer -max_total_time=$(SOAK) -timeout=60 -rss_limit_mb=4096 \
	    -print_final_stats=1 $$dict -artifact_prefix=build/fuzz/ build/fuzz/corpus/$$target $$seeds || exit 1; \
	done

golden: ## make the table of end states anew (tests/data/golden.txt), where a change of behaviour is meant
	@$(call build-tests,$(PRESET))
	rm -f tests/data/golden.txt
	ABUT_GOLDEN=1 $(BUILD)/tests/test_simulate --gtest_brief=1 --gtest_filter='*Golden*'

# what docs/ shows of worlds; each line is also in the page that shows it
pictures: build ## draw the pictures of docs/ again (Chromium)
	@cmake/deps.sh run test
	docs/images/draw.sh $(BUILD)/abut

docs: ## write the documentation site to build/docs: all pages and headers, with a search (Doxygen)
	@cmake/deps.sh docs
	@docs/site.sh build/docs

corpus: ## dump contact problems of our worlds to build/corpus and solve them all
	@$(call build-tests,$(PRESET))
	tests/support/corpus.sh $(BUILD)/abut build/corpus
	ABUT_CORPUS=build/corpus $(BUILD)/tests/test_contact --gtest_filter='Corpus.*'

bench: ## measure abut and its peers in one run
	@cmake/deps.sh run bench
	@cmake --preset bench
	cmake --build build/bench -j $(JOBS)
	bench/run build/bench

bench-haptic: build ## times of the haptic loop, in real time, for five minutes or so
	bench/haptic $(BUILD)/abut

bench-engines: ## the same scenes in abut and in game and robot engines (CONTACT=fast)
	@cmake/deps.sh run bench
	@cmake --preset bench
	cmake --build build/bench -j $(JOBS)
	bench/npm build/bench/npm
	build/bench/bench/engines_compare --out build/bench --contact $(CONTACT) --threads 1 2 --npm build/bench/npm/node_modules

format: ## format every C++ file in place
	@command -v clang-format >/dev/null || cmake/deps.sh dev
	clang-format -i $(SOURCES)

check-format: ## fail if a file is not formatted
	@command -v clang-format >/dev/null || cmake/deps.sh dev
	@clang-format --dry-run --Werror $(SOURCES)

tidy: ## run clang-tidy over the library and the tool
	@command -v clang-tidy >/dev/null || cmake/deps.sh dev
	@cmake/deps.sh run
	@cmake --preset release -B build/tidy -DABUT_BUILD_TESTS=OFF -DABUT_UNITY=OFF >/dev/null  # a command a source
	@printf '%s\n' $(UNITS) | xargs -r -P $(JOBS) -n 1 clang-tidy --quiet -p build/tidy 2>&1 | { grep -v 'warnings generated' || true; }

install: build ## install below PREFIX=/usr/local
	cmake --install $(BUILD) --prefix $(PREFIX)

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 14

# A folder that is configured with its tests stays so: turning them off would throw
# away their objects.
define configure-without-tests
test -f build/$(1)/CMakeCache.txt && test -f build/$(1)/build.ninja || cmake --preset $(1) -DABUT_BUILD_TESTS=OFF
endef

define build-tests
cmake/deps.sh run test python && cmake --preset $(1) -DABUT_BUILD_TESTS=ON $(if $(filter release,$(1)),-DABUT_BUILD_PYTHON=ON) && cmake --build build/$(1) -j $(JOBS)
endef
