"""Builds the wheel and the source archive, with nothing but the standard library.

    python backend.py COMPONENT.wasm [DIRECTORY]     write both into DIRECTORY (default: dist)

`cargo xtask component` of the project builds COMPONENT.wasm.

As a build backend (`pip install .`, `python -m build`) it takes the component from `WEIR_COMPONENT`, or
from `src/weir_wasm/weir.wasm` if it lies there. The same input gives the same bytes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
SOURCE = ROOT / "src" / "weir_wasm"
# In an unpacked source archive they lie beside this file.
LICENCES = {
    name: path
    for name in ("LICENSE", "NOTICE", "THIRD-PARTY.txt")
    if (path := next((place / name for place in (ROOT, ROOT.parent) if (place / name).exists()), None))
}
EPOCH = (2020, 1, 1, 0, 0, 0)
EPOCH_SECONDS = 1_577_836_800


def _load_toml(text: str) -> dict[str, Any]:
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10: pip brings a reader along.
        from pip._vendor import tomli as tomllib  # type: ignore[no-redef]
    return tomllib.loads(text)


PROJECT = _load_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME, VERSION = PROJECT["name"].replace("-", "_"), PROJECT["version"]
STEM = f"{NAME}-{VERSION}"


def _component() -> bytes:
    given = os.environ.get("WEIR_COMPONENT")
    file = Path(given) if given else SOURCE / "weir.wasm"
    if not file.exists():
        raise SystemExit(
            f"no component at {file}: set WEIR_COMPONENT to the file weir.wasm, or run\n"
            "    python backend.py COMPONENT.wasm"
        )
    wasm = file.read_bytes()
    if wasm[:8] != b"\0asm\x0d\0\x01\0":
        raise SystemExit(f"{file} is not a WebAssembly component")
    return wasm


def _sources() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*") if path.suffix in (".py", ".pyi", ".typed", ".yaml"))


def _metadata() -> str:
    lines = ["Metadata-Version: 2.4", f"Name: {PROJECT['name']}", f"Version: {VERSION}", f"Summary: {PROJECT['description']}"]
    lines += [f"License-Expression: {PROJECT['license']}", *(f"License-File: {name}" for name in LICENCES)]
    lines += [f"Project-URL: {name}, {address}" for name, address in PROJECT.get("urls", {}).items()]
    lines += [f"Keywords: {','.join(PROJECT['keywords'])}", f"Requires-Python: {PROJECT['requires-python']}"]
    lines += ["Classifier: Typing :: Typed", "Classifier: Programming Language :: Python :: 3"]
    lines += [f"Requires-Dist: {one}" for one in PROJECT["dependencies"]]
    for extra, needs in sorted(PROJECT["optional-dependencies"].items()):
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {one}; extra == "{extra}"' for one in needs]
    lines.append("Description-Content-Type: text/markdown")
    return "\n".join(lines) + "\n\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def _dist_info() -> dict[str, bytes]:
    wheel = "Wheel-Version: 1.0\nGenerator: weir-backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    entries = "".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in sorted(points.items()))
        for group, points in sorted(PROJECT.get("entry-points", {}).items())
    )
    files = {"METADATA": _metadata().encode(), "WHEEL": wheel.encode(), "entry_points.txt": entries.encode()}
    files |= {f"licenses/{name}": path.read_bytes() for name, path in LICENCES.items()}
    return {f"{STEM}.dist-info/{name}": data for name, data in files.items()}


def _write_wheel(directory: Path, package: dict[str, bytes]) -> str:
    directory.mkdir(parents=True, exist_ok=True)
    files = package | _dist_info()
    record = ""
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{STEM}.dist-info/RECORD"] = f"{record}{STEM}.dist-info/RECORD,,\n".encode()
    wheel = f"{STEM}-py3-none-any.whl"
    with zipfile.ZipFile(directory / wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data)
    return wheel


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """PEP 517."""
    package = {f"weir_wasm/{path.relative_to(SOURCE).as_posix()}": path.read_bytes() for path in _sources()}
    package["weir_wasm/weir.wasm"] = _component()
    return _write_wheel(Path(wheel_directory), package)


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """PEP 660. The component is then found by `WEIR_COMPONENT`."""
    return _write_wheel(Path(wheel_directory), {"weir_wasm.pth": f"{ROOT / 'src'}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """PEP 517. The source archive holds the component: it cannot be built from Python."""
    files = {f"src/weir_wasm/{path.relative_to(SOURCE).as_posix()}": path.read_bytes() for path in _sources()}
    files |= {name: (ROOT / name).read_bytes() for name in ("pyproject.toml", "backend.py", "README.md")}
    files |= {"src/weir_wasm/weir.wasm": _component(), "PKG-INFO": _metadata().encode()}
    files |= {name: path.read_bytes() for name, path in LICENCES.items()}
    directory = Path(sdist_directory)
    directory.mkdir(parents=True, exist_ok=True)
    archive = f"{STEM}.tar.gz"
    with open(directory / archive, "wb") as out, gzip.GzipFile("", "wb", 9, out, EPOCH_SECONDS) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for name, data in sorted(files.items()):
                entry = tarfile.TarInfo(f"{STEM}/{name}")
                entry.size, entry.mtime, entry.mode = len(data), EPOCH_SECONDS, 0o644
                tar.addfile(entry, io.BytesIO(data))
    return archive


def main(arguments: list[str]) -> None:
    """Both archives, from a component given by its path."""
    if not arguments or re.match("-", arguments[0]):
        raise SystemExit(__doc__)
    os.environ["WEIR_COMPONENT"] = arguments[0]
    directory = arguments[1] if len(arguments) > 1 else str(ROOT / "dist")
    for name in (build_wheel(directory), build_sdist(directory)):
        print(Path(directory) / name)


if __name__ == "__main__":
    main(sys.argv[1:])
