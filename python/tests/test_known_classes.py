"""Classes of the standard library and of pydantic that are converted without `register`."""

import ipaddress
import pathlib
import re
import subprocess
import sys
import typing
import zoneinfo
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any

import pydantic
import pytest
import serow

VALUES: list[tuple[Any, Any]] = [
    (Path, Path("/tmp/a")),
    (Path, Path("/tmp/\udcff")),
    (pathlib.PosixPath, Path("a")),
    (PurePath, PurePath("a/b")),
    (PurePosixPath, PurePosixPath(".")),
    (PureWindowsPath, PureWindowsPath("c:\\a")),
    (pydantic.FilePath, Path(__file__)),
    (ipaddress.IPv4Address, ipaddress.IPv4Address("10.0.0.1")),
    (ipaddress.IPv4Interface, ipaddress.IPv4Interface("10.0.0.1/24")),
    (ipaddress.IPv4Network, ipaddress.IPv4Network("10.0.0.0/24")),
    (ipaddress.IPv6Address, ipaddress.IPv6Address("fe80::1%eth0")),
    (ipaddress.IPv6Interface, ipaddress.IPv6Interface("::1/64")),
    (ipaddress.IPv6Network, ipaddress.IPv6Network("2001:db8::/32")),
    (pydantic.IPvAnyAddress, ipaddress.ip_address("::1")),
    (pydantic.IPvAnyInterface, ipaddress.ip_interface("10.0.0.1/24")),
    (pydantic.IPvAnyNetwork, ipaddress.ip_network("::/0")),
    (re.Pattern, re.compile("a+", re.IGNORECASE | re.VERBOSE)),
    (re.Pattern[bytes], re.compile(b"a+", re.DOTALL)),
    (typing.Pattern[str], re.compile("")),
    (Fraction, Fraction(-(10**30), 7)),
    (zoneinfo.ZoneInfo, zoneinfo.ZoneInfo("Europe/Zurich")),
    (pydantic.AnyUrl, pydantic.AnyUrl("ftp://u:p%40@host:1/x")),
    (pydantic.HttpUrl, pydantic.HttpUrl("http://example.com/a b?x=ä")),
    (pydantic.PostgresDsn, pydantic.PostgresDsn("postgres://u:p@a:1,b:2/db")),
    (pydantic.ByteSize, pydantic.ByteSize(10)),
]


@pytest.mark.parametrize(("of", "value"), VALUES, ids=str)
def test_values_come_back_as_their_class(of: Any, value: Any, wire: Any) -> None:
    rows, lists = [value, value], [[value], [], [None]]
    codec = serow.Codec(of, wire=wire)
    for back in (
        serow.loads(serow.dumps(rows, wire=wire), type=of),
        codec.decode(codec.encode(rows)),
    ):
        assert back == rows
        assert {type(row) for row in back} == {type(value)}
    assert codec.decode_one(codec.encode_one(value)) == value
    of_list: Any = list[of | None]  # type: ignore[valid-type]
    assert serow.loads(serow.dumps(lists, wire=wire), type=of_list) == lists


@dataclass
class Entry:
    path: Path
    hosts: dict[ipaddress.IPv4Address, list[PurePosixPath]]
    size: Fraction | int | None = None
    pattern: re.Pattern[str] | Path | None = None


class Site(pydantic.BaseModel):
    url: pydantic.HttpUrl
    folder: Path = Path("/srv")
    size: pydantic.ByteSize | None = None


@pytest.mark.parametrize("validate", [False, True])
def test_fields_come_back_as_their_class(validate: bool, wire: Any) -> None:
    host = ipaddress.IPv4Address("10.0.0.1")
    entries = [
        Entry(Path("/a"), {host: [PurePosixPath("b")]}, Fraction(1, 3), re.compile("x")),
        Entry(Path("b"), {}, 7, Path("c")),
        Entry(Path("c"), {}),
    ]
    sites = [Site.model_validate({"url": "http://a.b"}), Site(url="http://c.d/", size=1)]
    for of, rows in ((Entry, entries), (Site, sites)):
        data = serow.dumps(rows, wire=wire)
        back: Any = serow.loads(data, type=of, validate=validate)
        assert back == rows
    assert serow.loads(serow.dumps(entries[:1]))[0].path == "/a"


def test_a_registered_conversion_comes_first(restored_classes: None) -> None:
    serow.register(Fraction, to=str, from_=Fraction, type=str)
    data = serow.dumps([Fraction(1, 3)])
    assert serow.loads(data) == ["1/3"]
    assert serow.loads(data, type=Fraction) == [Fraction(1, 3)]


@pytest.mark.parametrize(
    ("of", "plain", "said"),
    [
        (ipaddress.IPv4Address, "10.0.0.300", "row 0: converting it to its class raises Addr"),
        (zoneinfo.ZoneInfo, "No/Where", "row 0: converting it to its class raises ZoneInfoNot"),
        (Fraction, (1, 0), "row 0: converting it to its class raises ZeroDivisionError"),
        (re.Pattern, ("(", 0), "row 0: converting it to its class raises"),
    ],
    ids=str,
)
def test_what_a_class_refuses_is_an_error(of: Any, plain: Any, said: str) -> None:
    with pytest.raises(serow.DecodeError, match=said):
        serow.loads(serow.dumps([plain]), type=of)


def test_secrets_are_written_only_if_their_class_is_registered(restored_classes: None) -> None:
    class Login(pydantic.BaseModel):
        name: str
        password: pydantic.SecretStr
        key: pydantic.SecretBytes

    login = Login(name="ann", password="pw", key=b"k")
    for fails in (lambda: serow.dumps([login]), lambda: serow.Schema.of(Login)):
        with pytest.raises(serow.SerowError, match="writes a secret only if its class is regis"):
            fails()
    for name in ("SecretStr", "SecretBytes"):
        # The advice of the error.
        with pytest.raises(serow.SchemaError) as error:
            serow.Schema.of(getattr(pydantic, name))
        call = str(error.value).partition("readable by all: ")[2]
        eval(call, {"serow": serow, **vars(pydantic)})
    (back,) = serow.loads(serow.dumps([login]), type=Login)
    assert back == login
    assert (back.password.get_secret_value(), back.key.get_secret_value()) == ("pw", b"k")


def test_serow_imports_none_of_these_modules() -> None:
    # Python itself has imported some of them where a site's packages are set up.
    program = (
        "import sys; before = set(sys.modules); import serow; "
        "names = {'fractions', 'zoneinfo', 'pydantic', 'serow._known'}; "
        "print(sorted(names & (set(sys.modules) - before)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
