#!/usr/bin/env bash
# test-spark.sh [version…]: runs the tests in PySpark on each of these versions of it, after setup.sh.
# Without a version, on those that docs/pyspark.md says are tested. `make test` has the newest alone.
source "$(dirname "$0")/lib.sh"

versions=("$@")
[ $# != 0 ] || versions=(3.5.7 4.0.1 4.1.4 4.2.0 4.3.0)

# The oldest: Spark 3.5 does not run on those behind 17.
read -r _ JAVA_HOME < <(tools/find-jdks.sh)
export JAVA_HOME PYO3_PYTHON=$PWD/.venv/bin/python
# Tests leave the user's cache of objects alone.
SEROW_CACHE_DIR=$(mktemp -d)
export SEROW_CACHE_DIR
trap 'rm -rf "$SEROW_CACHE_DIR"' EXIT

say "building the Python extension and the jar"
cargo build -q --profile ci -p serow-py
# Not written in place: a Python that runs may have it mapped.
install -m 644 target/ci/lib_native.so python/serow/_native.abi3.so
tools/maven.sh "$JAVA_HOME" ci package -pl serow-spark -DskipTests

failed=()
for version in "${versions[@]}"; do
    say "PySpark $version"
    tools/spark-venv.sh "$version"
    PYTHONPATH=python "build/venv-spark-$version/bin/python" -m pytest -p no:cacheprovider \
        python/tests/spark || failed+=("$version")
done
[ ${#failed[@]} = 0 ] || fail "the tests have failed on PySpark ${failed[*]}"
say "passed on PySpark ${versions[*]}"
