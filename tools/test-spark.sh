#!/usr/bin/env bash
# test-spark.sh [version…]: runs the tests in PySpark on each of these versions of PySpark. Run setup.sh
# before. The default versions are the tested ones of docs/pyspark.md; those between the oldest and the
# newest leave out slow tests. `make test` runs only the newest.
source "$(dirname "$0")/lib.sh"

versions=("$@")
[ $# != 0 ] || versions=(3.5.7 4.0.1 4.1.4 4.2.0 4.3.0)

# The oldest JDK: Spark 3.5 does not support later ones than 17.
read -r _ JAVA_HOME < <(tools/find-jdks.sh)
export JAVA_HOME PYO3_PYTHON=$PWD/.venv/bin/python
# The tests do not use the user's object cache.
SEROW_CACHE_DIR=$(mktemp -d)
export SEROW_CACHE_DIR
trap 'rm -rf "$SEROW_CACHE_DIR"' EXIT

say "building the Python extension and the jars"
cargo build -q -p serow-py -p serow-jvm
# Replace the file instead of writing to it: a running Python may have it mapped.
install -m 644 target/debug/lib_native.so python/serow/_native.abi3.so
tools/maven.sh "$JAVA_HOME" debug package -pl serow,serow-spark -Dmaven.test.skip

failed=()
for version in "${versions[@]}"; do
    say "PySpark $version"
    tools/spark-venv.sh "$version"
    few=()
    case $version in "${versions[0]}" | "${versions[-1]}") ;; *) few=(-m "not long") ;; esac
    PYTHONPATH=python "build/venv-spark-$version/bin/python" -m pytest -p no:cacheprovider \
        --durations=8 "${few[@]}" python/tests/spark || failed+=("$version")
done
[ ${#failed[@]} = 0 ] || fail "tests failed on PySpark ${failed[*]}"
say "passed on PySpark ${versions[*]}"
