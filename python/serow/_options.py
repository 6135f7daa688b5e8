"""The signatures of classes that pass on the options of a native class."""

from typing import Any


class Signature:
    """For `inspect` and `help`: a class's own parameters, and the options of a native class.

    It is the attribute `__signature__` of the class, whose constructor has the options as
    `**options`.
    """

    def __init__(self, native: type) -> None:
        """Take the class whose keywords are the options."""
        self._native = native

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the class. Its subclasses may have other constructors."""
        self._owner = owner

    def __get__(self, instance: object, owner: type) -> Any:
        """Give the signature."""
        if owner is not self._owner:
            raise AttributeError("__signature__")
        # Only few programs ask, and it takes long to import.
        import inspect

        own = inspect.signature(vars(owner).get("__new__", owner.__init__))  # type: ignore[misc]
        options = inspect.signature(self._native).parameters.values()
        keywords = [option for option in options if option.kind is option.KEYWORD_ONLY]
        _, *named, _ = own.parameters.values()
        parameters = sorted([*keywords, *named], key=lambda parameter: parameter.kind)
        return own.replace(parameters=parameters)
