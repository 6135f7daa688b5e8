"""Sums up JUnit's reports of suites, which are in a folder: `results.py folder -s suite…`.

Prints the number of tests of each suite, and writes the file `failed`: for each failed test a line
of suite, tab and test. Fails if a suite has no report, which happens if it was aborted.
"""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def main() -> None:
    """Read the reports that the arguments name."""
    folder = Path(sys.argv[1])
    failed = []
    total = 0
    named = zip(sys.argv[2:], sys.argv[3:], strict=False)
    for suite in sorted({name for option, name in named if option == "-s"}):
        report = folder / f"TEST-{suite}.xml"
        if not report.exists():
            sys.exit(f"serow: the suite {suite} was aborted")
        cases = ElementTree.parse(report).getroot().findall("testcase")
        run = [case for case in cases if case.find("skipped") is None]
        bad = [
            case.get("name", "")
            for case in run
            if case.find("failure") is not None or case.find("error") is not None
        ]
        seconds = sum(float(case.get("time", "0")) for case in cases)
        short = suite.removeprefix("org.apache.spark.")
        print(f"{short}: {len(run) - len(bad)} of {len(run)} passed, {seconds:.0f} s")
        for name in bad:
            print(f"    failed: {name}")
            failed.append(f"{suite}\t{name}\n")
        total += len(run)
    print(f"{total - len(failed)} of {total} tests passed")
    (folder / "failed").write_text("".join(failed))


main()
