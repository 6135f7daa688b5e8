"""Spark's UI, listeners and settings see the same with serow as without."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serow.spark
from pyspark.sql import Observation, SparkSession
from pyspark.sql.functions import count, lit, raise_error, udf
from pyspark.sql.functions import max as most
from pyspark.sql.functions import sum as total
from serow.spark import notes

Action = Callable[[Any], Any]

ACTIONS: dict[str, Action] = {
    "collect": lambda frame: frame.collect(),
    "take": lambda frame: frame.take(3),
    "first": lambda frame: frame.first(),
    "tail": lambda frame: frame.tail(3),
    "toLocalIterator": lambda frame: list(frame.toLocalIterator()),
    "prefetched": lambda frame: list(frame.toLocalIterator(prefetchPartitions=True)),
    "rdd": lambda frame: frame.rdd.map(lambda row: row).collect(),
    "count of rdd": lambda frame: frame.rdd.count(),
    "foreach": lambda frame: frame.foreach(lambda row: None),
    "createDataFrame": lambda frame: frame.sparkSession.createDataFrame(
        frame.sparkSession.sparkContext.parallelize([(n,) for n in range(10)], 2),
        "n bigint",
    ).collect(),
}


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> Iterator[tuple[SparkSession, SparkSession]]:
    """Give a session without serow, and one with serow."""
    with_serow = spark.newSession()
    serow.spark.enable(with_serow)
    yield spark, with_serow
    serow.spark.disable(with_serow)


class Executions:
    """Records what the UI of a session shows of SQL executions and jobs from now on."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext._jsc.sc()
        self._store = session._jsparkSession.sharedState().statusStore()
        self._wait()
        self._executions = self._store.executionsCount()
        self._jobs = self._last_job()

    def _wait(self) -> None:
        self._context.listenerBus().waitUntilEmpty()

    def _last_job(self) -> int:
        jobs = self._context.statusStore().jobsList(None)
        return max((jobs.apply(n).jobId() for n in range(jobs.size())), default=-1)

    def seen(self) -> Any:
        """Give the executions and the jobs as shown; plans change while they run."""
        self._wait()
        of_all = self._store.executionsCount()
        shown = self._store.executionsList(self._executions, max(1, of_all - self._executions))
        # Their ends are sometimes written to the store a little later.
        executions = [shown.apply(n).description() for n in range(shown.size())]
        return executions, self._jobs_seen()

    def _jobs_seen(self) -> list[Any]:
        store = self._context.statusStore()
        jobs = store.jobsList(None)
        found = []
        for n in range(jobs.size()):
            job = jobs.apply(n)
            if job.jobId() > self._jobs:
                group, text = job.jobGroup().toString(), job.description().toString()
                found.append((job.jobId(), job.name(), text, group))
        return [job[1:] for job in sorted(found)]


def frame_of(session: SparkSession) -> Any:
    frame = session.range(1000, numPartitions=3).selectExpr("id", "id % 10 as k")
    return frame.groupBy("k").agg(total("id").alias("s"))


def both(sessions: Any, of: Callable[[SparkSession], Any]) -> list[Any]:
    """Give the result of each action, all called from one line."""
    return [of(session) for session in sessions]


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
def test_what_the_ui_shows(sessions: Any, action: Action) -> None:
    def run(session: SparkSession) -> Any:
        frame = frame_of(session)
        before = Executions(session)
        action(frame)
        return before.seen()

    stock, with_serow = both(sessions, run)
    # PySpark before 4.1 names the job that its `rdd` runs after the JVM's code.
    if re.search(r" at \w+\.java:\d+$", stock[1][0][0]):
        del stock[1][0]
        assert f" at {__file__}:" in with_serow[1].pop(0)[0]
    assert with_serow == stock
    assert stock[1], "no jobs were seen"
    # The user's call, not one of serow's.
    named = [*with_serow[0], *(job[0] for job in with_serow[1])]
    assert any(f" at {__file__}:" in name for name in named), named
    assert not any("serow/spark/" in name for name in named), named


