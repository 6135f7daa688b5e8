"""What a contestant has to do."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from demo.rows import Message, Rows


@dataclass(frozen=True)
class About:
    """What is printed about a contestant beside its figures."""

    tier: str = "-"
    """What runs the conversion in Python, if there is a choice."""

    notes: Sequence[str] = ()
    """Lines above the table."""


class Contestant(ABC):
    """One serializer, used as well as its users can: rows to messages and back.

    `encode` and `decode` are what is timed, so converting between tuples and whatever the
    library needs (documents, generated classes) belongs inside: it is what the users pay.
    """

    @abstractmethod
    def encode(self, rows: Rows) -> Sequence[Message]:
        """The rows as one or more messages."""

    @abstractmethod
    def decode(self, messages: Sequence[Message]) -> Rows:
        """The rows of messages from either language."""

    def about(self, rows: Rows, java: Mapping[str, str]) -> About:
        """What to print; `rows` are some of those sent, `java` is what the JVM's side said."""
        return About()


def batches(rows: Rows, size: int) -> list[Rows]:
    """The rows, cut into lists of `size`."""
    return [rows[begin : begin + size] for begin in range(0, len(rows), size)]


def create(path: str) -> Contestant:
    """An instance of the class at `package.module:Class`."""
    module, _, name = path.partition(":")
    return cast(Contestant, getattr(import_module(module), name)())
