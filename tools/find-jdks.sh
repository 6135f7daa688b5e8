#!/usr/bin/env bash
# Prints the JDKs of this machine that serow is tested on: a version and a home a line, such as
# `17 /usr/lib/jvm/java-17-openjdk-amd64`, one line a version. Those are 17 and 25, or whatever
# newer than 17 there is where neither is. With `--default` it prints only the home of the one to
# build with: that of JAVA_HOME or of the PATH if it will do, or else the first found.
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
    # A JDK says what it is in a file: JAVA_VERSION="17.0.15".
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
