#!/usr/bin/env bash
# venv.sh <folder> <python> <requirements>: makes a virtual environment with exactly these packages.
# Makes it again only if the Python or the requirements have changed.
source "$(dirname "$0")/lib.sh"

folder=$1 python=$2 requirements=$3
stamp="$folder/made-of"

# Prints the file and the files that it includes with `-r`.
included() {
    cat "$1"
    sed -n 's/^-r //p' "$1" | while read -r name; do
        included "${1%/*}/$name"
    done
}

made_of=$("$python" -I -c 'import sys; print(sys.executable, sys.version)' && included "$requirements")
if [ -x "$folder/bin/python" ] && [ "$made_of" = "$(cat "$stamp" 2>/dev/null)" ]; then
    exit 0
fi

say "making $folder with $python"
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
"$python" -m venv "$folder" ||
    fail "$python cannot make virtual environments: install python3-venv, or set PYTHON to another"
"$folder/bin/python" -m pip install -q --disable-pip-version-check -r "$requirements" ||
    fail "pip could not install $requirements: can this machine reach the package index?"
printf '%s\n' "$made_of" >"$stamp"
