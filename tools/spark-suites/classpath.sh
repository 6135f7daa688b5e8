#!/usr/bin/env bash
# classpath.sh <version>: makes build/spark-suites/<version>/home, a folder with jars/ like that of an
# installed Spark, in which executors find their classes. It has Spark's core, Spark's own tests and
# serow, as links.
source "$(dirname "$0")/../lib.sh"

version=$1
work=$PWD/build/spark-suites/$version
case $version in
    3.*) properties=(-Dscala.binary=2.12 -Dscalatest.version=3.2.16 -Dmockito=4-11) ;;
    *) properties=(-Dscala.binary=2.13 -Dscalatest.version=3.2.19 -Dmockito=5-12) ;;
esac
rm -rf "$work/home"
mkdir -p "$work/home/jars"
mvn -q -B -f tools/spark-suites/pom.xml dependency:build-classpath "${properties[@]}" \
    -Dspark.version="$version" -Dmdep.outputFile="$work/classpath" ||
    fail "Maven does not find the tests of Spark $version: give other versions"
# The file has no line end, so that read fails.
IFS=: read -ra jars <"$work/classpath" || true
ln -s "${jars[@]}" "$work/home/jars/" || fail "two jars of Spark $version have the same name"
ln -s "$PWD"/java/serow-spark/target/serow-spark.jar "$PWD"/java/serow/target/serow-*.jar "$work/home/jars/"
