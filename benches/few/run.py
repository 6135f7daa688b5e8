"""Times of a few objects at a time, beside msgspec and pydantic's own JSON.

    python benches/few/run.py

It prints tables; benches/results/few.md has a copy. Times are of the processor, the least of
several rounds in which the contestants take turns; run it on a quiet machine. `dumps` infers the
schema of each message, and the codec knows it. The last table is of arrays of NumPy in rows, beside
pickle.
"""

import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
import numpy as np
import pydantic
import serow

ROUNDS = 9
CALLS = 2_000


@dataclass
class Item:
    """A line of an order."""

    sku: str
    qty: int
    price: float


@dataclass
class Order:
    """A record with records in it."""

    id: int
    user: str
    items: list[Item]
    paid: bool
    note: str | None = None


class ItemModel(pydantic.BaseModel):
    """A line of an order."""

    sku: str
    qty: int
    price: float


class OrderModel(pydantic.BaseModel):
    """A record with records in it."""

    id: int
    user: str
    items: list[ItemModel]
    paid: bool
    note: str | None = None


@dataclass
class Flat:
    """A record of plain values."""

    key: int
    name: str
    price: float
    is_new: bool
    size: int


def order(number: int) -> Order:
    """Make an order of three items."""
    items = [Item(f"sku{at}", at, at * 1.5) for at in range(3)]
    return Order(number, f"user {number}", items, paid=True)


def model(number: int) -> OrderModel:
    """Make the same order as a model of pydantic."""
    items = [ItemModel(sku=f"sku{at}", qty=at, price=at * 1.5) for at in range(3)]
    return OrderModel(id=number, user=f"user {number}", items=items, paid=True)


TEN: dict[str, list[Any]] = {
    "tuples": [(at, f"part {at}", 1.5 * at, True) for at in range(10)],
    "tuples with a list of three floats": [(at, "a", [1.5, 2.5, 3.5 * at]) for at in range(10)],
    "tuples with a list of three tuples": [
        (at, [(n, "y", 1.5) for n in range(3)]) for at in range(10)
    ],
    "dicts": [{"a": at, "b": f"part {at}", "c": 1.5} for at in range(10)],
    "dicts with a list of three dicts": [
        {"a": at, "c": [{"k": n, "v": "z"} for n in range(3)]} for at in range(10)
    ],
    "dataclasses": [Flat(at, f"part {at}", 1.5, True, at) for at in range(10)],
    "dataclasses with a list of three": [order(at) for at in range(10)],
}


def arrays() -> dict[str, list[Any]]:
    """Make rows of arrays."""
    random = np.random.default_rng(1)
    images = [random.integers(0, 256, (64, 64, 3), np.uint8) for _ in range(500)]
    return {
        "500 images of 64 x 64 x 3 bytes": images,
        "the same in dicts": [{"id": at, "image": of} for at, of in enumerate(images)],
        "the same in Fortran's order": [np.asfortranarray(of) for of in images],
        "500 of 32 x 32 float32, big-endian": [
            random.random((32, 32)).astype(">f4") for _ in range(500)
        ],
        "10,000 vectors of 256 float32": [random.random(256, np.float32) for _ in range(10_000)],
        "10,000 of 3 x 3 float64": [random.random((3, 3)) for _ in range(10_000)],
        "one of 100 MB": [random.random((3_500, 3_570))],
    }


def least(calls: dict[str, Callable[[], Any]], count: int = CALLS) -> dict[str, float]:
    """Give the microseconds of each call."""
    found = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            begin = time.process_time_ns()
            for _ in range(count):
                call()
            found[name] = min(found[name], (time.process_time_ns() - begin) / count / 1000)
    return found


def show(name: str, ours: float, theirs: float) -> None:
    """Print a line."""
    print(f"{name:46} {ours:9.2f} {theirs:9.2f} {ours / theirs:8.2f}x")


def main() -> None:
    """Measure, and print the tables."""
    print(f"{'ten rows, µs':46} {'dumps':>9} {'msgspec':>9}")
    for name, rows in TEN.items():
        times = least({"ours": partial(serow.dumps, rows), "theirs": partial(encode, rows)})
        show(name, times["ours"], times["theirs"])
    one, one_model = order(1), model(1)
    codec = serow.Codec(serow.Schema.of(Order))
    of_models = serow.Codec(serow.Schema.of(OrderModel))
    for each in (codec, of_models):
        each.compile("encode_one")
        each.compile("decode_one")
    record, record_of_model = codec.encode_one(one), of_models.encode_one(one_model)
    message, packed, text = serow.dumps([one]), encode(one), one_model.model_dump_json()
    decoder = msgspec.msgpack.Decoder(Order)
    print(f"{'an order with three items, µs':46} {'serow':>9} {'other':>9}")
    pairs: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
        ("encode_one / msgspec", lambda: codec.encode_one(one), lambda: encode(one)),
        ("decode_one / msgspec", lambda: codec.decode_one(record), lambda: decoder.decode(packed)),
        ("dumps([x]) / msgspec", lambda: serow.dumps([one]), lambda: encode(one)),
        (
            "loads(type=) / msgspec",
            lambda: serow.loads(message, type=Order),
            lambda: decoder.decode(packed),
        ),
        (
            "model, encode_one / model_dump_json",
            lambda: of_models.encode_one(one_model),
            one_model.model_dump_json,
        ),
        (
            "model, decode_one / model_validate_json",
            lambda: of_models.decode_one(record_of_model),
            lambda: OrderModel.model_validate_json(text),
        ),
    ]
    for name, ours, theirs in pairs:
        times = least({"ours": ours, "theirs": theirs})
        show(name, times["ours"], times["theirs"])

    print(f"{'arrays, ms':46} {'serow':>9} {'pickle':>9}")
    for name, rows in arrays().items():
        message, pickled = serow.dumps(rows), pickle.dumps(rows, 5)
        calls: dict[str, Callable[[], Any]] = {
            "dumps": partial(serow.dumps, rows),
            "row": partial(serow.dumps, rows, wire="row"),
            "pickle": partial(pickle.dumps, rows, 5),
            "loads": partial(serow.loads, message, arrays="numpy"),
            "unpickle": partial(pickle.loads, pickled),
        }
        times = {of: time / 1000 for of, time in least(calls, 3).items()}
        show(f"{name}: dumps", times["dumps"], times["pickle"])
        show(f"{name}: dumps, row wire", times["row"], times["pickle"])
        show(f"{name}: loads", times["loads"], times["unpickle"])


encode = msgspec.msgpack.Encoder().encode

if __name__ == "__main__":
    main()
