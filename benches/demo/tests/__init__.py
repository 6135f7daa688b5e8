"""Tests of the demo's own code. Only those of test_jvm.py need a JVM."""
