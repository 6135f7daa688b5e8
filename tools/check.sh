#!/usr/bin/env bash
# Checks a change within minutes: the format and lints of all three languages, Rust's tests of core and
# codegen, and the tests of one Python and one JDK without the slow ones. Run setup.sh before.
#
# All Rust code has the profile `dev`, as in test.sh, so that a change is compiled once.
source "$(dirname "$0")/lib.sh"
source tools/jobs.sh

export PYO3_PYTHON=$PWD/.venv/bin/python
packages=(--workspace --exclude serow)

rust_tests() {
    cargo test -q "${packages[@]}"
}

python_tests() {
    SEROW_TEST_PROFILE=brief PYTHONPATH=python \
        .venv/bin/python -m pytest -p no:cacheprovider -m "not long and not heavy"
}

# java_tests <JDK's home>: spotless is not left to lint.sh beside it, because Maven's programs share
# their folders.
java_tests() {
    tools/lint.sh java && tools/maven.sh "$1" debug -pl serow,serow-arrow test -Dserow.heavy.skip=true
}

say "building the tests, the Python extension and the JVM library"
cargo build -q "${packages[@]}" --lib --tests
# Replace the file instead of writing to it: a running Python may have it mapped.
install -m 644 target/debug/lib_native.so python/serow/_native.abi3.so

begin "Python" python_tests
begin "Java" java_tests "$(tools/find-jdks.sh --default)"
begin "Rust" rust_tests
begin "format and lints" tools/lint.sh rust python
passed "${!started[@]}"

say "all checks passed in $SECONDS s"
