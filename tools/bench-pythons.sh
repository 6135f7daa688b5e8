#!/usr/bin/env bash
# bench-pythons.sh [arguments of benches/pythons/run.py]: compares serow on Python 3.14 and 3.15 with
# serow on 3.13. Each of them gets a virtual environment with the wheel in dist/ and nothing else. .venv
# makes the tables and starts the others. Run `make wheel` before.
source "$(dirname "$0")/lib.sh"

versions=(3.13 3.14 3.15)
tools/debian-python.sh "${versions[@]:1}"

# Debian's Pythons have no compiled modules when they are unpacked. With this variable each import would
# compile their standard library again.
unset PYTHONDONTWRITEBYTECODE

installed=$(tools/find-pythons.sh)
arguments=()
for version in "${versions[@]}"; do
    python=$(awk -v version="$version" '$1 == version { print $2 }' <<<"$installed")
    [ -n "$python" ] ||
        fail "Python $version was not found: install it, for example with \`pyenv install $version\`"
    folder=build/venv-bench-$version
    tools/venv.sh "$folder" "$python" /dev/null
    tools/install-wheel.sh "$folder"
    arguments+=(--python "$version=$PWD/$folder/bin/python")
done
tools/install-wheel.sh
.venv/bin/python benches/pythons/run.py "${arguments[@]}" "$@"
