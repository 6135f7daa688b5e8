"""Replaces values of foreign classes by equal plain values.

A class is foreign if rows can't hold its instances as they are, although a plain value equals them:
classes of NumPy, pandas and other libraries, subclasses of plain classes, containers such as
`deque`, and zones such as those of `pytz`.

The encoder reads rows in place and runs no Python code meanwhile, because Python code could change
the rows. But only Python code can take these values apart. So when encoding stops at such a value,
it starts again with a copy of the rows in which plain values replace them. This package makes the
copy. serow imports it only then, and it imports none of the libraries.
"""

from serow._foreign.copying import is_foreign, plain_rows

__all__ = ["is_foreign", "plain_rows"]
