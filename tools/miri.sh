#!/usr/bin/env bash
# Runs core's tests of soundness under Miri, which checks each use of a pointer, and takes some hundred times as
# long as a processor. `miri.sh <cargo test's arguments>` runs others, such as `miri.sh --lib decode::`.
source "$(dirname "$0")/lib.sh"
source tools/nightly.sh

nightly miri rust-src
# Compiled code is given addresses as numbers. Miri knows no time zones, no forks and not the vectors that are
# looked for when a kernel is called, so the ways of every machine are what is tried.
export MIRIFLAGS="-Zmiri-permissive-provenance -Zmiri-disable-isolation"
say "core under Miri"
cargo +nightly miri test -q -p serow-core --target-dir target/miri "${@:---test=sound}"
