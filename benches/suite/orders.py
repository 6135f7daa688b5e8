"""The orders of the rows of each workload, and the works that are timed on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from suite.settings import Settings
from suite.wider import WIDER
from suite.work import BATCHES, HOT, IN_ORDER, LOOPS, OTHER, SHUFFLED, SMALL
from suite.workloads import PART


@dataclass(frozen=True)
class Order:
    """Rows in one order."""

    count: int
    works: Sequence[str]
    times: int = 1
    """How often each work is done in a round."""

    shuffled: bool = False


def orders(settings: Settings, workload: str) -> Mapping[str, Order]:
    """Returns the orders of a workload by their names, in the order of measurement in Python.

    The wider rows have the same on the JVM.
    """
    if workload == PART.name:
        return {
            "hot": Order(settings.hot_rows, (*HOT, *SMALL), settings.hot_times),
            "shuffled": Order(settings.portion, SHUFFLED, shuffled=True),
            "in order": Order(settings.portion, (*IN_ORDER, *LOOPS)),
        }
    if workload in (one.name for one in WIDER):
        return {
            "hot": Order(settings.hot_rows, HOT, settings.wider_hot_times),
            "in order": Order(settings.wider_rows, BATCHES),
        }
    return {
        "in order": Order(settings.other_rows, OTHER),
        "hot": Order(settings.hot_rows, HOT, settings.hot_times),
    }
