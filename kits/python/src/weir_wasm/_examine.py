"""What a file is before anything compiles it: WebAssembly, a component, whole, of this contract."""

from __future__ import annotations

import re
from pathlib import Path

from .errors import ComponentError

PACKAGE = "weir:plugin"
VERSION = (0, 3)
"""What must be the same of the contract's version. A function that came later is missed when it is called."""
CORE_MODULE, TYPES, EXPORTS = 1, 7, 11
"""The numbers of a component's sections. A WIT package has types, and no code."""
NAME = re.compile(rb"weir:plugin/[a-z-]+@(\d{1,9})\.(\d{1,9})\.(\d{1,9})")

Version = tuple[int, int, int]


def examine(file: Path, wasm: bytes) -> None:
    """Raises `ComponentError`, with what the file is instead and what to do."""
    if not wasm.startswith(b"\0asm"):
        raise _refused(file, "it is not WebAssembly")
    if wasm[4:8] == b"\1\0\0\0":
        raise _refused(file, "it is a core module, not a component")
    versions: list[Version] = []
    described: list[Version] = []
    code = False
    for number, section in _sections(file, wasm):
        code = code or number == CORE_MODULE
        found = [(int(a), int(b), int(c)) for a, b, c in NAME.findall(section)]
        if number == EXPORTS:
            versions += found
        else:
            described += found
    if not versions and described and not code:
        raise _refused(file, f"it is the contract {_named(described[0])} as a WIT package, not a component")
    if not versions:
        raise _refused(file, f"it is a component that exports no interface of {PACKAGE}")
    if not any(version[:2] == VERSION for version in versions):
        named = _named(versions[0])
        if versions[0][:2] < VERSION:
            raise _refused(file, f"it is of the older contract {named}")
        raise ComponentError(
            f"the component {file} is not run: it is of the newer contract {named}. Install a weir-wasm that knows it, "
            "or leave component out for the one in this package"
        )


def _sections(file: Path, wasm: bytes) -> list[tuple[int, bytes]]:
    """The outermost sections: their numbers and contents."""
    found, at = [], 8
    try:
        while at < len(wasm):
            number, at = wasm[at], at + 1
            size, shift = 0, 0
            while True:
                byte, at = wasm[at], at + 1
                size |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            if size > len(wasm) - at:
                raise IndexError
            found.append((number, wasm[at : at + size] if number in (TYPES, EXPORTS) else b""))
            at += size
    except IndexError:
        raise _refused(file, "it is truncated or damaged") from None
    return found


def _named(version: Version) -> str:
    return f"{PACKAGE}@{version[0]}.{version[1]}.{version[2]}"


def _refused(file: Path, why: str) -> ComponentError:
    return ComponentError(
        f"the component {file} is not run: {why}. Get the file weir.wasm of the release of this package, or leave "
        "component out for the one in this package"
    )
