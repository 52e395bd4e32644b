#!/usr/bin/env python3
"""Whether what an excerpt, an outline and a head line say is so: held against Python's own readers.

    cargo build --release -p weir-cli
    tests/truth.py                        200 results of 44 kinds, and real ones
    tests/truth.py --count 40 --seed 7    as many others
    tests/truth.py --weir PROGRAM
    tests/truth.py --kind "csv semicolons" FILE...

Results are generated, or made of what is on every machine (this repository, Python's library, the Rust toolchain), given
to `weir transform`, and outlined. Each number, range, type, "first", "last", "all" and "of"
that is known here is counted anew by csv, json, re and what Python has beside them. It fails when one is denied, or
when a kind says nothing that could be held against anything.
"""

import argparse
import ast
import collections
import concurrent.futures
import csv
import datetime
import difflib
import functools
import io
import itertools
import json
import logging
import math
import os
import pydoc
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree
from decimal import Decimal

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?")
DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?")
WORDS = "alpha beta gamma delta request worker cache queue user order invoice table index shard".split()
LEVELS = ["INFO"] * 6 + ["DEBUG", "WARN", "ERROR"]


def is_number(text):
    return NUMBER.fullmatch(text) and math.isfinite(float(text))


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def number(text):
    return int(text.replace(",", ""))


def words(r, count):
    return " ".join(r.choice(WORDS) for _ in range(count))


def row(r, n):
    made = {
        "id": n, "state": r.choice(["open", "paid", "late, again", 'a "b"']), "total": round(r.random() * 1000, 2),
        "big": 2**53 + r.randrange(10**6), "at": f"2026-{r.randrange(1, 13):02}-{r.randrange(1, 29):02}T10:00:00Z",
        "zip": f"{r.randrange(99999):05}", "fee": r.randrange(10**6) / 10**13, "ok": r.random() < 0.5, "who": {"name": words(r, 2), "tags": ["x", "y"]},
    }
    if r.random() < 0.3:
        made["note"] = r.choice(["", None, "caf\u00e9", words(r, 3)])
    return made


def rows(r):
    return [row(r, n) for n in range(r.randrange(150, 900))]


def table(r, sign, header=True, end="\n", count=None):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sign, lineterminator=end)
    names = ["id", "name", "state", "zip", "phone", "amount", "at", "none", "hash", "zoned"]
    if header:
        writer.writerow(names)
    for n in range(count or r.randrange(200, 1500)):
        writer.writerow([
            n * 3, words(r, 2), r.choice(["ok", "failed", "", f'a{sign}b "c"']), f"{r.randrange(200):05}",
            f"+49{r.randrange(10**9)}", r.choice([2**53 + n, -n, f"{n}.50"]),
            f"2026-01-{r.randrange(1, 29):02}", r.choice(["", " "]), f"{n:04}e{r.randrange(400, 999)}",
            f"2026-01-01T{r.randrange(24):02}:00:00{r.choice(['Z', '+02:00', '-08:00'])}",
        ])
    return out.getvalue()


def log(r, line):
    return "".join(line(n, r.choice(LEVELS)) + "\n" for n in range(r.randrange(300, 2000)))


def message(r):
    return r.choice(["no error, all done", "0 failed", "timeout after retry", "said WARNING", words(r, 4)])


def json_log(r, name, of):
    return log(r, lambda n, level: json.dumps({"n": n, "msg": message(r), name: of(level)}))


def odd_lines(r):
    lines = [json.dumps(one) for one in rows(r)]
    for at in r.sample(range(20, len(lines) - 20), 3):
        lines[at] = r.choice([lines[at][:-1], "{id: 1}", lines[at].replace(":", "", 1)])
    return "\n".join(lines) + "\n"


def listing(r):
    sizes = "".join(
        f"-rw-r--r-- 1 root root {r.randrange(10**7):>9} Nov 22 10:0{n % 10} file{n}.bin\n"
        for n in range(r.randrange(200, 900)))
    return f"total 99\n{sizes}"


def report(r):
    """What a runner of tests writes as XML: some cases have failed, in one of three forms."""
    odd = r.choice(["<failure message='no'>it is 3 &lt; 4</failure>", "<skipped/>", "<error>x</error>"])
    failed = set(r.sample(range(90, 250), r.randrange(1, 4)))
    case = lambda n: (f'  <case id="{n}" result="{"failed" if n in failed else "passed"}">{odd if n in failed else ""}'
                      f"<time>0.{r.randrange(999):03}</time><!-- <case> {words(r, 2)} --></case>\n")
    body = "".join(case(n) for n in range(r.randrange(300, 700)))
    return f'<?xml version="1.0"?>\n<run of="all"><total-results>{r.choice([9, 9000])}</total-results>\n{body}</run>\n'


