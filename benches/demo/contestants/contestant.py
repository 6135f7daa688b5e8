"""The interface of a contestant."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from demo.rows import Message, Rows


@dataclass(frozen=True)
class About:
    """The text about a contestant, besides its figures."""

    tier: str = "-"
    """The tier that converts rows in Python, if there is a choice."""

    notes: Sequence[str] = ()
    """The lines above the table."""


class Contestant(ABC):
    """One serializer, used as well as its users can: rows to messages and back.

    The demo times `encode` and `decode`. So they include converting between tuples and the
    library's form (documents, generated classes): the users pay for it too.
    """

    @abstractmethod
    def encode(self, rows: Rows) -> Sequence[Message]:
        """Returns the rows as one or more messages."""

    @abstractmethod
    def decode(self, messages: Sequence[Message]) -> Rows:
        """Returns the rows of messages from either language."""

    def about(self, rows: Rows, java: Mapping[str, str]) -> About:
        """Returns the text. `rows` are some of the sent rows, `java` is the JVM's description."""
        return About()


def batches(rows: Rows, size: int) -> list[Rows]:
    """Returns the rows in lists of `size`."""
    return [rows[begin : begin + size] for begin in range(0, len(rows), size)]


def create(path: str) -> Contestant:
    """Returns an instance of the class at `package.module:Class`."""
    module, _, name = path.partition(":")
    return cast(Contestant, getattr(import_module(module), name)())
