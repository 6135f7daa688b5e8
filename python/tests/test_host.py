"""serow as a guest in the interpreter: no leaks, no changes, and objects like CPython's own."""

import copy
import gc
import marshal
import os
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import leaks
import pytest
import rowtext
import serow
from strategies import EDGES, Table

ROWS = [
    (1_000_000 + i, i / 7, f"name {i}", f"tag {i % 3}", None, i % 2 == 0, [i, i], ("é" * i, ()))
    for i in range(50)
]


def fresh() -> list[Any]:
    """Give objects without other references, unlike constants of a function."""
    n = int("1000000000")
    return [n, n / 7, f"text {n}", [n + 1], (n + 2, n / 3), f"é€😀 {n}"]


def references(objects: list[Any]) -> list[int]:
    """Give their reference counts. A function, because assertions would keep references."""
    return [sys.getrefcount(o) for o in objects]


def test_objects_are_accessed_directly() -> None:
    """If the proof at import failed, half of these tests would be skipped silently."""
    program = "from serow import _native; print(_native.object_access())"
    access = subprocess.check_output([sys.executable, "-c", program], text=True).strip()
    assert access == ("direct" if (3, 10) <= sys.version_info < (3, 16) else "c-api")


class TestReferences:
    def test_encoding_takes_none(self, wire: str, access: str) -> None:
        shared = fresh()
        rows = [(*shared, i) for i in range(100)]
        codec = serow.Codec.infer(rows, wire=wire)
        held = [*shared, rows, rows[5]]
        before = references(held)
        for _ in range(50):
            serow.dumps(rows, wire=wire)
            codec.encode(rows)
            codec.encode_into(rows, bytearray(100_000))
            serow.Schema.infer(rows)
        assert references(held) == before

    def test_encoding_that_fails_takes_none(self, wire: str, access: str) -> None:
        shared = fresh()
        rows: list[Any] = [(*shared, i) for i in range(100)]
        codec = serow.Codec.infer(rows, wire=wire)
        rows[70] = (*shared, object())
        held = [*shared, rows, rows[70], rows[70][-1]]
        before = references(held)

        def fail() -> None:
            for encode in (serow.dumps, codec.encode, serow.Schema.infer):
                for given in (rows, iter(rows)):
                    try:
                        encode(given)
                    except serow.EncodeError:
                        continue
                    raise AssertionError("an object was encoded")

        for _ in range(50):
            fail()
        gc.collect()
        assert references(held) == before

    def test_each_decoded_object_is_held_once(self, wire: str, access: str) -> None:
        back = serow.loads(serow.dumps([fresh(), tuple(fresh())], wire=wire))
        # One reference from the container, and those of the function itself.
        once = references([object()])
        assert references(back) == once * 2
        assert references(back[1][4]) == once * 2
        for row in back:
            assert references(row) == once * 6

    def test_none_and_the_like_are_counted(self, wire: str, access: str) -> None:
        """Unless they are immortal, one missing reference per use would end the process."""
        values = [None, True, False, (), "", 5, chr(97)]
        before = references(values)
        for _ in range(2000):
            serow.loads(serow.dumps(values * 10, wire=wire))
        assert all(abs(a - b) < 1000 for a, b in zip(references(values), before, strict=True))

    def test_entries_of_a_dictionary_are_shared_and_counted(self, access: str) -> None:
        rows = serow.loads(serow.dumps([(f"brand {i % 3}", i) for i in range(300)]))
        first = rows[0][0]
        assert all(rows[i][0] is first for i in range(0, 300, 3))
        assert sys.getrefcount(first) == 100 + 2
        del rows[3:]
        assert sys.getrefcount(first) == 1 + 2

    def test_small_ints_and_the_like_are_pythons_own(self, wire: str, access: str) -> None:
        largest = 1024 if sys.version_info >= (3, 15) else 256
        values = [*range(-5, largest + 1), None, True, False, "", (), *map(chr, range(256))]
        for one, back in zip(values, serow.loads(serow.dumps(values, wire=wire)), strict=True):
            assert one is back

    @pytest.mark.heavy
    def test_nothing_leaks(self, wire: str, access: str) -> None:
        data = serow.dumps(ROWS, wire=wire)
        codec = serow.Codec.infer(ROWS, wire=wire)
        cut, lie = data[:-20], bytearray(data)
        lie[60] ^= 1

        def everything() -> None:
            serow.loads(serow.dumps(ROWS, wire=wire))
            serow.loads(serow.dumps(iter(ROWS), wire=wire))
            codec.decode(codec.encode(ROWS))
            serow.Schema.parse(str(serow.Codec.infer(ROWS).schema))
            buffer = bytearray(10)
            failing: list[Callable[[], object]] = [
                lambda: serow.loads(cut),
                lambda: serow.loads(lie),
                lambda: serow.dumps([*ROWS, object()], wire=wire),
                lambda: codec.encode([*ROWS, 1]),
                lambda: codec.encode_into(ROWS, buffer),
                lambda: codec.decode(serow.dumps([1])),
                lambda: serow.Schema.parse("(i64, what)"),
            ]
            for fail in failing:
                with pytest.raises(serow.SerowError):
                    fail()

        leaks.assert_no_growth(everything)

    @pytest.mark.heavy
    def test_decoding_that_fails_in_the_middle_leaks_nothing(self, access: str) -> None:
        """The row wire is decoded without a check in advance, so objects exist before the error."""
        import wire_format

        rows = [(i, "text " * 5, [i, [1.5, "x"]], (i, (i + 10**9, "é"))) for i in range(40)]
        frame = wire_format.frames(serow.dumps(rows, wire="row"))[0]
        spoilt = [
            wire_format.message(
                wire_format.RawFrame(frame.wire, frame.rows, frame.schema, frame.body[:at])
            )
            for at in range(0, len(frame.body), 7)
        ]

        def refuse() -> None:
            for data in spoilt:
                with pytest.raises(serow.DecodeError):
                    serow.loads(data)

        leaks.assert_no_growth(refuse)


