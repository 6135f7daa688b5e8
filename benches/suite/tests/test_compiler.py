"""The detection of the compiler, with stand-ins for versions of serow with and without it."""

from suite import compiler


class Codec:
    def __init__(self) -> None:
        self.compiled: list[str] = []
        self.tier: object = "jit"

    def compile(self) -> None:
        self.compiled.append("both")


class OneDirection(Codec):
    def compile(self, direction: str = "both") -> None:
        self.compiled.append(direction)


def test_one_direction_is_compiled_where_that_can_be_asked_for() -> None:
    codec, single = Codec(), OneDirection()
    compiler.compile_encode(codec)
    assert codec.compiled == ["both"]
    compiler.compile_encode(single)
    assert single.compiled == ["encode"]
    compiler.compile_all(single)
    assert single.compiled == ["encode", "both"]


def test_a_tier_may_be_a_word_or_a_method() -> None:
    codec = Codec()
    assert compiler.tier(codec) == "jit"
    codec.tier = lambda: "interpreter"
    assert compiler.tier(codec) == "interpreter"
