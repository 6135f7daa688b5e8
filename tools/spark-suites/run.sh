#!/usr/bin/env bash
# run.sh <version>: runs suites of this Spark's own tests with SerowSerializer. The suites are in
# suites.txt. Tests that fail are run again with serow and with Kryo. The script fails if a test fails
# both times with serow, but passes with Kryo. test-spark.sh builds the jars and calls this script. Run
# classpath.sh with the version before.
#
# SUITES="rdd.RDDSuite CheckpointSuite" runs only these suites of org.apache.spark, and
# SERIALIZER=org.apache.spark.serializer.KryoSerializer runs suites with another serializer first.
source "$(dirname "$0")/../lib.sh"

version=$1
serow=io.github.serow.spark.SerowSerializer
kryo=org.apache.spark.serializer.KryoSerializer
work=$PWD/build/spark-suites/$version
case $version in
    3.*) scala=2.12 runs='run' ;;
    *) scala=2.13 runs='run\|run-on-4' ;;
esac

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

# suites: prints the suites, one a line.
suites() {
    local names
    if [ -n "${SUITES:-}" ]; then
        read -ra names <<<"$SUITES"
        printf 'org.apache.spark.%s\n' "${names[@]}"
    else
        sed -n "s/^\($runs\) //p" tools/spark-suites/suites.txt
    fi
}

# run <serializer> <results> <arguments>…: the results are a folder of JUnit's reports. The arguments are
# those of ScalaTest: -s <suite> for each suite, and behind it -t <test> for some of its tests.
run() {
    local serializer=$1 results=$2 status=0
    shift 2
    rm -rf "$results" "$work/run"
    mkdir -p "$results" "$work/run/tmp"
    (
        cd "$work/run"
        export SPARK_HOME=$work/home SPARK_SCALA_VERSION=$scala SPARK_TESTING=1
        export SPARK_LOCAL_IP=127.0.0.1
        # Also of the executors: most live too briefly for the JVM's second compiler to pay.
        export JAVA_TOOL_OPTIONS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        exec "$JAVA_HOME/bin/java" "${options[@]}" -Dspark.test.home="$SPARK_HOME" \
            -Djava.io.tmpdir="$PWD/tmp" -Dspark.serializer="$serializer" -cp "$SPARK_HOME/jars/*" \
            org.scalatest.tools.Runner -R "$(echo "$SPARK_HOME"/jars/spark-core_*-tests.jar)" \
            "$@" -u "$results" -fW "$results/output.txt"
    ) >"$results/console.txt" 2>&1 </dev/null || status=$?
    rm -rf "$work/run"
    python3 tools/spark-suites/results.py "$results" "$@" || fail "see $results/console.txt"
    [ "$status" = 0 ] || [ -s "$results/failed" ] || fail "the JVM failed: see $results/console.txt"
}

all=()
while read -r suite; do all+=(-s "$suite"); done < <(suites)
results=$work/results
run "${SERIALIZER:-$serow}" "$results" "${all[@]}"
[ -s "$results/failed" ] || exit 0

again=() last=
while IFS=$'\t' read -r suite test; do
    [ "$suite" = "$last" ] || again+=(-s "$suite")
    again+=(-t "$test")
    last=$suite
done <"$results/failed"
say "the failed tests again, with serow"
run "$serow" "$results/again" "${again[@]}"
say "the failed tests with Kryo"
run "$kryo" "$results/kryo" "${again[@]}"
defects=$(sort "$results/failed" | comm -12 - <(sort "$results/again/failed") |
    comm -23 - <(sort "$results/kryo/failed"))
[ -z "$defects" ] || fail "tests of Spark $version that pass with Kryo fail with serow: $defects"
