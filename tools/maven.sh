#!/usr/bin/env bash
# maven.sh <JDK home> <folder> <Maven arguments>…: runs Maven in java/ with the native library of that
# folder of target/, `debug` or `release`.
source "$(dirname "$0")/lib.sh"

export JAVA_HOME=$1
native=$PWD/target/$2
shift 2

# Maven does not replace a newer library, and that of another profile may be newer.
rm -rf java/serow/target/classes/io/github/serow/native
exec mvn -q -B -f java/pom.xml -Dserow.native.dir="$native" "$@"
