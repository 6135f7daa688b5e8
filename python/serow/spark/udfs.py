"""Python UDFs and table functions whose values serow converts, if they travel as Arrow."""

from typing import Any

import serow
from serow.spark import _arrival
from serow.spark._versions import PythonEvalType


def is_by_arrow(function: Any) -> bool:
    """Tell whether a UDF or table function takes and gives plain values that travel as Arrow."""
    return function.evalType in (
        PythonEvalType.SQL_ARROW_BATCHED_UDF,
        PythonEvalType.SQL_ARROW_TABLE_UDF,
    )


class WithRows:
    """Replaces a function or class in a command; a worker unpickles it as the function itself."""

    def __init__(self, function: Any) -> None:
        """Replace `function`."""
        self._function = function

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrival.with_rows, (self._function, serow.__version__)
