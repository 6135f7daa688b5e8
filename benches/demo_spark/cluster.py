"""A standalone Spark on loopback: a master and workers, with this Python's PySpark."""

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
#: Any free port. The master's log says which it uses.
_ANY_PORT = ["--host", _LOOPBACK, "--port", "0", "--webui-port", "0"]


@dataclass(frozen=True)
class Cluster:
    """A running cluster."""

    url: str
    """The master's URL for applications."""

    environment: Mapping[str, str]
    """The environment of an application's driver."""

    logs: Path
    """The folder for the files of master, workers, executors and drivers."""


@contextmanager
def standalone(workers: int = 2, cores: int = 2, memory: str = "2g") -> Iterator[Cluster]:
    """Runs a cluster during a block: this many workers, each with these cores and this memory.

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
        # An empty folder, so that another Spark's configuration does not apply.
        "SPARK_CONF_DIR": str(settings),
        "SPARK_LOCAL_IP": _LOOPBACK,
        # pip's Spark can't derive this from its folder when it starts executors.
        "SPARK_SCALA_VERSION": "2.13",
        # The server that accepts applications by HTTP would need a fixed port.
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
    """Asks the kernel to end this process when its parent is killed."""
    ctypes.CDLL(None).prctl(_SET_SIGNAL_OF_PARENTS_DEATH, signal.SIGTERM)


class _Daemon:
    """A process of Spark that runs until it is stopped, with all its child processes."""

    def __init__(self, command: list[str], log: Path, environment: Mapping[str, str]) -> None:
        self._log = log
        # Executors inherit it. The application sets where their Python finds modules.
        inherited = {name: of for name, of in os.environ.items() if name != "PYTHONPATH"}
        with log.open("wb") as output:
            # A separate session: Ctrl-C reaches only this process, which then stops that one.
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
        """Runs it during a block."""
        command = [str(home / "bin" / "spark-class"), name, *arguments]
        daemon = cls(command, log, environment)
        try:
            yield daemon
        finally:
            daemon.stop()

    def said(self, pattern: str) -> str:
        """Waits for `pattern` in the log and returns the text in its parentheses."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            # Check this first: everything that was written before the end can be read after it.
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
        """Ends it, and makes sure that its executors end too."""
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        # The group exists as long as one of its processes does.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