def kinds():
    """What makes a result of each kind."""
    dump = lambda value: json.dumps(value)
    return {
        "json array": lambda r: dump(rows(r)),
        "json rows": lambda r: dump({"page": 1, "data": rows(r), "more": False}),
        "json indented": lambda r: json.dumps({"items": rows(r)}, indent=2),
        "json nested": lambda r: dump({"a": {"b": {"rows": rows(r)}}, "c": list(range(20))}),
        "json beside": lambda r: dump({"content": [{"type": "text", "text": "x"}] * 3,
                                       "structuredContent": {"rows": rows(r)}}),
        "json numbers": lambda r: dump([r.randrange(-10**18, 10**18) for _ in range(2000)]),
        "json mixed": lambda r: dump([r.choice([1, "x", None, {"a": 1}, [2]]) for _ in range(3000)]),
        "json map": lambda r: dump({f"key{n}": row(r, n) for n in range(r.randrange(100, 300))}),
        "json maps": lambda r: dump([
            {"n": n, "of": {f"k{r.randrange(300)}": r.randrange(9) for _ in range(r.choice([2, 9, 70, 90]))}}
            for n in range(r.randrange(60, 200))]),
        "json either": lambda r: dump([
            {"n": n, "of": r.choice([[n, n], {"a": n, "b": str(n)}, None])} for n in range(r.randrange(300, 900))]),
        "ndjson": lambda r: "".join(dump(one) + "\n" for one in rows(r)),
        "ndjson long": lambda r: "".join(dump(row(r, n)) + "\n" for n in range(6000)),
        "ndjson odd": odd_lines,
        "ndjson mixed": lambda r: "".join(dump(r.choice([one, [1], one])) + "\n" for one in rows(r)),
        "ndjson level": lambda r: json_log(r, "level", str.lower),
        "ndjson severity": lambda r: json_log(r, "severity", str),
        "ndjson pino": lambda r: json_log(r, "level", {"INFO": 30, "DEBUG": 20, "WARN": 40, "ERROR": 50}.get),
        "csv": lambda r: table(r, ","),
        "csv without header": lambda r: table(r, ",", header=False),
        "csv crlf": lambda r: table(r, ",", end="\r\n"),
        "csv long": lambda r: table(r, ",", count=25_000),
        "csv blank lines": lambda r: table(r, ",").replace("\n", "\n\n", 5),
        "csv semicolons": lambda r: table(r, ";"),
        "tsv": lambda r: table(r, "\t"),
        "tsv without header": lambda r: table(r, "\t", header=False),
        "log": lambda r: log(r, lambda n, level: f"2026-01-02 10:00:{n % 60:02} {level} app: {message(r)} {n}"),
        "log python": lambda r: log(r, lambda n, level: "2026-01-02 10:00:00,{} {} root: {}".format(
            n, {"WARN": "WARNING", "ERROR": "CRITICAL"}.get(level, level), message(r))),
        "log small": lambda r: log(r, lambda n, level: f"2026-01-02T10:00:00Z  {level.lower():<6} {message(r)}"),
        "log bracketed": lambda r: log(r, lambda n, level: f"10:00:{n % 60:02} [{level.lower()}] {message(r)}"),
        "access log": lambda r: log(r, lambda n, level: '10.0.0.{} - - [24/Nov/2026:10:00:{:02} +0000] "GET /{} '
            'HTTP/1.1" {} {} "-" "{}-bot/1.0"'.format(n % 250, n % 60, level, r.choice([200, 404]), n, level.lower())),
        "logfmt": lambda r: log(r, lambda n, level: f'time=2026-01-02 level={level.lower()} msg="{message(r)}" n={n}'),
        "syslog": lambda r: log(r, lambda n, level: "<{}>Jan  2 10:00:00 host app[{}]: {}".format(
            {"INFO": 14, "DEBUG": 15, "WARN": 12, "ERROR": 11}[level], n, message(r))),
        "klog": lambda r: log(r, lambda n, level: "{}0102 10:00:00.{} 1 x.go:1] {}".format(
            {"DEBUG": "I"}.get(level, level[0]), n, message(r))),
        "prose": lambda r: "".join(words(r, r.randrange(3, 20)).capitalize() + ".\n" for _ in range(600)),
        "one line": lambda r: words(r, 9000),
        "compiler": lambda r: "".join(f"src/m{r.randrange(9)}.c:{n}: note: {words(r, 5)}\n" for n in range(700)),
        "paths": lambda r: "".join(f"./src/{r.choice(WORDS)}/f{n}.rs\n" for n in range(900)),
        "many paths": lambda r: "".join(f"./src/d{n}/f.rs\n" for n in range(5000)),
        "ls": listing,
        "markdown": lambda r: "".join(
            f"{'#' * r.randrange(1, 4)} Part {n}\n\n{words(r, 30)}\n\n" for n in range(r.randrange(60, 200))),
        "diff": lambda r: "".join(
            f"diff --git a/f{n} b/f{n}\n--- a/f{n}\n+++ b/f{n}\n@@ -1,2 +1,2 @@\n-{words(r, 4)}\n+{words(r, 4)}\n+y\n c\n"
            for n in range(r.randrange(60, 200))),
        "yaml": lambda r: "".join(
            f"---\nkind: Pod\nmetadata:\n  name: p{n}\n  phase: {r.choice(['Running', 'Failed'])}\nspec:\n  ports:\n  - {n}\n"
            for n in range(r.randrange(250, 500))),
        "xml": report,
        "sql": lambda r: "CREATE TABLE t (id int, s text);\n" + "".join(
            f"INSERT INTO t VALUES ({n}, '{words(r, 2)}');\n" for n in range(r.randrange(200, 900))),
    }


