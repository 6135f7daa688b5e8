"""The serializer for batches of RDDs."""

from typing import Any

from pyspark import Row
from pyspark.serializers import CPickleSerializer, FramedSerializer

from serow import _native
from serow.spark._arrival import arrival

#: The first bytes of a message. A pickle can't begin so: its first byte is 0x80 or, in protocols 0
#: and 1, an opcode. The opcode `S` is followed by a quote.
_MAGIC = b"SROW"

#: After a batch that serow can't carry, pickle this many batches at most before the next try. The
#: number doubles with each failure.
_MOST_PASSED_OVER = 64

_pickle = CPickleSerializer()


class SerowSerializer(FramedSerializer):
    """Serializes batches of RDDs as serow messages, or by pickle if a message would not be exact.

    >>> sc = SparkContext(serializer=SerowSerializer())

    serow carries a batch if it decodes to what pickle gives: the same classes in the same order,
    down to the keys of a dict. Otherwise it pickles the whole batch as Spark does. All instances
    are equal, and each reads what any other has written. Threads may share an instance.
    """

    def __init__(self) -> None:
        """Start without experience of earlier batches."""
        self._batches = _native.Batches(Row)
        self._to_pass_over = 0
        self._passed_over = 0

    def dumps(self, obj: Any) -> bytes:
        """Encode `obj`, which is a batch if it is a list."""
        if type(obj) is list and obj:
            if self._to_pass_over:
                self._to_pass_over -= 1
            else:
                message: bytes | None = self._batches.write(obj)
                if message is not None:
                    self._passed_over = 0
                    return message
                # A failed try costs as much as encoding the rows before the failure.
                self._passed_over = min(max(1, self._passed_over * 2), _MOST_PASSED_OVER)
                self._to_pass_over = self._passed_over
        pickled: bytes = _pickle.dumps(obj)
        return pickled

    def loads(self, obj: bytes) -> Any:
        """Decode the result of `dumps`, or any pickle."""
        if obj[:4] == _MAGIC:
            return self._batches.read(obj)
        return _pickle.loads(obj)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SerowSerializer)

    def __hash__(self) -> int:
        return hash(SerowSerializer)

    def __repr__(self) -> str:
        return "SerowSerializer()"

    def __reduce__(self) -> tuple[Any, ...]:
        return arrival(SerowSerializer)
