#!/usr/bin/env bash
# Builds the libraries of Python and the JVM without the compiler, and so without LLVM, and runs the tests
# of both languages with them, on one Python and one JDK. Run setup.sh before.
source "$(dirname "$0")/lib.sh"

export PYO3_PYTHON=$PWD/.venv/bin/python
target=target/without-compiler
stage=build/without-compiler

say "building without the compiler"
# A build that asked for LLVM would fail.
LLVM_SYS_221_PREFIX=/nonexistent cargo build -q -p serow-py -p serow-jvm --lib --no-default-features \
    --target-dir "$target"
rm -rf "$stage"
mkdir -p "$stage"
cp -r python/serow "$stage"
install -m 644 "$target/debug/lib_native.so" "$stage/serow/_native.abi3.so"

say "Python without the compiler"
SEROW_TEST_PROFILE=brief PYTHONPATH=$stage .venv/bin/python -m pytest -p no:cacheprovider -m "not long" \
    --ignore=python/tests/spark python/tests

say "Java without the compiler"
tools/maven.sh "$(tools/find-jdks.sh --default)" "${target#target/}/debug" test -pl serow \
    -Dserow.heavy.skip=true
