# All tasks. Each target installs what it needs: see tools/setup.sh.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo demo-spark bench bench-rust bench-pythons bench-parallel bench-large bench-few bench-logs bench-views bench-arrow bench-spark spark-venv check test test-long test-spark mutants wheel jar jar-install release-check lint miri asan fuzz api clean

venv := .venv/bin
# The JDK for building. Evaluated when it is used.
jdk = $(shell tools/find-jdks.sh --default)

help: ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 8

setup: ## install what is missing: LLVM by apt, Python packages into .venv
	@tools/setup.sh

demo: wheel jar ## Part rows from Python to the JVM and back, compared with pickle, BSON and protobuf; SF=0.1
	@tools/install-wheel.sh
	@JAVA_HOME="$(jdk)" $(venv)/python benches/demo/run.py

demo-spark: spark-venv jar ## Part rows in PySpark and Scala on a cluster of two workers, with and without serow; SF=0.1
	@PATH="$(CURDIR)/$(venv):$$PATH" JAVA_HOME="$(jdk)" build/venv-spark/bin/python benches/demo_spark/run.py

bench: wheel jar ## serow and its peers, into benches/results; SF="1 2 4 8", QUICK=1 for a short run
	@tools/install-wheel.sh
	@JAVA_HOME="$(jdk)" $(venv)/python benches/suite/run.py

bench-rust: ## Rust types by derive and by serde: serow, bitcode, bincode and postcard; QUICK=1
	@QUICK="$(QUICK)" cargo bench --quiet -p serow --features serde --bench formats

bench-pythons: wheel ## the rows of `make bench` in Python, on 3.14 and 3.15 beside 3.13; QUICK=1, WORKLOADS="part nested"
	@tools/bench-pythons.sh

bench-parallel: wheel jar ## large messages on several threads, in Python, Rust and Java; QUICK=1
	@tools/install-wheel.sh
	@cargo build --quiet --release -p serow --example parallel
	@JAVA_HOME="$(jdk)" $(venv)/python benches/parallel/run.py

bench-large: wheel ## sizes beside Parquet's and pickle's, compression in steps, a stream; QUICK=1, BYTES=20e9
	@tools/install-wheel.sh
	@$(venv)/python benches/large/run.py

bench-few: wheel ## a few objects at a time, beside msgspec and pydantic
	@tools/install-wheel.sh
	@$(venv)/python benches/few/run.py

bench-logs: wheel ## appending to a log, recovering and reading it
	@tools/install-wheel.sh
	@$(venv)/python benches/logs/run.py

bench-views: wheel ## looking into a file of 1 GB: rows in any order, a column, the command; QUICK=1
	@tools/install-wheel.sh
	@QUICK="$(QUICK)" $(venv)/python benches/views/run.py

bench-arrow: wheel ## rows to Arrow and back, beside pyarrow, Polars and DuckDB; QUICK=1, TASKS=dicts
	@tools/bench-arrow.sh

bench-spark: spark-venv jar ## PySpark and Spark's JVM, with serow and without; SF="1 4", QUICK=1, ONLY=jvm, TASKS=text
	@tools/install-wheel.sh
	@JAVA_HOME="$(jdk)" tools/bench-spark.sh

# PySpark in build/venv-spark, with the wheel.
spark-venv: wheel
	@tools/spark-venv.sh
	@build/venv-spark/bin/python -m pip install -q --disable-pip-version-check --no-deps \
	    --force-reinstall dist/serow-*.whl

check: setup ## format, lints and quick tests of all languages, on one Python and one JDK; minutes
	@tools/check.sh

test: setup ## the tests in all languages, on every installed Python and JDK
	@tools/test.sh

test-long: setup ## the same and the slow tests, on each Python and JDK with each tier; takes hours
	@tools/test.sh long

test-spark: setup ## the tests in PySpark on each supported version, VERSIONS="3.5.7 4.0.1", and Spark's own suites, SUITE_VERSIONS=4.2.0
	@tools/test-spark.sh

mutants: ## checks that core's unit tests notice the faults in tools/mutants.txt
	@python3 tools/mutants.py

# serow-spark compiles against serow. The wheel has only the former, so serow's native library may be missing.
wheel: setup ## the Python package, into dist/
	@rm -f dist/serow-*.whl
	@$(venv)/python tools/notices.py --check
	tools/maven.sh "$(jdk)" release package -pl serow,serow-spark -Dmaven.test.skip -Denforcer.skip
	@install -D -m 644 java/serow-spark/target/serow-spark.jar python/serow/spark/jars/serow-spark.jar
	$(venv)/maturin build --quiet --release --compatibility manylinux_2_34 --auditwheel check \
	    --compression-level 9 --out dist
	@$(venv)/python tools/check_package.py dist/serow-*.whl

jar: setup ## the Java library, and those for Arrow and Spark, into dist/
	@$(venv)/python tools/notices.py --check
	cargo build --quiet --release -p serow-jvm
	tools/maven.sh "$(jdk)" release package -Dmaven.test.skip
	@mkdir -p dist
	@cp java/serow/target/serow-[0-9]*.[0-9].jar java/serow-arrow/target/serow-arrow-[0-9]*.[0-9].jar dist/
	@for jar in dist/serow-[0-9]*.jar; do \
	    cp java/serow-spark/target/serow-spark.jar "dist/serow-spark-$${jar#dist/serow-}"; done
	@$(venv)/python tools/check_package.py dist/serow-[0-9]*.jar

jar-install: setup ## the same libraries into Maven's local repository, for programs built by Maven or Gradle
	cargo build --quiet --release -p serow-jvm
	tools/maven.sh "$(jdk)" release install -Dmaven.test.skip -pl serow,serow-arrow,serow-spark

release-check: setup ## a dry run of a release: all packages, built and checked, into build/release
	@tools/release.sh

lint: setup ## rustfmt, clippy, ruff, mypy, pyright, google-java-format
	@tools/lint.sh

miri: ## core's tests under Miri, which checks each use of a pointer; installs nightly Rust
	@tools/miri.sh

fuzz: setup ## cargo-fuzz on every reader, and Python's functions at random, TIME=60 seconds for each; installs nightly Rust
	@TIME="$(TIME)" tools/fuzz.sh

asan: setup ## tests in Rust and Python with AddressSanitizer; installs nightly Rust
	@tools/asan.sh

api: ## the public API of the Rust crate as text, into crates/serow/api.txt; installs nightly Rust
	@tools/api.sh

clean: ## removes everything that was built, and .venv
	cargo clean --quiet
	rm -rf .venv build dist data java/target java/*/target python/serow/_native*.so python/serow/spark/jars
	find python benches -name __pycache__ -prune -exec rm -rf {} +
