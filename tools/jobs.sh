# shellcheck shell=bash
# Runs programs two at a time, since most tests keep one processor busy. The output of each is shown
# when it ends. Source this file after lib.sh.

logs=$(mktemp -d)
# The tests do not use the user's object cache.
SEROW_CACHE_DIR=$(mktemp -d)
export SEROW_CACHE_DIR
trap 'rm -rf "$SEROW_CACHE_DIR" "$logs"' EXIT
declare -A started=()

# begin <name> <command…>: runs the command in parallel with at most one other. `set -e` is off in
# functions that are run this way.
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

# passed <name…>: waits for these programs. If one has failed, waits for all programs and ends.
passed() {
    local name
    for name in "$@"; do
        wait "${started[$name]}" || true
        [ -e "$logs/$name passed" ] && continue
        wait
        fail "$name failed: see its output above"
    done
}
