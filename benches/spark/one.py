"""One Spark, set up for one contestant, which runs all tasks.

    one.py <contestant> <large file> <small file> <times>

Writes a line of JSON to standard output: for each task the seconds that each run took, the
processors' seconds of this process and all that it has started, and a checksum of what it found.
"""

import gc
import json
import os
import sys
import time
import zlib
from pathlib import Path
from typing import Any

BENCHES = Path(__file__).resolve().parents[1]
sys.path[0] = str(BENCHES)

from spark.contestants import CONTESTANTS, Contestant  # noqa: E402
from spark.tasks import TASKS, Data, text  # noqa: E402


def context(contestant: Contestant) -> Any:
    """A context of two cores."""
    from pyspark import SparkConf, SparkContext

    paths = [str(BENCHES), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    conf = SparkConf().setMaster("local[2]").setAppName(contestant.name)
    conf.set("spark.ui.enabled", "false").set("spark.ui.showConsoleProgress", "false")
    conf.set("spark.driver.memory", "4g")
    if not contestant.gc:
        gc.disable()
        conf.set("spark.python.daemon.module", "spark.gc_off")
    sc = SparkContext(conf=conf, serializer=contestant.make_serializer())
    sc.setLogLevel("ERROR")
    if contestant.serializer == "serow":
        from serow.spark import enable

        enable(sc)
    return sc


def processors() -> float:
    """The processors' seconds of this process, the JVM that it has started, and the workers."""
    times: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        process = int(stat.parent.name)
        children.setdefault(int(fields[1]), []).append(process)
        times[process] = sum(map(int, fields[11:15]))
    total, left = 0, [os.getpid()]
    while left:
        process = left.pop()
        total += times.get(process, 0)
        left += children.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


def measure(contestant: Contestant, large: str, small: str, times: int) -> dict[str, Any]:
    """Run each task so often."""
    sc = context(contestant)
    cached = text(sc, large).persist()
    cached.count()
    data = Data(large, small, cached)
    found = {}
    for task in TASKS:
        seconds, busy = [], []
        for _ in range(times):
            start, start_busy = time.perf_counter(), processors()
            result = task.run(sc, data)
            seconds.append(round(time.perf_counter() - start, 4))
            busy.append(round(processors() - start_busy, 2))
            checksum = zlib.crc32(repr(result).encode())
            del result
        found[task.name] = {"seconds": seconds, "busy": busy, "checksum": checksum}
    sc.stop()
    return found


if __name__ == "__main__":
    name, large, small, times = sys.argv[1:]
    print(json.dumps(measure(CONTESTANTS[name], large, small, int(times))))
