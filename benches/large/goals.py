"""The goals, and the measured figures."""

from collections.abc import Iterator
from dataclasses import dataclass

from large.compressors import GZIP, NONE, ZSTD
from large.contestants import FRAMES_TWO, PARQUET, PICKLE, PICKLE_ONE, RECORDS_ONE, SEROW
from large.results import DECODE, ENCODE, MESSAGE, READ, STREAM, WRITE, Key, Results
from large.settings import BLOCKS
from large.workloads import LINEITEM, PART, statuses
from suite.figures import ratio, text
from suite.goals import Goal

MOST_MEMORY = 300e6
LEAST_SPEED = 0.9
SMALL_BLOCKS = BLOCKS[0]


@dataclass(frozen=True)
class Judge:
    """Looks up figures and compares them with the goals."""

    results: Results

    def goals(self) -> Iterator[Goal]:
        """Yields all goals."""
        yield from self._parquet()
        yield from self._pickle()
        yield from self._steps()
        yield from self._stream()

    def _parquet(self) -> Iterator[Goal]:
        for workload in (PART, LINEITEM):
            for what, compression, most in (("frames", NONE, 1.4), ("frames, zstd", ZSTD, 1.0)):
                ours = Key(workload, SEROW, compression, ENCODE)
                line = f"{workload}: bytes of {what}, over Parquet's with zstd"
                yield self._bytes(line, most, ours, Key(workload, PARQUET, ZSTD, ENCODE))
            yield from self._both_ways(workload, PARQUET)

    def _pickle(self) -> Iterator[Goal]:
        ours, theirs = (Key(PART, name, ZSTD, ENCODE) for name in (SEROW, PICKLE))
        yield self._bytes(
            f"{PART}: bytes of frames, zstd, over pickle's with zstd", 0.5, ours, theirs
        )
        yield from self._both_ways(PART, PICKLE)

    def _both_ways(self, workload: str, peer: str) -> Iterator[Goal]:
        for verb in (ENCODE, DECODE):
            slow, fast = (Key(workload, name, ZSTD, verb) for name in (peer, SEROW))
            yield self._faster(
                f"{workload}: {verb} of frames, zstd, against {peer} with zstd", 3.0, slow, fast
            )

    def _steps(self) -> Iterator[Goal]:
        workload = statuses(SMALL_BLOCKS)
        for compression in (ZSTD, GZIP):
            for verb in (ENCODE, DECODE):
                peers = [
                    Key(workload, name, compression, verb) for name in (RECORDS_ONE, PICKLE_ONE)
                ]
                best = min(peers, key=lambda key: self.results[key].least)
                ours = Key(workload, FRAMES_TWO, compression, verb)
                line = (
                    f"map statuses of {workload}, {compression}: {verb} in two steps, "
                    f"against {best.contestant}"
                )
                yield self._faster(line, 2.0, best, ours)

    def _stream(self) -> Iterator[Goal]:
        for verb in (WRITE, READ):
            memory = self.results[Key(STREAM, SEROW, NONE, verb)].memory
            yield Goal(
                f"stream through a pipe: most memory of the process that {verb}s",
                f"< {MOST_MEMORY / 1e6:.0f} MB",
                f"{memory / 1e6:.0f} MB",
                memory < MOST_MEMORY,
            )
        stream = self.results[Key(STREAM, SEROW, NONE, READ)].each
        messages = [self.results[Key(MESSAGE, SEROW, NONE, verb)].each for verb in (ENCODE, DECODE)]
        slower = max(messages, key=min)
        speed = ratio(slower, stream)
        yield Goal(
            "stream through a pipe: speed, over the slower direction of single messages",
            f">= {LEAST_SPEED}x",
            text(speed),
            speed.of_least >= LEAST_SPEED,
        )

    def _bytes(self, what: str, most: float, ours: Key, theirs: Key) -> Goal:
        share = self.results[ours].bytes / self.results[theirs].bytes
        return Goal(what, f"<= {most}x", f"{share:.3f}x", share <= most)

    def _faster(self, what: str, wanted: float, slow: Key, fast: Key) -> Goal:
        speed = ratio(self.results[slow].rounds, self.results[fast].rounds)
        return Goal(what, f">= {wanted:g}x", text(speed), speed.of_least >= wanted)
