"""What an entrant has to do in Python."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import Any, TypeAlias, cast

from demo.rows import Message
from suite.entrants import Spec
from suite.workload import Workload

Batches: TypeAlias = Sequence[Sequence[Any]]
"""Rows as an entrant takes them, in lists of `batch` rows; those lists are all that holds them."""


class Entrant(ABC):
    """One serializer used in one way, as well as its users can.

    What makes the rows that it takes (`prepared`) is not timed, all else is.
    """

    batch: int | None = 1000
    """Rows in a list that it is given; None is all of them in one."""

    stream_batch = 1000
    """Rows in a message when they are sent while others are still being encoded."""

    tier = "-"
    """What runs the conversion, if there is a choice."""

    def __init__(self, workload: Workload) -> None:
        """Be ready for rows of `workload`."""
        self.workload = workload

    def prepared(self, rows: Sequence[Any]) -> Sequence[Any]:
        """The rows as this entrant's users hold them."""
        return rows

    def tuples(self, rows: Sequence[Any]) -> list[Any]:
        """Rows that were decoded, as they are in the workload, to compare them."""
        return list(rows)

    @abstractmethod
    def encode(self, batches: Batches) -> list[Message]:
        """The messages of some batches, in fresh memory."""

    retains_memory = False
    """Whether there is `encode_into`."""

    def encode_into(self, batches: Batches, buffer: bytearray) -> int:
        """Encode into memory that was used before, and give the number of bytes.

        The buffer is large enough for all messages.
        """
        raise NotImplementedError

    @abstractmethod
    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """The rows of all messages in one list."""

    @abstractmethod
    def encode_rows(self, batches: Batches) -> list[Message]:
        """A message a row."""

    @abstractmethod
    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """The rows of messages of one row each."""


def create(spec: Spec, workload: Workload) -> Entrant:
    """The entrant of a spec, which imports its library and no other's."""
    module, _, name = spec.python[workload.name].partition(":")
    return cast(Entrant, getattr(import_module(module), name)(workload, **spec.options))


def cut(rows: Sequence[Any], size: int | None) -> list[Sequence[Any]]:
    """The rows in lists of `size`."""
    if size is None:
        return [rows]
    return [rows[begin : begin + size] for begin in range(0, len(rows), size)]
