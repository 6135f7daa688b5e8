"""Makes tables and a plot of the CSV."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from arrow.results import Decided, Record
from suite.bars import Bar, Panel, save
from suite.figures import figure, ratio, text
from suite.goals import Goal
from suite.page import goals_table, markdown


def tables(header: Mapping[str, str], decided: Sequence[Decided]) -> str:
    """Returns all tables in Markdown."""
    run = "\n".join(f"- {name}: {value}" for name, value in header.items())
    headings = ["", "serow", "the fastest peer", "", "serow, peak", "peer, peak"]
    lines = [
        (
            _name(one),
            f"{min(one.serow.rounds):,.0f} ns",
            f"{min(one.peer.rounds):,.0f} ns",
            one.peer.who,
            f"{one.serow.memory:,.0f} B",
            f"{one.peer.memory:,.0f} B",
        )
        for one in decided
    ]
    return "\n\n".join(
        (
            goals_table(goals(decided)),
            f"## Rows and Arrow: the run\n\n{run}",
            f"## Rows and Arrow: a row or value, warm\n\n{markdown(headings, lines)}",
        )
    )


def goals(decided: Sequence[Decided]) -> Iterator[Goal]:
    """Yields the goal of each contest."""
    for one in decided:
        faster = ratio(one.peer.rounds, one.serow.rounds)
        wanted = one.contest.wanted
        yield Goal(
            f"{_name(one)}, against {one.peer.who}",
            f">= {wanted:g}x",
            text(faster),
            faster.of_least >= wanted,
        )


def _name(one: Decided) -> str:
    rows = {"part": "Part: ", "lineitem": "lineitem: "}.get(one.contest.rows, "")
    return f"{rows}{one.contest.what}"


def draw(folder: Path, decided: Sequence[Decided]) -> None:
    """Draws a panel for each kind of rows."""
    kinds = {"part": "Part", "lineitem": "lineitem", "arrays of floats": "rows of 1,000 floats"}
    panels = []
    for kind in dict.fromkeys(kinds.get(one.contest.rows, "a column") for one in decided):
        some = [one for one in decided if kinds.get(one.contest.rows, "a column") == kind]
        # Bars of thousands of times the length would hide the others.
        some = [one for one in some if one.contest.task != "tuples to duckdb"]
        bars = [_bar(one, record) for one in some for record in (one.serow, one.peer)]
        panels.append(Panel(f"{kind}: Arrow, warm", "ns per row or value", bars))
    save(folder / "arrow.svg", panels)


def _bar(one: Decided, record: Record) -> Bar:
    taken = figure(record.rounds)
    is_serow = record is one.serow
    name = f"{one.contest.what}: {'serow' if is_serow else record.who}"
    return Bar(name, is_serow, False, taken.least, taken.median)
