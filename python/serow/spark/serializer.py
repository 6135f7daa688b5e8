"""A serializer for the batches of RDDs."""

from typing import Any

from pyspark import Row
from pyspark.serializers import CPickleSerializer, FramedSerializer

from serow import _native
from serow.spark._arrival import arrival

#: What a message begins with. A pickle begins with 0x80 or, by the first two of its protocols, with
#: an opcode; `S` is the one of a quoted text, so the byte after it is a quote.
_MAGIC = b"SROW"

#: After a batch that was refused, the next is pickled without asking, and after each that is
#: refused again twice as many, up to this.
_MOST_PASSED_OVER = 64

_pickle = CPickleSerializer()


class SerowSerializer(FramedSerializer):
    """Serializes batches of RDDs as serow's messages, and by pickle what they don't carry exactly.

    >>> sc = SparkContext(serializer=SerowSerializer())

    A batch is carried if what comes back is what pickle gives back: of the same classes, in the
    same order down to the keys of a dict. Otherwise the whole batch is pickled as Spark does it.
    All instances are equal: each reads what any has written. Threads may share an instance.
    """

    def __init__(self) -> None:
        """Know nothing of the batches to come."""
        self._batches = _native.Batches(Row)
        self._to_pass_over = 0
        self._passed_over = 0

    def dumps(self, obj: Any) -> bytes:
        """The bytes of `obj`, which is a batch if it is a list."""
        if type(obj) is list and obj:
            if self._to_pass_over:
                self._to_pass_over -= 1
            else:
                message: bytes | None = self._batches.write(obj)
                if message is not None:
                    self._passed_over = 0
                    return message
                # To be refused costs what the rows before the one in question cost.
                self._passed_over = min(max(1, self._passed_over * 2), _MOST_PASSED_OVER)
                self._to_pass_over = self._passed_over
        pickled: bytes = _pickle.dumps(obj)
        return pickled

    def loads(self, obj: bytes) -> Any:
        """What `dumps`, or any pickle, made bytes of."""
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
