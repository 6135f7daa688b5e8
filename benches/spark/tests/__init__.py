"""Tests of the benchmark in PySpark."""
