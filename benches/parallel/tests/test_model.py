from collections.abc import Mapping

import pytest

from parallel.model import Model, fit
from parallel.results import Key, Record, Series


def timed(seconds: Mapping[str, float], frames: int) -> Series:
    records = {
        threads: Record(Key("Rust", "none", "encode", 1, threads), 1, frames, 1, (time, 2 * time))
        for threads, time in seconds.items()
    }
    return Series("Rust", "none", "encode", 1, records)


def test_time_is_work_by_threads_and_cost_by_threads() -> None:
    model = Model(work=0.9, each=0.01, frames=60)
    assert model.seconds(1) == 0.9
    assert model.seconds(3) == pytest.approx(0.3 + 0.03)
    assert model.speedup(3) == pytest.approx(0.9 / 0.33)
    assert model.ideal == pytest.approx(90**0.5)
    assert Model(0.9, -0.01, 60).ideal is None


def test_a_frame_has_one_thread() -> None:
    assert Model(0.6, 0.0, 3).speedup(2) == pytest.approx(1.5)
    assert Model(0.6, 0.001, 1).speedup(8) == 1
    assert Model(0.6, 0.001, 3).seconds(8) == pytest.approx(0.2 + 0.003)


@pytest.mark.parametrize("most", [2, 4, 7])
def test_the_fit_finds_work_and_cost(most: int) -> None:
    model = Model(work=0.5, each=0.02, frames=10)
    times = {str(count): model.seconds(count) for count in range(1, most + 1)}
    found = fit(timed({**times, "auto": 99.0}, frames=10))
    assert found is not None
    assert found.work == pytest.approx(0.5)
    assert found.each == pytest.approx(0.02)


def test_there_is_no_fit_without_several_busy_threads() -> None:
    assert fit(timed({"1": 1.0, "auto": 1.0}, frames=10)) is None
    assert fit(timed({"1": 1.0, "2": 1.0}, frames=1)) is None
