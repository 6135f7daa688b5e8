from dataclasses import replace

from demo import report
from demo.measure import TIMES, Outcome, Round, summarize
from demo.orchestrator import Result
from demo.worker import Description


def times(seconds: float) -> Round:
    return Round(**dict.fromkeys(TIMES, seconds))


def result(seconds: float, size: int, tier: str = "-") -> Result:
    summary = summarize([Outcome(1000, size, size, [times(seconds), times(2 * seconds)])])
    return Result(summary, Description(tier, tier, "17", []))


RESULTS = {
    "serow": result(0.001, 450, "interpreter"),
    "pickle": result(0.004, 1100),
    "protobuf": result(0.002, 1000),
}


def test_a_time_is_the_sum_over_portions_of_the_fastest_and_of_the_median() -> None:
    portions = [
        Outcome(10, 100, 110, [times(3), times(1), times(2)]),
        Outcome(5, 50, 55, [times(7), times(9), times(8)]),
    ]
    summary = summarize(portions)
    assert (summary.rows, summary.python_bytes, summary.java_bytes) == (15, 150, 165)
    assert summary.fastest == times(8)
    assert summary.median == times(10)


def test_the_table_has_a_line_for_each_contestant_and_direction() -> None:
    lines = report.table(RESULTS).splitlines()
    names = [line.split()[0] for line in lines if line.startswith("  ") and line.split()]
    assert names[1:] == ["serow", "pickle", "protobuf"] * 2
    serow = next(line.split() for line in lines if line.split()[0] == "serow")
    assert serow == ["serow", "1,000", "450", "1.00", "1.00", "1.00", "333,333", "interpreter"]


def test_goals_are_judged() -> None:
    assert [goal.is_met for goal in report.goals(RESULTS)] == [True] * 6
    slow = {**RESULTS, "pickle": result(0.002, 1100)}
    assert [goal.is_met for goal in report.goals(slow)] == [True] + [False] * 5
    text = report.ratios(slow)
    assert "goal <= 0.45   0.45   met" in text
    assert "goal >= 4x     2.00x  NOT MET  (2.00x of the medians)" in text


def test_a_tier_that_differs_by_language_is_told() -> None:
    serow = RESULTS["serow"]
    mixed = replace(serow, description=replace(serow.description, java_tier="jit"))
    lines = [line for line in report.table({"serow": mixed}).splitlines() if "serow" in line]
    assert lines[0].endswith("interpreter, jit")
    assert lines[1].endswith("jit, interpreter")
