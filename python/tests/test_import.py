"""What `import serow` loads: a program that encodes a few rows must not wait for the rest."""

import subprocess
import sys


def loaded_by(program: str) -> set[str]:
    """Give the modules that a program loads in a process of its own."""
    program = f"import sys; before = {{*sys.modules}}\n{program}\nprint(*{{*sys.modules}} - before)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_importing_and_encoding_load_only_the_native_module() -> None:
    program = "import serow; assert serow.loads(serow.dumps([(1, 'a')])) == [(1, 'a')]"
    # The compiler has to stop before the process ends.
    assert loaded_by(program) - {"atexit"} == {"serow", "serow._native"}


def test_streams_load_nothing_that_only_logs_need() -> None:
    program = (
        "import io, serow\n"
        "file = io.BytesIO()\n"
        "serow.dump([1, 2], file)\n"
        "assert list(serow.Reader(io.BytesIO(file.getvalue()))) == [1, 2]\n"
        "assert serow.view(file)[1] == 2"
    )
    heavy = {"logging", "traceback", "secrets", "pathlib", "urllib", "inspect", "dataclasses"}
    assert not loaded_by(program) & {*heavy, "serow._logs", "serow.types", "serow._annotations"}


def test_nothing_but_the_standard_library_is_needed() -> None:
    program = (
        "sys.modules['typing_extensions'] = None\n"
        "import serow\n"
        "from serow import *\n"
        "assert {*serow.__all__} <= {*dir(serow)} and {*serow.__all__} <= {*globals()}\n"
        "assert serow.types.I64() == serow.Schema.parse('i64').type"
    )
    assert "serow.types" in loaded_by(program)


def test_a_name_that_is_missing_is_named() -> None:
    program = "import serow\ntry: serow.load_all\nexcept AttributeError as error: print(error)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "module 'serow' has no attribute 'load_all'\n"


def test_the_first_object_with_a_computed_attribute_loads_one_module() -> None:
    program = (
        "import dataclasses, serow\n"
        "@dataclasses.dataclass\n"
        "class Part:\n"
        "    size: int\n"
        "    def __post_init__(self): self.double = 2 * self.size\n"
    )
    more = loaded_by(f"{program}serow.dumps([Part(1)])") - loaded_by(program)
    assert more == {"serow._constructors"}
