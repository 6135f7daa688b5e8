#!/usr/bin/env bash
# Prints the JDKs of this machine for the tests of serow. Each line has a version and a home, such as
# `17 /usr/lib/jvm/java-17-openjdk-amd64`, and each version has one line. The versions are 17 and 25,
# or all later than 17 if neither is installed. With `--default` the script prints only the home of the
# JDK for building: that of JAVA_HOME or PATH if its version is at least 17, or else the first found.
source "$(dirname "$0")/lib.sh"

candidates() {
    local javac
    [ -z "${JAVA_HOME:-}" ] || printf '%s\n' "$JAVA_HOME"
    for javac in $(type -ap javac); do
        dirname "$(dirname "$(readlink -f "$javac")")"
    done
    printf '%s\n' /usr/lib/jvm/*
}

all=$(candidates | while read -r home; do
    [ -x "$home/bin/javac" ] || continue
    # A JDK has its version in a file: JAVA_VERSION="17.0.15".
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release" 2>/dev/null) || continue
    [ -z "$version" ] || printf '%s %s\n' "$version" "$home"
done | awk '$1 >= 17 && !seen[$1]++')

[ -n "$all" ] || exit 0
if [ "${1:-}" = --default ]; then
    head -n 1 <<<"$all" | cut -d ' ' -f 2-
else
    tested=$(awk '$1 == 17 || $1 == 25' <<<"$all")
    sort -n <<<"${tested:-$all}"
fi
