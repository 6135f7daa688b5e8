import io
from contextlib import closing

from demo.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_that_is_removed_at_the_end() -> None:
    stream = Terminal()
    with closing(Progress(2, stream)) as progress:
        progress.step()
        progress.now("serow")
    assert "█" * 15 + "·" * 15 in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_elsewhere_there_is_a_line_at_every_fourth() -> None:
    stream = io.StringIO()
    progress = Progress(8, stream)
    for _ in range(8):
        progress.now("serow")
        progress.step()
    starts = [line[:5] for line in stream.getvalue().splitlines()]
    assert starts == [" 25 %", " 50 %", " 75 %", "100 %"]
