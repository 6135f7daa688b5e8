#!/usr/bin/env bash
# Runs the tests of core and of derived rows under Miri, which checks each use of a pointer. Miri is some hundred times slower
# than a processor, so limits and rows are smaller there. `miri.sh <cargo test arguments>` runs other
# tests, such as `miri.sh --lib decode::`.
source "$(dirname "$0")/lib.sh"
source tools/nightly.sh

nightly miri rust-src
# Compiled code receives addresses as numbers, so permissive provenance is needed. Miri does not support
# time zones, forks and the vector instructions that kernels detect at run time, so the tests run the
# baseline code.
export MIRIFLAGS="-Zmiri-permissive-provenance -Zmiri-disable-isolation"

# miri <cargo test arguments>
miri() {
    cargo +nightly miri test -p serow-core -p serow-spark --target-dir target/miri "$@"
}

# derived_rows <cargo test arguments>: a type's rows are written and read by code of `crates/serow` and of the derive.
derived_rows() {
    cargo +nightly miri test -p serow --features serde --target-dir target/miri --test=rows "$@"
}

say "core, the rows of Spark and derived rows under Miri"
if (($# > 0)); then
    miri "$@"
    exit
fi
miri --lib --test=sound --test=types --no-run
# Miri keeps one processor busy. These two take about the same time.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Each test is named with the time that it took. Plans and schemas have no unsafe code.
options=(-Z unstable-options --report-time --skip plan:: --skip schema::)
miri --lib -- "${options[@]}" decode:: encode:: >"$log" 2>&1 &
messages=$!
failed=
miri --lib --test=sound --test=types -- "${options[@]}" --skip decode:: --skip encode:: || failed=1
derived_rows -- "${options[@]}" borrowed:: errors:: || failed=1
wait "$messages" || failed=1
cat "$log"
[ -z "$failed" ] || fail "tests failed under Miri: see the reports above"
