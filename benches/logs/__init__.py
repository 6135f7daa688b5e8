"""Event logs: rows appended one by one. `run.py` is all of it."""
