#!/usr/bin/env bash
# Runs the tests of all three languages: Rust's tests, Python's on each installed Python, and Java's on
# each installed JDK. All Rust code has the profile `dev` and is built once. Run setup.sh before.
# `test.sh long` runs every test on each of them and with each tier. Without `long`, tests that are marked
# `long` are left out, and a test runs where its outcome may differ: all of Python's run on the newest
# Python, those that depend on the tier also on the oldest, where everything is compiled, and those that
# depend on the version on each (the marks `tiers` and `once` in pyproject.toml); all of Java's run on the
# oldest JDK, and without the tag `once` on the newest.
source "$(dirname "$0")/lib.sh"
source tools/jobs.sh

is_long=
if [ "${1:-}" = long ]; then is_long=1; fi

export PYO3_PYTHON=$PWD/.venv/bin/python

say "building the libraries, Rust's tests and the program of the crate"
cargo build -q --workspace --lib --tests --examples
# Replace the file instead of writing to it: a running Python may have it mapped.
install -m 644 target/debug/lib_native.so python/serow/_native.abi3.so

# typed_tests: the tests of Rust types, the examples in their docs, and the benchmark with few rows. They
# have many types, so compiling them with optimisations takes far longer than running them.
typed_tests() {
    local -x CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR=target/typed
    cargo test -q -p serow --features serde,arrow,ecosystem --lib --test rows --test typed --test arrow --test ecosystem ||
        return 1
    cargo test -q -p serow --features serde,arrow,ecosystem --doc || return 1
    cargo bench -q -p serow --features serde,arrow,ecosystem --profile dev --bench formats -- --test
}

rust_tests() {
    rustc --version
    cargo test -q --workspace || return 1
    typed_tests || return 1
    [ "$is_long" ] || return 0
    PROPTEST_CASES=400 cargo test -q -p serow-codegen --test compile || return 1
    cargo test -q -p serow --test hostile -- --ignored --nocapture
}

# python_tests <version> <profile> <tier> <pytest arguments>…: python/tests/conftest.py defines the
# profiles.
python_tests() {
    SEROW_TEST_PROFILE=$2 SEROW_TIER=$3 PYTHONPATH=python \
        "build/venv-$1/bin/python" -m pytest -p no:cacheprovider --durations=12 "${@:4}"
}

# java_tests <tier> <JDK home> <Maven arguments>…: Maven builds in one folder, so these run one after
# another. Most tests are too short for the JVM's second compiler to pay; `long` has it too.
java_tests() {
    local quick="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" more=("${@:3}")
    if [ "$is_long" ]; then
        more+=(-Dserow.left.out=heavy -Dserow.tries=300)
    else
        more+=("-Dserow.test.jvm=$quick")
    fi
    SEROW_TIER=$1 MAVEN_OPTS=$quick tools/maven.sh "$2" debug verify "${more[@]}" </dev/null
}

# all_java_tests: each JDK and tier.
all_java_tests() {
    local home tier samples=()
    for home in "${homes[@]}"; do
        for tier in auto jit interpreter; do
            say "SEROW_TIER=$tier, $home"
            java_tests "$tier" "$home" "${samples[@]}" || return 1
            # The samples in Scala stay as they are.
            samples=(-Dserow.samples.skip=true)
        done
    done
}

# spark_tests <pytest arguments>…: serow in PySpark, which starts its own JVM and workers. They read the
# Java library all the time, and Maven may replace it.
spark_tests() {
    JAVA_HOME=$java PYTHONPATH=python SEROW_JAVA_LIBRARY=$PWD/build/serow.jar \
        build/venv-spark/bin/python -m pytest -p no:cacheprovider --durations=12 "$@" python/tests/spark
}

# spark_doctests: the examples in PySpark's own documentation, with serow.
spark_doctests() {
    JAVA_HOME=$java PYTHONHASHSEED=0 SPARK_LOCAL_IP=127.0.0.1 \
        PYTHONPATH=$PWD/python PYSPARK_PYTHON=$PWD/build/venv-spark/bin/python \
        build/venv-spark/bin/python python/tests/spark/doctests.py \
        pyspark.core.rdd pyspark.sql.classic.dataframe pyspark.accumulators pyspark.core.context \
        pyspark.taskcontext pyspark.sql.classic.column pyspark.sql.group pyspark.sql.readwriter \
        pyspark.sql.session pyspark.sql.udf
}

# between_languages <arguments>…: the programs in docs/records.md, and messages from each language to each.
between_languages() {
    local path=python:python/tests:tests/golden
    JAVA_HOME=$java PYTHONPATH=$path .venv/bin/python tests/cross/records_page.py || return 1
    JAVA_HOME=$java PYTHONPATH=$path .venv/bin/python tests/cross/run.py "$@"
}

