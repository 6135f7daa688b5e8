#!/usr/bin/env bash
# The public API of the crate serow as text, in crates/serow/api.txt: `api.sh` writes it, and `api.sh --check` prints
# what differs. What serow exports of serow-core is there by its name only.
source "$(dirname "$0")/lib.sh"
source tools/nightly.sh

nightly
command -v cargo-public-api >/dev/null || {
    say "installing cargo-public-api"
    cargo install --quiet --locked cargo-public-api
}
text=$(CARGO_TARGET_DIR=target/api cargo public-api -p serow --all-features -sss 2>/dev/null)
[ -n "$text" ] || fail "cargo-public-api has printed nothing: run \`cargo public-api -p serow --all-features\`"
case ${1:-} in
    --check) diff crates/serow/api.txt - <<<"$text" || fail "crates/serow/api.txt is not the API: run \`make api\`" ;;
    *) cat >crates/serow/api.txt <<<"$text" ;;
esac
