#!/usr/bin/env bash
# Installs what serow is built with, as far as it is missing: LLVM and a C++ compiler by apt, and
# Python packages into .venv. Rust, Python, a JDK and Maven must be there. Takes no time where
# nothing is missing.
source "$(dirname "$0")/lib.sh"

prefix=${LLVM_SYS_221_PREFIX:-/usr/lib/llvm-22}

# at_least <version> <version>: whether the first is not older.
at_least() {
    [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]
}

check_rust() {
    local wanted version
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    command -v cargo >/dev/null || fail "Rust is missing: install $wanted or later with rustup"
    version=$(cargo --version | cut -d ' ' -f 2)
    at_least "$version" "$wanted" ||
        fail "Rust $version is too old: run \`rustup update\` for $wanted or later"
}

check_java() {
    local version
    [ -n "$(tools/find-jdks.sh)" ] || {
        version=$(javac -version 2>&1 | cut -d ' ' -f 2) || version=
        fail "${version:+Java $version is too old, and }no JDK of Java 17 or later was found:" \
            "install openjdk-17-jdk-headless, or set JAVA_HOME"
    }
    command -v mvn >/dev/null || fail "Maven is missing: install the package maven"
}

# archive <name>: whether the C++ compiler finds that static library.
archive() {
    local path
    path=$(g++ -print-file-name="lib$1.a" 2>/dev/null) && [ -e "$path" ]
}

# The Debian packages that are missing, judged by what they hold, so that it does not matter where
# that came from.
missing_packages() {
    command -v g++ >/dev/null && archive stdc++ || echo g++
    [ -x "$prefix/bin/llvm-config" ] && [ -e "$prefix/lib/libLLVMOrcJIT.a" ] || echo llvm-22-dev
    archive z || echo zlib1g-dev
    archive zstd || echo libzstd-dev
}

# install <package>…
install() {
    local root=()
    command -v apt-get >/dev/null ||
        fail "apt is missing: install by hand what Debian calls $* (LLVM 22, static libraries)," \
            "and set LLVM_SYS_221_PREFIX to LLVM's prefix"
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "as root, run: apt-get install $*"
        root=(sudo)
    fi
    say "installing $*"
    local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o=Dpkg::Use-Pty=0)
    mkdir -p build
    # apt may find nothing and call it success, as it takes the name g++ for a pattern.
    if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends -y "$@"; } \
        >build/apt.log 2>&1 || [ -n "$(missing_packages)" ]; then
        fail "apt could not install $* (build/apt.log says more; Debian 12 has them)"
    fi
}

# The Python for .venv: the version that `python3` is if it will do, or else the newest.
base_python() {
    local pythons version
    pythons=$(tools/find-pythons.sh)
    [ -n "$pythons" ] || fail "no CPython from 3.10 to 3.13 was found: install python3"
    version=$(python3 -I -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || version=
    awk -v version="$version" '$1 == version { print $2; exit }' <<<"$pythons" | grep . ||
        awk 'END { print $2 }' <<<"$pythons"
}

check_rust
check_java
python=${PYTHON:-$(base_python)}
packages=$(missing_packages)
# Debian keeps a part of its own Python in a package apart.
"$python" -I -c 'import ensurepip, venv' 2>/dev/null || packages="$packages python3-venv"
# shellcheck disable=SC2086 # one word a package
[ -z "$packages" ] || install $packages
tools/venv.sh .venv "$python" python/requirements-dev.txt
