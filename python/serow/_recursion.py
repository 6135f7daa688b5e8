"""Types that contain themselves, in the text of schemas.

The text names a dict with fixed keys or a record elsewhere in it by its index, as in
`Tree{kids: [^0]}`. The index is known once the text is complete, so until then each of these types
has a mark in the text, and so has each place that names one.
"""

import re
from typing import Any

#: Around the number of a type. Names in the text have them only as escapes.
_BEGIN, _END = "\ue000", "\ue001"
_MARK = re.compile(f"(\\^?){_BEGIN}([0-9]+){_END}")


class Marks:
    """The marks of types in one text."""

    def __init__(self) -> None:
        #: The types that have a mark. Its number is the index here.
        self.keys: list[Any] = []
        #: Types that contain themselves, or others that do, and whose text is complete.
        self.recursive: list[Any] = []

    def of(self, key: Any) -> str:
        """Give the mark to begin the text of the type of this key with."""
        if key not in self.keys:
            self.keys.append(key)
        return f"{_BEGIN}{self.keys.index(key)}{_END}"

    def reference(self, key: Any) -> str:
        """Give the text that stands for the type of this key."""
        return "^" + self.of(key)


def is_reference(text: str) -> bool:
    """Tell whether the text of a type names another type."""
    return text.startswith("^")


def is_same(reference: str, text: str) -> bool:
    """Tell whether the first text names the type that the second begins with."""
    return is_reference(reference) and text.startswith(reference[1:])


def has_references(text: str) -> bool:
    """Tell whether the text of a type or of a type in it names another type."""
    return f"^{_BEGIN}" in text


def without_marks(text: str) -> str:
    """Give a text that can be parsed by itself, with null for each type that is elsewhere."""
    return _MARK.sub(lambda mark: "null" if mark[1] else "", text)


def numbered(text: str) -> str:
    """Give a complete text with indices in the place of marks."""
    indices: dict[str, int] = {}
    begun = [mark[2] for mark in _MARK.finditer(text) if not mark[1]]
    for index, number in enumerate(begun):
        indices.setdefault(number, index)
    return _MARK.sub(lambda mark: f"^{indices[mark[2]]}" if mark[1] else "", text)


def escaped(name: str) -> str:
    """Escape the characters of a name that marks have."""
    return name.replace(_BEGIN, "\\u{e000}").replace(_END, "\\u{e001}")
