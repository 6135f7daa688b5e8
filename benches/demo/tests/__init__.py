"""Tests of the demo's own machinery. They need no JVM, but for those of test_jvm.py."""
