#!/usr/bin/env bash
# Installs missing build dependencies of serow: LLVM and a C++ compiler by apt, and Python packages into
# .venv. Rust, Python, a JDK and Maven must be installed already. Takes no time if nothing is missing.
source "$(dirname "$0")/lib.sh"

# at_least <version> <version>: succeeds if the first version is not older than the second.
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

# archive <name>: succeeds if the C++ compiler finds this static library.
archive() {
    local path
    path=$(g++ -print-file-name="lib$1.a" 2>/dev/null) && [ -e "$path" ]
}

# llvm: succeeds if there are static libraries of LLVM 22 where crates/codegen/build.rs looks for them.
llvm() {
    local name config
    for name in llvm-config-22 llvm-config; do
        config=${LLVM_SYS_221_PREFIX:+$LLVM_SYS_221_PREFIX/bin/}$name
        if [[ $("$config" --version 2>/dev/null) == 22.* ]]; then
            [ -e "$("$config" --libdir)/libLLVMOrcJIT.a" ]
            return
        fi
    done
    return 1
}

# Prints the missing Debian packages. It looks for their files, which may also come from elsewhere.
missing_packages() {
    command -v g++ >/dev/null && archive stdc++ || echo g++
    llvm || echo llvm-22-dev
    archive z || echo zlib1g-dev
    archive zstd || echo libzstd-dev
    command -v pkg-config >/dev/null || echo pkg-config
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
    # apt may find nothing and still succeed, because it treats the name g++ as a pattern.
    if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends -y "$@"; } \
        >build/apt.log 2>&1 || [ -n "$(missing_packages)" ]; then
        fail "apt could not install $* (see build/apt.log; Debian 12 has them)"
    fi
}

# Prints the Python for .venv: the version of `python3` if serow supports it, or else the newest that is
# installed.
base_python() {
    local pythons version
    pythons=$(tools/find-pythons.sh | grep -v /build/pythons/) || true
    [ -n "$pythons" ] || fail "no CPython from 3.10 to 3.15 was found: install python3"
    version=$(python3 -I -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || version=
    awk -v version="$version" '$1 == version { print $2; exit }' <<<"$pythons" | grep . ||
        awk 'END { print $2 }' <<<"$pythons"
}

check_rust
check_java
python=${PYTHON:-$(base_python)}
packages=$(missing_packages)
# Debian has a part of its Python in a separate package.
"$python" -I -c 'import ensurepip, venv' 2>/dev/null || packages="$packages python3-venv"
# shellcheck disable=SC2086 # one word a package
[ -z "$packages" ] || install $packages
tools/venv.sh .venv "$python" python/requirements-dev.txt
