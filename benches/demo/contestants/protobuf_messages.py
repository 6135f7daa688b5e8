"""Protocol Buffers with upb, the C implementation, and the class that protoc made of part.proto."""

import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from google.protobuf.internal import api_implementation  # type: ignore[import-untyped]

from demo.contestants import BATCH
from demo.contestants.contestant import Contestant, batches
from demo.rows import Message, Rows

PROTO = Path(__file__).parents[1] / "part.proto"
GENERATED = Path(__file__).parents[3] / "build" / "demo"


class ProtobufMessages(Contestant):
    """One `Parts` message per batch. Assigning the fields is the fastest way to fill it."""

    def __init__(self) -> None:
        """Checks that it is the fast implementation, and imports the module that protoc made."""
        if api_implementation.Type() != "upb":
            raise RuntimeError("protobuf was installed without its C implementation")
        module = generated(PROTO, GENERATED)
        self._parts, self._part = module.Parts, module.Part

    def encode(self, rows: Rows) -> Sequence[Message]:
        """Returns one `Parts` per batch."""
        messages = []
        for batch in batches(rows, BATCH):
            parts = self._parts()
            add = parts.rows.add
            for row in batch:
                part = add()
                (
                    part.partkey,
                    part.name,
                    part.mfgr,
                    part.brand,
                    part.type,
                    part.size,
                    part.container,
                    part.retailprice,
                    part.comment,
                ) = row
            messages.append(parts.SerializeToString())
        return messages

    def decode(self, messages: Sequence[Message]) -> Rows:
        """Returns the fields of every part."""
        rows: Rows = []
        for message in messages:
            rows.extend(
                [
                    (
                        part.partkey,
                        part.name,
                        part.mfgr,
                        part.brand,
                        part.type,
                        part.size,
                        part.container,
                        part.retailprice,
                        part.comment,
                    )
                    for part in self._parts.FromString(message).rows
                ]
            )
        return rows

    def encode_rows(self, rows: Rows) -> list[Message]:
        """Returns one `Part` per row, for the benchmark."""
        messages: list[Message] = []
        for row in rows:
            part = self._part()
            (
                part.partkey,
                part.name,
                part.mfgr,
                part.brand,
                part.type,
                part.size,
                part.container,
                part.retailprice,
                part.comment,
            ) = row
            messages.append(part.SerializeToString())
        return messages

    def decode_rows(self, messages: Sequence[Message]) -> Rows:
        """Returns the fields of messages with one `Part` each."""
        rows: Rows = []
        for message in messages:
            part = self._part.FromString(message)
            rows.append(
                (
                    part.partkey,
                    part.name,
                    part.mfgr,
                    part.brand,
                    part.type,
                    part.size,
                    part.container,
                    part.retailprice,
                    part.comment,
                )
            )
        return rows


def generated(proto: Path, folder: Path) -> Any:
    """Returns protoc's module for `proto`. Makes it in `folder` if it is older than `proto`."""
    module = folder / f"{proto.stem}_pb2.py"
    if not module.exists() or module.stat().st_mtime < proto.stat().st_mtime:
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{proto.parent}"]
        subprocess.run([*command, f"--python_out={folder}", str(proto)], check=True)
    sys.path.insert(0, str(folder))
    return import_module(module.stem)
