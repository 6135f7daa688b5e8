#!/usr/bin/env bash
# spark-venv.sh [version]: makes build/venv-spark with the PySpark of python/requirements-spark.txt, or
# build/venv-spark-VERSION with this version. It uses the oldest Python from 3.11 on, or Python 3.10 if
# that is the only one. Tests without PySpark cover the differences between Pythons.
source "$(dirname "$0")/lib.sh"

python=$(tools/find-pythons.sh | sort -V | awk '
    { last = $2 }
    $1 != "3.10" && !found { found = $2 }
    END { print found ? found : last }')

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
    tools/venv.sh "build/venv-spark-$1" "$python" "$requirements"
fi
