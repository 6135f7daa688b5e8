#!/usr/bin/env bash
# spark-venv.sh [version]: makes build/venv-spark with the PySpark of python/requirements-spark.txt, or
# build/venv-spark-VERSION with this version. It uses the newest Python up to 3.13, or up to 3.11 for
# PySpark 3.5, which supports no later one. Before Python 3.13, each task in PySpark first reads the
# directories of Spark's zip files and of a jar, which takes longer than most tests' tasks. Tests without
# PySpark cover the differences between Pythons.
source "$(dirname "$0")/lib.sh"

case ${1:-} in
    3.*) newest=11 ;;
    *) newest=13 ;;
esac
python=$(tools/find-pythons.sh | awk -F '[. ]' -v newest=$newest '
    { path = substr($0, index($0, " ") + 1) }
    $2 <= newest || !found { found = path }
    END { print found }')

if [ $# = 0 ]; then
    tools/venv.sh build/venv-spark "$python" python/requirements-spark.txt
else
    # PySpark requires an exact version of py4j.
    requirements=build/requirements-spark-$1.txt
    mkdir -p build
    printf '%s\n' '-r ../python/requirements-test.txt' "pyspark==$1" >"$requirements"
    # From 4.2 on, Python UDFs get their arguments by Arrow.
    case $1 in
        3.* | 4.0.* | 4.1.*) ;;
        *) grep '^pyarrow==' python/requirements-spark.txt >>"$requirements" ;;
    esac
    # The tests of Spark Connect, whose code differs in 3.5.
    case $1 in
        3.*) ;;
        *) printf '%s\n' '-r ../python/requirements-connect.txt' >>"$requirements" ;;
    esac
    tools/venv.sh "build/venv-spark-$1" "$python" "$requirements"
fi
