"""Measures the start of a fresh process: `python -m suite.fresh import|compile N`.

It prints nanoseconds. Before the measurement it imports only what serow itself imports.
"""

import sys
import time


def start() -> None:
    """Prints the time of `import serow` and of the first `dumps` after it, with ten rows."""
    rows = [(number, f"name {number}", number / 7, None) for number in range(10)]
    begin = time.perf_counter_ns()
    import serow

    imported = time.perf_counter_ns()
    serow.dumps(rows)
    print(imported - begin, time.perf_counter_ns() - imported)


def compile_fields(fields: int) -> None:
    """Prints the time of compiling the encoder of a schema: CPU of all threads, and wall.

    The first in a process also sets LLVM up, so the least CPU time of others is a third figure.
    """
    import serow

    from suite import compiler

    kinds = ("i64", "str", "str", "f64", "i64?")

    def compile_from(first: int) -> tuple[int, int]:
        types = (kinds[i % len(kinds)] for i in range(first, first + fields))
        codec = serow.Codec(f"({', '.join(types)},)", wire="row")
        cpu, wall = time.process_time_ns(), time.perf_counter_ns()
        compiler.compile_encode(codec)
        return time.process_time_ns() - cpu, time.perf_counter_ns() - wall

    first = compile_from(0)
    print(*first, min(compile_from(1 + i)[0] for i in range(4)))


if __name__ == "__main__":
    if sys.argv[1] == "import":
        start()
    else:
        compile_fields(int(sys.argv[2]))