@functools.cache
def library():
    """The files of Python's library: path, bytes, lines, when they were written, and their text."""
    folder, found = os.path.dirname(os.__file__), []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.endswith(".py"):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            found.append((path, os.path.getsize(path), text.count("\n"), os.path.getmtime(path), text))
    return found


def files(sign=",", header=True):
    """A table of the files of Python's library."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sign, lineterminator="\n")
    if header:
        writer.writerow(["path", "bytes", "lines", "share", "letter", "about"])
    for path, size, lines, _, text in library():
        about = (text.split('"""') + ["", ""])[1].split("\n\n")[0]
        writer.writerow([path, size, lines, f"{size / 10**7:.9f}", os.path.basename(path)[0], about])
    return out.getvalue()


def logged(style, datefmt=None):
    """What Python's own logging writes."""
    to = io.StringIO()
    handler = logging.StreamHandler(to)
    handler.setFormatter(logging.Formatter(style, datefmt))
    log = logging.Logger("library")
    log.addHandler(handler)
    for path, size, lines, _, text in library():
        log.info("read %s of %d bytes", path, size)
        log.log(40 if "error" in text else 30 if lines > 900 else 10, "errors: %s lines", lines)
    return to.getvalue()


def dumped():
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE files (path text, bytes int, share real, about text)")
    base.execute("CREATE TABLE letters (letter text)")
    for path, size, _, _, text in library():
        base.execute("INSERT INTO files VALUES (?, ?, ?, ?)", (path, size, size / 10**7, text[:90]))
    base.executemany("INSERT INTO letters VALUES (?)", ((letter,) for letter in "a'b\"c;d"))
    return "\n".join(base.iterdump()) + "\n"


def real():
    """Results that are not made up: name, then of what kind they are and what makes each."""
    text = lambda *path: open(os.path.join(HERE, *path), encoding="utf-8").read()
    module = lambda name: next(one[4] for one in library() if one[0].endswith(f"/{name}.py"))
    def said(*words):
        try:
            return subprocess.run(words, stdout=subprocess.PIPE, encoding="utf-8", errors="replace").stdout
        except FileNotFoundError:
            return ""

    tree = lambda: json.dumps([
        {"name": node.name, "line": node.lineno, "end": node.end_lineno, "args": [arg.arg for arg in node.args.args],
         "doc": ast.get_docstring(node), "private": node.name.startswith("_")}
        for *_, source in library()[:60] for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)])
    letters = [chr(n) for n in range(0x21, 0x3000) if unicodedata.name(chr(n), None)]
    of = lambda letter: [f"{ord(letter):04X}", unicodedata.name(letter), unicodedata.category(letter), unicodedata.numeric(letter, "")]
    return {
        "schema": ("json", lambda: text("wit", "json.schema.json")),
        "shapes": ("json", lambda: text("docs", "json", "weir-1.schema.json")),
        "functions": ("json", tree),
        "programs": ("ndjson", lambda: text("component", "src", "fetch", "query", "jq.jsonl")),
        "files": ("csv", files),
        "files without header": ("csv without header", lambda: files(header=False)),
        "files tsv": ("tsv", lambda: files("\t")),
        "files semicolons": ("csv semicolons", lambda: files(";")),
        "unicode": ("csv semicolons without header", lambda: "".join(";".join(map(str, of(one))) + "\n" for one in letters)),
        "unicode json": ("ndjson", lambda: "".join(json.dumps(of(one) + [one], ensure_ascii=False) + "\n" for one in letters)),
        "sql": ("sql", dumped),
        "logging": ("log", lambda: logged("%(asctime)s %(levelname)s %(name)s: %(message)s")),
        "logging dashes": ("log", lambda: logged("%(asctime)s - %(name)s - %(levelname)s - %(message)s")),
        "logging bracketed": ("log", lambda: logged("[%(levelname)s] %(asctime)s %(message)s", "%H:%M:%S")),
        "importtime": ("text", lambda: subprocess.run(
            [sys.executable, "-X", "importtime", "-c", "import asyncio, pydoc, sqlite3, unittest.mock"],
            stderr=subprocess.PIPE, encoding="utf-8").stderr),
        "diff": ("diff", lambda: "".join(difflib.unified_diff(
            module("argparse").splitlines(True), module("optparse").splitlines(True), "a/argparse.py", "b/optparse.py"))),
        "changelog": ("markdown", lambda: text("CHANGELOG.md")),
        "lock": ("text", lambda: text("Cargo.lock")),
        "code": ("text", lambda: module("argparse")),
        "help": ("text", lambda: pydoc.plain(pydoc.render_doc(argparse))),
        "help html": ("text", lambda: pydoc.html.docmodule(argparse)),
        "paths": ("paths", lambda: "".join(one[0] + "\n" for one in library())),
        "definitions": ("text", lambda: "".join(
            f"{path}:{n}:{line}\n" for path, *_, source in library()[:80]
            for n, line in enumerate(source.split("\n"), 1) if line.lstrip().startswith("def "))),
        "ls": ("ls deep", lambda: said("ls", "-lR", os.path.dirname(os.__file__))),
        "targets": ("text", lambda: said("rustc", "--print", "target-list") * 4),
        "explained": ("text", lambda: said("rustc", "--explain", "E0277") * 9),
    }


