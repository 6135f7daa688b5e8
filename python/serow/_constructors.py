"""Finds the attributes that the code of a class stores on a new object, by reading this code.

The encoder asks for them when an object has an attribute that is no field: what the class computes
of the fields is no part of the record. The decoder asks for them too: it must call such a class,
because nothing else makes these attributes again.
"""

import dis
import functools
import inspect
from collections.abc import Iterator, Sequence
from types import CellType, CodeType, FunctionType

# For type checkers. The first object of a dataclass is not to wait for `typing`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    #: What an instruction does, and with which name.
    Step = tuple[str, Any]

#: The attribute of a class where the encoder finds the attributes that are no part of a record.
COMPUTED = "__serow_computed__"

#: Functions that run when an object is made.
CONSTRUCTORS = (
    "__init__",
    "__post_init__",
    "__attrs_init__",
    "__attrs_pre_init__",
    "__attrs_post_init__",
    "model_post_init",
)

#: Those that run after the fields are set. What they store follows from the fields, if they have no
#: other parameters.
COMPUTING = ("__post_init__", "__attrs_post_init__")

#: The libraries whose own functions store nothing but fields, and what `Restoration.beside` lists.
LIBRARIES = ("pydantic", "attr", "attrs", "dataclasses", "typing", "typing_extensions")

#: Where attrs stores the hash of an instance that keeps it.
ATTRS_HASH = "_attrs_cached_hash"

#: What an instruction does, by the beginning of its name. A `LOAD_FAST` may load two variables.
STEPS = {
    "LOAD_FAST": "variable",
    "LOAD_DEREF": "variable",
    "STORE_FAST_LOAD_FAST": "variable",
    "LOAD_GLOBAL": "global",
    "LOAD_ATTR": "attribute",
    "LOAD_METHOD": "attribute",
    "LOAD_SUPER_ATTR": "attribute",
    "LOAD_CONST": "constant",
    "CALL": "call",
    "STORE_ATTR": "store",
    "STORE_SUBSCR": "store item",
}

#: The kinds of steps that give what has a name.
NAMED = ("global", "variable", "attribute")

#: Instructions that may be between the steps of a call.
NO_STEPS = ("CACHE", "PUSH_NULL", "PRECALL", "NOP", "EXTENDED_ARG")


def resolve(cls: type) -> bool:
    """Find for the encoder what a class computes. Tell whether the encoder can have it now."""
    every = (of for base in cls.__mro__ for of in vars(base).items())
    cached = {name for name, what in every if type(what) is functools.cached_property}
    return tell(cls, COMPUTED, (*cached, *stored_by(cls)[1]))


def tell(cls: type, attribute: str, found: "Any") -> bool:
    """Put what was found into an attribute of a class. Tell whether the class can have it."""
    try:
        # A metaclass may have rules of its own for attributes, as that of enums has.
        type.__setattr__(cls, attribute, found)
    except TypeError:
        return False
    return True


def stored_by(cls: type) -> tuple[set[str], set[str]]:
    """Give what the constructors of a class store, and the methods that these call.

    The first set has all attributes, the second those that follow from the fields.
    """
    reader = _Reader(cls)
    for name in CONSTRUCTORS:
        reader.method(name, cls.__mro__, computes=False)
    return reader.names, reader.computed


def is_of_library(function: "Any") -> bool:
    """Tell whether a function is one of a library that declares records."""
    return (getattr(function, "__module__", None) or "").partition(".")[0] in LIBRARIES


class _Reader:
    """Reads the methods of a class that run for a new object, each once."""

    def __init__(self, cls: type) -> None:
        self.mro = cls.__mro__
        self.names: set[str] = set()
        self.computed: set[str] = set()
        self.known: set[tuple[FunctionType, bool]] = set()

    def method(self, name: str, classes: Sequence[type], *, computes: bool) -> None:
        """Read the first method of this name in `classes`.

        It `computes` if it runs for the fields alone.
        """
        for at, owner in enumerate(classes):
            if name in vars(owner):
                after = classes[at + 1 :]
                self.function(name, vars(owner)[name], after, computes=computes)
                return

    def function(
        self, name: str, function: "Any", after: Sequence[type], *, computes: bool
    ) -> None:
        """Read a method; its `super()` finds others in the classes `after`."""
        if isinstance(function, (classmethod, staticmethod)):
            function = function.__func__
        if not isinstance(function, FunctionType):
            return
        code = function.__code__
        computes = computes or (name in COMPUTING and _takes_only_self(code))
        if (function, computes) in self.known:
            return
        self.known.add((function, computes))
        # A wrapper calls what it wraps, which it has in its closure.
        inner = map(_content, function.__closure__ or ())
        for one in (getattr(function, "__wrapped__", None), *inner):
            self.function(name, one, after, computes=computes)
        if ATTRS_HASH in (*code.co_names, *code.co_consts):
            self.names.add(ATTRS_HASH)
        if not is_of_library(function):
            self.code(code, after, computes=computes)

    def code(self, code: CodeType, after: Sequence[type], *, computes: bool) -> None:
        """Read code, which has the object in its first parameter."""
        bases = {base.__name__: base for base in self.mro[1:]}
        nothing: Step = ("", None)
        first, second, last = nothing, nothing, nothing
        for step in _steps(code):
            kind, name = step
            found = None
            if kind == "store" and last[0] == "self":
                found = name
            elif kind == "store item" and (first[0], second[1]) == ("self", "__dict__"):
                # `self.__dict__["name"] = …`
                found = last[1]
            elif kind == "constant" and last[0] == "self":
                # `object.__setattr__(self, "name", …)`; a variable may have this function.
                is_setter = second in (("global", "setattr"), ("attribute", "__setattr__"))
                may_be_setter = second[0] == "variable" and "__setattr__" in code.co_names
                found = name if is_setter or may_be_setter else None
            elif kind == "constant" and last == ("attribute", "__setattr__"):
                # `super().__setattr__("name", …)`
                found = name if second[0] in ("self", "super") else None
            elif kind == "attribute" and last[0] == "self":
                self.method(name, self.mro, computes=computes)
            elif kind == "attribute" and last[0] == "super":
                self.method(name, after, computes=computes)
            elif kind == "attribute" and last[0] in NAMED and last[1] in bases:
                # `Base.__init__(self, …)`
                self.method(name, bases[last[1]].__mro__, computes=computes)
            if isinstance(found, str):
                self.names.add(found)
                if computes:
                    self.computed.add(found)
            if kind == "call" and ("global", "super") in (last, first):
                # `super()`, and `super(Derived, self)` with two steps in between.
                step = ("super", None)
            first, second, last = second, last, step


def _content(cell: CellType) -> "Any":
    try:
        return cell.cell_contents
    except ValueError:
        # It is empty.
        return None


def _takes_only_self(code: CodeType) -> bool:
    takes_any = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    return code.co_argcount == 1 and not code.co_kwonlyargcount and not takes_any


def _steps(code: CodeType) -> Iterator["Step"]:
    """Give what code does, without the instructions in between."""
    own = code.co_varnames[: min(code.co_argcount, 1)]
    for instruction in dis.get_instructions(code):
        name, argument = instruction.opname, instruction.argval
        if name in NO_STEPS:
            continue
        kind = next((STEPS[begin] for begin in STEPS if name.startswith(begin)), "")
        if name.startswith("LOAD_SUPER_ATTR"):
            yield "super", None
        if kind == "variable":
            each = argument if isinstance(argument, tuple) else (argument,)
            for variable in each[name.startswith("STORE") :]:
                yield "self" if (variable,) == own else "variable", variable
        else:
            yield kind, argument
