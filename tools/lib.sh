# shellcheck shell=bash
# Shared by the scripts in this folder: source it.

set -euo pipefail

# The checkout, which the scripts work in wherever they are called from.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# say <what is being done>
say() {
    printf '\033[1m== %s\033[0m\n' "$*"
}

# fail <what is wrong and what to do>, in one line.
fail() {
    printf 'serow: %s\n' "$*" >&2
    exit 1
}
