"""The interface of an entrant in Python."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import Any, TypeAlias, cast

from demo.rows import Message
from suite.entrants import Spec
from suite.workload import Workload

Batches: TypeAlias = Sequence[Sequence[Any]]
"""An entrant's rows, in lists of `batch` rows. Only these lists refer to them."""


class Entrant(ABC):
    """One serializer used in one way, as well as its users can.

    What makes the rows that it takes (`prepared`) is not timed, all else is.
    """

    batch: int | None = 1000
    """The number of rows in each list. None means all rows in one."""

    stream_batch = 1000
    """Rows per message when messages are sent while others are still being encoded."""

    tier = "-"
    """The tier that converts rows, if there is a choice."""

    def __init__(self, workload: Workload) -> None:
        """Prepares for rows of `workload`."""
        self.workload = workload

    def prepared(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Returns the rows in the form that this entrant's users have."""
        return rows

    def tuples(self, rows: Sequence[Any]) -> list[Any]:
        """Converts decoded rows to the workload's form, to compare them."""
        return list(rows)

    @abstractmethod
    def encode(self, batches: Batches) -> list[Message]:
        """Returns the messages of some batches, in fresh memory."""

    retains_memory = False
    """Whether the entrant has `encode_into`."""

    def encode_into(self, batches: Batches, buffer: bytearray) -> int:
        """Encodes into memory that was used before. Returns the number of bytes.

        The buffer is large enough for all messages.
        """
        raise NotImplementedError

    @abstractmethod
    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the rows of all messages in one list."""

    @abstractmethod
    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one message per row."""

    @abstractmethod
    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the rows of messages with one row each."""

    only_small = False
    """Whether only small messages, by `dumps` and `loads`, are measured."""

    has_functions = False
    """Whether the entrant has `dumps` and `loads`."""

    def dumps(self, lists: Batches) -> list[Message]:
        """Returns a message of each list, by the function that users have for lists of any rows."""
        raise NotImplementedError

    def loads(self, messages: Sequence[Message]) -> list[Sequence[Any]]:
        """Returns the list of each message."""
        raise NotImplementedError


def create(spec: Spec, workload: Workload) -> Entrant:
    """Returns the entrant of a spec. Imports only its own library."""
    module, _, name = spec.python[workload.name].partition(":")
    return cast(Entrant, getattr(import_module(module), name)(workload, **spec.options))


def cut(rows: Sequence[Any], size: int | None) -> list[Sequence[Any]]:
    """Returns the rows in lists of `size`."""
    if size is None:
        return [rows]
    return [rows[begin : begin + size] for begin in range(0, len(rows), size)]
