# shellcheck shell=bash
# Functions of the scripts in this folder. Source this file.

set -euo pipefail

# The scripts work in the checkout, wherever they are called from.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# say <current step>
say() {
    printf '\033[1m== %s\033[0m\n' "$*"
}

# fail <problem and advice, in one line>
fail() {
    printf 'serow: %s\n' "$*" >&2
    exit 1
}
