"""Protocol Buffers for the wider rows: upb, to and from tuples and dicts."""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from demo.contestants.protobuf_messages import GENERATED, PROTO, generated
from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload

WIDER_PROTO = Path(__file__).parents[1] / "wider.proto"


class WiderMessages(Entrant):
    """One message of `list_type` per batch, one of `row_type` per row."""

    row_type: Any
    list_type: Any

    @abstractmethod
    def fill(self, message: Any, row: Any) -> None:
        """Puts a row into an empty message."""

    @abstractmethod
    def row(self, message: Any) -> Any:
        """Returns the row of a message."""

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one message per batch."""
        fill = self.fill
        messages: list[Message] = []
        for batch in batches:
            whole = self.list_type()
            add = whole.rows.add
            for row in batch:
                fill(add(), row)
            messages.append(whole.SerializeToString())
        return messages

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the rows of all messages."""
        rows: list[Any] = []
        for message in messages:
            rows += map(self.row, self.list_type.FromString(message).rows)
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one message per row."""
        messages: list[Message] = []
        for batch in batches:
            for row in batch:
                message = self.row_type()
                self.fill(message, row)
                messages.append(message.SerializeToString())
        return messages

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the row of each message."""
        parse = self.row_type.FromString
        return [self.row(parse(message)) for message in messages]


class LineitemMessages(WiderMessages):
    """One `Lineitem` per row."""

    def __init__(self, workload: Workload) -> None:
        """Imports the module that protoc made."""
        super().__init__(workload)
        module = generated(WIDER_PROTO, GENERATED)
        self.row_type, self.list_type = module.Lineitem, module.Lineitems

    def fill(self, message: Any, row: Any) -> None:
        """Assigns the fields."""
        (
            message.orderkey,
            message.partkey,
            message.suppkey,
            message.linenumber,
            quantity,
            extendedprice,
            discount,
            tax,
            message.returnflag,
            message.linestatus,
            shipdate,
            commitdate,
            receiptdate,
            message.shipinstruct,
            message.shipmode,
            message.comment,
        ) = row
        message.quantity = str(quantity)
        message.extendedprice = str(extendedprice)
        message.discount = str(discount)
        message.tax = str(tax)
        message.shipdate = shipdate.toordinal()
        message.commitdate = commitdate.toordinal()
        message.receiptdate = receiptdate.toordinal()

    def row(self, message: Any) -> Any:
        """Returns the fields."""
        day = date.fromordinal
        return (
            message.orderkey,
            message.partkey,
            message.suppkey,
            message.linenumber,
            Decimal(message.quantity),
            Decimal(message.extendedprice),
            Decimal(message.discount),
            Decimal(message.tax),
            message.returnflag,
            message.linestatus,
            day(message.shipdate),
            day(message.commitdate),
            day(message.receiptdate),
            message.shipinstruct,
            message.shipmode,
            message.comment,
        )


class ReadingMessages(WiderMessages):
    """One `Reading` per row, with a message instead of the dict."""

    def __init__(self, workload: Workload) -> None:
        """Imports the module that protoc made."""
        super().__init__(workload)
        module = generated(WIDER_PROTO, GENERATED)
        self.row_type, self.list_type = module.Reading, module.Readings

    def fill(self, message: Any, row: Any) -> None:
        """Assigns the fields."""
        message.key, fields, samples, message.mean, note, day, cost = row
        sensor = message.sensor
        sensor.name, sensor.room = fields["name"], fields["room"]
        sensor.indoors = fields["indoors"]
        message.samples.extend(samples)
        if note is not None:
            message.note = note
        message.day = day.toordinal()
        message.cost = str(cost)

    def row(self, message: Any) -> Any:
        """Returns the fields."""
        sensor = message.sensor
        return (
            message.key,
            {"name": sensor.name, "room": sensor.room, "indoors": sensor.indoors},
            list(message.samples),
            message.mean,
            message.note if message.HasField("note") else None,
            date.fromordinal(message.day),
            Decimal(message.cost),
        )


class DictMessages(WiderMessages):
    """The demo's `Part`, from and to dicts."""

    def __init__(self, workload: Workload) -> None:
        """Imports the module that protoc made."""
        super().__init__(workload)
        module = generated(PROTO, GENERATED)
        self.row_type, self.list_type = module.Part, module.Parts

    def fill(self, message: Any, row: Any) -> None:
        """Assigns the fields."""
        message.partkey = row["partkey"]
        message.name = row["name"]
        message.mfgr = row["mfgr"]
        message.brand = row["brand"]
        message.type = row["type"]
        message.size = row["size"]
        message.container = row["container"]
        message.retailprice = row["retailprice"]
        message.comment = row["comment"]

    def row(self, message: Any) -> Any:
        """Returns a dict of the fields."""
        return {
            "partkey": message.partkey,
            "name": message.name,
            "mfgr": message.mfgr,
            "brand": message.brand,
            "type": message.type,
            "size": message.size,
            "container": message.container,
            "retailprice": message.retailprice,
            "comment": message.comment,
        }
