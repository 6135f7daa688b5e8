#!/usr/bin/env bash
# Makes build/venv-spark, with PySpark, of the oldest Python from 3.11 on; where there is none, of the one
# there is. What differs between Pythons is tested without PySpark.
source "$(dirname "$0")/lib.sh"

python=$(tools/find-pythons.sh | sort -V | awk '
    { last = $2 }
    $1 != "3.10" && !found { found = $2 }
    END { print found ? found : last }')
tools/venv.sh build/venv-spark "$python" python/requirements-spark.txt
