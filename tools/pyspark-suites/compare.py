"""compare.py <folder> <module>…: compares tests that failed with serow with stock PySpark.

Prints each test that ends in another way there, and fails if there is one.

compare.py --failed <results>: prints the tests to run again, or their module.
"""

import json
import sys
from pathlib import Path
from typing import Any

_Outcomes = dict[str, dict[str, Any]]


def main(folder: Path, modules: list[str]) -> bool:
    """Compare the tests of the modules; tells whether all ended in the same way."""
    tests = skipped = by_serow = failed = different = 0
    for module in modules:
        with_serow = read(folder / "serow" / f"{module}.json")
        stock = read(folder / "stock" / f"{module}.json")
        if with_serow is None:
            print(f"{module}: did not end with serow")
            different += 1
            continue
        bad = [name for name, test in with_serow.items() if has_failed(test)]
        tests += len(with_serow)
        skipped += sum(test["outcome"] == "skipped" for test in with_serow.values())
        by_serow += sum(has_used_serow(test) for test in with_serow.values())
        failed += len(bad)
        for name in bad:
            # Of subtests, only those that fail have an outcome of their own.
            before = (stock or {}).get(name) or (stock or {}).get(name.split(" ")[0])
            after = with_serow[name]
            if before is None or before["outcome"] != after["outcome"]:
                different += 1
                print(f"{name}\n  stock: {shown(before)}\n  serow: {shown(after)}")
    print(
        f"{tests} tests, {skipped} of them skipped; serow took part in {by_serow}. "
        f"{failed} failed, {different} of them otherwise than in stock PySpark"
    )
    return not different


def read(path: Path) -> _Outcomes | None:
    """Give the outcomes in a file; None if the run did not write it."""
    return json.loads(path.read_text()) if path.exists() else None


def has_failed(test: dict[str, Any]) -> bool:
    """Tell whether a test neither passed nor was skipped nor failed as it should."""
    return str(test["outcome"]) not in ("passed", "skipped", "failed as expected")


def has_used_serow(test: dict[str, Any]) -> bool:
    """Tell whether serow carried anything that the driver sent or received in a test."""
    return any(not what.endswith("Spark's own path") for what in test["serow"])


def shown(test: dict[str, Any] | None) -> str:
    """Give the outcome of a test in a line."""
    if test is None:
        return "not run"
    why = " ".join(test["why"].split())
    return f"{test['outcome']} {why[:300]}".strip()


def names_again(results: Path) -> list[str]:
    """Give the names of failed tests; the module if there are none of a failed preparation."""
    outcomes = read(results)
    if outcomes is None:
        return [results.stem]
    # A subtest has its test's name first. The preparation of a class is `setUpClass (…)`.
    failed = {name.split(" ")[0] for name, test in outcomes.items() if has_failed(test)}
    return [results.stem] if any("." not in name for name in failed) else sorted(failed)


if __name__ == "__main__":
    if sys.argv[1] == "--failed":
        for name in names_again(Path(sys.argv[2])):
            print(name)
    elif not main(Path(sys.argv[1]), sys.argv[2:]):
        sys.exit(1)
