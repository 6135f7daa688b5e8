"""Checks the types of the Python programs in the documentation, by mypy and by pyright.

So the stubs are checked as users have them: a program that runs must have no errors in an editor.
"""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: The pages whose programs python/tests/test_docs.py runs, and those for other packages.
PAGES = [
    "README.md",
    "python/README.md",
    "docs/arrow.md",
    "docs/evolution.md",
    "docs/logs.md",
    "docs/parallel.md",
    "docs/python.md",
    "docs/records.md",
    "docs/security.md",
    "docs/streams.md",
    "docs/types.md",
]

#: A page is one program. It may give one name to several things in turn, as its reader does.
MYPY = [
    "--python-version=3.11",
    "--check-untyped-defs",
    "--ignore-missing-imports",
    "--allow-redefinition-new",
    "--local-partial-types",
    "--disable-error-code=no-redef",
    "--disable-error-code=var-annotated",
    "--warn-unused-ignores",
]
PYRIGHT = {
    "pythonVersion": "3.11",
    "typeCheckingMode": "standard",
    "reportRedeclaration": "none",
    "reportMissingImports": "none",
    "reportMissingModuleSource": "none",
    "reportUnnecessaryTypeIgnoreComment": "none",
}


def blocks_of(page: str) -> list[str]:
    """Give the programs of a page, each after as many empty lines as there are lines before it."""
    text = (ROOT / page).read_text()
    found = re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return ["\n" * text[: match.start(1)].count("\n") + match[1] for match in found]


def programs_of(blocks: list[str]) -> list[str]:
    """Join blocks. Each version of a class begins another program, with the imports before it."""
    programs: list[list[str]] = [[]]
    classes: set[str] = set()
    imports: list[str] = []
    for block in blocks:
        tree = ast.parse(block)
        own = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
        if own & classes:
            programs.append([])
            classes = set()
        classes |= own
        programs[-1].append(block)
        imports += [ast.unparse(n) for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    return [joined(program, imports if number else []) for number, program in enumerate(programs)]


def joined(blocks: list[str], imports: list[str]) -> str:
    """Join blocks so that each line keeps its number. The first line has the imports."""
    lines = ["; ".join(imports)]
    for block in blocks:
        of_block = block.split("\n")
        lines += of_block[len(lines) :]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Check all pages, and the program that uses each public name."""
    folder = ROOT / "build" / "docs-types"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.py"):
        old.unlink()
    for page in PAGES:
        for number, program in enumerate(programs_of(blocks_of(page))):
            name = re.sub(r"\W", "_", page.removesuffix(".md"))
            (folder / f"{name}_{number}.py").write_text(program)
    (folder / "typed_use.py").write_text((ROOT / "tools" / "typed_use.py").read_text())
    config = PYRIGHT | {"extraPaths": [str(ROOT / "python")]}
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    (folder / "mypy.ini").write_text("[mypy]\n")
    environment = os.environ | {"MYPYPATH": str(ROOT / "python")}
    commands = [
        [sys.executable, "-m", "mypy", "--config-file=mypy.ini", *MYPY, "."],
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable],
    ]
    results = [subprocess.run(each, cwd=folder, env=environment).returncode for each in commands]
    return int(any(results))


if __name__ == "__main__":
    sys.exit(main())
