"""Immutable values, for types and names."""

from typing import Any, ClassVar, NoReturn


class Value:
    """An immutable value of the attributes that `__match_args__` names."""

    __match_args__: ClassVar[tuple[str, ...]] = ()

    def _set(self, *values: Any) -> None:
        for name, value in zip(self.__match_args__, values, strict=True):
            object.__setattr__(self, name, value)

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        """Raise an AttributeError."""
        raise AttributeError(f"{type(self).__name__} is immutable; make another one")

    def __delattr__(self, name: str) -> NoReturn:
        """Raise an AttributeError."""
        raise AttributeError(f"{type(self).__name__} is immutable; make another one")

    def __eq__(self, other: object) -> bool:
        """Whether both are the same kind of type with equal parts."""
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        """Hash the kind and the parts."""
        return hash((type(self).__name__, self._values()))

    def __repr__(self) -> str:
        """Give the expression that makes it."""
        values = self._values()
        while values and values[-1] in (None, False):
            values = values[:-1]
        shown = (repr(list(v) if isinstance(v, tuple) else v) for v in values)
        return f"{type(self).__name__}({', '.join(shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it as its parts."""
        return type(self), self._values()
