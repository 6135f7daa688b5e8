"""The command `serow`, as `python -m serow`."""

from serow._command import main

main()
