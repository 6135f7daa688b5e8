"""The cache of object files, and the log of how a process got its code."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from serow import _native

pytestmark = [
    pytest.mark.tiers,
    pytest.mark.skipif(
        _native.object_access() != "direct" or os.environ.get("SEROW_TIER") == "interpreter",
        reason="nothing is compiled",
    ),
]

ROWS = "rows = [(i, f'text {i}', i / 4, None if i % 3 else i) for i in range(20_000)]\n"
COMPILE = "codec = serow.Codec('(i64, str, f64, i64?)'); codec.compile('encode')\n"
# Too few rows to compile the decoder or to look for it in the cache.
CHECK = "few = rows[:50]; assert codec.decode(codec.encode(few)) == few and codec.tier == 'jit'\n"
PROGRAM = "import serow\n" + ROWS + COMPILE + CHECK


def run(program: str, cache: Path | str, **environment: str) -> list[str]:
    """Run a program in another process, and give the lines that serow logs."""
    settings = {"SEROW_CACHE_DIR": str(cache), "SEROW_LOG": "1", "SEROW_TIER": "auto"}
    done = subprocess.run(
        # Since 3.12 Python warns of forks in programs with threads, which this test needs.
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program],
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, **settings, **environment},
    )
    lines = done.stderr.splitlines()
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("serow: ") for line in lines), done.stderr
    return [line.removeprefix("serow: ") for line in lines]


def how(lines: list[str]) -> str:
    """Tell how a program that compiles one thing got its code."""
    ways = [line for line in lines if not line.startswith("freed")]
    assert ways, lines
    found = [
        re.match(r"(compiled|found in the cache) serow_objects_to_\w+ in", way) for way in ways
    ]
    said = [match[1] for match in found if match]
    assert len(said) == 1, lines
    return said[0]


def files(cache: Path) -> list[Path]:
    """Give the files of a cache."""
    return sorted(cache.iterdir())


def test_a_later_process_finds_the_code(tmp_path: Path) -> None:
    cache = tmp_path / "below" / "cache"
    assert how(run(PROGRAM, cache)) == "compiled"
    assert [how(run(PROGRAM, cache)) for _ in range(2)] == ["found in the cache"] * 2
    assert cache.stat().st_mode & 0o777 == 0o700
    assert [file.stat().st_mode & 0o777 for file in files(cache)] == [0o600]
    other = PROGRAM.replace(
        "Codec('(i64, str, f64, i64?)'", "Codec('(i64, str, f64, i64?)', wire='row'"
    )
    assert how(run(other, cache)) == "compiled"
    assert len(files(cache)) == 2


def test_a_process_left_alone_finds_the_code_early(tmp_path: Path) -> None:
    assert how(run(PROGRAM, tmp_path)) == "compiled"
    codec = "import serow, time\n" + ROWS + "codec = serow.Codec('(i64, str, f64, i64?)')\n"
    few = "codec.encode(rows[:10]); time.sleep(0.05)\n"
    many = (
        "codec.encode(rows)\n"
        "end = time.monotonic() + 60\n"
        "while codec.tier != 'jit' and time.monotonic() < end: time.sleep(0.001)\n"
    )
    # The time spent on rows counts. It goes on while a busy machine runs other programs.
    assert any(run(codec + few, tmp_path) == [] for _ in range(5))
    assert how(run(codec + many + CHECK, tmp_path)) == "found in the cache"


@pytest.mark.parametrize("off", ["", "off"])
def test_the_cache_can_be_turned_off(off: str, tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    assert how(run(PROGRAM, off, **home)) == "compiled"
    assert files(tmp_path) == []


def test_the_default_place_of_the_cache(tmp_path: Path) -> None:
    program = (
        "import os\n"
        "del os.environ['SEROW_CACHE_DIR']\n"
        f"os.environ.update(HOME={str(tmp_path)!r}, XDG_CACHE_HOME='')\n" + PROGRAM
    )
    assert [how(run(program, "")) for _ in range(2)] == ["compiled", "found in the cache"]
    assert files(tmp_path / ".cache") == [tmp_path / ".cache" / "serow"]


def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    run(PROGRAM, tmp_path)
    (file,) = files(tmp_path)
    whole = file.read_bytes()
    # The processor in the file is part of its key.
    foreign = whole.replace(b"serow 0.1.0", b"serow 0.0.9")
    middle = len(whole) // 2
    damages = [
        b"",
        whole[:-1],
        whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        foreign,
        os.urandom(len(whole)),
    ]
    for damaged in damages:
        assert damaged != whole
        file.write_bytes(damaged)
        assert (
            how([line for line in run(PROGRAM, tmp_path) if "not valid" not in line]) == "compiled"
        )
        assert file.read_bytes() == whole
    assert how(run(PROGRAM, tmp_path)) == "found in the cache"


def test_a_folder_that_others_may_write_to_is_not_used(tmp_path: Path) -> None:
    run(PROGRAM, tmp_path)
    (file,) = files(tmp_path)
    tmp_path.chmod(0o777)
    lines = run(PROGRAM, tmp_path)
    assert any("others may write to it" in line for line in lines)
    assert any(line.startswith("compiled") for line in lines)
    tmp_path.chmod(0o700)
    file.chmod(0o666)
    lines = run(PROGRAM, tmp_path)
    assert any("others may write to it" in line for line in lines)
    assert file.stat().st_mode & 0o777 == 0o600, "it was replaced"


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    # Even root can't create files there.
    for cache in ("/proc/serow", "/dev/null/serow"):
        lines = run(PROGRAM, cache)
        assert any(line.startswith("compiled") for line in lines), lines


def test_processes_that_write_at_once(tmp_path: Path) -> None:
    settings = {**os.environ, "SEROW_CACHE_DIR": str(tmp_path), "SEROW_TIER": "auto"}
    programs = [
        subprocess.Popen([sys.executable, "-c", PROGRAM], env=settings, stderr=subprocess.PIPE)
        for _ in range(6)
    ]
    assert [program.communicate()[1] for program in programs] == [b""] * 6
    assert len(files(tmp_path)) == 1
    assert how(run(PROGRAM, tmp_path)) == "found in the cache"


def test_cached_files_contain_nothing_specific_to_a_process(tmp_path: Path) -> None:
    """Objects refer to names instead of addresses, so two processes write the same file."""
    contents = []
    for name in ("one", "two"):
        run(PROGRAM, tmp_path / name)
        contents.append([(file.name, file.read_bytes()) for file in files(tmp_path / name)])
    assert contents[0] == contents[1]


def test_code_is_freed_with_its_last_codec(tmp_path: Path) -> None:
    program = PROGRAM + "other = serow.Codec('(i64, str, f64, i64?)'); del codec\n"
    assert not any(line.startswith("freed") for line in run(program, tmp_path))
    lines = run(program + "del other\n", tmp_path)
    assert sum(line.startswith("freed serow_objects_to_batch_") for line in lines) == 1


def test_threads_that_compile_the_same_wait_for_one(tmp_path: Path) -> None:
    program = (
        "import serow, threading\n"
        "wide = f\"({'i64, str, ' * 100})\"\n"
        "codecs = [serow.Codec(wide) for _ in range(4)]\n"
        "threads = [threading.Thread(target=codec.compile, args=('encode',)) for codec in codecs]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "assert [codec.tier for codec in codecs] == ['jit'] * 4\n"
    )
    assert how(run(program, tmp_path)) == "compiled"


def test_pages_are_never_writable_and_executable_while_schemas_compile(tmp_path: Path) -> None:
    program = (
        "import json, serow, sys, threading\n"
        "looks, both = 0, []\n"
        "def compile(first):\n"
        "    while looks < 20:\n"
        "        for n in range(first, 40, 2):\n"
        "            codec = serow.Codec(f\"({'i64, str, ' * n})\"); codec.compile('encode')\n"
        "            assert codec.encode([(1, 'a') * n]) and codec.tier == 'jit'\n"
        "threads = [threading.Thread(target=compile, args=(i,)) for i in (1, 2)]\n"
        "for thread in threads: thread.start()\n"
        "while any(thread.is_alive() for thread in threads):\n"
        "    for line in open('/proc/self/maps'):\n"
        "        flags = line.split()[1]\n"
        "        if 'w' in flags and 'x' in flags: both.append(line)\n"
        "    looks += 1\n"
        "print(json.dumps([looks, both]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "SEROW_CACHE_DIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    looks, both = json.loads(done.stdout)
    assert looks >= 20
    assert both == []


def test_a_child_of_a_process_that_compiles_does_not_hang(tmp_path: Path) -> None:
    program = (
        "import os, serow, signal, threading\n"
        + ROWS.replace("20_000", "100")
        + COMPILE
        + "expected = codec.encode(rows)\n"
        "done = False\n"
        "def compile():\n"
        "    n = 0\n"
        "    while not done:\n"
        "        n += 1; serow.Codec(f\"({'i64, str, ' * (n % 60 + 20)})\").compile()\n"
        "thread = threading.Thread(target=compile); thread.start()\n"
        "outcomes = set()\n"
        "for _ in range(15):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        signal.alarm(50)\n"
        "        status = 2\n"
        "        try:\n"
        "            assert codec.tier == 'jit' and codec.encode(rows) == expected\n"
        "            own = serow.Codec('(i64, [str])')\n"
        "            try:\n"
        "                own.compile(); status = 0 if own.tier == 'jit' else 2\n"
        "            except serow.SerowError as error:\n"
        "                forked = 'forked while its parent compiled' in str(error)\n"
        "                status = 1 if forked and own.tier == 'interpreter' else 2\n"
        "            assert own.decode(own.encode([(1, ['a'])])) == [(1, ['a'])]\n"
        "        finally:\n"
        "            os._exit(status)\n"
        "    outcomes.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        "done = True; thread.join()\n"
        "assert outcomes <= {0, 1} and 1 in outcomes, outcomes\n"
    )
    run(program, tmp_path, SEROW_LOG="")


def test_a_process_that_ends_while_others_compile(tmp_path: Path) -> None:
    program = (
        "import serow, threading, time\n"
        "def compile():\n"
        "    for n in range(1000):\n"
        "        try: serow.Codec(f\"({'i64, str, ' * (n % 90 + 9)})\").compile()\n"
        "        except serow.SerowError as error: assert 'is exiting' in str(error); return\n"
        "for _ in range(2): threading.Thread(target=compile, daemon=True).start()\n"
        "time.sleep(0.1)\n"
    )
    for _ in range(3):
        run(program, tmp_path, SEROW_LOG="")


def test_perf_is_told_the_names(tmp_path: Path) -> None:
    program = (
        PROGRAM + "import os\n"
        "map = f'/tmp/perf-{os.getpid()}.map'\n"
        "lines = open(map).read().splitlines(); os.unlink(map)\n"
        "address, size, name = lines[0].split()\n"
        "name, fingerprint, _ = name.rsplit('_', 2)\n"
        "assert name == 'serow_objects_to_batch', lines\n"
        "assert int(fingerprint, 16) == codec.schema.fingerprint\n"
        "places = [line.split()[:2] for line in open('/proc/self/maps')]\n"
        "code = [place.split('-') for place, flags in places if 'x' in flags]\n"
        "first, last = int(address, 16), int(address, 16) + int(size, 16)\n"
        "assert any(int(a, 16) <= first < last <= int(b, 16) for a, b in code)\n"
    )
    # Compiled, and found in the cache.
    for _ in range(2):
        run(program, tmp_path, SEROW_PERF="1")


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")
def test_gdb_is_told_the_names(tmp_path: Path) -> None:
    if Path(sys.executable).read_bytes()[:4] != b"\x7fELF":
        pytest.skip("a script starts this Python, and gdb runs programs only")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + "import os, signal; os.kill(os.getpid(), signal.SIGUSR1)\n")
    commands = ["set startup-with-shell off", "handle SIGUSR1 stop", "run", "info functions serow_"]
    arguments = [argument for command in commands for argument in ("-ex", command)]
    done = subprocess.run(
        ["gdb", "-nx", "-batch", *arguments, "--args", sys.executable, str(program)],
        capture_output=True,
        text=True,
        env={**os.environ, "SEROW_GDB": "1", "SEROW_CACHE_DIR": "off", "SEROW_TIER": "auto"},
    )
    if "ptrace" in done.stderr:
        pytest.skip("processes may not be traced here")
    assert re.search(r"^0x[0-9a-f]+ +serow_objects_to_batch_", done.stdout, re.MULTILINE), done


@pytest.mark.long
def test_code_is_evicted_when_there_is_too_much(tmp_path: Path) -> None:
    program = (
        "import itertools, serow\n"
        "kinds = itertools.product(['i64', 'f64', 'bool', 'null'], repeat=5)\n"
        "kinds = [('i64', 'str'), *kinds, ('str',), ('i64',)]\n"
        "codecs = [serow.Codec(f\"({', '.join(kind)},)\", wire='row') for kind in kinds]\n"
        "expected = codecs[0].encode([(1, 'a')] * 10)\n"
        "for codec in codecs:\n"
        "    codec.compile('encode')\n"
        "    assert codecs[0].encode([(1, 'a')] * 10) == expected\n"
        "tiers = [codec.tier for codec in codecs]\n"
        "assert tiers == ['jit'] + ['interpreter'] * 3 + ['jit'] * (len(codecs) - 4), tiers\n"
        "assert codecs[1].encode([(1,) * 5]) and codecs[1].decode(codecs[1].encode([])) == []\n"
        "codecs[1].compile('encode')\n"
        "assert (codecs[1].tier, codecs[4].tier) == ('jit', 'interpreter')\n"
        "del codecs, codec\n"
    )
    lines = run(program, tmp_path)
    assert sum(line.endswith("the code cache is full") for line in lines) == 4
    assert sum(line.startswith("freed") for line in lines) == 1028