# program_tests <pytest arguments>…: the tests of the demo and of the benchmarks.
program_tests() {
    JAVA_HOME=$java PYTHONPATH=python \
        .venv/bin/python -m pytest "$@" benches/{demo,suite,pythons,parallel,large,arrow,spark,spark_jvm}/tests
}

# huge_messages: messages of gigabytes. They skip themselves where too little memory is available.
huge_messages() {
    PYTHONPATH=python "build/venv-$newest/bin/python" -m pytest -p no:cacheprovider --durations=12 \
        -m huge python/tests/test_huge.py
}

# many_rows: many rows that hypothesis generates.
many_rows() {
    PYTHONPATH=python "build/venv-$newest/bin/python" python/tests/many_rows.py "$many"
}

# damaged_records: single records with random changes.
damaged_records() {
    PYTHONPATH=python "build/venv-$newest/bin/python" python/tests/damaged_records.py "$damaged"
}

# damaged_records_in_java: the same in Java, with the JVM's second compiler.
damaged_records_in_java() {
    tools/maven.sh "$java" debug test -pl serow -Dserow.samples.skip=true -Dtest=DamagedRecordsTest \
        -Dsurefire.failIfNoSpecifiedTests=false "-Dserow.damaged=$damaged" </dev/null
}

# The machine need not have the newest Pythons.
tools/debian-python.sh 3.14 ${is_long:+3.15}

java=$(tools/find-jdks.sh --default)
mapfile -t homes < <(tools/find-jdks.sh | cut -d ' ' -f 2-)
mapfile -t pythons < <(tools/find-pythons.sh)
oldest=${pythons[0]%% *} newest=${pythons[-1]%% *}

# pytest's selections, the profile of hypothesis, and how much of what is random.
few=(-m "not long")
of_tiers=(-m "not long and not once")
of_versions=(-m "not long and not once and not tiers")
profile=brief
scale=0.4
many=10000
damaged=100000
if [ "$is_long" ]; then
    few=() of_tiers=() of_versions=()
    profile=quick
    scale=5
    many=100000
    damaged=10000000
fi

say "built after $SECONDS s"
if [ "$is_long" ]; then
    begin "Java" all_java_tests
else
    begin "Java" java_tests auto "${homes[0]}"
fi
begin "Rust" rust_tests
for each in "${pythons[@]}"; do
    read -r version python <<<"$each"
    tools/venv.sh "build/venv-$version" "$python" python/requirements-test.txt
done
begin "Python $newest, auto" python_tests "$newest" quick auto "${few[@]}"
begin "Python $oldest, jit" python_tests "$oldest" "$profile" jit "${of_tiers[@]}"

# PySpark needs the jar that Java's tests build.
passed "Java"
cp java/serow/target/serow-[0-9]*[0-9].jar build/serow.jar
tools/spark-venv.sh
begin "PySpark" spark_tests "${few[@]}"
if [ "$is_long" ]; then
    for each in "${pythons[@]}"; do
        for tier in auto jit interpreter; do
            name="Python ${each%% *}, $tier"
            [ "${started[$name]:-}" ] || begin "$name" python_tests "${each%% *}" "$profile" "$tier"
        done
    done
else
    begin "Java, jit" java_tests jit "${homes[-1]}" -pl serow,serow-arrow -Dserow.samples.skip=true \
        -Dserow.heavy.skip=true "-Dserow.left.out=heavy | long | once"
    tier=interpreter
    for ((i = 1; i < ${#pythons[@]} - 1; i++)); do
        version=${pythons[i]%% *}
        begin "Python $version, $tier" python_tests "$version" "$profile" "$tier" "${of_versions[@]}"
        tier=auto
    done
fi
begin "random rows" many_rows
begin "damaged single records" damaged_records
# Maven replaces classes that these use.
[ "$is_long" ] || passed "Java, jit"
begin "the demo and the benchmarks" program_tests "${few[@]}"
begin "each language to each" between_languages --scale "$scale"
if [ "$is_long" ]; then
    begin "PySpark's own doctests" spark_doctests
    passed "${!started[@]}"
    begin "damaged single records in Java" damaged_records_in_java
    # They take most of the memory, so nothing else runs beside them.
    passed "damaged single records in Java"
    begin "messages of gigabytes" huge_messages
    passed "messages of gigabytes"
    begin "without the compiler" tools/test-without-compiler.sh
fi
passed "${!started[@]}"

say "all tests passed after $SECONDS s"
