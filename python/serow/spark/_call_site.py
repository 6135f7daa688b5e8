"""The name of a job in Spark's UI."""

import functools
import itertools
import os
import sys
import traceback
from typing import Any

import pyspark
from pyspark.traceback_utils import SCCallSiteSync

#: The folders with the code of Spark and of serow.
_FOLDERS = (
    os.path.join(os.path.dirname(pyspark.__file__), ""),
    os.path.join(os.path.dirname(__file__), ""),
)


class CallSite(SCCallSiteSync):
    """Names a job after the method that the user called and the line of the call.

    Spark's own class stops at the first call into Spark, which would be a call from serow.
    """

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        frames = [
            frame
            for frame in traceback.walk_stack(sys._getframe())
            # Its `cached_property` is between the user and `rdd`.
            if frame[0].f_code.co_filename != functools.__file__
        ]
        for (caller, line), (called, _) in itertools.pairwise(reversed(frames)):
            if called.f_code.co_filename.startswith(_FOLDERS):
                name, file = called.f_code.co_name, caller.f_code.co_filename
                self._call_site = f"{name} at {file}:{line}"
                break
