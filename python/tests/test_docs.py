"""The examples in the documentation run, and the stubs match the module."""

import ast
import collections
import datetime
import doctest
import enum
import inspect
import io
import re
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pytest
import serow
from parts import NAMES, RANGES
from serow import _native

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[2]
PACKAGE = Path(inspect.getfile(serow)).parent
STUBS = ast.parse((PACKAGE / "_native.pyi").read_text())
#: What is written in Python.
WITHOUT_STUBS = {
    *("Name", "Reader", "Recovered", "Writer", "name", "recover", "register"),
    *("Change", "Check", "Comparison", "check", "schema_of", "types", "Decoder", "dump", "load"),
    *("View", "view"),
}


def public() -> dict[str, Any]:
    """Give the public functions, classes and methods, by name."""
    found: dict[str, Any] = {"serow": serow}
    for name in sorted(set(serow.__all__) - {"__version__"}):
        found[name] = thing = getattr(serow, name)
        if isinstance(thing, type) and not issubclass(thing, Exception | tuple):
            of_others = dir(object) + dir(collections.abc.Sequence)
            methods = {method for method in dir(thing) if method[:1] != "_"} - {*of_others}
            found |= {f"{name}.{method}": getattr(thing, method) for method in methods}
    return found


def documented() -> dict[str, str]:
    """Give the docstrings with examples, as `help` shows them, by name."""
    found = {name: inspect.getdoc(thing) or "" for name, thing in public().items()}
    return {name: text for name, text in found.items() if ">>>" in text}


def stubbed() -> dict[str, str]:
    """Give the docstrings of the stubs, by name."""
    found = {}
    for node in STUBS.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = ast.get_docstring(node)
        if isinstance(node, ast.ClassDef):
            methods = [method for method in node.body if isinstance(method, ast.FunctionDef)]
            found |= {f"{node.name}.{method.name}": ast.get_docstring(method) for method in methods}
    return {name: text for name, text in found.items() if text and "_" not in (name[0], name[-1])}


@pytest.mark.parametrize("name", sorted(stubbed()))
def test_help_and_editors_show_the_same(name: str) -> None:
    thing: Any = _native
    for part in name.split("."):
        thing = getattr(thing, part)
    assert inspect.getdoc(thing) == stubbed()[name]


def test_each_function_says_how_it_is_called_and_has_an_example() -> None:
    for name, thing in public().items():
        if inspect.isdatadescriptor(thing) or inspect.ismodule(thing):
            continue
        text = inspect.getdoc(thing) or ""
        if isinstance(thing, type):
            assert text, name
            continue
        assert ">>>" in text, name
        # What `dumps` says is not said again.
        known = set() if name == "dumps" else {"wire", "compression", "level", "threads"}
        for parameter in inspect.signature(thing).parameters.keys() - {"self", "cls"} - known:
            assert re.search(rf"\b{parameter}\b", text.split(">>>")[0]), (name, parameter)


def options_of_the_page() -> dict[str, set[str]]:
    """Give the options that docs/python.md says each function and class has."""
    found: dict[str, set[str]] = {}
    page = (ROOT / "docs" / "python.md").read_text().split("\n## Options\n")[1].split("\n## ")[0]
    for row in re.findall(r"^\| (`.+) \|$", page, re.MULTILINE):
        options, _, owners = row.split(" | ")
        for owner in re.findall(r"`(.+?)`", owners):
            found.setdefault(owner, set()).update(re.findall(r"`(.+?)`", options))
    return found


def test_signatures_have_the_options_of_the_page() -> None:
    page = options_of_the_page()
    every = set().union(*page.values())
    for name, thing in public().items():
        if callable(thing) and name not in ("register", "Schema", "Schema.of", "View"):
            found = {*inspect.signature(thing).parameters} if has_signature(thing) else set()
            assert found & every == page.pop(name, set()), name
    assert not page


def has_signature(thing: Any) -> bool:
    """Tell whether Python knows how a function or class is called."""
    try:
        inspect.signature(thing)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("thing", [serow.Reader, serow.Decoder, serow.View, serow.Writer])
def test_an_unknown_option_is_named(thing: Any) -> None:
    file = () if thing is serow.Decoder else (io.BytesIO(),)
    names = {*inspect.signature(thing).parameters}
    for name in {"typ", "skip", "path", "read", "threads", "metadata"} - names:
        with pytest.raises(TypeError, match=f"keyword arguments?:? '{name}'"):
            thing(*file, **{name: None})


