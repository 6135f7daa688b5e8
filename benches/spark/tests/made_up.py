"""Results that nobody measured, for tests of what is made of results."""

from spark.results import Key, Record

HEADER = {"CPU": "made up", "versions": "pyspark 0"}


def record(scale: str, group: str, task: str, contestant: str, *rounds: float) -> Record:
    return Record(Key(scale, group, task, contestant), rounds)


RECORDS = [
    record("1", "text", "count", "stock", 1.0, 1.2),
    record("1", "text", "count", "serow", 0.5, 0.8),
    record("4", "text", "count", "stock", 4.0, 4.0),
    record("4", "text", "count", "serow", 2.5, 2.5),
    record("4", "text", "count", "DataFrame", 0.25, 0.25),
    record("1", "rdd", "join and sort", "stock", 2.6, 3.9),
    record("1", "rdd", "join and sort", "serow", 2.0, 2.0),
    record("1", "rdd", "join and sort", "marshal", 2.2, 2.4),
    record("1", "dataframe", "collect()", "stock", 5.0, 5.5),
    record("1", "dataframe", "collect()", "stock, gc off", 4.5, 4.5),
    record("1", "dataframe", "collect()", "serow", 2.0, 2.0),
    record("1", "dataframe", "collect()", "serow, gc off", 1.5, 1.5),
    record("1", "dataframe", "collect()", "toPandas", 1.0, 1.0),
    record("1", "udf", "f(struct of two)", "stock", 3.0, 3.0),
    record("1", "udf", "f(struct of two)", "serow", 2.0, 2.0),
    record("1", "connect", "collect()", "stock", 9.0, 9.0),
    record("1", "connect", "collect()", "serow", 3.0, 3.0),
]
