#!/usr/bin/env bash
# debian-python.sh <version>…: unpacks Pythons that are newer than this machine's, such as 3.14, below
# build/pythons. They come from Debian's unstable suite, with a newer C library and the other
# libraries that they need, and use only these. Nothing is installed on the machine.
#
# The address of Debian's mirror comes from apt's configuration. apt runs with an empty state of its own
# in build/apt-unstable, and checks the signature of the suite and the checksum of each package.
# Without apt, or on a machine that has no Debian mirror, it says that these Pythons are missing.
source "$(dirname "$0")/lib.sh"

state=$PWD/build/apt-unstable

# Prints the address of the Debian mirror that this machine uses.
mirror() {
    command -v apt-get >/dev/null || return 0
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        sed -n 's,/debian/*$,/debian,p' | head -n 1
}

# unstable <command…>: apt-get with its own state, for which nothing is installed.
unstable() {
    DEBIAN_FRONTEND=noninteractive apt-get -qq -c "$state/apt.conf" "$@"
}

# Writes the configuration for `unstable`, and downloads the index of the suite.
prepare_apt() {
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg signed_by=
    if [ -r "$keyring" ]; then signed_by=" [signed-by=$keyring]"; fi
    rm -rf "$state"
    mkdir -p "$state"/{lists,archives}/partial "$state/parts"
    : >"$state/status"
    echo "deb$signed_by $1 unstable main" >"$state/sources.list"
    # The hooks of the machine's own configuration are for its own packages.
    cat >"$state/apt.conf" <<END
Dir::Etc::sourcelist "$state/sources.list";
Dir::Etc::sourceparts "$state/parts";
Dir::Etc::preferencesparts "$state/parts";
Dir::State::status "$state/status";
Dir::State::lists "$state/lists";
Dir::State::extended_states "$state/extended_states";
Dir::Cache::archives "$state/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Dir::Log "$state";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
Debug::NoLocking "true";
Acquire::Languages "none";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
    unstable -o APT::Update::Error-Mode=any update
}

# unpack <version>: downloads the packages and unpacks them to a folder.
unpack() {
    local version=$1 package
    local to=build/pythons/$version
    rm -rf "$to" "$state/archives"
    mkdir -p "$to/new" "$state/archives/partial"
    # Wheels may need the libraries of C++ and of compression.
    unstable install -y --download-only "python$version" "python$version-venv" libstdc++6 zlib1g
    for package in "$state"/archives/*.deb; do
        dpkg-deb -x "$package" "$to/new"
        basename "$package" >>"$to/packages"
    done
    # `venv` takes pip from here, and not from the folder of the machine's own packages.
    sed -i "s,'/usr/share/python-wheels/,'$PWD/$to/usr/share/python-wheels/," \
        "$to/new/usr/lib/python$version"/_sysconfigdata_*.py
    # The program is elsewhere, because a script has its place: see `write_start`.
    mkdir "$to/new/usr/program"
    mv "$to/new/usr/bin/python$version" "$to/new/usr/program/python$version"
    mv "$to/new/usr" "$to/usr"
    rm -rf "$to/new"
}

# write_start <version>: writes the script that starts the program with its own dynamic linker. The
# program finds its library from the path of the script, and so do virtual environments.
write_start() {
    local usr=$PWD/build/pythons/$1/usr linker
    linker=$(compgen -G "$usr/lib/*-linux-gnu*/ld-linux*.so.*" | head -n 1)
    [ -n "$linker" ] || fail "Debian's libc6 has no dynamic linker where it is expected, below $usr/lib"
    cat >"$usr/bin/python$1" <<END
#!/bin/sh
exec '$linker' --library-path '${linker%/*}' --argv0 "\$0" '$usr/program/python$1' "\$@"
END
    chmod +x "$usr/bin/python$1"
}

missing=()
installed=$(tools/find-pythons.sh)
for version in "$@"; do
    if grep -q "^$version " <<<"$installed"; then continue; fi
    [ -e "build/pythons/$version/usr/program/python$version" ] || missing+=("$version")
done
if ((${#missing[@]})); then
    from=$(mirror)
    if [ -z "$from" ]; then
        say "Python ${missing[*]} is not tested: it is not installed, and apt knows no mirror of Debian"
        exit 0
    fi
    say "unpacking Python ${missing[*]} from Debian's unstable suite into build/pythons"
    prepare_apt "$from"
    for version in "${missing[@]}"; do unpack "$version"; done
    rm -rf "$state"
fi
for version in "$@"; do
    if [ -e "build/pythons/$version/usr/program/python$version" ]; then write_start "$version"; fi
done
