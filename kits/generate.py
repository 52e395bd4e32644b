"""Write the kits' types from the contract: `python kits/generate.py`, or with `--check` only compare.

Each record of `wit/*.wit` that a kit hands out becomes a dataclass in Python, an interface in TypeScript and a struct
in Go, with the contract's own documentation.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
WIT = HERE.parent / "wit"
PYTHON = HERE / "python" / "src" / "weir_wasm" / "types.py"
TYPESCRIPT = HERE / "javascript" / "src" / "types.d.ts"
GO = HERE / "go" / "types.go"

# In the order of the files; records of requests are arguments in the kits.
FILES = ["types", "info", "settings", "result-transform", "reading", "model-tools", "maintenance", "tool-search"]
LEFT_OUT = {
    "finished-result", "parsed", "grep-request", "query-request", "diff-request", "model-tool",
    "tool-definition", "server-info", "snapshot", "bridge-names", "tool-annotations",
    "assembly", "shown-tool", "query-scores", "conversation", "refusal",
    "bridge-answer", "resolved-call", "failure",
}
# Go takes and gives results as MCP has them: its own file has those types.
LEFT_OUT_OF_GO = {"origin", "binary-part", "link-part", "transformed", "tool-answer", "tool-text"}
PLAIN_PYTHON = {"string": "str", "bool": "bool", "u8": "int", "u32": "int", "u64": "int", "s64": "int", "f32": "float"}
PLAIN_TS = {"string": "string", "bool": "boolean", "u8": "number", "u32": "number", "u64": "number", "s64": "number", "f32": "number"}
PLAIN_GO = {"string": "string", "bool": "bool", "u8": "int", "u32": "int", "u64": "int64", "s64": "int64", "f32": "float32"}


@dataclass
class Item:
    kind: str
    name: str
    docs: list[str]
    members: list[tuple[str, str, list[str]]] = field(default_factory=list)


def read() -> list[Item]:
    items: list[Item] = []
    for name in FILES:
        docs: list[str] = []
        item: Item | None = None
        for line in (WIT / f"{name}.wit").read_text().splitlines():
            line = line.strip()
            if line.startswith("///"):
                docs.append(line[3:].removeprefix(" "))
            elif line.startswith("@"):
                continue
            elif found := re.fullmatch(r"(record|enum) ([a-z0-9-]+) \{", line):
                item = Item(found[1], found[2], docs)
                docs = []
            elif item and line == "}":
                if item.name not in LEFT_OUT:
                    items.append(item)
                item = None
            elif item and (found := re.fullmatch(r"%?([a-z0-9-]+)(?:: (.+))?,", line)):
                item.members.append((found[1], found[2] or "", docs))
                docs = []
            else:
                docs = []
    return items


def pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def snake(name: str) -> str:
    return name.replace("-", "_")


def camel(name: str) -> str:
    first, *rest = name.split("-")
    return first + "".join(word.capitalize() for word in rest)


def spelled(ty: str, plain: dict[str, str], option: str, many: str) -> str:
    if found := re.fullmatch(r"option<(.+)>", ty):
        return option.format(spelled(found[1], plain, option, many))
    if found := re.fullmatch(r"list<(.+)>", ty):
        return many.format(spelled(found[1], plain, option, many))
    return plain.get(ty) or pascal(ty)


def wrapped(text: str, indent: str, mark: str = "") -> list[str]:
    return [f"{indent}{mark}{line}".rstrip() for line in text.splitlines()]


def python(items: list[Item]) -> str:
    out = [
        '"""What calls answer. Generated from the contract by `kits/generate.py`; do not edit."""',
        "",
        "from __future__ import annotations",
        "",
        "from dataclasses import dataclass",
        "from typing import Literal, Union",
        "",
    ]
    for item in items:
        text = "\n".join(item.docs)
        if item.kind == "enum":
            words = ", ".join(f'"{name}"' for name, _, _ in item.members)
            out += ["", *wrapped(text, "", "# "), f"{pascal(item.name)} = Literal[{words}]"]
            for name, _, docs in item.members:
                out += wrapped(f"`{name}`: " + " ".join(docs), "", "# ")
            out.append("")
            continue
        body = text.replace("\\", "\\\\")
        out += ["", "@dataclass(slots=True, kw_only=True)", f"class {pascal(item.name)}:"]
        lines = wrapped(body, "    ")
        lines[0] = '    """' + lines[0].strip()
        out += [*lines[:-1], lines[-1] + '"""'] if len(lines) == 1 else [*lines, '    """']
        out.append("")
        for name, ty, docs in item.members:
            hint = spelled(ty, PLAIN_PYTHON, "{} | None", "list[{}]")
            default = " = None" if ty.startswith("option<") else ""
            out.append(f"    {snake(name)}: {hint}{default}")
            docs_text = " ".join(docs).replace("\\", "\\\\")
            out.append(f'    """{docs_text}"""')
        out.append("")
        if item.name == "link-part":
            out += [
                "",
                "# One part of a result: a text, or one of the two above. Results keep the order of their parts.",
                "Part = Union[str, BinaryPart, LinkPart]",
                "",
            ]
    return "\n".join(out).rstrip() + "\n"


