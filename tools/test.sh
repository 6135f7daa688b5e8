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

say "building the Python extension, the JVM library and the program of the crate"
cargo build -q --profile ci -p serow-py -p serow-jvm
cargo build -q --profile ci -p serow --example conformance
# Not written in place: a Python that runs may have it mapped.
install -m 644 target/ci/lib_native.so python/serow/_native.abi3.so

# Most tests keep one processor busy: two programs of tests run at a time. What one printed is shown
# when it has ended.
logs=$(mktemp -d)
trap 'rm -rf "$SEROW_CACHE_DIR" "$logs"' EXIT
declare -A started=()

# begin <name> <command…>: runs it beside one other. `set -e` is off in functions that are run so.
begin() {
    local name=$1
    shift
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n || true; done
    (
        SECONDS=0
        "$@" >"$logs/$name" 2>&1 </dev/null && touch "$logs/$name passed"
        exec {screen}>"$logs/screen"
        flock "$screen"
        say "$name: $SECONDS s"
        cat "$logs/$name"
    ) &
    started[$name]=$!
}

# passed <name…>: waits for these; if one has failed, it waits for all that were begun, and ends.
passed() {
    local name
    for name in "$@"; do
        wait "${started[$name]}" || true
        [ -e "$logs/$name passed" ] && continue
        wait
        fail "the tests of $name have failed: see what they printed above"
    done
}

# python_tests <version> <profile> <tier>: the profiles are in python/tests/conftest.py.
python_tests() {
    SEROW_TEST_PROFILE=$2 SEROW_TIER=$3 PYTHONPATH=python \
        "build/venv-$1/bin/python" -m pytest -p no:cacheprovider --durations=12
}

# java_tests: on each JDK, and then by each tier alone. Maven builds in one place, so its programs run
# one after another.
java_tests() {
    local version home tier
    while read -r version home; do
        say "Java $version: $home"
        tools/maven.sh "$home" ci verify </dev/null || return 1
    done < <(tools/find-jdks.sh)
    for tier in jit interpreter; do
        say "Java, SEROW_TIER=$tier"
        SEROW_TIER=$tier tools/maven.sh "$java" ci verify -pl serow </dev/null || return 1
    done
}

# spark_tests: serow in PySpark, which starts a JVM and workers of its own.
spark_tests() {
    JAVA_HOME=$java PYTHONPATH=python \
        build/venv-spark/bin/python -m pytest -p no:cacheprovider --durations=12 python/tests/spark
}

# spark_doctests: the examples in PySpark's own documentation, as they are with serow.
spark_doctests() {
    local module
    for module in pyspark.core.context pyspark.core.rdd pyspark.accumulators pyspark.taskcontext \
        pyspark.sql.session pyspark.sql.classic.dataframe pyspark.sql.classic.column \
        pyspark.sql.group pyspark.sql.readwriter pyspark.sql.udf; do
        JAVA_HOME=$java PYTHONHASHSEED=0 SPARK_LOCAL_IP=127.0.0.1 \
            PYTHONPATH=$PWD/python PYSPARK_PYTHON=$PWD/build/venv-spark/bin/python \
            build/venv-spark/bin/python python/tests/spark/doctests.py "$module" || return 1
        echo "$module: passed"
    done
}

# between_languages: from each language to each.
between_languages() {
    JAVA_HOME=$java PYTHONPATH=python:python/tests:tests/golden .venv/bin/python tests/cross/run.py
}

# program_tests: the demo's and the benchmarks' own.
program_tests() {
    JAVA_HOME=$java PYTHONPATH=python \
        .venv/bin/python -m pytest benches/demo/tests benches/suite/tests benches/spark/tests
}

# many_rows: of what hypothesis makes.
many_rows() {
    PYTHONPATH=python "build/venv-$newest/bin/python" python/tests/many_rows.py 100000
}

java=$(tools/find-jdks.sh --default)
begin "Java" java_tests

mapfile -t pythons < <(tools/find-pythons.sh)
for i in "${!pythons[@]}"; do
    read -r version python <<<"${pythons[i]}"
    tools/venv.sh "build/venv-$version" "$python" python/requirements-test.txt
    # The newest tries more random rows than the others.
    profile=brief
    if ((i == ${#pythons[@]} - 1)); then profile=quick; fi
    begin "Python $version" python_tests "$version" "$profile" auto
done

# PySpark needs the jar, and what goes between languages the classes, that Java's tests leave.
passed "Java"
tools/spark-venv.sh
begin "PySpark" spark_tests

# What was left to choose its tier runs by each tier alone.
read -r python_version _ <<<"${pythons[0]}"
read -r newest _ <<<"${pythons[-1]}"
for tier in jit interpreter; do
    begin "Python $python_version, SEROW_TIER=$tier" python_tests "$python_version" brief "$tier"
done

begin "PySpark's own doctests" spark_doctests
begin "each language to each" between_languages
begin "the demo and the benchmarks" program_tests
begin "a hundred thousand rows" many_rows
passed "${!started[@]}"

say "all tests passed"
