"""Replaces values of foreign classes by equal plain values.

Rows can't hold an instance of a foreign class as it is, but a plain value equals it. The classes of
NumPy, pandas and other libraries are foreign, and so are subclasses of plain classes and containers
such as `deque`. A `datetime` is foreign if its zone is, for example a zone of `pytz`.

The encoder reads rows in place and runs no Python code meanwhile, because Python code could change
the rows. But only Python code can take these values apart. So when encoding stops at such a value,
it starts again with a copy of the rows in which plain values replace them. This package makes the
copy. serow imports it only then, and it imports none of the libraries.
"""

from serow._foreign.copying import is_foreign, plain_rows

__all__ = ["is_foreign", "plain_rows"]
