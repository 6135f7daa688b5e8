"""Checks whether the unit tests of crates/core notice the faults in mutants.txt.

All faults are compiled at once into a copy of the crate. The environment variable MUTANT selects
the fault at run time. So there is one build, and one run of the tests for each fault.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COPY = ROOT / "target" / "mutants"
SOURCE = "crates/core/src"

WHICH = """
/// Returns whether fault `number` is selected.
pub(crate) fn mutant(number: u32) -> bool {
    static WHICH: std::sync::LazyLock<Option<u32>> =
        std::sync::LazyLock::new(|| std::env::var("MUTANT").ok()?.parse().ok());
    *WHICH == Some(number)
}
"""


class Mutant(NamedTuple):
    """A fault: an expression, the text before and after it, and the replacement."""

    file: str
    before: str
    expression: str
    behind: str
    instead: str

    @staticmethod
    def parse(line: str) -> "Mutant":
        """Parses a line of mutants.txt."""
        file, old, new = line.replace(r"\n", "\n").split("\t")
        before, expression, behind = re.split("[⟦⟧]", old) if "⟦" in old else ("", old, "")
        return Mutant(file, before, expression, behind, new)

    @property
    def old(self) -> str:
        """The text with the original expression."""
        return self.before + self.expression + self.behind

    def choice(self, number: int) -> str:
        """The text with both: the fault if it is selected, or else the original."""
        fault = f"if crate::mutant({number}) {{ {self.instead} }} else {{ {self.expression} }}"
        return f"{self.before}({fault}){self.behind}"

    def place(self) -> str:
        """The file and the line of the fault."""
        text = (ROOT / SOURCE / self.file).read_text()
        begin = text.find(self.old) + len(self.before)
        return f"{self.file}:{text.count(chr(10), 0, begin) + 1}"


def copy_crate() -> None:
    """Copies the workspace's manifests and crates, and keeps the build of an earlier copy."""
    COPY.mkdir(parents=True, exist_ok=True)
    for name in ["Cargo.toml", "Cargo.lock", "README.md", "docs", ".cargo", "crates"]:
        old, new = ROOT / name, COPY / name
        if old.is_dir():
            shutil.rmtree(new, ignore_errors=True)
            shutil.copytree(old, new)
        else:
            shutil.copy2(old, new)


def insert(mutants: list[Mutant]) -> None:
    """Inserts all faults into the copy."""
    for number, mutant in enumerate(mutants):
        path = COPY / SOURCE / mutant.file
        text = path.read_text()
        if text.count(mutant.old) != 1:
            sys.exit(f"mutants.txt: this must occur once in {mutant.file}: {mutant.old}")
        path.write_text(text.replace(mutant.old, mutant.choice(number)))
    lib = COPY / SOURCE / "lib.rs"
    lib.write_text(lib.read_text() + WHICH)


def built() -> str:
    """Builds the unit tests and returns the program."""
    command = ["cargo", "test", "-q", "-p", "serow-core", "--lib", "--no-run"]
    env = os.environ | {"CARGO_TARGET_DIR": str(COPY / "target"), "RUSTFLAGS": "-Awarnings"}
    build = subprocess.run(
        [*command, "--message-format=json-render-diagnostics"],
        cwd=COPY,
        stdout=subprocess.PIPE,
        env=env,
        text=True,
    )
    if build.returncode != 0:
        sys.exit("a fault does not compile: see above")
    artifacts = [json.loads(line) for line in build.stdout.splitlines()]
    return str(next(each["executable"] for each in artifacts if each.get("executable")))


def survives(program: str, number: int | None) -> tuple[bool, str]:
    """Runs the tests with a fault. Returns whether they pass, and the name of a failed one."""
    env = os.environ | ({} if number is None else {"MUTANT": str(number)})
    try:
        run = subprocess.run(
            [program, "tests::"],
            cwd=COPY / "crates/core",
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
        )
    except subprocess.TimeoutExpired:
        return False, "it does not end"
    failed = re.findall(r"^test (\S+) \.\.\. FAILED$", run.stdout, re.MULTILINE)
    return run.returncode == 0, min(failed, default="it ends the process")


def main() -> None:
    """Tries all faults. Fails if the tests miss more than one in twenty."""
    lines = (ROOT / "tools/mutants.txt").read_text().splitlines()
    mutants = [Mutant.parse(line) for line in lines if not line.startswith("#")]
    copy_crate()
    insert(mutants)
    program = built()
    passed, by = survives(program, None)
    if not passed:
        sys.exit(f"the tests fail without any fault: {by}")
    killed = 0
    for number, mutant in enumerate(mutants):
        passed, by = survives(program, number)
        killed += not passed
        how = "SURVIVED" if passed else f"noticed by {by}"
        print(f"{mutant.place()}: {mutant.expression} -> {mutant.instead}: {how}", flush=True)
    print(f"{killed} of {len(mutants)} noticed, {100 * killed / len(mutants):.0f} %")
    sys.exit(killed < 0.95 * len(mutants))


main()
