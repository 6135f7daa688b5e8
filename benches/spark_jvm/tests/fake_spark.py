"""Stands in for `spark-submit`: answers like the jobs, without Spark.

SEROW_TEST_FAULT lets serow find another result, or it or Fory fail.
"""

import json
import os
import sys
from collections.abc import Sequence
from typing import Any


def main(words: Sequence[str]) -> int:
    confs = [words[i + 1] for i, word in enumerate(words) if word == "--conf"]
    conf = dict(each.split("=", 1) for each in confs)
    jar = words.index("--class") + 2
    asked = dict(word.split("=", 1) for word in words[jar + 1 :])
    serializer = conf["spark.serializer"].rpartition(".")[2]
    fault = os.environ.get("SEROW_TEST_FAULT", "")
    if fault == f"{serializer} dies":
        print("no memory")
        return 3
    is_other = fault == f"{serializer} finds other rows"
    job: dict[str, Any] = {"job": "Part in memory", "digest": None, "failed": None}
    if fault == f"{serializer} fails":
        job |= {"failed": "made up", "steps": []}
    else:
        seconds = [0.5] * int(asked["runs"])
        both = {"seconds": seconds, "gc": [0.0] * len(seconds), "result": 8}
        job["steps"] = [
            {"step": "write", "bytes": 1000, **both},
            {"step": "read", "bytes": 0, **both},
        ]
        if asked["check"] == "true":
            job["digest"] = f"{asked['rows']} rows {'other' if is_other else 'same'}"
    with open(asked["out"], "w", encoding="utf-8") as out:
        json.dump({"spark": "4.x", "jobs": [job]}, out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
