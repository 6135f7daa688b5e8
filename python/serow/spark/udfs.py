"""Python UDFs whose structs serow makes, if their arguments come as Arrow."""

from typing import Any

import serow
from serow.spark import _arrival
from serow.spark._versions import PythonEvalType


def is_by_arrow(function: Any) -> bool:
    """Tell whether a `UserDefinedFunction` is a plain one whose arguments come as Arrow."""
    return bool(function.evalType == PythonEvalType.SQL_ARROW_BATCHED_UDF)


class WithRows:
    """Replaces a function in a UDF's command; a worker unpickles it as the function itself."""

    def __init__(self, function: Any) -> None:
        """Replace `function`."""
        self._function = function

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrival.with_rows, (self._function, serow.__version__)
