#!/usr/bin/env bash
# Prints the CPythons that serow supports and this machine can run. Each line has a version and a path,
# such as `3.12 /usr/bin/python3.12`. Each version has one line, in order. A Python that
# debian-python.sh has unpacked is listed if the machine has no other of its version.
#
# The script runs each candidate, because version managers leave shims for missing Pythons. It omits
# free-threaded builds and other implementations, because they cannot load the extension.
source "$(dirname "$0")/lib.sh"

probe='
import platform, sys, sysconfig
if platform.python_implementation() == "CPython" and not sysconfig.get_config_var("Py_GIL_DISABLED"):
    print("%d.%d" % sys.version_info[:2], sys.executable)
'

candidates() {
    local version root
    for version in 3.10 3.11 3.12 3.13 3.14 3.15; do
        type -ap "python$version" || true
        for root in "${PYENV_ROOT:-}" "$HOME/.pyenv" "$(pyenv root 2>/dev/null || true)"; do
            [ -z "$root" ] || printf '%s\n' "$root/versions/$version".*/bin/python
        done
    done
    type -ap python3 || true
    printf '%s\n' "$PWD"/build/pythons/*/usr/bin/python3.1[45]
}

candidates | while read -r python; do
    [ -x "$python" ] || continue
    "$python" -I -c "$probe" 2>/dev/null </dev/null || true
done | awk '/^3\.1[0-5] / && !seen[$1]++' | sort -V
