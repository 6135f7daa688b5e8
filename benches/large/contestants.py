"""The names of all contestants, and what each takes part in."""

from collections.abc import Callable, Mapping, Sequence

from large.compressors import GZIP, NONE, ZSTD
from large.formats import OWN, Contestant, Parquet, Pickle, Serow, SerowRows
from large.settings import BLOCKS
from large.steps import PickleRows, SerowRecords
from large.workloads import LINEITEM, PART, statuses

SEROW, PARQUET, PICKLE = "serow", "Parquet", "pickle"
FRAMES_TWO, ROWS_TWO, PICKLE_TWO = (
    "serow frames, two steps",
    "serow rows, two steps",
    "pickle, two steps",
)
RECORDS_ONE, PICKLE_ONE = "serow records, one step", "pickle, one step"

MAKERS: Mapping[str, Callable[[str, str], Contestant]] = {
    SEROW: Serow,
    PARQUET: Parquet,
    PICKLE: Pickle,
    FRAMES_TWO: Serow,
    ROWS_TWO: SerowRows,
    PICKLE_TWO: Pickle,
    RECORDS_ONE: SerowRecords,
    PICKLE_ONE: PickleRows,
}
"""Each takes a workload and a compression."""

TABLES = {SEROW: OWN, PARQUET: (NONE, ZSTD), PICKLE: (NONE, ZSTD)}
STEPS = dict.fromkeys((FRAMES_TWO, ROWS_TWO, PICKLE_TWO, RECORDS_ONE, PICKLE_ONE), (ZSTD, GZIP))

LINE_UPS: Mapping[str, Mapping[str, Sequence[str]]] = {
    PART: TABLES,
    LINEITEM: TABLES,
    **{statuses(blocks): STEPS for blocks in BLOCKS},
}
"""For each workload the contestants, and for each of them its compressions."""
