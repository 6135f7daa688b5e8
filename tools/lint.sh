#!/usr/bin/env bash
# Checks format, types and lints of all three languages, or of those given: `lint.sh rust python`. Run
# setup.sh before.
source "$(dirname "$0")/lib.sh"

export PYO3_PYTHON=$PWD/.venv/bin/python

lint_rust() {
    say "Rust"
    cargo fmt --all --check
    cargo clippy -q --workspace --all-targets -- -D warnings
    cargo clippy -q -p serow --features serde --all-targets -- -D warnings
}

lint_python() {
    say "Python"
    python3 tools/check_paths.py
    .venv/bin/ruff check -q .
    .venv/bin/ruff format -q --check .
    .venv/bin/mypy python/serow tools/check_package.py tools/check_release.py tools/notices.py \
        benches/demo benches/demo_spark benches/suite benches/pythons benches/parallel benches/large \
        benches/spark benches/spark_jvm
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