class Held:
    """One result, and what is held against what is said of it."""

    def __init__(self, kind, text):
        self.kind, self.text = kind, text
        self.denied, self.known, self.path = [], 0, []
        self.lines = text.split("\n")
        if self.lines[-1] == "":
            self.lines.pop()

    def hold(self, said, what, is_so):
        self.known += 1
        if not is_so:
            self.denied.append(f"{self.kind}: {what}: {said[:300]}")

    def folders(self):
        """In which folder of `ls -R` each line is."""
        at = None
        for line in self.lines:
            at = line if line.startswith("/") else at
            yield at

    def rows(self):
        """The rows as Python reads them, and whether a header was taken off."""
        if self.kind.startswith(("csv", "tsv")):
            text = self.text.removeprefix("\ufeff")
            sign = "\t" if self.kind.startswith("tsv") else ";" if "semicolons" in self.kind else ","
            read = [cells for cells in csv.reader(io.StringIO(text, newline=""), delimiter=sign) if cells]
            if "without" in self.kind:
                return [{f"column_{n + 1}": cell for n, cell in enumerate(cells)} for cells in read]
            return [dict(zip(read[0], cells)) for cells in read[1:]]
        if self.kind.startswith("ndjson"):
            found = []
            for line in filter(str.strip, self.lines):
                try:
                    found.append(json.loads(line, parse_float=Decimal))
                except ValueError:
                    found.append(ValueError)
            return found
        if not self.kind.startswith("json"):
            return None
        value = json.loads(self.text, parse_float=Decimal)
        path = {"json rows": ["data"], "json indented": ["items"], "json nested": ["a", "b", "rows"],
                "json beside": ["structuredContent", "rows"], "json": self.path}.get(self.kind, [])
        for step in path:
            value = value[int(step) if isinstance(value, list) else step]
        return value

    def values(self, path, of):
        """The values at a path of an outline, in rows that have them."""
        found = list(of)
        for step in re.findall(r'\|arrays\||\.\["(?:[^"\\]|\\.)*"\]|\.[A-Za-z_]\w*|\.?\[\]', path):
            if step == "|arrays|":
                found = [value for value in found if isinstance(value, list)]
            elif step.endswith("[]"):
                found = [item for value in found if isinstance(value, (list, dict))
                         for item in (value.values() if isinstance(value, dict) else value)]
            else:
                key = json.loads(step[2:-1]) if step.startswith(".[") else step[1:]
                found = [value[key] for value in found if isinstance(value, dict) and key in value]
        return found

    def column(self, said, cells, is_cell):
        """`number, 1 to 5; 3 empty`, `2 distinct: ok 3, failed 1`: what is said of a column."""
        empty = re.search(r"(?:^|; )([\d,]+) empty$", said)
        blank = sum(1 for cell in cells if isinstance(cell, str) and not cell.strip()) if is_cell else 0
        if empty:
            self.hold(said, "empty", number(empty[1]) == blank)
        full = [cell for cell in cells if not is_cell or cell.strip()]
        as_text = lambda cell: str(cell) if isinstance(cell, (str, Decimal)) else json.dumps(cell)
        texts = [as_text(cell).strip() for cell in full]
        if said == "empty":
            self.hold(said, "empty", blank == len(cells))
        elif spread := re.match(r"(?:number, )?(-?[\d.eE+-]+)(?: to (-?[\d.eE+-]+))?(?:;|$)", said):
            if is_cell or all(isinstance(cell, (int, Decimal)) and not isinstance(cell, bool) for cell in full):
                numbers = sorted(Decimal(text) for text in texts if is_number(text))
                self.hold(said, "all numbers", len(numbers) == len(texts))
                self.hold(said, "least", numbers[:1] == [Decimal(spread[1])])
                self.hold(said, "greatest", numbers[-1:] == [Decimal(spread[2] or spread[1])])
        elif spread := re.match(r"date, (\S+) to ([^;\s]+)", said):
            self.hold(said, "dates", all(DATE.fullmatch(text) for text in texts))
            self.hold(said, "first and last", (spread[1], spread[2]) == (min(texts, key=instant), max(texts, key=instant)))
        elif few := re.match(r"(\d+) distinct: (.*)", said):
            counts = collections.Counter(as_text(cell) for cell in full)
            listed = re.sub(r"; [\d,]+ empty$", "", few[2])
            self.hold(said, "distinct", int(few[1]) == len(counts))
            for shown, times in re.findall(r'("(?:[^"\\]|\\.)*"|[^",…]+?) ([\d,]+)(?:, |$)', listed):
                text = json.loads(shown) if shown.startswith('"') else shown
                self.hold(said, shown, counts.get(text or '""', 0) == number(times))
        elif said.startswith("text"):
            self.hold(said, "no numbers only", not texts or not all(is_number(text) for text in texts))

    def head(self, head):
        said = re.search(r"size=([\d,]+) chars?, ([\d,]+) lines? \(([\d,.]+) (bytes?|[KM]iB)", head)
        self.hold(head, "characters", number(said[1]) == len(self.text))
        self.hold(head, "lines", number(said[2]) == len(self.lines))
        unit = {"K": 1024, "M": 1024**2}.get(said[4][0], 1)
        size = len(self.text.encode()) / unit
        self.hold(head, "bytes", abs(float(said[3].replace(",", "")) - size) <= 0.1)
        detail = head.rsplit("; id=", 1)[0].rsplit("type=", 1)[1]
        found = self.rows()
        if of := re.search(r"array of ([\d,]+) (\w+)", detail):
            shapes = {"objects": dict, "numbers": (int, Decimal), "mixed": object}
            self.hold(detail, "array", number(of[1]) == len(found)
                      and all(isinstance(one, shapes[of[2]]) for one in found))
        if of := re.search(r"object with ([\d,]+) key", detail):
            self.hold(detail, "keys", number(of[1]) == len(json.loads(self.text)))
        if self.kind.startswith("ndjson"):
            for noun, of in [("object", dict), ("array", list)]:
                for count in re.findall(rf"([\d,]+) {noun}s?\b", detail):
                    self.hold(detail, noun, number(count) == sum(isinstance(one, of) for one in found))
            odd = re.search(r"([\d,]+) malformed", detail)
            self.hold(detail, "malformed", (number(odd[1]) if odd else 0) == found.count(ValueError))
        if of := re.search(r"([\d,]+) rows? (below a|without a) header, (\d+) columns?", detail):
            self.hold(detail, "rows", number(of[1]) == len(found))
            self.hold(detail, "columns", int(of[3]) == len(found[0]))
            self.hold(detail, "header", (of[2] == "without a") == ("without" in self.kind))
        if self.kind.startswith("log"):
            level = re.compile(r"\b(debug|info|notice|warn|warning|error|crit|critical|fatal)\b", re.I)
            so = collections.Counter(found[1] for line in self.lines if (found := level.search(line)))
            for count, word in re.findall(r"([\d,]+) ([A-Za-z]+)(?=,|$)", detail):
                self.hold(detail, word, number(count) == so[word])
        for pattern, count in [
            (r"([\d,]+) files? in", lambda: sum(line.startswith(("-", "l")) for line in self.lines)),
            (r", ([\d,]+) bytes", lambda: sum(int(line.split()[4]) for line in self.lines if line[:1] in tuple("-l"))),
            (r"([\d,]+) directories named", lambda: sum(line.startswith("d") for line in self.lines)),
            (r"([\d,]+) paths? in", lambda: len(self.lines)),
            (r"([\d,]+) matche?s? in", lambda: len(self.lines)),
            (r"([\d,]+) documents?", lambda: max(self.text.count("---\n"), 1)),
            (r"\+([\d,]+)", lambda: sum(line[:1] == "+" and line[:4] != "+++ " for line in self.lines)),
        ]:
            if self.kind in ("ls", "ls deep", "paths", "many paths", "compiler", "yaml", "diff"):
                if of := re.search(pattern, detail):
                    self.hold(detail, pattern, number(of[1]) == count())
        if of := re.search(r"in (at least )?([\d,]+) directories", detail):
            places = len({os.path.dirname(line) for line in self.lines}) if "path" in self.kind else 1
            if "deep" in self.kind:
                places = len({above for above, below in zip(self.folders(), self.lines) if below[:1] in tuple("-l")})
            self.hold(detail, "directories", number(of[2]) <= places and (of[1] or number(of[2]) == places))

    def graves(self, first, last):
        """How many of these lines say that they are an error, and a warning."""
        named = {"error": 0, "warn": 0}
        own = re.compile(
            r'"(?:level|severity)": (?:"(\w+)"|(\d+))|^<(\d+)>|^([IWEF])\d{4} |\b(?:level=)?\[?'
            r"(INFO|DEBUG|WARN|WARNING|ERROR|CRITICAL)\b", re.I)
        syslog = {3: "error", 4: "warn"}
        for line in self.lines[first - 1:last]:
            if line.startswith("{"):
                level = json.loads(line)
                level = level.get("level", level.get("severity"))
                line = f"level={level} " if isinstance(level, str) else f'"level": {level}'
            found = own.search(line)
            if not found:
                # What it says decides, in more words than are known here.
                return None
            word, tens, priority, letter, plain = found.groups()
            if word or plain:
                level = (word or plain).lower()
            elif tens:
                level = {"50": "error", "40": "warn"}.get(tens)
            elif priority:
                level = syslog.get(int(priority) & 7)
            else:
                level = {"E": "error", "W": "warn"}.get(letter)
            level = {"warning": "warn", "critical": "fatal"}.get(level, level)
            named[level] = named.get(level, 0) + 1
        return named

    def excerpt(self, text):
        before, inside = text.split("\n<<<weir:", 1)
        inside = inside.split("\n", 1)[1].rsplit("\nweir:", 1)[0]
        head, shown = before.split("\n")[:2]
        self.head(head)
        if ends := re.match(r"Shown: first ([\d,]+) and last ([\d,]+) of ([\d,]+) lines", shown):
            self.hold(shown, "of", number(ends[3]) == len(self.lines))
        parts = re.split(r"^--- (?=lines? [\d,])", inside, flags=re.M)
        for part in parts[1:]:
            title, *block = (part if part is parts[-1] else part.removesuffix("\n")).split("\n")
            span = re.match(r"lines? ([\d,]+)(?:-([\d,]+))?(?: of ([\d,]+))?( not shown)?", title)
            first, last = number(span[1]), number(span[2] or span[1])
            if span[3]:
                self.hold(title, "of", number(span[3]) == len(self.lines))
            if not span[4]:
                self.hold(title, "as many", len(block) == last - first + 1)
                for line, own in zip(block, self.lines[first - 1:last]):
                    own = own.rstrip("\r")
                    if "…" not in line and "\\" not in line:
                        self.hold(f"{title} {line!r} for {own!r}", "line", line == own)
                continue
            told = dict((word, number(n)) for n, word in re.findall(r"([\d,]+) (error|warning|fatal error)s?\b", title))
            if self.kind.startswith(("log", "syslog", "klog", "ndjson level", "ndjson severity", "ndjson pino")):
                so = self.graves(first, last)
                for noun, level in [("error", "error"), ("warning", "warn"), ("fatal error", "fatal")] if so else []:
                    self.hold(title, noun, told.get(noun, 0) == so.get(level, 0))
            if odd := re.search(r"([\d,]+) malformed line", title):
                part = Held(self.kind, "\n".join(self.lines[first - 1:last]))
                self.hold(title, "malformed", number(odd[1]) == part.rows().count(ValueError))
            for line in block:
                if hit := re.match(r"(\d+): (.*)", line):
                    own = self.lines[int(hit[1]) - 1]
                    parts_of = [part for part in hit[2].split("…") if "\\" not in part]
                    self.hold(line, "telling line", all(part.rstrip() in own for part in parts_of))
        found = self.rows()
        if listed := re.search(r"^--- ([\d,]+) columns?(?: in the first ([\d,]+) rows?)? ---\n((?:.*: .*\n)*)", inside, re.M):
            of = found[:number(listed[2])] if listed[2] else found
            self.hold(listed[0], "columns", number(listed[1]) == len(found[0]))
            for line in listed[3].splitlines():
                name, said = line.split(": ", 1)
                if name in found[0]:
                    self.column(said, [one.get(name, "") for one in of], True)
        if listed := re.search(r"^--- ([\d,]+) keys? in (all|the first ([\d,]+)) rows ---\n((?:.*: .*\n)*)", inside, re.M):
            of = [one for one in found[:number(listed[3])] if one is not ValueError] if listed[3] else found
            of = [one for one in of if isinstance(one, dict)]
            if "odd" not in self.kind:
                self.hold(listed[0], "keys", number(listed[1]) == len({key for one in of for key in one}))
                for line in listed[4].splitlines():
                    name, said = line.split(": ", 1)
                    types, _, said = said.partition("; ")
                    cells = [one[name] for one in of if name in one]
                    if share := re.search(r"\(in ([\d,]+) of them\)", types):
                        self.hold(line, "in", number(share[1]) == len(cells))
                    plain = [cell for cell in cells if not isinstance(cell, (dict, list))]
                    self.column(said, [cell if cell != "" else '""' for cell in plain], False)
        if listed := re.search(r"^--- (all|the first) ([\d,]+) items(?: in (\S+))? have (.*) ---$", inside, re.M):
            self.hold(listed[0], "items", number(listed[2]) == (len(found) if listed[1] == "all" else number(listed[2])))
            self.hold(listed[0], "at most", number(listed[2]) <= len(found))
            for name, share in re.findall(r"(\w+): [\w ]+? \(in ([\d,]+) of them\)", listed[4]):
                self.hold(listed[0], name, number(share) == sum(name in one for one in found[:number(listed[2])]))
        if self.kind == "xml":
            root = xml.etree.ElementTree.fromstring(self.text)
            names = collections.Counter(one.tag for one in root.iter())
            self.hold(head, "elements", f" {names.total():,} elements in " in head)
            listed = re.findall(r"^([\d,]+) × <([\w-]+)> \(first in line ([\d,]+)\)$", inside, re.M)
            bare = re.sub(r"<!--.*?-->", "", self.text).split("\n")
            for count, name, line in listed:
                self.hold(name, "count", number(count) == names[name])
                self.hold(name, "first", number(line) == next(n for n, own in enumerate(bare, 1) if f"<{name}" in own))
            for case in root.iter("case"):
                if case.get("result") == "failed":
                    self.hold(case.get("id"), "is shown", f'id="{case.get("id")}"' in inside)
            total = int(root.find("total-results").text)
            self.hold(before, "a part", ("a part by its tool's own word" in before) == (total > names["case"]))
        for more, noun in re.findall(r"^--- ([\d,]+) (headings?) ", inside, re.M) if self.kind == "markdown" else []:
            self.hold(inside[:80], noun, number(more) == sum(line.startswith("#") for line in self.lines))

    def outline(self, about, entries):
        found = self.rows()
        if of := re.search(r": ([\d,]+) rows?(?:, ([\d,]+) of them not readable)?", about):
            if found is not None and not isinstance(found, dict):
                self.hold(about, "rows", number(of[1]) == len(found))
                self.hold(about, "not readable", number(of[2] or "0") == found.count(ValueError))
        for entry in entries:
            said, path = entry["detail"], entry["label"]
            what = f"{path}: {said}"
            if found is None or not path.startswith("."):
                self.text_entry(path, said)
                continue
            of = found if isinstance(found, list) else [found]
            values = self.values(path, [one for one in of if one is not ValueError])
            if self.kind.startswith(("csv", "tsv")):
                values = [None if not cell.strip() else Decimal(cell.strip()) if is_number(cell.strip()) else cell
                          for cell in values]
            if path == ".":
                values = of
            if share := re.search(r", in ([\d,]+) of [\d,]+", said):
                self.hold(what, "in", number(share[1]) == len(values))
            elif count := re.match(r"[a-z ]+?, ([\d,]+)", said):
                self.hold(what, "count", number(count[1]) == len(values))
            if null := re.search(r", ([\d,]+) null", said):
                self.hold(what, "null", number(null[1]) == values.count(None))
            kinds = {"null": type(None), "boolean": bool, "number": (int, Decimal), "string": str, "array": list,
                     "object": dict}
            types = re.match(r"[a-z ]+", said)[0].strip().split(" or ")
            told = tuple(kinds[one] for one in types if one in kinds)
            self.hold(what, "types", all(isinstance(value, tuple(
                t for kind in told for t in (kind if isinstance(kind, tuple) else (kind,)))) for value in values))
            if few := re.search(r"; (\d+) distinct: (.*)", said):
                counts = collections.Counter(
                    value if isinstance(value, Decimal)
                    else json.dumps(value, ensure_ascii=False)
                    for value in values if value is not None and not isinstance(value, (dict, list)))
                self.hold(what, "distinct", int(few[1]) == len(counts))
                for shown, times in re.findall(r'("(?:[^"\\]|\\.)*"|[^",]+?)(?: ([\d,]+)x)?(?:, |$)', few[2]):
                    as_number = Decimal(shown) if re.match(r"-?\d", shown) else None
                    self.hold(what, shown, counts.get(shown, 0) + counts.get(as_number, 0) == number(times or "1"))
            if spread := re.search(r"; from (\S+) to ([^,\s]+)(?:, mean (\S+))?", said):
                numbers = [Decimal(value) for value in values
                           if isinstance(value, (int, Decimal)) and not isinstance(value, bool)]
                self.hold(what, "least", Decimal(spread[1]) == min(numbers, default=None))
                self.hold(what, "greatest", Decimal(spread[2]) == max(numbers, default=None))
                if spread[3] and numbers:
                    mean = sum(numbers) / len(numbers)
                    self.hold(what, "mean", abs(Decimal(spread[3]) - mean) <= abs(mean) * Decimal("1e-9") + Decimal("1e-6"))

    def text_entry(self, label, said):
        what = f"{label}: {said}"
        if found := re.search(r"; ([\d,]+) lines? with this word, the first is line ([\d,]+)", said):
            lines = [n for n, line in enumerate(self.lines, 1) if re.search(rf"\b{label}\b", line)]
            self.hold(what, "word", (len(lines), lines[:1]) == (number(found[1]), [number(found[2])]))
        elif found := re.match(r"(\d+): (.*)", label):
            at, head = int(found[1]) - 1, 4 if self.kind == "diff" else 1
            self.hold(what, "line", any(found[2].rstrip("…") in line for line in self.lines[at:at + head]))
            file = "diff --git " if "diff --git " in self.text else "--- "
            marks = {"markdown": lambda line: line.startswith("#"), "diff": lambda line: line.startswith(file)}
            if mark := marks.get(self.kind):
                later = [n for n in range(int(found[1]) + 1, len(self.lines) + 1) if mark(self.lines[n - 1])]
                end = later[0] if later else len(self.lines) + 1
                self.hold(what, "lines", number(re.search(r", ([\d,]+) lines?$", said)[1]) == end - int(found[1]))
                for added, removed in re.findall(r"^\+([\d,]+) -([\d,]+) in ", said):
                    inside = self.lines[int(found[1]) - 1:end - 1]
                    signs = collections.Counter(line[:1] for line in inside if line[:4] not in ("+++ ", "--- "))
                    self.hold(what, "changes", (number(added), number(removed)) == (signs["+"], signs["-"]))
        elif found := re.match(r"([\d,]+) lines? of this shape .*, the first is line ([\d,]+)", said):
            mask = lambda line: re.sub(r"[\w\-\u0080-\U0010ffff]*\d[\w\-\u0080-\U0010ffff]*", "#", line[:160])
            shape = mask(self.lines[number(found[2]) - 1])
            alike = [n for n, line in enumerate(self.lines, 1) if mask(line) == shape]
            self.hold(what, "shape", (len(alike), alike[0]) == (number(found[1]), number(found[2])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", default=os.path.join(HERE, "target/release/weir"))
    parser.add_argument("--count", type=int, default=200, help="results, of all kinds in turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", help="this kind alone")
    parser.add_argument("file", nargs="*", help="results of that kind, instead")
    args = parser.parse_args()
    made, found = kinds(), real()
    names = [args.kind] if args.kind else list(made)
    results = [(kind, lambda kind=kind, at=at: made[kind](random.Random(f"{args.seed} {at}")))
               for at, kind in zip(range(args.count), itertools.cycle(names))]
    if not args.kind:
        results += found.values()
        names = list(dict.fromkeys(names + [kind for kind, _ in found.values()]))
    if args.file:
        read = lambda name: open(name, encoding="utf-8", newline="").read()
        results = [(args.kind, lambda name=name: read(name)) for name in args.file]
    denied, known, silent = [], collections.Counter(), set(names)
    with tempfile.TemporaryDirectory() as folder:
        weir = [args.weir, "--store", os.path.join(folder, "store"), "--session", "truth"]
        if not os.environ.get("HOME"):
            os.environ["HOME"] = folder
        # 1 says that there is nothing.
        run = lambda *words: subprocess.run(weir + list(words), stdout=subprocess.PIPE, encoding="utf-8").stdout

        def ask(at):
            kind, make = results[at]
            held = Held(kind, make())
            file = os.path.join(folder, str(at))
            with open(file, "w", encoding="utf-8", newline="") as to:
                to.write(held.text)
            told = json.loads(run("--json", "transform", file))
            if not told["replaced"]:
                return held
            pages, listed = run("--json", "fetch", told["handles"][0]["id"], "--outline").strip(), []
            while pages:
                page, end = json.JSONDecoder().raw_decode(pages)
                pages = pages[end:].strip()
                listed.append((page["about"], page["entries"]))
            if of := re.match(r'items of "/(.*?)"', listed[0][0] if listed else ""):
                held.path = [step.replace("~1", "/").replace("~0", "~") for step in of[1].split("/")]
            held.excerpt(told["parts"][0]["text"])
            for about, entries in listed:
                held.outline(about, entries)
            return held

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for held in pool.map(ask, range(len(results))):
                denied += held.denied
                known[held.kind] += held.known
                if held.known > 2:
                    silent.discard(held.kind)
    for line in denied[:60]:
        print(line)
    print(f"{sum(known.values()):,} statements of {len(results)} results of {len(names)} kinds: {len(denied)} denied")
    is_all = len(results) >= len(names)
    for kind in silent if is_all else []:
        print(f"{kind}: nothing said that could be held against anything")
    return 1 if denied or (silent and is_all) else 0


if __name__ == "__main__":
    sys.exit(main())
