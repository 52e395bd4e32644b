#!/usr/bin/env python3
"""Writes the licences of all that is compiled into a release: dev/dist/third-party/{component,command}.txt, and of the
certificate authorities in images: certificates.txt.

    python3 dev/dist/third-party.py            # after a change of Cargo.lock
    python3 dev/dist/third-party.py --check    # fails where a file is out of date

Each text stands once, below the packages whose archives hold it. Needs cargo and the packages' sources.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPONENT = ["--package", "weir-component", "--target", "wasm32-wasip2", "--no-default-features",
             "--features", "results,tools,semantic"]
# The command has the component inside. Programs for both processors are made of the same packages.
COMMAND = ["--package", "weir-cli", "--features", "extmcp", "--target", "x86_64-unknown-linux-musl"]
NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)

MIT = """Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE."""

# What the toolchain links in.
SYSTEM = {
    "Rust's standard library, MIT OR Apache-2.0": "Copyright (c) The Rust Project contributors",
    "musl, and the parts of it in wasi-libc, MIT": "Copyright (c) 2005-2020 Rich Felker, et al.",
}


def packages(tree):
    """Those of the registry that are compiled in: `name version` and the licence that the manifest names."""
    command = ["cargo", "tree", "--quiet", "--locked", "--offline", "--edges", "normal,no-proc-macro",
               "--prefix", "none", "--format", "{p}|{l}", *tree]
    found = {}
    for line in subprocess.check_output(command, cwd=ROOT, text=True).splitlines():
        package, _, licence = line.partition("|")
        if package and "(/" not in package:
            name, version = package.split(" ")[:2]
            found[f"{name} {version.removeprefix('v')}"] = licence.removesuffix(" (*)")
    return found


def texts_of(package, licence):
    """The licence texts in a package, or the usual text where it holds none."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    folder = next(home.glob(f"registry/src/*/{package.replace(' ', '-')}"))
    files = sorted(file for file in folder.iterdir() if file.is_file() and NAMES.match(file.name) and file.suffix != ".rs")
    texts = [file.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip() for file in files]
    if texts:
        return texts
    if "MIT" not in licence:
        return []
    authors = tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))["package"].get("authors")
    return [f"Copyright (c) {', '.join(authors or [package.split(' ')[0] + ' contributors'])}\n\n{MIT}"]


def written(what, names):
    """The file: packages with their licences, then each text with those that hold it."""
    by_text = {}
    texts = {name: texts_of(name, names[name]) for name in sorted(names)}
    for name in sorted(names):
        # Parts of a project that has its text in one package, as wasmtime does.
        same = (texts[other] for other in texts if names[other] == names[name] and texts[other])
        for text in texts[name] or next(same):
            # Texts that differ in blanks and line ends alone are one.
            key = re.sub(r"\s+", " ", text)
            by_text.setdefault(key, (text, []))[1].append(name)
    for name, holder in SYSTEM.items():
        by_text[name] = (f"{holder}\n\n{MIT}", [name])
    lines = [f"Packages of others that are compiled into {what}, with their licences.",
             "Made by dev/dist/third-party.py.", ""]
    lines += [f"{name}: {names[name]}" for name in sorted(names)]
    lines += list(SYSTEM)
    for text, holders in sorted(by_text.values(), key=lambda pair: (-len(pair[1]), pair[1])):
        lines += ["", "=" * 78, *holders, "-" * 78, "", text]
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def certificates():
    """The file beside the certificate authorities of images."""
    [(name, licence)] = [pair for pair in packages(["--package", "weir-dist"]).items() if pair[0].startswith("webpki-root")]
    return "\n".join([f"Certificate authorities of {name}: {licence}", "Made by dev/dist/third-party.py.", "", *texts_of(name, licence), ""])


def main():
    component = packages(COMPONENT)
    for name, text in [
        ("component", written("the component", component)),
        ("command", written("the command weir and its component", component | packages(COMMAND))),
        ("certificates", certificates()),
    ]:
        file = ROOT / f"dev/dist/third-party/{name}.txt"
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            raise SystemExit(f"{file.relative_to(ROOT)} is out of date: run python3 dev/dist/third-party.py")


main()
