#!/usr/bin/env bash
# Runs tests in Rust and in Python with AddressSanitizer, after setup.sh. With arguments for pytest it
# runs those tests in Python only. docs/testing.md says what the sanitizer sees.
source "$(dirname "$0")/lib.sh"
source tools/nightly.sh

nightly
host=$(rustc +nightly -vV | sed -n 's/^host: //p')
export PYO3_PYTHON=$PWD/.venv/bin/python
export SEROW_CACHE_DIR=off
export CARGO_TARGET_DIR=$PWD/target/asan
mkdir -p "$CARGO_TARGET_DIR"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# Python is not linked with the sanitizer's runtime, so the runtime must be a shared library that is
# loaded before Python. Rust ships it as an archive. One member of it is for executables only. The
# runtime stops if it finds a library with the usual name of a shared runtime, so the name is another.
runtime=$CARGO_TARGET_DIR/libsanitizer.so
cp "$(rustc +nightly --print target-libdir)/librustc-nightly_rt.asan.a" "$stage/runtime.a"
ar d "$stage/runtime.a" asan_preinit.cpp.o
"${CC:-cc}" -shared -o "$stage/runtime.so" \
    -Wl,--whole-archive "$stage/runtime.a" -Wl,--no-whole-archive -lpthread -ldl -lm -lrt -lgcc_s
mv "$stage/runtime.so" "$runtime"

# Build scripts and macros run without the sanitizer, because a target is named. The profile `dev` has
# debug assertions, which also check the arguments of unsafe functions of Rust's library.
flags=(-Zsanitizer=address -Zexternal-clangrt -Cforce-frame-pointers=yes -Alinker-messages
    "-Clink-arg=$runtime" -Clink-arg=-fuse-ld=lld)
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && printf '%s' "${flags[*]}")
export CARGO_ENCODED_RUSTFLAGS
# CPython does not free all its memory at exit.
export ASAN_OPTIONS="detect_leaks=0:abort_on_error=1:allocator_may_return_null=1"

# rust_tests <cargo test arguments>
rust_tests() {
    local runner
    runner=CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$host")_RUNNER
    env "$runner=env LD_PRELOAD=$runtime" cargo +nightly test -q --target "$host" "$@"
}

# python_tests <tier> <pytest arguments>
python_tests() {
    LD_PRELOAD=$runtime PYTHONMALLOC=malloc SEROW_TIER=$1 SEROW_TEST_PROFILE=brief PYTHONPATH=$stage \
        .venv/bin/python -m pytest -p no:cacheprovider -q -m "not long" "${@:2}"
}

if (($# == 0)); then
    say "Rust with AddressSanitizer"
    rust_tests -p serow-core -p serow-spark --lib --test sound --test types
    rust_tests -p serow-arrow
    rust_tests -p serow --lib --test errors --test evolution --test golden --test structs
    set -- python/tests/test_{arrow_damage,bailout,batches,codec,compiled_decoding,enums,golden}.py \
        python/tests/test_{hostile_records,makers,objects,records,renamed,round_trip}.py \
        python/tests/test_{row_arrays,sets_and_dicts,single_records,unsafe_rows}.py
fi

say "building the Python extension with AddressSanitizer"
cargo +nightly build -q --target "$host" -p serow-py
cp -r python/serow "$stage/serow"
rm -f "$stage"/serow/_native*.so
install -m 644 "$CARGO_TARGET_DIR/$host/debug/lib_native.so" "$stage/serow/_native.abi3.so"

# Each tier keeps one processor busy.
say "Python with AddressSanitizer: interpreted, and compiled beside it"
python_tests jit "$@" >"$stage/jit" 2>&1 &
compiled=$!
failed=
python_tests interpreter "$@" || failed=1
wait "$compiled" || failed=1
say "compiled"
cat "$stage/jit"
[ -z "$failed" ] || fail "tests failed with AddressSanitizer: see the reports above"
