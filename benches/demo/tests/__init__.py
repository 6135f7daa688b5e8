"""Tests of the demo's own code. Only test_jvm.py needs a JVM."""