class Listener:
    """A listener for the actions of a session."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def onSuccess(self, name: str, execution: Any, nanoseconds: int) -> None:  # noqa: N802
        self.heard.append((name, execution.observedMetrics().toString(), nanoseconds > 0))

    def onFailure(self, name: str, execution: Any, error: Any) -> None:  # noqa: N802
        self.heard.append((name, "failed", type(error).__name__))

    class Java:
        implements = ("org.apache.spark.sql.util.QueryExecutionListener",)


def test_what_listeners_hear(sessions: Any) -> None:
    from pyspark.java_gateway import ensure_callback_server_started

    fails = raise_error(lit("no"))

    def run(session: SparkSession) -> Any:
        ensure_callback_server_started(session.sparkContext._gateway)
        listener = Listener()
        manager = session._jsparkSession.listenerManager()
        manager.register(listener)
        observed = frame_of(session).observe("found", count(lit(1)).alias("rows"))
        for action in ACTIONS.values():
            action(observed)
        with pytest.raises(Exception, match="no"):
            session.range(3).select(fails).collect()
        with pytest.raises(Exception, match="no"):
            session.range(3).select(fails).tail(1)
        session.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
        manager.unregister(listener)
        return listener.heard

    stock, with_serow = both(sessions, run)
    assert with_serow == stock
    assert [heard[0] for heard in stock].count("collectToPython") >= 4


def test_observed_metrics(sessions: Any) -> None:
    def run(session: SparkSession) -> Any:
        found = []
        for action in ("collect", "tail", "toLocalIterator", "rdd"):
            observation = Observation()
            frame = frame_of(session).observe(observation, most("s").alias("most"))
            ACTIONS[action](frame)
            if action in ("collect", "tail"):
                found.append(observation.get)
        return found

    stock, with_serow = both(sessions, run)
    assert with_serow == stock == [{"most": 50400}] * 2


def test_groups_and_descriptions_of_jobs(sessions: Any) -> None:
    def run(session: SparkSession) -> Any:
        sc = session.sparkContext
        frame = frame_of(session)
        before = Executions(session)
        try:
            sc.setJobGroup("group", "what is done")
            for action in ACTIONS.values():
                action(frame)
            sc.setJobDescription("another")
            frame.collect()
            sc.setLocalProperty("spark.scheduler.pool", "pool")
            frame.collect()
        finally:
            for name in ("spark.jobGroup.id", "spark.job.description", "spark.scheduler.pool"):
                sc.setLocalProperty(name, None)
        return before.seen()

    stock, with_serow = both(sessions, run)
    assert with_serow == stock
    assert {job[2] for job in stock[1]} == {"Some(group)"}


@pytest.mark.parametrize("action", ["collect", "toLocalIterator", "rdd"])
def test_a_cancelled_group(sessions: Any, action: str) -> None:
    @udf("bigint")
    def slow(n: int) -> int:
        time.sleep(5)
        return n

    def run(session: SparkSession) -> Any:
        sc = session.sparkContext
        frame = session.range(4, numPartitions=1).select(slow("id"))
        ended = threading.Event()

        def cancel() -> None:
            # Spark ignores a cancellation of jobs that are about to start.
            while not ended.wait(0.2):
                sc.cancelJobGroup(f"cancelled {action}")

        canceller = threading.Thread(target=cancel)
        canceller.start()
        sc.setJobGroup(f"cancelled {action}", "to be cancelled", interruptOnCancel=True)
        try:
            with pytest.raises(Exception) as error:  # noqa: PT011
                ACTIONS[action](frame)
        finally:
            ended.set()
            canceller.join()
            for name in ("jobGroup.id", "job.description", "job.interruptOnCancel"):
                sc.setLocalProperty(f"spark.{name}", None)
        return error.type, re.findall("cancelled part of cancelled job group", str(error.value))[:1]

    stock, with_serow = both(sessions, run)
    assert with_serow == stock
    assert stock[1]


def test_cached_frames_and_adaptive_plans(sessions: Any) -> None:
    def run(session: SparkSession) -> Any:
        found = []
        for adaptive in ("true", "false"):
            session.conf.set("spark.sql.adaptive.enabled", adaptive)
            left = frame_of(session).cache()
            joined = left.join(session.range(20).withColumnRenamed("id", "k"), "k").orderBy("k")
            found.append([action(joined) for name, action in ACTIONS.items() if name != "rdd"])
            found.append(sorted(left.collect()))
            # Cached data does not change.
            left.unpersist()
        session.conf.unset("spark.sql.adaptive.enabled")
        return found

    stock, with_serow = both(sessions, run)
    assert with_serow == stock


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_every_way_in_which_plans_collect(sessions: Any, adaptive: str) -> None:
    def run(session: SparkSession) -> Any:
        session.conf.set("spark.sql.adaptive.enabled", adaptive)
        of = session.range(1000, numPartitions=3).selectExpr("id", "repeat('ab', id) as s")
        frames = [
            of,
            of.limit(7),
            of.orderBy("id").limit(7),
            of.orderBy("s"),
            of.orderBy("s").limit(5).select("s"),
            of.groupBy("s").count().orderBy("s"),
            of.where("id < 0"),
            of.join(of.where("id < 0"), "id"),
            of.repartition(5).orderBy("id").offset(990),
            session.createDataFrame([(1, "x"), (2, None)], "n long, s string"),
            session.sql("select 1 as n where 1 = 0"),
            session.sql("show databases"),
            session.range(0),
        ]
        found = [frame.collect() for frame in frames]
        session.conf.unset("spark.sql.adaptive.enabled")
        return found

    stock, with_serow = both(sessions, run)
    assert with_serow == stock
    assert [len(rows) for rows in stock] == [1000, 7, 7, 1000, 5, 1000, 0, 0, 10, 2, 0, 1, 0]


def test_batches_of_streams(sessions: Any, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    for n in range(3):
        (tmp_path / "texts" / str(n)).write_text(f"{n}\n" * (n + 1))

    def run(session: SparkSession) -> Any:
        found = []

        def batch(frame: Any, number: int) -> None:
            found.append((frame.collect(), frame.rdd.map(lambda row: row).collect(), frame.tail(1)))

        stream = session.readStream.option("maxFilesPerTrigger", 1).text(str(tmp_path / "texts"))
        query = stream.writeStream.foreachBatch(batch).trigger(availableNow=True).start()
        assert query.awaitTermination(120)
        return sorted(found)

    before = notes.lines()
    stock, with_serow = both(sessions, run)
    assert with_serow == stock
    assert len(stock) == 3
    assert notes.lines() != before


def test_streams_with_state(sessions: Any, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    for n in range(3):
        (tmp_path / str(n)).write_text("a\nb\n" * n + "a\n")

    def counted(key: Any, groups: Any, state: Any) -> Iterator[Any]:
        seen = state.get[0] if state.exists else 0
        state.update((seen + sum(map(len, groups)),))
        yield pandas.DataFrame({"letter": key, "seen": state.get})

    def pair(text: str) -> Any:
        return text, len(text)

    def run(session: SparkSession) -> Any:
        found = []

        def batch(frame: Any, number: int) -> None:
            found.append((number, sorted(frame.collect()), sorted(frame.rdd.collect())))

        texts = session.readStream.option("maxFilesPerTrigger", 1).text(str(tmp_path))
        letters = texts.select(udf(pair, "letter string, size int")("value").alias("pair"))
        groups = letters.select("pair.*").groupBy("letter")
        counts = groups.applyInPandasWithState(
            counted, "letter string, seen long", "seen long", "update", "NoTimeout"
        )
        query = counts.writeStream.outputMode("update").foreachBatch(batch)
        assert query.trigger(availableNow=True).start().awaitTermination(120)
        return found

    stock, with_serow = both(sessions, run)
    assert with_serow == stock
    # The state goes from batch to batch.
    last = {row.letter: row.seen for _, rows, _ in stock for row in rows}
    assert last == {"a": 6, "b": 3}
