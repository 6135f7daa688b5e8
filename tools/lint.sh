#!/usr/bin/env bash
# Checks format, types and lints of all three languages, or of those given: `lint.sh rust python`. Run
# setup.sh before.
source "$(dirname "$0")/lib.sh"

export PYO3_PYTHON=$PWD/.venv/bin/python

# Other machines on which core must build.
TARGETS=(aarch64-unknown-linux-gnu aarch64-apple-darwin x86_64-pc-windows-gnu x86_64-unknown-linux-musl
    riscv64gc-unknown-linux-gnu)

# Nothing is linked, so this machine's libzstd stands for the target's, and no C compiler is needed.
check_targets() {
    local target installed options=()
    installed=$(rustup target list --installed)
    for target in "${TARGETS[@]}"; do
        grep -qx "$target" <<<"$installed" || rustup -q target add "$target"
        options+=(--target "$target")
    done
    RUSTFLAGS="-D warnings" ZSTD_SYS_USE_PKG_CONFIG=1 PKG_CONFIG_ALLOW_CROSS=1 \
        cargo check -q -p serow-core "${options[@]}"
}

# The published crates compile with the oldest Rust that they say.
check_oldest() {
    local oldest
    oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    rustup -q toolchain list | grep -q "^$oldest-" ||
        rustup -q toolchain install "$oldest" --profile minimal
    CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/oldest \
        cargo "+$oldest" check -q -p serow --all-features
}

lint_rust() {
    say "Rust"
    cargo fmt --all --check
    cargo clippy -q --workspace --all-targets -- -D warnings
    cargo clippy -q -p serow --all-features --all-targets -- -D warnings
    cargo clippy -q -p serow-py -p serow-jvm --no-default-features -- -D warnings
    check_targets
    check_oldest
    .venv/bin/python tools/notices.py --check
}

lint_python() {
    say "Python"
    python3 tools/check_references.py
    .venv/bin/ruff check -q .
    .venv/bin/ruff format -q --check .
    .venv/bin/python tools/check_docs.py
    .venv/bin/mypy python/serow tools/check_docs.py tools/check_package.py tools/check_references.py tools/check_release.py tools/notices.py \
        benches/demo benches/demo_spark benches/suite benches/pythons benches/parallel benches/large \
        benches/logs benches/views benches/arrow benches/spark benches/spark_jvm
}

lint_java() {
    say "Java"
    tools/maven.sh "$(tools/find-jdks.sh --default)" release spotless:check
}

[ $# -gt 0 ] || set -- rust python java
for language in "$@"; do
    "lint_$language"
done
say "no complaints"
