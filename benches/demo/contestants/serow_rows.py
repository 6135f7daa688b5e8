"""serow as its users call it: `dumps` and `loads`, with no schema given to anyone."""

from collections.abc import Mapping, Sequence

import serow
from serow import _native

from demo.contestants.contestant import About, Contestant
from demo.errors import DemoError
from demo.rows import Message, Rows


class SerowRows(Contestant):
    """One message for all rows; it holds its schema and is cut into frames by serow itself."""

    def encode(self, rows: Rows) -> Sequence[Message]:
        """One message."""
        return [serow.dumps(rows)]

    def decode(self, messages: Sequence[Message]) -> Rows:
        """Its rows."""
        rows: Rows = serow.loads(messages[0])
        for message in messages[1:]:
            rows.extend(serow.loads(message))
        return rows

    def about(self, rows: Rows, java: Mapping[str, str]) -> About:
        """The schema as both languages infer it, and the report of each one's compiler."""
        schema = serow.Schema.infer(rows)
        type_list = " ".join(map(str, schema.type_list))
        if (java["schema"], java["type list"]) != (str(schema), type_list):
            raise DemoError(
                f"Python infers {schema} ({type_list}), "
                f"the JVM {java['schema']} ({java['type list']})"
            )
        notes = [
            f"schema     {schema}",
            f"type list  {type_list}",
            f"compiler   Python  {_compiler_report()}",
            f"           JVM     {java['compiler']}",
        ]
        return About(serow.Codec(schema).tier, notes)


def _compiler_report() -> str:
    """Proof that LLVM, inside the wheel, compiles a plan of two instructions; raises if not."""
    test = _native.compiler_self_test()
    plan = " / ".join(" ".join(line.split()) for line in test["plan"].splitlines())
    return (
        f"plan: / {plan} / compiled by LLVM {test['llvm']} in {test['compile_microseconds']} "
        f"microseconds; {test['rows']} rows converted and compared"
    )