def typescript(items: list[Item]) -> str:
    out = ["// What calls answer. Generated from the contract by `kits/generate.py`; do not edit.", ""]
    for item in items:
        out += ["/**", *wrapped("\n".join(item.docs).replace("*/", "* /"), " ", "* "), " */"]
        if item.kind == "enum":
            words = " | ".join(f"'{name}'" for name, _, _ in item.members)
            out += [f"export type {pascal(item.name)} = {words};", ""]
            continue
        out.append(f"export interface {pascal(item.name)} {{")
        for name, ty, docs in item.members:
            out.append("  /** " + " ".join(docs).replace("*/", "* /") + " */")
            optional = "?" if ty.startswith("option<") else ""
            inner = ty[7:-1] if optional else ty
            out.append(f"  {camel(name)}{optional}: {spelled(inner, PLAIN_TS, '{} | undefined', '{}[]')};")
        out += ["}", ""]
        if item.name == "link-part":
            out += [
                "/** One part of a result: a text, bytes, or a pointer. Results keep the order of their parts. */",
                "export type Part = string | BinaryPart | LinkPart;",
                "",
            ]
    return "\n".join(out).rstrip() + "\n"


def go(items: list[Item]) -> str:
    out = [
        "// Code generated from the contract by kits/generate.py; DO NOT EDIT.",
        "",
        "package weir",
        "",
        "// A text or bool that may be left out is then empty or false, anything else that may be is then nil.",
    ]
    for item in (item for item in items if item.name not in LEFT_OUT_OF_GO):
        out += ["", *wrapped("\n".join(item.docs), "", "// ")]
        if item.kind == "enum":
            out += [f"type {pascal(item.name)} string", "", "const ("]
            for name, _, docs in item.members:
                out += wrapped(" ".join(docs), "\t", "// ")
                out.append(f'\t{pascal(item.name)}{pascal(name)} {pascal(item.name)} = "{name}"')
            out.append(")")
            continue
        out.append(f"type {pascal(item.name)} struct {{")
        for name, ty, docs in item.members:
            plain = ty in ("option<string>", "option<bool>")
            hint = PLAIN_GO[ty[7:-1]] if plain else spelled(ty, PLAIN_GO, "*{}", "[]{}")
            omit = ",omitempty" if ty.startswith("option<") else ""
            exported = "".join(word.upper() if word in ("id", "uri") else word.capitalize() for word in name.split("-"))
            out += [*wrapped(" ".join(docs), "\t", "// "), f'\t{exported} {hint} `json:"{camel(name)}{omit}"`']
        out.append("}")
    return "\n".join(out) + "\n"


def main(check: bool) -> int:
    items = read()
    stale = []
    for path, text in [(PYTHON, python(items)), (TYPESCRIPT, typescript(items)), (GO, go(items))]:
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path.name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if check and stale:
        print(f"not what the contract says: {', '.join(stale)}; run python kits/generate.py")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
