"""Makes tables of the CSV, so that both are of the same run."""

from collections.abc import Iterator, Mapping, Sequence

from parallel import model
from parallel.goals import compressed, size_text
from parallel.model import Model
from parallel.results import Record, Series
from parallel.settings import AUTO, ONE, VERBS
from suite.figures import text
from suite.page import markdown

START = "thread start"
"""The name of the header's line with the cost of a thread, in microseconds."""


def tables(header: Mapping[str, str], all_series: Sequence[Series]) -> str:
    """Returns all tables in Markdown."""
    return "\n\n".join(_sections(header, all_series))


def _sections(header: Mapping[str, str], all_series: Sequence[Series]) -> Iterator[str]:
    yield "## The run\n\n" + "\n".join(f"- {name}: {value}" for name, value in header.items())
    groups = dict.fromkeys((one.language, one.compression) for one in all_series)
    for language, compression in groups:
        some = [
            one for one in all_series if (one.language, one.compression) == (language, compression)
        ]
        title = f"## {language}{compressed(compression)}: milliseconds and speedup"
        yield f"{title}\n\n{_times(some, start_seconds(header))}"
    if fitted := [*_fitted(all_series)]:
        headings = ("", "frames", "T", "H", "sqrt(T/H)", "best measured")
        title = "## T and H that fit the times best, in milliseconds"
        yield f"{title}\n\n{markdown(headings, fitted)}"


def start_seconds(header: Mapping[str, str]) -> float:
    """Returns what the run's header says about the cost of a thread."""
    return float(header[START].split()[0]) / 1e6


def _times(some: Sequence[Series], start: float) -> str:
    """Returns a line for each message and number of threads, with both directions."""
    by_verb = {(one.verb, one.size): one for one in some}
    lines = []
    for size in dict.fromkeys(one.size for one in some):
        both = [by_verb[verb, size] for verb in VERBS]
        for threads, one in both[0].by_threads.items():
            cells = [cell for each in both for cell in _cells(each, threads, start)]
            lines.append((_name(one), threads, *cells))
    headings = ["message", "threads"]
    for verb in VERBS:
        headings += [verb, "speedup (spread)", "model"]
    return markdown(headings, lines)


def _cells(one: Series, threads: str, start: float) -> tuple[str, str, str]:
    time = milliseconds(one.by_threads[threads].least)
    if threads == ONE:
        return time, "", ""
    if threads == AUTO:
        return time, text(one.speedup(threads)), ""
    predicted = Model(one.one.least, start, one.one.frames).speedup(int(threads))
    return time, text(one.speedup(threads)), f"{predicted:.2f}x"


def _name(one: Record) -> str:
    frames = f"{one.frames} frame{'s' * (one.frames > 1)}"
    return f"{size_text(one.key.size)}, {frames}"


def _fitted(all_series: Sequence[Series]) -> Iterator[Sequence[str]]:
    for one in all_series:
        fitted = model.fit(one)
        if fitted is None:
            continue
        counts = {name: each.least for name, each in one.by_threads.items() if name != AUTO}
        title = f"{one.language}{compressed(one.compression)}: {one.verb} of {size_text(one.size)}"
        ideal = "-" if fitted.ideal is None else f"{fitted.ideal:.1f}"
        yield (
            title,
            str(one.one.frames),
            milliseconds(fitted.work),
            milliseconds(fitted.each),
            ideal,
            min(counts, key=lambda name: counts[name]),
        )


def milliseconds(seconds: float) -> str:
    """Returns three digits."""
    return f"{seconds * 1e3:.3g}" if abs(seconds) < 1 else f"{seconds * 1e3:,.0f}"
