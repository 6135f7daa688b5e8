"""A standalone Spark on loopback: a master and workers, of the PySpark that this Python has."""

import contextlib
import ctypes
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from demo.errors import DemoError

START_SECONDS = 120.0
STOP_SECONDS = 20.0

_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"
#: `PR_SET_PDEATHSIG` of Linux.
_SET_SIGNAL_OF_PARENTS_DEATH = 1
_LOOPBACK = "127.0.0.1"
#: Any port that is free. The master says which it has taken.
_ANY_PORT = ["--host", _LOOPBACK, "--port", "0", "--webui-port", "0"]


@dataclass(frozen=True)
class Cluster:
    """A cluster that runs."""

    url: str
    """What an application has as its master."""

    environment: Mapping[str, str]
    """What an application's driver is to have in its environment."""

    logs: Path
    """The folder for what master, workers, executors and drivers write."""


@contextmanager
def standalone(workers: int = 2, cores: int = 2, memory: str = "2g") -> Iterator[Cluster]:
    """A cluster for the time of a block: so many workers, of so many cores and so much memory each.

    If the block ends with a DemoError, the logs are kept, and the error says where. Nothing that
    was started is left in any case.
    """
    logs = Path(tempfile.mkdtemp(prefix="serow-spark-"))
    try:
        with ExitStack() as stack:
            yield _started(stack, logs, workers, ["--cores", str(cores), "--memory", memory])
    except DemoError as error:
        raise DemoError(f"{error}\nwhat Spark has written is in {logs}") from None
    except BaseException:
        shutil.rmtree(logs, ignore_errors=True)
        raise
    shutil.rmtree(logs, ignore_errors=True)


def _started(stack: ExitStack, logs: Path, workers: int, share: list[str]) -> Cluster:
    home = Path(_pyspark())
    settings = logs / "conf"
    settings.mkdir()
    environment = {
        "SPARK_HOME": str(home),
        # An empty folder: what another Spark is configured to do is not meant for this one.
        "SPARK_CONF_DIR": str(settings),
        "SPARK_LOCAL_IP": _LOOPBACK,
        # pip's Spark has no folder to tell it from when it starts executors.
        "SPARK_SCALA_VERSION": "2.13",
        # What takes applications by HTTP would want a port that is always the same.
        "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
    }
    master = stack.enter_context(
        _Daemon.running(home, _MASTER, _ANY_PORT, logs / "master.log", environment)
    )
    url = master.said(r"Starting Spark master at (spark://\S+)")
    daemons = []
    for number in range(1, workers + 1):
        arguments = [*_ANY_PORT, *share, "--work-dir", str(logs / f"worker-{number}"), url]
        log = logs / f"worker-{number}.log"
        daemons.append(
            stack.enter_context(_Daemon.running(home, _WORKER, arguments, log, environment))
        )
    for daemon in daemons:
        daemon.said("(Successfully registered with master)")
    return Cluster(url, environment, logs)


def _pyspark() -> str:
    try:
        import pyspark
    except ImportError:
        raise DemoError("there is no PySpark here: run make demo-spark") from None
    return str(Path(pyspark.__file__).parent)


def _end_with_parent() -> None:
    """Have the kernel end this process when the one that started it has been killed."""
    ctypes.CDLL(None).prctl(_SET_SIGNAL_OF_PARENTS_DEATH, signal.SIGTERM)


class _Daemon:
    """A process of Spark's that runs until it is stopped, and all that it has started."""

    def __init__(self, command: list[str], log: Path, environment: Mapping[str, str]) -> None:
        self._log = log
        # Executors inherit it. Where their Python finds modules is for an application to say.
        inherited = {name: of for name, of in os.environ.items() if name != "PYTHONPATH"}
        with log.open("wb") as output:
            # A session of its own: Ctrl-C is for this process, which then stops that one.
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**inherited, **environment},
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )

    @classmethod
    @contextmanager
    def running(
        cls,
        home: Path,
        name: str,
        arguments: list[str],
        log: Path,
        environment: Mapping[str, str],
    ) -> Iterator["_Daemon"]:
        """Start it for the time of a block."""
        command = [str(home / "bin" / "spark-class"), name, *arguments]
        daemon = cls(command, log, environment)
        try:
            yield daemon
        finally:
            daemon.stop()

    def said(self, pattern: str) -> str:
        """What stands in the parentheses of `pattern` in the log, once it is there."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            # Asked first: what was written before the end is there after it.
            ended = self._process.poll()
            written = self._log.read_text(encoding="utf-8", errors="replace")
            if found := re.search(pattern, written):
                return str(found[1])
            if ended is not None:
                last = "\n".join(written.splitlines()[-15:])
                raise DemoError(
                    f"{self._log.stem} ended with {ended}; the last that it wrote:\n{last}"
                )
            time.sleep(0.05)
        raise DemoError(f"{self._log.stem} has not started in {START_SECONDS:.0f} s")

    def stop(self) -> None:
        """Have it end, and make sure that its executors do."""
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        # Its group is there as long as one of the group is.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
