#!/usr/bin/env bash
# test-spark.sh: runs the tests in PySpark on each tested version of docs/pyspark.md, and suites of Spark's
# own tests. Run setup.sh before. Versions of PySpark between the oldest and the newest leave out slow
# tests and give few examples of each property. `make test` runs only the newest.
#
# VERSIONS="3.5.7 4.0.1" and SUITE_VERSIONS=4.2.0 select versions of PySpark and of the suites; an empty
# list runs nothing. Versions of the suites need a tests jar of spark-core in Maven's repositories.
source "$(dirname "$0")/lib.sh"
source tools/jobs.sh

read -ra versions <<<"${VERSIONS-3.5.7 4.0.1 4.1.4 4.2.0 4.3.0}"
read -ra suites <<<"${SUITE_VERSIONS-4.2.0 3.5.7}"

# The oldest JDK: Spark 3.5 does not support later ones than 17.
read -r _ JAVA_HOME < <(tools/find-jdks.sh)
export JAVA_HOME PYO3_PYTHON=$PWD/.venv/bin/python

say "building the Python extension and the jars"
cargo build -q -p serow-py -p serow-jvm
# Replace the file instead of writing to it: a running Python may have it mapped.
install -m 644 target/debug/lib_native.so python/serow/_native.abi3.so
tools/maven.sh "$JAVA_HOME" debug package -pl serow,serow-spark,spark-bench -Dmaven.test.skip

# spark_tests <version> <pytest arguments>…
spark_tests() {
    PYTHONPATH=python "build/venv-spark-$1/bin/python" -m pytest -p no:cacheprovider --durations=8 \
        "${@:2}" python/tests/spark
}

for version in "${suites[@]}"; do
    tools/spark-suites/classpath.sh "$version"
    begin "Spark's own suites, $version" tools/spark-suites/run.sh "$version"
done
between=()
for version in "${versions[@]}"; do
    tools/spark-venv.sh "$version"
    case $version in
        "${versions[0]}" | "${versions[-1]}") begin "PySpark $version" spark_tests "$version" ;;
        *) between+=("$version") ;;
    esac
done
# The longest come first, so that both processors are busy to the end.
for version in "${between[@]}"; do
    SEROW_TEST_PROFILE=brief begin "PySpark $version" spark_tests "$version" -m "not long"
done
passed "${!started[@]}"
say "passed on PySpark ${versions[*]:-(none)} and by suites of Spark ${suites[*]:-(none)}"
