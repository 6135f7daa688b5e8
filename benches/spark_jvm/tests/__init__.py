"""Tests of the benchmark of Spark's serializers on the JVM."""
