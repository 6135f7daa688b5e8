"""The list of all jobs."""

from spark import tasks_connect, tasks_dataframe, tasks_rdd, tasks_text, tasks_udf

TASKS = {
    "text": tasks_text.TASKS,
    "rdd": tasks_rdd.TASKS,
    "dataframe": tasks_dataframe.TASKS,
    "udf": tasks_udf.TASKS,
    "connect": tasks_connect.TASKS,
}
"""Jobs by group. Texts are measured at every scale factor, the others at the first."""

TITLES = {
    "text": "text",
    "rdd": "cached RDD",
    "dataframe": "DataFrame",
    "udf": "Python UDF",
    "connect": "Spark Connect",
}
"""The titles of groups."""
