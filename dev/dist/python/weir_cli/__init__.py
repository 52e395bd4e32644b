"""The command `weir`. The package is the program itself; nothing here is an interface.

For Weir as a library in Python there is the package `weir-wasm`.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path


def program() -> Path:
    """Where the installer put the program."""
    places = [Path(sysconfig.get_path("scripts")), Path(sysconfig.get_path("scripts", f"{os.name}_user"))]
    # `pip install --target DIR` has a folder of its own.
    places.append(Path(__file__).resolve().parent.parent / "bin")
    for place in places:
        file = place / "weir"
        if file.is_file():
            return file
    raise FileNotFoundError(f"the program weir is in none of {', '.join(map(str, places))}; install weir-cli again")


def main() -> None:
    """Becomes the program, so that signals and the exit code are its own."""
    try:
        file = str(program())
    except FileNotFoundError as error:
        sys.exit(f"error: {error}")
    os.execv(file, [file, *sys.argv[1:]])
