#!/usr/bin/env bash
# Fuzzes every reader of the crate serow with cargo-fuzz, each target for TIME seconds, two at a time.
# Begins with the golden messages and the vectors of schemas, and with what earlier runs have found.
# `fuzz.sh <target>…` runs these targets only. What it finds is in fuzz/artifacts.
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
        schema_list | record) ;;
        *) cp tests/golden/*.srow "$folder" ;;
    esac
    echo "$folder"
}

# run <target>
run() {
    mkdir -p "fuzz/corpus/$1"
    fuzz run "$1" "fuzz/corpus/$1" "$(seeds "$1")" -- -max_total_time="$time" -timeout=20 \
        -rss_limit_mb=4096 -max_len=65536 -print_final_stats=1 2>&1 |
        grep -vE '^(#|INFO|NEW_FUNC)' || return "${PIPESTATUS[0]}"
}

[ $# -gt 0 ] || set -- message stream salvage record typed evolution schema_text schema_list
say "building the targets"
fuzz build
for target in "$@"; do
    begin "$target, $time s" run "$target"
done
passed "${!started[@]}"
say "nothing was found"