def test_subclasses_have_signatures_of_their_own() -> None:
    class Parts(serow.Reader[Any]):
        def __new__(cls, folder: str) -> "Parts":
            return super().__new__(cls, f"{folder}/parts")  # type: ignore[return-value]

    assert [*inspect.signature(Parts).parameters] == ["folder"]


@pytest.mark.parametrize("name", documented())
def test_examples_give_what_they_say(name: str, restored_classes: None) -> None:
    test = doctest.DocTestParser().get_doctest(documented()[name], {}, name, None, None)
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not report, "".join(report)


def test_there_are_examples() -> None:
    assert documented().keys() >= {"serow", "dumps", "loads", "Schema", "Schema.parse", "Codec"}


PAGES = [
    "README.md",
    "python/README.md",
    "docs/python.md",
    "docs/types.md",
    "docs/evolution.md",
    "docs/schemas.md",
    "docs/records.md",
    "docs/logs.md",
    "docs/streams.md",
    "docs/parallel.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page: str, restored_classes: None) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    names = {"__name__": "__main__"}
    for block in blocks:
        # tests/cross/records_page.py runs this program, with its server on the JVM.
        if block.startswith("# client.py"):
            continue
        exec(compile(block, page, "exec"), names)


def table_of_types() -> list[tuple[str, str]]:
    """Give the rows of the table in docs/types.md: a type, and an example in Python."""
    text = (ROOT / "docs" / "types.md").read_text()
    return re.findall(r"^\| `(.+?)` \| `(.+?)` \| `.+?` \| `.+?` \|", text, re.MULTILINE)


@pytest.mark.parametrize(("schema", "example"), table_of_types())
def test_examples_of_types_are_of_the_type_and_come_back(schema: str, example: str) -> None:
    names: dict[str, Any] = {
        **vars(datetime),
        **{"Decimal": Decimal, "UUID": UUID, "ZoneInfo": ZoneInfo},
        "Part": collections.namedtuple("Part", "key name"),
        "Color": enum.Enum("Color", [("RED", 1), ("GREEN", 2)]),
        "np": np,
    }
    value = eval(example, names)
    arrays: Literal["numpy"] | None = "numpy" if schema == "ndarray" else None
    assert str(serow.Schema.infer([value])) == schema
    for wire in ("frame", "row"):
        (back,) = serow.loads(serow.dumps([value], wire=wire), arrays=arrays)
        if isinstance(value, enum.Enum):
            assert (str(back), back.value) == (str(value), value.name)
            continue
        assert repr(back) == repr(value)
        assert type(back) is type(value) or example.startswith("Part")


def test_the_table_of_types_has_them_all() -> None:
    named = {schema for schema, _ in table_of_types()}
    with pytest.raises(serow.SchemaError) as error:
        serow.Schema.parse("nothing")
    known = str(error.value).split("there are ")[1].split("\n")[0].split(", ")
    # The text after the table has the numbers of a size.
    assert set(known) - named == {"never", "f32", *(NAMES[code] for code in RANGES)}


def test_all_that_is_offered_is_in_the_stubs() -> None:
    stubbed = {
        node.name: node for node in STUBS.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    constants = {ast.unparse(node.target) for node in STUBS.body if isinstance(node, ast.AnnAssign)}
    offered = {name for name in dir(_native) if not name.startswith("_")}
    assert offered == {name for name in {*stubbed, *constants} if not name.startswith("_")}
    assert set(serow.__all__) <= offered | WITHOUT_STUBS | {"__version__"}
    for name in ("Codec", "Schema", "StreamIndex", "StreamReader", "StreamWriter"):
        methods = {n.name for n in stubbed[name].body if isinstance(n, ast.FunctionDef)}  # type: ignore[union-attr]
        public = {m for m in vars(getattr(_native, name)) if not m.startswith("_")}
        assert public == {m for m in methods if not m.startswith("_")}


def test_errors_have_one_root_and_are_told_apart() -> None:
    errors = [
        serow.SchemaError,
        serow.EncodeError,
        serow.DecodeError,
        serow.BufferTooSmall,
        serow.LimitError,
    ]
    for error in errors:
        assert error.__bases__ == (serow.SerowError,)
        assert error.__module__ == "serow"
        assert error.__doc__
    assert serow.SerowError.__bases__ == (Exception,)


def test_everything_has_a_docstring() -> None:
    for name in serow.__all__:
        assert getattr(serow, name).__doc__, name
    assert serow.Codec.__module__ == serow.Schema.__module__ == "serow"
    assert re.fullmatch(r"\d+\.\d+\.\d+", serow.__version__)
