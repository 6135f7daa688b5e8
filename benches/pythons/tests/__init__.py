"""Tests of the comparison of Pythons."""
