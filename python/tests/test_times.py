"""The option `times`, for what the times of other languages lack, and times that Python lacks."""

import io
import pickle
from datetime import datetime, time, timedelta, timezone
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pytest
import serow

pytestmark = pytest.mark.tiers

CEST = timezone(timedelta(hours=2), "CEST")
PLAIN = timezone(timedelta(hours=2))
ZURICH = ZoneInfo("Europe/Zurich")
KINDS = "(time, timetz, timestamp, timestamptz, duration)"

#: Times that other languages lack, and portable ones.
NAMED: list[tuple[Any, Any]] = [
    (datetime(2024, 7, 1, 12, tzinfo=CEST), datetime(2024, 7, 1, 12, tzinfo=PLAIN)),
    (
        datetime(2024, 7, 1, 12, fold=1, tzinfo=timezone(timedelta(0), "")),
        datetime(2024, 7, 1, 12, tzinfo=timezone.utc),
    ),
    (time(12, tzinfo=CEST), time(12, tzinfo=PLAIN)),
    (datetime(2024, 10, 27, 2, 30, fold=1), datetime(2024, 10, 27, 2, 30)),
    (time(2, 30, fold=1), time(2, 30)),
]

#: Times that every language holds.
SAME: list[Any] = [
    datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=ZURICH),
    datetime(2024, 7, 1, 12, 0, 0, 1, tzinfo=timezone.utc),
    time(1, tzinfo=ZURICH),
    timedelta(-1, 5, 999_999),
]


def varint(value: int) -> bytes:
    """Encode a signed varint of the row wire: its length is in the trailing zeros of its bits."""
    codec = serow.Codec("i64", fingerprint=False)
    return codec.encode_one(value)


def record(schema: str, *parts: int | bytes) -> bytes:
    """Encode the components of one value without a fingerprint."""
    length = serow.Codec("str", fingerprint=False)
    return b"".join(
        varint(part) if isinstance(part, int) else length.encode_one(part.decode())
        for part in parts
    )


def decode(schema: str, *parts: int | bytes, times: Literal["exact", "portable"] = "exact") -> Any:
    codec = serow.Codec(schema, fingerprint=False, times=times)
    return codec.decode_one(record(schema, *parts))


@pytest.mark.parametrize(("value", "plain"), NAMED + [(value, value) for value in SAME], ids=repr)
def test_portable_times_are_equal_in_python(value: Any, plain: Any, access: str, wire: Any) -> None:
    assert value == plain
    rows, expected = [value, None, [value]] * 3, repr([plain, None, [plain]] * 3)
    message = serow.dumps(rows, wire=wire)
    assert repr(serow.loads(message)) == repr(rows)
    assert repr(serow.loads(message, times="portable")) == expected
    portable = serow.dumps(rows, wire=wire, times="portable")
    assert repr(serow.loads(portable)) == expected
    codec = serow.Codec(serow.Schema.infer(rows), wire=wire, times="portable")
    assert repr(codec.decode(message)) == repr(codec.decode(codec.encode(rows))) == expected
    one = serow.Codec(codec.schema).encode_one(value)
    assert repr(codec.decode_one(one)) == repr(codec.decode_one(codec.encode_one(value)))
    assert repr(codec.decode_one(one)) == repr(plain)


def test_streams_have_the_option(wire: Any) -> None:
    value, plain = NAMED[0]
    for writes, reads in [("portable", "exact"), ("exact", "portable")]:
        file = io.BytesIO()
        with serow.Writer(file, wire=wire, times=writes) as writer:  # type: ignore[arg-type]
            writer.write(value)
            writer.write_rows([value])
        file.seek(0)
        assert repr(list(serow.Reader(file, times=reads))) == repr([plain] * 2)  # type: ignore[arg-type]
        rows = serow.view(file, times=reads)  # type: ignore[arg-type]
        assert repr(rows[1]) == repr(plain)


def test_nanoseconds_are_an_error_that_names_the_option(access: str) -> None:
    micros = 1_704_067_200_000_007
    moment = datetime(2024, 1, 1, 0, 0, 0, 7)
    for schema, parts, plain in [
        ("timestamp", (micros, 1998), moment),
        ("timestamptz", (micros, 2, 0, b""), moment.replace(tzinfo=timezone.utc)),
        ("time", (7, 1999), time(0, 0, 0, 7)),
        ("timetz", (7, 2, 0, b""), time(0, 0, 0, 7, tzinfo=timezone.utc)),
        ("duration", (-1, 1_001), timedelta(seconds=-1, microseconds=1)),
    ]:
        with pytest.raises(serow.DecodeError, match="nanoseconds; times='portable' drops them"):
            decode(schema, *parts)
        assert repr(decode(schema, *parts, times="portable")) == repr(plain)
    with pytest.raises(serow.DecodeError, match=r"record, field 0 \(timestamp\).*times='portable'"):
        decode("(timestamp, i64)", micros, 2, 5)


def test_timestamps_beyond_64_bits_of_microseconds_are_no_year(access: str) -> None:
    # The last Instant of Java, and the first LocalDateTime.
    most, least = 31_556_889_864_403_199_999_999, -31_557_014_167_219_200_000_000
    for micros, nanos, times in [(most, 999, "exact"), (least, 0, "exact"), (most, 5, "portable")]:
        low = (micros + 2**63) % 2**64 - 2**63
        rest = (micros - low >> 64 << 11) + 2 * nanos
        for schema, parts in [("timestamp", (low, rest)), ("timestamptz", (low, rest, 0, b""))]:
            with pytest.raises(serow.DecodeError, match=f"years are 1 to 9999.* {micros} micro"):
                decode(schema, *parts, times=times)  # type: ignore[arg-type]


def test_codecs_have_the_option() -> None:
    codec = serow.Codec("timestamptz", times="portable")
    assert codec.times == "portable"
    assert serow.Codec("timestamptz").times == "exact"
    assert codec != serow.Codec("timestamptz")
    assert pickle.loads(pickle.dumps(codec)) == codec
    assert repr(codec) == "Codec('timestamptz', wire='frame', times='portable')"
    for call in (
        lambda: serow.dumps([1], times="none"),  # type: ignore[arg-type]
        lambda: serow.loads(b"", times="none"),  # type: ignore[call-overload]
        lambda: serow.Codec("i64", times="none"),  # type: ignore[arg-type]
        lambda: serow.Writer(io.BytesIO(), times="none"),  # type: ignore[arg-type]
        lambda: serow.Reader(io.BytesIO(), times="none"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="times must be 'exact' or 'portable', not \"none\""):
            call()


def test_a_union_of_both_clocks_reads_as_either(wire: Any) -> None:
    naive, aware = datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=timezone.utc)
    source = serow.Codec('{"at": timestamp|timestamptz, "n": i64}', wire=wire)
    for kind, fits, other in [("timestamp", naive, aware), ("timestamptz", aware, naive)]:
        rows = [{"at": fits, "n": n} for n in range(3)]
        for suffix in ("", "?"):
            reader = serow.Codec(f'{{"at": {kind}{suffix}, "n": i64}}', wire=wire)
            assert reader.decode(source.encode(rows)) == rows
            with pytest.raises(serow.DecodeError, match=r"row 3, field at \(timestamp") as caught:
                reader.decode(source.encode([*rows, {"at": other, "n": 0}]))
            assert caught.value.row == 3
