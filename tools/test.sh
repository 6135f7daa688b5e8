#!/usr/bin/env bash
# Runs the tests of all three languages, after setup.sh: Rust's, then Python's on every Python and
# Java's on every JDK that is here, both against one build that is optimised but links quickly.
source "$(dirname "$0")/lib.sh"

export PYO3_PYTHON=$PWD/.venv/bin/python
# Tests leave the user's cache of objects alone.
SEROW_CACHE_DIR=$(mktemp -d)
export SEROW_CACHE_DIR
trap 'rm -rf "$SEROW_CACHE_DIR"' EXIT

say "Rust: $(rustc --version)"
# crates/py is an extension of Python and has no test binary: pytest tests it.
cargo test -q --workspace --exclude serow-py
cargo test -q -p serow --features jit --test jit

say "building the Python extension and the JVM library"
cargo build -q --profile ci -p serow-py -p serow-jvm
# Not written in place: a Python that runs may have it mapped.
install -m 644 target/ci/lib_native.so python/serow/_native.abi3.so

tools/find-pythons.sh | while read -r version python; do
    tools/venv.sh "build/venv-$version" "$python" python/requirements-test.txt
    say "Python $version: $python"
    PYTHONPATH=python "build/venv-$version/bin/python" -m pytest </dev/null
done

tools/find-jdks.sh | while read -r version home; do
    say "Java $version: $home"
    tools/maven.sh "$home" ci verify </dev/null
done

# What was left to choose its tier above, by each tier alone.
read -r python_version _ < <(tools/find-pythons.sh)
for tier in jit interpreter; do
    say "Python $python_version, SEROW_TIER=$tier"
    SEROW_TIER=$tier PYTHONPATH=python "build/venv-$python_version/bin/python" -m pytest </dev/null
    say "Java, SEROW_TIER=$tier"
    SEROW_TIER=$tier tools/maven.sh "$(tools/find-jdks.sh --default)" ci verify -pl serow </dev/null
done

say "a hundred thousand rows"
PYTHONPATH=python "build/venv-$python_version/bin/python" python/tests/many_rows.py 100000

# After Java's, which leave the jar and its tests' classes.
say "from each language to each"
cargo build -q --profile ci -p serow --example conformance
JAVA_HOME=$(tools/find-jdks.sh --default) PYTHONPATH=python:python/tests:tests/golden \
    .venv/bin/python tests/cross/run.py

# After Java's, which leave the jar of the JVM's side.
say "the demo's and the benchmark's own tests"
JAVA_HOME=$(tools/find-jdks.sh --default) PYTHONPATH=python \
    .venv/bin/python -m pytest benches/demo/tests benches/suite/tests

say "all tests passed"
