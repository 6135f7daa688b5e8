#!/usr/bin/env bash
# Runs core's soundness tests under Miri, which checks each use of a pointer. Miri is some hundred times
# slower than a processor. `miri.sh <cargo test arguments>` runs other tests, such as
# `miri.sh --lib decode::`.
source "$(dirname "$0")/lib.sh"
source tools/nightly.sh

nightly miri rust-src
# Compiled code receives addresses as numbers, so permissive provenance is needed. Miri does not support
# time zones, forks and the vector instructions that kernels detect at run time, so the tests run the
# baseline code.
export MIRIFLAGS="-Zmiri-permissive-provenance -Zmiri-disable-isolation"
say "core under Miri"
cargo +nightly miri test -q -p serow-core --target-dir target/miri "${@:---test=sound}"
