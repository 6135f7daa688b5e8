#!/usr/bin/env bash
# run.sh <version> [module…]: runs modules of PySpark's own tests with serow, and the tests that fail
# again in stock PySpark. The script fails if a test ends otherwise there. SPARK_SOURCE is a checkout of
# Spark whose version is near the given one. Without modules, those of modules.txt run. test-spark.sh
# builds the library and the jar before; SEROW_SPARK_JAR names the jar if it is elsewhere.
source "$(dirname "$0")/../lib.sh"

version=$1
shift
tools/spark-venv.sh "$version"
[ -d "${SPARK_SOURCE:-}/python/pyspark/sql/tests" ] ||
    fail "SPARK_SOURCE must be the folder of Spark's sources"
SPARK_SOURCE=$(realpath "$SPARK_SOURCE")
: "${JAVA_HOME:=$(tools/find-jdks.sh --default)}"
: "${SEROW_SPARK_JAR:=$PWD/java/serow-spark/target/serow-spark.jar}"
[ -e "$SEROW_SPARK_JAR" ] || fail "$SEROW_SPARK_JAR is missing: run make test-spark VERSIONS= SUITE_VERSIONS="
python=$PWD/build/venv-spark-$version/bin/python
work=$PWD/build/pyspark-suites/$version
export SPARK_SOURCE JAVA_HOME

modules=("$@")
[ $# -gt 0 ] || mapfile -t modules < <(grep -v '^#' tools/pyspark-suites/modules.txt)

# The tests look for their files in Spark's home, so it has those of the installed PySpark and these.
installed=$("$python" -c 'import pyspark; print(pyspark.__path__[0])')
rm -rf "$work/home"
mkdir -p "$work/home/python"
for entry in "$installed"/*; do
    [ "${entry##*/}" = python ] || ln -s "$entry" "$work/home/"
done
ln -s "$installed/python/lib" "$SPARK_SOURCE/python/test_support" "$work/home/python/"

# run <results> [--serow] <module or test>…: the working directory is a new folder, because tests leave
# files and a metastore there. Some look for their own files in its python/test_support.
run() {
    local results=$1 options=() jars=()
    shift
    if [ "$1" = --serow ]; then
        options=(--serow)
        jars=(--jars "$SEROW_SPARK_JAR")
        shift
    fi
    rm -rf "$results".* "$work/run"
    mkdir -p "$work/run/tmp" "$work/run/python" "${results%/*}"
    ln -s "$SPARK_SOURCE/python/test_support" "$work/run/python/"
    (
        PYTHONPATH=$PWD/tools/pyspark-suites:$PWD/python
        cd "$work/run"
        export SPARK_HOME=$work/home SPARK_LOCAL_IP=127.0.0.1 SPARK_TESTING=1
        export PYTHONPATH TMPDIR=$PWD/tmp SEROW_CACHE_DIR=off
        export SPARK_CONNECT_TESTING_REMOTE='local[2]'
        export PYSPARK_PYTHON=$python PYSPARK_DRIVER_PYTHON=$python
        export PYSPARK_SUBMIT_ARGS="${jars[*]} --conf spark.ui.enabled=false pyspark-shell"
        # Most of the JVMs live too briefly for the second compiler to pay.
        JAVA_TOOL_OPTIONS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss4m -Djava.io.tmpdir=$TMPDIR"
        export JAVA_TOOL_OPTIONS
        exec timeout -k 10 "${LIMIT:-1800}" \
            "$python" -m run_module "${options[@]}" "$results.json" "$@"
    ) >"$results.txt" 2>&1 </dev/null || true
    rm -rf "$work/run"
    [ -e "$results.json" ] || say "$results.txt: the run did not end"
}

for module in "${modules[@]}"; do
    run "$work/serow/$module" --serow "$module"
    mapfile -t failed < <("$python" tools/pyspark-suites/compare.py --failed "$work/serow/$module.json")
    rm -f "$work/stock/$module".*
    [ ${#failed[@]} = 0 ] || run "$work/stock/$module" "${failed[@]}"
done
"$python" tools/pyspark-suites/compare.py "$work" "${modules[@]}"
