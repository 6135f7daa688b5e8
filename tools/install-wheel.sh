#!/usr/bin/env bash
# Installs the wheel in dist/ into .venv, if it is not installed yet.
source "$(dirname "$0")/lib.sh"

sum=$(sha256sum dist/serow-*.whl)
if [ "$sum" != "$(cat .venv/wheel 2>/dev/null)" ]; then
    .venv/bin/python -m pip install -q --disable-pip-version-check --force-reinstall --no-deps dist/serow-*.whl
    printf '%s\n' "$sum" >.venv/wheel
fi