def test_memory_of_the_process_stays_as_it_is(wire: str) -> None:
    """This includes Rust's allocations, which tracemalloc does not see."""
    rows = [(i, f"name {i}", [i / 3] * 5) for i in range(5_000)]

    def resident() -> int:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def work(times: int) -> None:
        for _ in range(times):
            codec = serow.Codec.infer(rows, wire=wire)
            data = codec.encode(rows)
            assert len(codec.decode(data)) == len(rows)
            with pytest.raises(serow.DecodeError):
                serow.loads(data[:-1])
            with pytest.raises(serow.EncodeError):
                serow.dumps([*rows, (1, 2, 3, object())], wire=wire)

    work(10)
    before = resident()
    work(60)
    # A leak of one list of rows or of one message would be 60 times some hundred kilobytes.
    assert resident() - before < 12 << 20


class TestGarbageCollector:
    def test_its_settings_stay(self, wire: str, access: str) -> None:
        frozen = gc.get_freeze_count()
        gc.set_threshold(701, 11, 12)
        try:
            for enabled in (True, False):
                (gc.enable if enabled else gc.disable)()
                serow.loads(serow.dumps(ROWS, wire=wire))
                with pytest.raises(serow.EncodeError):
                    serow.dumps([object()])
                with pytest.raises(serow.DecodeError):
                    serow.loads(b"SROW")
                assert gc.isenabled() is enabled
                assert gc.get_threshold() == (701, 11, 12)
                assert gc.get_freeze_count() == frozen
                assert gc.get_debug() == 0
        finally:
            gc.enable()
            gc.set_threshold(700, 10, 10)

    def test_lists_are_tracked_and_atomic_tuples_are_not(self, wire: str, access: str) -> None:
        rows = [(i, "text", (1.5, None, (True,))) for i in range(20)]
        back = serow.loads(serow.dumps(rows, wire=wire))
        assert gc.is_tracked(back)
        assert not any(gc.is_tracked(row) or gc.is_tracked(row[2]) for row in back)
        back = serow.loads(serow.dumps([[i, 2.5] for i in range(20)], wire=wire))
        assert all(gc.is_tracked(row) for row in back)
        back = serow.loads(serow.dumps([[], [[]]], wire=wire))
        assert all(gc.is_tracked(row) for row in back)
        assert gc.is_tracked(back[1][0])

    def test_tuples_that_hold_lists_are_tracked(self, wire: str, access: str) -> None:
        for rows in (
            [(i, [i]) for i in range(20)],
            [(i, ((i, [[i]]),)) for i in range(20)],
            [([i], "x") if i % 2 else (i, "x") for i in range(20)],
        ):
            for row in serow.loads(serow.dumps(rows, wire=wire)):
                if any(isinstance(field, (list, tuple)) for field in row):
                    assert gc.is_tracked(row), row

    def test_cycles_through_decoded_objects_are_collected(self, wire: str, access: str) -> None:
        class Witness:
            pass

        rows = [(i, [i], ([[i]],)) for i in range(20)]
        back = serow.loads(serow.dumps(rows, wire=wire))
        witnesses = []
        for i, row in enumerate(back):
            witness = Witness()
            witnesses.append(weakref.ref(witness))
            row[1].append(row if i % 2 else back)
            row[2][0][0].extend([witness, row])
        del back, row, witness
        gc.collect()
        assert [ref() for ref in witnesses] == [None] * 20

    def test_a_cycle_through_the_list_of_rows_is_collected(self, wire: str, access: str) -> None:
        class Witness:
            pass

        back = serow.loads(serow.dumps([1, "x"], wire=wire))
        witness = Witness()
        ref = weakref.ref(witness)
        back.extend([back, witness])
        del back, witness
        gc.collect()
        assert ref() is None

    def test_collections_at_every_allocation_do_no_harm(self, wire: str, access: str) -> None:
        """The collector, and the code that it runs, must never see an incomplete object."""
        rows = [Table(seed).rows(most=60) for seed in range(12)]
        messages = [serow.dumps(table, wire=wire) for table in rows]
        seen = 0

        def look(phase: str, info: dict[str, int]) -> None:
            nonlocal seen
            seen += 1
            for held in gc.get_objects(generation=0)[:200]:
                if isinstance(held, (list, tuple)):
                    len(held)
                    gc.get_referents(held)

        threshold = gc.get_threshold()
        gc.callbacks.append(look)
        gc.set_threshold(1)
        try:
            backs = [serow.loads(data) for data in messages]
        finally:
            gc.set_threshold(*threshold)
            gc.callbacks.remove(look)
        assert seen > 0
        for table, back in zip(rows, backs, strict=True):
            assert list(map(rowtext.canonical, back)) == list(map(rowtext.canonical, table))


