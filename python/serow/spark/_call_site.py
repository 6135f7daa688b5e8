"""The name that Spark's UI shows for a job."""

import itertools
import os
import sys
import traceback
from typing import Any

import pyspark
from pyspark.traceback_utils import SCCallSiteSync

#: Where Spark's own code is, and serow's.
_FOLDERS = (
    os.path.join(os.path.dirname(pyspark.__file__), ""),
    os.path.join(os.path.dirname(__file__), ""),
)


class CallSite(SCCallSiteSync):
    """Names a job after the method that the user has called, and the line of that call.

    Spark's own looks for the first call into Spark, which is a call from serow.
    """

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        frames = list(traceback.walk_stack(sys._getframe()))
        for (caller, line), (called, _) in itertools.pairwise(reversed(frames)):
            if called.f_code.co_filename.startswith(_FOLDERS):
                name, file = called.f_code.co_name, caller.f_code.co_filename
                self._call_site = f"{name} at {file}:{line}"
                break
