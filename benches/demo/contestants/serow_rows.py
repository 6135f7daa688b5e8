"""serow in its simplest form: `dumps` and `loads`, without a given schema."""

from collections.abc import Mapping, Sequence

import serow
from serow import _native

from demo.contestants.contestant import About, Contestant
from demo.errors import DemoError
from demo.rows import Message, Rows


class SerowRows(Contestant):
    """One message for all rows. It contains its schema, and serow splits it into frames."""

    def encode(self, rows: Rows) -> Sequence[Message]:
        """Returns one message."""
        return [serow.dumps(rows)]

    def decode(self, messages: Sequence[Message]) -> Rows:
        """Returns its rows."""
        rows: Rows = serow.loads(messages[0])
        for message in messages[1:]:
            rows.extend(serow.loads(message))
        return rows

    def about(self, rows: Rows, java: Mapping[str, str]) -> About:
        """Returns the schema as both languages infer it, and the report of the compiler."""
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
            f"compiler   {_compiler_report()}",
        ]
        return About(serow.Codec(schema).tier, notes)


def _compiler_report() -> str:
    """Checks that the wheel's LLVM compiles a plan of two instructions. Raises if not."""
    test = _native.compiler_self_test()
    plan = " / ".join(" ".join(line.split()) for line in test["plan"].splitlines())
    return (
        f"plan: / {plan} / compiled by LLVM {test['llvm']} in {test['compile_microseconds']} "
        f"microseconds; {test['rows']} rows converted and compared"
    )
