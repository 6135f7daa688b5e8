"""Rows as a table, of text or of HTML."""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import chain, islice
from typing import Any

#: The rows whose texts decide how wide the columns are.
_FIRST = 100
#: The most characters of a cell, and the fewest that a column is narrowed to.
_WIDEST, _NARROWEST = 40, 6


def table(rows: Iterable[Any]) -> Iterator[str]:
    """Give the lines of a table that is as wide as the terminal at most."""
    given = iter(rows)
    first = list(islice(given, _FIRST))
    names = _names(first)
    cells = [[_text(_fields(row).get(name, "")) for name in names] for row in first]
    is_number = [
        all(isinstance(value, int | float) for value in _values(first, name)) for name in names
    ]
    widths = [max(map(len, column)) for column in zip(map(str, names), *cells, strict=True)]
    widths = _narrowed(widths, shutil.get_terminal_size().columns)
    yield _line(map(str, names), widths, is_number)
    yield "  ".join("─" * width for width in widths)
    rest = ([_text(_fields(row).get(name, "")) for name in names] for row in given)
    for line in chain(cells, rest):
        yield _line(line, widths, is_number)


def html_table(rows: Iterable[Any]) -> str:
    """Give a table for a notebook. All of the rows are in it."""
    given = list(rows)
    names = _names(given)
    lines = [_html_line("th", names)]
    for row in given:
        fields = _fields(row)
        lines.append(_html_line("td", [_text(fields.get(name)) for name in names]))
    return f"<table>{''.join(lines)}</table>"


def _html_line(tag: str, cells: Iterable[Any]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"


def _names(rows: list[Any]) -> list[Any]:
    """Give the columns of rows, each once."""
    return list(dict.fromkeys(name for row in rows for name in _fields(row)))


def _fields(row: Any) -> Mapping[Any, Any]:
    """Give the values of a row by the names of its columns."""
    if isinstance(row, Mapping):
        return row
    names = getattr(row, "_fields", None) or getattr(row, "__match_args__", None)
    if names and not isinstance(row, tuple):
        return {name: getattr(row, name) for name in names}
    if isinstance(row, tuple):
        return dict(zip(names or range(len(row)), row, strict=True))
    return {"value": row}


def _values(rows: list[Any], name: Any) -> list[Any]:
    values = (_fields(row).get(name) for row in rows)
    return [value for value in values if value is not None]


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value is None else str(value)
    # A line of the table is a row, and a terminal obeys no text of a file.
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[: _WIDEST + 1])


def _narrowed(widths: list[int], room: int) -> list[int]:
    """Make the widest columns narrower until the table has room."""
    widths = [min(width, _WIDEST) for width in widths]
    while sum(widths) + 2 * len(widths) - 2 > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _line(cells: Iterable[str], widths: list[int], is_number: list[bool]) -> str:
    line = []
    for cell, width, right in zip(cells, widths, is_number, strict=True):
        cut = cell if len(cell) <= width else cell[: width - 1] + "…"
        line.append(cut.rjust(width) if right else cut.ljust(width))
    return "  ".join(line).rstrip()