class TestObjects:
    """Decoded objects can be used like any others."""

    def test_lists_can_be_changed(self, wire: str, access: str) -> None:
        rows = serow.loads(serow.dumps([[1, 2, 3], [], ["x"] * 100], wire=wire))
        for items in (rows, *rows):
            expected = list(items)
            for _ in range(200):
                items.append(0)
                expected.append(0)
            items.insert(0, None)
            del items[1:3]
            items.extend(range(50))
            items.reverse()
            items[10:20] = []
            items *= 2
            items.pop()
            expected.insert(0, None)
            del expected[1:3]
            expected.extend(range(50))
            expected.reverse()
            expected[10:20] = []
            expected *= 2
            expected.pop()
            assert items == expected
            items.clear()
            items.append(items)

    def test_strings_hash_intern_and_key_as_others(self, wire: str, access: str) -> None:
        texts = ["", "a", "key", "a longer key of some words", "é", "naïve", "€uro", "😀", "\ud800"]
        texts += ["x" * n for n in range(40)]
        for text, back in zip(texts, serow.loads(serow.dumps(texts, wire=wire)), strict=True):
            assert hash(back) == hash(text)
            assert {text: 1}[back] == 1
            assert {back: 1}[text] == 1
            assert back in {text}
            assert sys.intern(back) == text
            assert getattr(type("T", (), {text: 5}), back, 5) == 5
            assert back + "!" == text + "!"
            assert back.upper().lower() == text.upper().lower()
            assert back.encode("utf-8", "surrogatepass") == text.encode("utf-8", "surrogatepass")
            assert back.isascii() == text.isascii()
            assert sys.getsizeof(back) == sys.getsizeof(text)
            assert f"{back:>50}" == f"{text:>50}"
            assert back.find(text) == 0
            assert (back * 3).replace(back or "-", "-") == (text * 3).replace(text or "-", "-")

    def test_integers_count_as_others(self, wire: str, access: str) -> None:
        for value, back in zip(EDGES, serow.loads(serow.dumps(EDGES, wire=wire)), strict=True):
            assert hash(back) == hash(value)
            assert (back + 1, back - 1, -back, back * back) == (
                value + 1,
                value - 1,
                -value,
                value * value,
            )
            assert (back >> 3, back << 3, back & 0xFFFF, ~back) == (
                value >> 3,
                value << 3,
                value & 0xFFFF,
                ~value,
            )
            assert divmod(back, 7) == divmod(value, 7)
            assert back.bit_length() == value.bit_length()
            assert str(back) == str(value)
            assert float(back) == float(value)
            assert (back > 0, back == value, bool(back)) == (value > 0, True, bool(value))
            assert sys.getsizeof(back) == sys.getsizeof(value)

    def test_all_can_be_copied_pickled_and_marshalled(self, wire: str, access: str) -> None:
        back = serow.loads(serow.dumps(ROWS, wire=wire))
        assert copy.deepcopy(back) == ROWS
        assert pickle.loads(pickle.dumps(back)) == ROWS
        assert marshal.loads(marshal.dumps(back)) == ROWS
        assert repr(back) == repr(ROWS)
        assert sorted(back) == ROWS
        assert hash(back[3][7]) == hash(ROWS[3][7])
        assert (*back[3], 1) == (*ROWS[3], 1)

    @pytest.mark.heavy
    def test_memory_is_given_back_as_it_was_taken(self) -> None:
        """The debug allocator checks how each block is freed, and the bytes around it."""
        program = (
            "import gc, serow, sys\n"
            f"sys.path[:0] = {[os.path.dirname(__file__), os.path.dirname(rowtext.__file__)]!r}\n"
            "from strategies import Table\n"
            "for seed in range(10):\n"
            "    for wire in 'frame', 'row':\n"
            "        for only_c_api in False, True:\n"
            "            serow._native.object_access(only_c_api)\n"
            "            rows = Table(seed).rows(most=100)\n"
            "            back = serow.loads(serow.dumps(rows, wire=wire))\n"
            "            for row in back:\n"
            "                if isinstance(row, list): row.extend(range(100))\n"
            "            back.sort(key=repr)\n"
            "            del back\n"
            "gc.collect()\n"
            "print('done')\n"
        )
        for allocator in ("debug", "malloc_debug", "malloc", "pymalloc"):
            done = subprocess.run(
                [sys.executable, "-X", "dev", "-c", program],
                env={**os.environ, "PYTHONMALLOC": allocator},
                capture_output=True,
                text=True,
            )
            assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


