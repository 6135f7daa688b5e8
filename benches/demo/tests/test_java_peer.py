"""The treatment of the child process, with `python_peer.py` instead of the JVM."""

import os
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from demo import java_peer
from demo.digest import digest
from demo.errors import DemoError
from demo.java_peer import JavaPeer, find_java, java_version
from demo.rows import Message

COMMAND = [sys.executable, str(Path(__file__).with_name("python_peer.py"))]


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_messages_go_there_and_back_and_the_child_is_reaped() -> None:
    messages: list[Message] = [b"\x80\x05](K\x01\x85K\x02\x85e."]
    with closing(JavaPeer(COMMAND, "pickle")) as peer:
        pid = peer.pid
        assert peer.send_messages(messages) > 0
        assert peer.decode() == (1e-6, 2, digest([(1,), (2,)]))
        assert peer.encode()[0] == 1e-6
        received, seconds = peer.receive_messages()
        assert len(received) == 1
        assert seconds > 0
        peer.warm_up(3)
        assert peer.about() == {"java": "none", "tier": "interpreter"}
    assert not exists(pid)


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("hangs-up", "hung up instead of sending DECODED\nThe JVM printed:\nthis is why"),
        ("fails", "DecodeException: not a message"),
        ("wrong-kind", "expected DECODED from the JVM, got kind 11"),
    ],
)
def test_what_goes_wrong_in_the_child_is_told(behaviour: str, message: str) -> None:
    with closing(JavaPeer(COMMAND, behaviour)) as peer:
        pid = peer.pid
        peer.send_messages([b""])
        with pytest.raises(DemoError, match=message):
            peer.decode()
    assert not exists(pid)


def test_a_child_that_dies_at_once_is_noticed_at_once() -> None:
    begin = time.monotonic()
    with pytest.raises(DemoError, match=r"exited before it connected\n.*\nno such contestant"):
        JavaPeer(COMMAND, "never-connects")
    assert time.monotonic() - begin < 20


def test_a_stranger_that_connects_is_turned_away() -> None:
    with pytest.raises(DemoError, match="something else than the JVM"):
        JavaPeer(COMMAND, "stranger")


def test_a_child_that_hangs_is_given_up_and_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java_peer, "ANSWER_SECONDS", 2.0)
    monkeypatch.setattr(java_peer, "STOP_SECONDS", 0.2)
    with closing(JavaPeer(COMMAND, "hangs")) as peer:
        pid = peer.pid
        with pytest.raises(DemoError, match="no DECODED in 2 s"):
            peer.decode()
    assert not exists(pid)


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("    java.specification.version = 1.8", 8),
        ("    java.specification.version = 17", 17),
        ("    java.specification.version = 25", 25),
        ("", 0),
    ],
)
def test_the_java_version_is_read(line: str, version: int) -> None:
    assert java_version(f"Property settings:\n    file.encoding = UTF-8\n{line}\n") == version


def fake_java(folder: Path, script: str) -> None:
    java = folder / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo '  java.specification.version = 11' >&2", "is Java 11: install a JDK 17"),
        ("exit 1", "doesn't run: install a JDK 17"),
    ],
)
def test_a_java_that_will_not_do_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str
) -> None:
    fake_java(tmp_path, script)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(DemoError, match=message) as caught:
        find_java()
    assert "\n" not in str(caught.value)


def test_no_java_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DemoError, match="no java in the PATH: install a JDK 17"):
        find_java()
