#!/usr/bin/env bash
# install-wheel.sh [folder]: installs the wheel in dist/ into .venv, or into the virtual environment in
# this folder, if it is not installed there yet.
source "$(dirname "$0")/lib.sh"

folder=${1:-.venv}
sum=$(sha256sum dist/serow-*.whl)
if [ "$sum" != "$(cat "$folder/wheel" 2>/dev/null)" ]; then
    "$folder/bin/python" -m pip install -q --disable-pip-version-check --force-reinstall --no-deps \
        dist/serow-*.whl
    printf '%s\n' "$sum" >"$folder/wheel"
fi
