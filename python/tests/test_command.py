"""The command `serow`."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import serow
from serow._command import main
from serow._tables import table

pytestmark = pytest.mark.once

ROWS = [{"n": n, "name": f"no {n}", "odd": n % 2 == 1 or None} for n in range(1000)]


class Point(NamedTuple):
    x: int
    y: float


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = tmp_path / "rows.srow"
    with serow.Writer(path, compression="zstd", metadata={"source": "test"}) as writer:
        writer.write_rows(ROWS[:700])
        writer.flush()
        writer.write_rows(ROWS[700:])
    return str(path)


def run(*arguments: str, code: int = 0, given: bytes = b"") -> tuple[str, str]:
    """Run the command in a process of its own. Return what it writes."""
    done = subprocess.run(
        [sys.executable, "-m", "serow", *arguments], input=given, capture_output=True, check=False
    )
    assert done.returncode == code, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def called(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """Run the command in this process. Return what it prints."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == code
    return capsys.readouterr().out


def test_rows_are_lines_of_json_in_a_pipe(path: str) -> None:
    out, _ = run("cat", path)
    assert [json.loads(line) for line in out.splitlines()] == ROWS
    out, _ = run("head", "-n", "2", "--fields", "odd,n", path)
    assert out == '{"n":0,"odd":null}\n{"n":1,"odd":true}\n'
    assert run("head", "-n", "0", path)[0] == ""
    # Standard input may be a file or a pipe.
    with open(path, "rb") as file:
        assert run("head", "-n", "1", given=file.read())[0] == '{"n":0,"name":"no 0","odd":null}\n'
    with open(path, "rb") as file:
        arguments = [sys.executable, "-m", "serow", "cat", "-"]
        out = subprocess.run(arguments, stdin=file, capture_output=True, check=True).stdout.decode()
    assert len(out.splitlines()) == 1000


def test_a_closed_pipe_ends_it_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "many"
    path.write_bytes(serow.dumps([("x" * 100, n) for n in range(20_000)]))
    arguments = [sys.executable, "-m", "serow", "cat", str(path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


def test_patterns_and_several_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for n in range(3):
        (tmp_path / f"{n}.srow").write_bytes(serow.dumps([n]))
    out = called(capsys, "validate", str(tmp_path / "*.srow"))
    assert out == "".join(f"{tmp_path}/{n}.srow: 1 rows, no damage\n" for n in range(3))
    out = called(capsys, "schema", str(tmp_path / "0.srow"), str(tmp_path / "1.srow"))
    assert out == "".join(f"{tmp_path}/{n}.srow: i64\n" for n in range(2))


def test_what_is_in_a_file(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(called(capsys, "inspect", "--json", path))
    assert (found["rows"], found["frames"], found["bytes"]) == (1000, 2, os.path.getsize(path))
    assert found["metadata"] == {"source": "test"}
    assert [frame["rows"] for frame in found["described"]] == [700, 300]
    assert found["described"][0]["compression"] == "zstd"
    nulls = {field["name"]: field["nulls"] for field in found["fields"]}
    assert nulls == {"n": 0, "name": 0, "odd": 500}
    body = sum(frame["body"] for frame in found["described"])
    # Each frame has a directory too.
    assert 0 < body - sum(field["bytes"] for field in found["fields"]) < 60
    text = called(capsys, "inspect", "--frames", path)
    assert text.startswith(f"{path}: 1,000 rows in 2 frames, {os.path.getsize(path):,} bytes\n")
    for part in ("compression: zstd", "metadata:    source = test", "dictionary", "frames:"):
        assert part in text


def test_schemas(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = serow.schema_of(path)
    assert called(capsys, "schema", path) == f"{schema.pretty()}\n"
    assert called(capsys, "schema", "--fingerprint", path) == f"{schema.fingerprint:016x}\n"
    kept = tmp_path / "rows.schema"
    kept.write_text(schema.pretty())
    assert called(capsys, "diff", path, str(kept)) == f"{schema.compare(schema)}\n"
    reader = '{"n": f64, "more": i64}'
    report = called(capsys, "diff", str(kept), reader, code=1)
    assert report == f"{serow.Schema.parse(reader).compare(schema)}\n"


def test_mistakes_and_damage(path: str, tmp_path: Path) -> None:
    out, error = run("cat", str(tmp_path / "none"), code=1)
    assert (out, error) == ("", f"serow: [Errno 2] No such file or directory: '{tmp_path}/none'\n")
    (tmp_path / "other").write_bytes(b"PAR1" + bytes(100))
    _, error = run("inspect", str(tmp_path / "other"), code=1)
    assert "not a serow message, but a Parquet file" in error
    _, error = run("head", "--fields", "price", path, code=1)
    assert "have no field price" in error
    _, error = run("look", path, code=2)
    assert "invalid choice: 'look'" in error
    data = bytearray(Path(path).read_bytes())
    data[200] ^= 1
    damaged = tmp_path / "damaged"
    damaged.write_bytes(data)
    out, error = run("validate", str(damaged), code=1)
    assert out == f"{damaged}: 300 rows, 1 of 2 frames damaged\n"
    assert "its checksum is wrong" in error
    damaged.write_bytes(data[:-5])
    out, _ = run("recover", str(damaged), code=1)
    assert "bytes between whole frames are damaged" in out


def test_a_log_is_followed(path: str) -> None:
    out, _ = run("follow", "--timeout", "0.2", path)
    assert [json.loads(line) for line in out.splitlines()] == ROWS


def test_the_page_shows_what_is_printed(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "command.md").read_text()
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    package = str(Path(serow.__file__).parents[1])
    environment = {**os.environ, "COLUMNS": "100", "PYTHONPATH": package}
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)
    commands = "".join(re.findall(r"```console\n(.*?)```", page, re.DOTALL))
    shown = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", commands, re.MULTILINE)
    assert len(shown) > 8
    for command, output in shown:
        script = f'serow() {{ {sys.executable} -m serow "$@"; }}; {command}'
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        assert (command, done.stdout.decode() + done.stderr.decode()) == (command, output)


def test_each_subcommand_has_help_with_an_example() -> None:
    out, _ = run("--help")
    names = ["inspect", "schema", "diff", "head", "cat", "follow", "validate", "recover"]
    assert all(f"\n    {name} " in out for name in names)
    for name in names:
        out, _ = run(name, "--help")
        assert f"example:\n  serow {name} " in out
    assert run("--version")[0] == f"serow {serow.__version__}\n"


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ([], [""] * 2),
        ([1, None], ["value", "─────", "    1", ""]),
        ([(1, "a"), (20, "b")], [" 0  1", "──  ─", " 1  a", "20  b"]),
        ([{"a": 1}, {"b": "x"}], ["a  b", "─  ─", "1", "   x"]),
        ([Point(1, 2.5)], ["x    y", "─  ───", "1  2.5"]),
        (["a\nb\x1b[31m"], ["value", "────────────", "a\\nb\\x1b[31m"]),
        (["x" * 50], ["value", "─" * 40, "x" * 39 + "…"]),
    ],
    ids=str,
)
def test_tables(rows: list[Any], lines: list[str]) -> None:
    decoded = serow.view(io.BytesIO(serow.dumps(rows)))
    assert [line.rstrip() for line in table(decoded)] == lines


def test_a_table_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    lines = list(table([tuple("x" * 30 for _ in range(4))]))
    assert max(map(len, lines)) == 50
