"""Answers the requests that README.md in this directory describes, with serow for Python."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

import rowtext
import serow

KINDS = {
    serow.DecodeError: "decode",
    serow.EncodeError: "encode",
    serow.LimitError: "limit",
    serow.SchemaError: "schema",
}

#: The wire that a kind of request names.
WIRES = {0: "row", 1: "frame", 3: None}


def answer(asked: int, message: bytes) -> tuple[int, bytes]:
    """Return the status and the bytes of an answer."""
    try:
        rows = serow.loads(message)
        if asked == 2:
            return 0, "".join(rowtext.line(row) + "\n" for row in rows).encode("ascii")
        return 0, serow.dumps(rows, wire=WIRES[asked])
    except serow.SerowError as error:
        return 1, f"{KINDS[type(error)]}: {error}".encode("utf-8", "replace")
    except Exception as error:
        return 2, repr(error).encode("utf-8", "replace")


def main() -> None:
    """Answer until the input ends."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while head := requests.read(5):
        length = int.from_bytes(head[1:], "little")
        status, content = answer(head[0], requests.read(length))
        answers.write(bytes([status]) + len(content).to_bytes(4, "little") + content)
        answers.flush()


if __name__ == "__main__":
    main()
