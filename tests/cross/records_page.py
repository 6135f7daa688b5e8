"""Runs the programs of docs/records.md: a server on the JVM and its client in Python.

README.md in this directory says what to build before.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: A program that takes longer hangs.
PATIENCE = 120.0
ANSWERS = ["Part(key=7, name='bolt')", "Part(key=8, name=None)"]


def program(language: str, beginning: str) -> str:
    """Give the block of code on the page that contains this."""
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    (found,) = [block for block in blocks if beginning in block]
    return found


def java_home() -> str:
    """Give the folder of the JDK."""
    find = [ROOT / "tools" / "find-jdks.sh", "--default"]
    return os.environ.get("JAVA_HOME") or subprocess.check_output(find, text=True).strip()


def main() -> int:
    """Run both; give 1 if the client fails or does not print the parts."""
    with tempfile.TemporaryDirectory() as folder:
        server_code, client_code = Path(folder, "PartServer.java"), Path(folder, "client.py")
        server_code.write_text(program("java", "class PartServer"), encoding="utf-8")
        client_code.write_text(program("python", "# client.py"), encoding="utf-8")
        [jar] = (ROOT / "java" / "serow" / "target").glob("serow-*[0-9].jar")
        command = [f"{java_home()}/bin/java", "-XX:TieredStopAtLevel=1", "-cp", str(jar)]
        # Port 0 is any free one. The server prints which.
        with subprocess.Popen(
            [*command, str(server_code), "0"], stdout=subprocess.PIPE, text=True
        ) as server:
            try:
                assert server.stdout is not None
                listening = server.stdout.readline()
                assert listening.startswith("listening on "), "the server does not start"
                port = listening.split()[-1]
                done = subprocess.run(
                    [sys.executable, str(client_code), port],
                    stdout=subprocess.PIPE,
                    text=True,
                    timeout=PATIENCE,
                    check=True,
                )
                status = server.wait(PATIENCE)
            finally:
                server.kill()
    answers = done.stdout.splitlines()
    if status != 0 or answers != ANSWERS:
        print(f"the server ended with {status}, the client got {answers}")
        return 1
    print(f"the programs of docs/records.md exchange {len(answers)} parts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
