#!/usr/bin/env bash
# test-spark-suites.sh [version…]: runs suites of Spark's own tests with SerowSerializer. The suites are
# in tools/spark-suites/suites.txt. Tests that fail are run again with serow and with Kryo. The script
# fails if a test fails both times with serow, but passes with Kryo. Versions need a tests jar of
# spark-core in Maven's repositories. Run setup.sh before.
#
# SUITES="rdd.RDDSuite CheckpointSuite" runs only these suites of org.apache.spark, and
# SERIALIZER=org.apache.spark.serializer.KryoSerializer runs suites with another serializer first.
source "$(dirname "$0")/lib.sh"

versions=("$@")
[ $# != 0 ] || versions=(4.2.0 3.5.7)
serow=io.github.serow.spark.SerowSerializer
kryo=org.apache.spark.serializer.KryoSerializer

# The oldest JDK: Spark 3.5 does not support later ones than 17.
read -r _ JAVA_HOME < <(tools/find-jdks.sh)
export JAVA_HOME
work=$PWD/build/spark-suites

# Spark's own scripts give these options to each of its JVMs.
options=(-Xmx2g -Xss4m -XX:+IgnoreUnrecognizedVMOptions -Dio.netty.tryReflectionSetAccessible=true)
for package in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util \
    java.util.concurrent java.util.concurrent.atomic sun.nio.ch sun.nio.cs sun.security.action \
    sun.util.calendar; do
    options+=("--add-opens=java.base/$package=ALL-UNNAMED")
done
# Spark's build sets these for tests.
options+=(-Dspark.testing=1 -Dspark.ui.enabled=false -Dspark.ui.showConsoleProgress=false
    -Dspark.unsafe.exceptionOnMemoryLeak=true -Dspark.memory.debugFill=true)

# resolve <version>: makes a folder with jars/, like that of an installed Spark, in which executors find
# their classes. The jars are links into Maven's repository.
resolve() {
    local version=$1 home=$work/$1/home jars=() properties
    case $version in
        3.*) properties=(-Dscala.binary=2.12 -Dscalatest.version=3.2.16 -Dmockito=4-11) ;;
        *) properties=(-Dscala.binary=2.13 -Dscalatest.version=3.2.19 -Dmockito=5-12) ;;
    esac
    rm -rf "$home"
    mkdir -p "$home/jars"
    mvn -q -B -f tools/spark-suites/pom.xml dependency:build-classpath "${properties[@]}" \
        -Dspark.version="$version" -Dmdep.outputFile="$work/$version/classpath" ||
        fail "Maven does not find the tests of Spark $version: give other versions"
    # The file has no line end, so that read fails.
    IFS=: read -ra jars <"$work/$version/classpath" || true
    ln -s "${jars[@]}" "$home/jars/" ||
        fail "two jars of Spark $version have the same name"
    ln -sf "$PWD"/java/serow-spark/target/serow-spark.jar "$PWD"/java/serow/target/serow-*.jar "$home/jars/"
}

# suites <version>: prints the suites for it, one a line.
suites() {
    local runs='run\|run-on-4' names
    case $1 in 3.*) runs='run' ;; esac
    if [ -n "${SUITES:-}" ]; then
        read -ra names <<<"$SUITES"
        printf 'org.apache.spark.%s\n' "${names[@]}"
    else
        sed -n "s/^\($runs\) //p" tools/spark-suites/suites.txt
    fi
}

# run <version> <serializer> <results> <arguments>…: the results are a folder of JUnit's reports. The
# arguments are those of ScalaTest: -s <suite> for each suite, and behind it -t <test> for some of its
# tests.
run() {
    local version=$1 serializer=$2 results=$3 scala=2.13 status=0
    shift 3
    case $version in 3.*) scala=2.12 ;; esac
    rm -rf "$results" "$work/$version/run"
    mkdir -p "$results" "$work/$version/run/tmp"
    (
        cd "$work/$version/run"
        export SPARK_HOME=$work/$version/home SPARK_SCALA_VERSION=$scala SPARK_TESTING=1
        export SPARK_LOCAL_IP=127.0.0.1
        exec "$JAVA_HOME/bin/java" "${options[@]}" -Dspark.test.home="$SPARK_HOME" \
            -Djava.io.tmpdir="$PWD/tmp" -Dspark.serializer="$serializer" -cp "$SPARK_HOME/jars/*" \
            org.scalatest.tools.Runner -R "$(echo "$SPARK_HOME"/jars/spark-core_*-tests.jar)" \
            "$@" -u "$results" -fW "$results/output.txt"
    ) >"$results/console.txt" 2>&1 </dev/null || status=$?
    rm -rf "$work/$version/run"
    python3 tools/spark-suites/results.py "$results" "$@" || fail "see $results/console.txt"
    [ "$status" = 0 ] || [ -s "$results/failed" ] || fail "the JVM failed: see $results/console.txt"
}

say "building the jar"
cargo build -q -p serow-jvm
tools/maven.sh "$JAVA_HOME" debug package -pl serow,serow-spark -Dmaven.test.skip

worse=()
for version in "${versions[@]}"; do
    say "Spark $version, ${SERIALIZER:-$serow}"
    resolve "$version"
    all=()
    while read -r suite; do all+=(-s "$suite"); done < <(suites "$version")
    results=$work/$version/results
    SECONDS=0
    run "$version" "${SERIALIZER:-$serow}" "$results" "${all[@]}"
    echo "$SECONDS s"
    [ -s "$results/failed" ] || continue
    again=() last=
    while IFS=$'\t' read -r suite test; do
        [ "$suite" = "$last" ] || again+=(-s "$suite")
        again+=(-t "$test")
        last=$suite
    done <"$results/failed"
    say "the failed tests again, with serow"
    run "$version" "$serow" "$results/again" "${again[@]}"
    say "the failed tests with Kryo"
    run "$version" "$kryo" "$results/kryo" "${again[@]}"
    defects=$(sort "$results/failed" | comm -12 - <(sort "$results/again/failed") |
        comm -23 - <(sort "$results/kryo/failed"))
    [ -z "$defects" ] || worse+=("$version: $defects")
done
[ ${#worse[@]} = 0 ] || fail "tests that pass with Kryo fail on Spark ${worse[*]}"
say "serow fails no test that Kryo passes, on Spark ${versions[*]}"
