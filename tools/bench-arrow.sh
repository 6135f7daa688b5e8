#!/usr/bin/env bash
# bench-arrow.sh [arguments of benches/arrow/run.py]: compares serow with the libraries of Arrow, which
# are in build/venv-arrow with the wheel in dist/. Run `make wheel` before.
source "$(dirname "$0")/lib.sh"

tools/venv.sh build/venv-arrow "$PWD/.venv/bin/python" python/requirements-arrow.txt
tools/install-wheel.sh build/venv-arrow
tools/install-wheel.sh
.venv/bin/python benches/arrow/run.py --python "$PWD/build/venv-arrow/bin/python" "$@"
