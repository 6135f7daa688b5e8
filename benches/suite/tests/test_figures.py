import pytest

from suite.figures import Figure, figure, ratio, text


def test_a_figure_is_the_least_and_the_median() -> None:
    assert figure([3.0, 1.0, 2.0]) == Figure(1.0, 2.0)
    assert figure([4.0, 1.0]) == Figure(1.0, 2.5)


def test_a_ratio_is_of_the_least_and_its_spread_of_single_rounds() -> None:
    one = ratio(slow=[20.0, 30.0, 24.0], fast=[10.0, 10.0, 12.0])
    assert (one.of_least, one.low, one.high) == (2.0, 2.0, 3.0)
    assert text(one) == "2.00x (2.00 to 3.00)"


def test_rounds_of_a_ratio_must_go_together() -> None:
    with pytest.raises(ValueError, match="zip"):
        ratio([1.0, 2.0], [1.0])
