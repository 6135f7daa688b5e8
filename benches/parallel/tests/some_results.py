"""Made-up results: encoding gains by threads, and decoding loses."""

from collections.abc import Iterator

from parallel.page import START
from parallel.results import Key, Record, Series, series
from parallel.settings import COMPRESSIONS, VERBS

HEADER = {"CPU": "made up", START: "100.0 µs"}
FACTORS = {"encode": {"1": 1.0, "2": 0.5, "auto": 0.5}, "decode": {"1": 1.0, "2": 1.1, "auto": 1.1}}


def records() -> Iterator[Record]:
    """Yields a record for each key."""
    for language in ("Python", "Rust"):
        for compression in COMPRESSIONS:
            for verb in VERBS:
                for size, frames in ((10_000, 1), (100_000_000, 30)):
                    for threads, factor in FACTORS[verb].items():
                        key = Key(language, compression, verb, size, threads)
                        seconds = round(size * factor / 1e9, 9)
                        rounds = (seconds, round(1.25 * seconds, 9))
                        yield Record(key, size // 50, frames, size, rounds)


def all_series() -> list[Series]:
    """Returns the series of all records."""
    return series(records())