class TestThreads:
    def test_one_codec_serves_many(self, wire: str, access: str) -> None:
        codec = serow.Codec.infer(ROWS, wire=wire)
        data = codec.encode(ROWS)
        failures: list[BaseException] = []

        def work() -> None:
            try:
                for _ in range(60):
                    assert codec.encode(ROWS) == data
                    assert codec.decode(data) == ROWS
                    buffer = bytearray(len(data))
                    assert codec.encode_into(ROWS, buffer) == len(data)
                    assert buffer == data
                    with pytest.raises(serow.EncodeError):
                        codec.encode([1])
                    with pytest.raises(serow.DecodeError):
                        codec.decode(data[:-1])
            except BaseException as failure:
                failures.append(failure)

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        try:
            threads = [threading.Thread(target=work) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        assert failures == []

    def test_rows_may_change_while_others_encode_them(self, wire: str, access: str) -> None:
        """The message is a snapshot of the rows, because no other thread runs meanwhile."""
        rows: list[Any] = [[i, "text", [i] * (i % 5)] for i in range(300)]
        stop = threading.Event()

        def change() -> None:
            n = 0
            while not stop.is_set():
                n += 1
                rows[n % 200][2] = [n] * (n % 7)
                rows[n % 200].append(n)
                rows[n % 200].pop()
                rows.append([n, "more", []])
                rows.pop()

        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(200):
                back = serow.loads(serow.dumps(rows, wire=wire))
                assert len(back) in (300, 301)
                assert all(row[1] in ("text", "more") for row in back)
        finally:
            stop.set()
            thread.join()


FORKED = """
import os, serow, sys, threading
rows = [(i, f"name {i}", [i / 2]) for i in range(3000)]
codec = serow.Codec.infer(rows)
data = codec.encode(rows)
stop = False
def work():
    while not stop:
        codec.decode(codec.encode(rows))
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads: thread.start()
codes = []
for _ in range(20):
    child = os.fork()
    if child == 0:
        good = codec.encode(rows) == data and codec.decode(data) == rows
        good = good and serow.loads(serow.dumps(rows, wire="row")) == rows
        os._exit(0 if good else 1)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
stop = True
for thread in threads: thread.join()
print(set(codes), codec.decode(data) == rows)
"""


def test_a_forked_child_goes_on() -> None:
    """Also if another thread encodes during the fork."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "{0} True\n"), done.stderr


def test_importing_starts_no_thread_and_changes_no_signal() -> None:
    program = (
        "import os, signal\n"
        "def state(): return ([signal.getsignal(s) for s in signal.valid_signals()],\n"
        "    len(os.listdir('/proc/self/task')), os.environ.copy(), os.getcwd(),\n"
        "    signal.pthread_sigmask(signal.SIG_BLOCK, []), os.listdir('/proc/self/fd'))\n"
        "before = state()\n"
        "import serow\n"
        "print(state() == before)\n"
        "rows = [(i, 'x') for i in range(1_000)]\n"
        "serow.loads(serow.dumps(rows))\n"
        "print(state() == before)\n"
    )
    # On a busy machine a thousand rows can take long enough to start the background compiler.
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "SEROW_TIER": "interpreter"},
    )
    assert (done.returncode, done.stdout) == (0, "True\nTrue\n"), done.stderr


def test_schemas_can_be_pickled_and_copied() -> None:
    for text in ("(i64, str?, [f64])", "never", "((i64|str)?, (i64, ...))", "[i64,]"):
        schema = serow.Schema.parse(text)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            back = pickle.loads(pickle.dumps(schema, protocol))
            assert back == schema
            assert str(back) == text
        assert copy.copy(schema) == schema == copy.deepcopy(schema)


def test_any_iterable_is_rows(wire: str, access: str) -> None:
    codec = serow.Codec("i64", wire=wire)
    expected = [1, 2, 3]
    made: list[Callable[[], Any]] = [
        lambda: [1, 2, 3],
        lambda: (1, 2, 3),
        lambda: iter([1, 2, 3]),
        lambda: (i for i in (1, 2, 3)),
        lambda: {1: "a", 2: "b", 3: "c"}.keys(),
        lambda: range(1, 4),
        lambda: map(int, "123"),
        lambda: type("Rows", (list,), {})([1, 2, 3]),
        lambda: __import__("collections").deque([1, 2, 3]),
    ]
    for make in made:
        assert serow.loads(serow.dumps(make(), wire=wire)) == expected
        assert codec.decode(codec.encode(make())) == expected
        buffer = bytearray(500)
        assert codec.decode(buffer[: codec.encode_into(make(), buffer)]) == expected
        assert str(serow.Schema.infer(make())) == "i64"
        assert str(serow.Codec.infer(make()).schema) == "i64"


def test_a_generator_is_read_once() -> None:
    taken = []

    def rows() -> Any:
        for i in range(1000):
            taken.append(i)
            yield (i, "x") if i != 700 else (i, None)

    assert len(serow.loads(serow.dumps(rows()))) == 1000
    assert taken == list(range(1000))


IN_SUB_INTERPRETER = """
import sys
try:
    import _interpreters as interpreters
    sub = interpreters.create("legacy")
    run = interpreters.exec
except ImportError:
    import _xxsubinterpreters as interpreters
    sub = interpreters.create(isolated=False)
    run = interpreters.run_string
run(sub, f"import sys; sys.path[:] = {sys.path}; import serow; serow.loads(serow.dumps([1]))")
"""


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="modules of sub-interpreters are isolated")
@pytest.mark.parametrize("first", ["", "import serow"])
def test_a_process_ends_with_a_sub_interpreter_that_was_not_destroyed(first: str) -> None:
    program = first + IN_SUB_INTERPRETER
    subprocess.run([sys.executable, "-c", program], timeout=60, check=True)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="modules of sub-interpreters are isolated")
def test_a_sub_interpreter_that_ends_stops_no_compiler() -> None:
    program = f"""
import serow
{IN_SUB_INTERPRETER}
interpreters.destroy(sub)
codec = serow.Codec("i64")
codec.compile()
"""
    subprocess.run([sys.executable, "-c", program], timeout=60, check=True)
