"""The figures as text for people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

from demo.columns import STEPS, Converted
from demo.measure import Round, Summary
from demo.orchestrator import Result
from demo.streams import Streamed

HEADINGS = (
    "",
    "rows",
    "bytes",
    "encode ms",
    "transfer ms",
    "decode ms",
    "cold",
    "rows/s",
    "tier",
)


STREAM_HEADINGS = (
    "Streams in files",
    "rows",
    "bytes",
    "Python writes ms",
    "JVM reads ms",
    "JVM writes ms",
    "Python reads ms",
    "",
)


@dataclass(frozen=True)
class Goal:
    """A ratio of serow to a peer, its goal, and the ratio of the medians."""

    what: str
    wanted: str
    figure: float
    of_medians: float | None
    is_met: bool


def table(results: Mapping[str, Result]) -> str:
    """The lines of both directions, with the contestants in their order."""
    lines: list[Sequence[str]] = [HEADINGS]
    for title, row in (("Python -> JVM", _to_java), ("JVM -> Python", _to_python)):
        lines.append((title, *[""] * (len(HEADINGS) - 1)))
        lines.extend(row(f"  {name}", result) for name, result in results.items())
    return _aligned(lines)


def streams(streamed: Sequence[Streamed]) -> str:
    """The lines of the streams. Both files have the same size, unless a second one is named."""
    lines: list[Sequence[str]] = [STREAM_HEADINGS]
    for one in streamed:
        sizes = f"{one.python_bytes:,}"
        if one.java_bytes != one.python_bytes:
            sizes += f" / {one.java_bytes:,}"
        times = map(_milliseconds, astuple(one.fastest))
        lines.append((f"  {one.compression}", f"{one.rows:,}", sizes, *times, ""))
    return _aligned(lines)


def columns(converted: Sequence[Converted]) -> str:
    """The lines of Arrow's columns."""
    lines: list[Sequence[str]] = [
        ("Arrow's columns in Python", "rows", *(f"{step} ms" for step in STEPS), "")
    ]
    for one in converted:
        times = (_milliseconds(one.fastest[step]) if step in one.fastest else "" for step in STEPS)
        lines.append((f"  {one.name}", f"{one.rows:,}", *times, ""))
    return _aligned(lines)


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(_align(line, widths) for line in lines)


def _align(line: Sequence[str], widths: Sequence[int]) -> str:
    """Aligns text to the left and figures to the right."""
    cells = [
        cell.ljust(width) if column in (0, len(line) - 1) else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(line, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def _to_java(name: str, result: Result) -> tuple[str, ...]:
    summary, times = result.summary, result.summary.fastest
    seconds = (times.python_encode, times.to_java, times.java_decode)
    tiers = _tiers(result.description.python_tier, result.description.java_tier)
    return _line(name, summary.rows, summary.python_bytes, seconds, None, tiers)


def _to_python(name: str, result: Result) -> tuple[str, ...]:
    summary, times = result.summary, result.summary.fastest
    seconds = (times.java_encode, times.to_python, times.python_decode_warm)
    tiers = _tiers(result.description.java_tier, result.description.python_tier)
    cold = times.python_decode_cold
    return _line(name, summary.rows, summary.java_bytes, seconds, cold, tiers)


def _tiers(encode: str, decode: str) -> str:
    return encode if encode == decode else f"{encode}, {decode}"


def _line(
    name: str, rows: int, size: int, seconds: Sequence[float], cold: float | None, tiers: str
) -> tuple[str, ...]:
    times = [_milliseconds(each) for each in seconds]
    cold_text = "" if cold is None else _milliseconds(cold)
    rate = f"{rows / sum(seconds):,.0f}"
    return (name, f"{rows:,}", f"{size:,}", *times, cold_text, rate, tiers)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:,.2f}" if seconds < 0.1 else f"{seconds * 1e3:,.0f}"


def goals(results: Mapping[str, Result]) -> list[Goal]:
    """The goals of serow against its peers, and the measured ratios."""
    serow, pickle = results[_best(results)].summary, results["pickle"].summary
    size = serow.python_bytes / results["protobuf"].summary.python_bytes
    return [
        Goal("frame bytes / protobuf bytes", "<= 0.45", size, None, size <= 0.45),
        _speed("JVM decode vs Pyrolite", 4, "java_decode", serow, pickle),
        _speed("Python decode vs pickle, the JVM's", 3, "python_decode_warm", serow, pickle),
        _speed("  cold", 3, "python_decode_cold", serow, pickle),
        _speed("Python decode vs pickle, its own", 3, "own_decode_warm", serow, pickle),
        _speed("  cold", 3, "own_decode_cold", serow, pickle),
    ]


def _best(results: Mapping[str, Result]) -> str:
    """Returns the contestant with goals: serow's compiled tier, if it takes part."""
    return "serow-compiled" if "serow-compiled" in results else "serow"


def _speed(what: str, times: int, field: str, serow: Summary, peer: Summary) -> Goal:
    fastest = getattr(peer.fastest, field) / getattr(serow.fastest, field)
    medians = getattr(peer.median, field) / getattr(serow.median, field)
    return Goal(what, f">= {times}x", fastest, medians, fastest >= times)


def ratios(results: Mapping[str, Result]) -> str:
    """Returns the goals, and below them serow against every peer in everything."""
    return "\n".join([*_goal_lines(goals(results)), "", *_ratio_lines(results)])


def _goal_lines(all_goals: Sequence[Goal]) -> Iterator[str]:
    width = max(len(goal.what) for goal in all_goals)
    for goal in all_goals:
        unit = "" if goal.of_medians is None else "x"
        medians = "" if goal.of_medians is None else f"  ({goal.of_medians:.2f}x of the medians)"
        verdict = "met" if goal.is_met else "NOT MET"
        yield (
            f"  {goal.what.ljust(width)}  goal {goal.wanted:<7}"
            f"  {goal.figure:5.2f}{unit:1}  {verdict}{medians}"
        )


_COMPARED = (
    ("Python encode", "python_encode"),
    ("JVM decode", "java_decode"),
    ("JVM encode", "java_encode"),
    ("Python decode warm", "python_decode_warm"),
    ("Python decode cold", "python_decode_cold"),
)


def _ratio_lines(results: Mapping[str, Result]) -> Iterator[str]:
    best = _best(results)
    serow = results[best].summary
    peers = [name for name in results if name != best]
    yield f"  {best}, so many times as fast as".ljust(36) + "".join(f"{p:>10}" for p in peers)
    for title, name in _COMPARED:
        yield f"    {title}".ljust(36) + "".join(
            f"{_ratio(results[peer].summary.fastest, serow.fastest, name):>9.1f}x" for peer in peers
        )
    yield "    both ways, with transfer".ljust(36) + "".join(
        f"{_round_trip(results[peer].summary.fastest) / _round_trip(serow.fastest):>9.1f}x"
        for peer in peers
    )
    yield "  its bytes are this part of".ljust(36) + "".join(
        f"{serow.python_bytes / results[peer].summary.python_bytes:>9.2f} " for peer in peers
    )


def _ratio(peer: Round, serow: Round, field: str) -> float:
    return float(getattr(peer, field) / getattr(serow, field))


def _round_trip(times: Round) -> float:
    return (
        times.python_encode
        + times.to_java
        + times.java_decode
        + times.java_encode
        + times.to_python
        + times.python_decode_warm
    )
