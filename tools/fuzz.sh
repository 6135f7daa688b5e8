#!/usr/bin/env bash
# Fuzzes every reader of the crate serow, and the arrays of others, with cargo-fuzz, each target for TIME
# seconds, two at a time. Begins with the golden messages and the vectors of schemas, and with what earlier
# runs have found. `doors-interpreter` and `doors-jit` are the functions of Python, on rows and bytes at random:
# the property tests again and again. `fuzz.sh <target>…` runs these targets only. What cargo-fuzz finds is
# in fuzz/artifacts.
source "$(dirname "$0")/lib.sh"
source tools/jobs.sh
source tools/nightly.sh

readonly version=0.13.2
time=${TIME:-60}
[[ $time =~ ^[1-9][0-9]*$ ]] || fail "TIME must be a number of seconds, not $time"

nightly
tool=$PWD/build/tools/bin/cargo-fuzz
if [ "$("$tool" --version 2>/dev/null)" != "cargo-fuzz $version" ]; then
    say "installing cargo-fuzz"
    cargo install --quiet --locked --root build/tools "cargo-fuzz@$version"
fi

# fuzz <subcommand> <arguments>…
fuzz() {
    RUSTUP_TOOLCHAIN=nightly "$tool" fuzz "$@"
}

# seeds <target>: prints the folder of the target's seeds.
seeds() {
    local folder=build/fuzz-seeds/$1
    rm -rf "$folder"
    mkdir -p "$folder"
    case $1 in
        schema_text) sed -n 's/^== //p' tests/schemas/forms.txt | split -l 1 -a 4 - "$folder/" ;;
        schema_list | record | arrow) ;;
        *)
            cp tests/golden/*.srow "$folder"
            # The same as frames that claim compression by zstd, in the third byte of the first header.
            for file in tests/golden/*.srow; do
                { head -c 10 "$file" && printf '\001' && tail -c +12 "$file"; } >"$folder/zstd-${file##*/}"
            done
            ;;
    esac
    echo "$folder"
}

# doors <tier>: in the interpreter, or in compiled code.
doors() {
    local end=$((SECONDS + time))
    while [ "$SECONDS" -lt "$end" ]; do
        SEROW_TEST_PROFILE=quick SEROW_TIER=$1 PYTHONPATH=python .venv/bin/python -m pytest -q -x \
            -p no:cacheprovider -m "hypothesis and not long" --ignore=python/tests/spark python/tests ||
            return
    done
}

# run <target>
run() {
    mkdir -p "fuzz/corpus/$1"
    fuzz run "$1" "fuzz/corpus/$1" "$(seeds "$1")" -- -max_total_time="$time" -timeout=20 \
        -rss_limit_mb=4096 -max_len=65536 -print_final_stats=1 2>&1 |
        grep -vE '^(#|INFO|NEW_FUNC)' || return "${PIPESTATUS[0]}"
}

[ $# -gt 0 ] || set -- message stream salvage follow arrow record typed evolution schema_text \
    schema_list doors-interpreter doors-jit
say "building the targets"
fuzz build
if [[ $* = *doors* ]]; then
    PYO3_PYTHON=$PWD/.venv/bin/python cargo build -q -p serow-py --lib
    install -m 644 target/debug/lib_native.so python/serow/_native.abi3.so
fi
for target in "$@"; do
    case $target in
        doors-*) begin "$target, $time s" doors "${target#doors-}" ;;
        *) begin "$target, $time s" run "$target" ;;
    esac
done
passed "${!started[@]}"
say "nothing was found"
