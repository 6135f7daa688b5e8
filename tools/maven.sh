#!/usr/bin/env bash
# maven.sh <JDK's home> <cargo's profile> <Maven's arguments>…: runs Maven over java/, with the
# native library of that profile.
source "$(dirname "$0")/lib.sh"

export JAVA_HOME=$1
native=$PWD/target/$2
shift 2

# Maven leaves an older library where it is, and builds of another profile may be older.
rm -rf java/serow/target/classes/io/github/serow/native
exec mvn -q -B -f java/pom.xml -Dserow.native.dir="$native" "$@"
