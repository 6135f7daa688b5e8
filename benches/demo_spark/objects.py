"""The Scala job: case classes in RDDs on the cluster, with each of Spark's serializers."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from demo.errors import DemoError
from demo_spark.cluster import Cluster

MAIN = "io.github.serow.sparkbench.Demo"

SERIALIZERS = {
    "Kryo": "org.apache.spark.serializer.KryoSerializer",
    "serow": "io.github.serow.spark.SerowSerializer",
}


@dataclass(frozen=True)
class Objects:
    """What one serializer needed."""

    rows: int
    seconds: Mapping[str, float]
    """The least seconds of each step."""

    bytes: Mapping[str, int]
    """The bytes of the cache or of the shuffle of each step; 0 if it has neither."""

    digest: str
    """Describes all rows that came back."""


def run(name: str, cluster: Cluster, table: Path, jars: Sequence[Path]) -> Objects:
    """Runs the job with a serializer. The first jar has the job."""
    out = cluster.logs / f"objects-{name}.json"
    path = os.pathsep.join(map(str, jars))
    conf = {
        "spark.master": cluster.url,
        "spark.serializer": SERIALIZERS[name],
        # Executors need the serializer when they start, before they get the job's jars.
        "spark.driver.extraClassPath": path,
        "spark.executor.extraClassPath": path,
        "spark.executor.cores": "1",
        "spark.cores.max": "2",
        "spark.executor.memory": "1g",
        "spark.driver.memory": "2g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
    }
    settings = (word for key, value in conf.items() for word in ("--conf", f"{key}={value}"))
    submit = str(Path(cluster.environment["SPARK_HOME"]) / "bin" / "spark-submit")
    ran = subprocess.run(
        [submit, *settings, "--class", MAIN, str(jars[0]), f"table={table}", f"out={out}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, **cluster.environment},
    )
    if ran.returncode != 0 or not out.exists():
        raise DemoError(f"the Scala job failed with {name}:\n{ran.stdout[-2000:].strip()}")
    answer = json.loads(out.read_text(encoding="utf-8"))
    steps = answer["steps"]
    return Objects(
        answer["rows"],
        {one["step"]: one["seconds"] for one in steps},
        {one["step"]: one["bytes"] for one in steps},
        answer["digest"],
    )


def compete(cluster: Cluster, table: Path, jars: Sequence[Path]) -> dict[str, Objects]:
    """Runs the job with each serializer. Raises if other rows came back."""
    found = {name: run(name, cluster, table, jars) for name in SERIALIZERS}
    digests = {objects.digest for objects in found.values()}
    if len(digests) != 1:
        raise DemoError(f"the serializers gave different rows: {' and '.join(sorted(digests))}")
    return found


def table_of(found: Mapping[str, Objects]) -> str:
    """Returns a line for each step."""
    kryo, serow = found["Kryo"], found["serow"]
    width = max(map(len, kryo.seconds))
    lines = [
        f"{'':{width}}  {'Kryo s':>8}  {'serow s':>8}  {'Kryo / serow':>12}"
        f"  {'Kryo MB':>8}  {'serow MB':>8}"
    ]
    for step, seconds in kryo.seconds.items():
        line = f"{step:{width}}  {seconds:>8.3f}  {serow.seconds[step]:>8.3f}"
        line += f"  {seconds / serow.seconds[step]:>11.2f}x"
        if kryo.bytes[step]:
            line += f"  {kryo.bytes[step] / 1e6:>8.1f}  {serow.bytes[step] / 1e6:>8.1f}"
        lines.append(line)
    return "\n".join(lines)
