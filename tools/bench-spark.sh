#!/usr/bin/env bash
# bench-spark.sh: measures serow in PySpark and then on Spark's JVM. ONLY=python and ONLY=jvm select one
# of the two, and TASKS="text cache" selects groups of jobs from both. `make bench-spark` builds all that
# it needs.
source "$(dirname "$0")/lib.sh"

python=(text rdd dataframe udf connect)
jvm=(programs cache uncompressed shuffle kryo objects)

# measure <program> <groups that it has>…: runs the program, if it has any group that is wanted.
measure() {
    local program=$1 group chosen=()
    shift
    for group in "$@"; do
        [[ " $wanted " != *" $group "* ]] || chosen+=("$group")
    done
    [ ${#chosen[@]} = 0 ] || .venv/bin/python "$program" --tasks "${chosen[*]}"
}

case ${ONLY:-} in
    '') all=("${python[@]}" "${jvm[@]}") ;;
    python) all=("${python[@]}") ;;
    jvm) all=("${jvm[@]}") ;;
    *) fail "ONLY must be python or jvm, got $ONLY" ;;
esac
wanted=${TASKS:-${all[*]}}
for group in $wanted; do
    [[ " ${all[*]} " == *" $group "* ]] || fail "TASKS must be some of ${all[*]}, got $group"
done
measure benches/spark/run.py "${python[@]}"
measure benches/spark_jvm/run.py "${jvm[@]}"
