"""Runs the conformance files through another program: `python lines.py [--only-strings | --export] PROGRAM [ARGUMENT…]`.

For hosts whose language has no runner of its own. The program reads one request a line and answers each call with
one line of JSON:

    store DIRECTORY               open this store from now on; no answer
    fresh                         take another instance for the string interface; no answer
    json.FUNCTION [ARGUMENT,…]    call the string interface, in one instance until `fresh` or `store`
    INTERFACE.FUNCTION {…}        call a typed function, with its arguments by name in camel case
    export FORM {"servers": […]}  with `--export`: a catalog of these servers in this form, as `export.json` has it
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from itertools import chain
from typing import Any, Iterator

from run import FILE, Known, at, texts

# What a kit's methods take, as the contract's functions take it.
NAMES = {"content": "parts", "settings": "json"}
DEFAULTS: dict[str, dict[str, Any]] = {"reading.read": {"start": 1}, "reading.list-blobs": {"maxEntries": 200}}


class Program:
    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, function: str, arguments: Any) -> Any:
        assert self.process.stdout is not None
        self.tell(f"{function} {json.dumps(arguments, ensure_ascii=False, separators=(',', ':'))}")
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the program ended on {function}")
        return json.loads(line)

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait()


def typed(program: Program, function: str, given: dict[str, Any]) -> Any:
    arguments = DEFAULTS.get(function, {}) | {NAMES.get(name, name): one for name, one in given.items()}
    if isinstance(arguments.get("parts"), str):
        arguments["parts"] = [arguments["parts"]]
    answer = program.ask(function, arguments)
    # A text or a number alone is what the kits answer, too.
    return answer


def run(program: Program, only_strings: bool) -> Iterator[tuple[str, str | None]]:
    file = json.loads(FILE.read_text(encoding="utf-8"))
    named = texts(file["texts"])
    for scenario in file["scenarios"]:
        with tempfile.TemporaryDirectory() as store:
            known = Known(named)
            program.tell(f"store {store}")
            for number, call in enumerate(scenario["calls"], 1):
                if call.get("fresh"):
                    program.tell("fresh")
                given = known.fill(call["with"])
                if "call" in call:
                    plain = [one if isinstance(one, (str, int)) else json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in given]
                    answer = program.ask(f"json.{call['call']}", plain)
                elif only_strings and not call.get("keep"):
                    continue
                else:
                    answer = typed(program, call["typed"], given)
                title = f"{scenario['name']}, call {number} ({call.get('call') or call['typed']})"
                yield title, known.matches(call["answer"], answer) if "answer" in call else None
                for name, pointer in call.get("keep", {}).items():
                    known.kept[name] = at(answer, pointer)


def exports(program: Program) -> Iterator[tuple[str, str | None]]:
    file = json.loads(FILE.with_name("export.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as store:
        program.tell(f"store {store}")
        for form, wanted in file["exports"].items():
            made = program.ask(f"export {form}", {"servers": file["servers"]})
            wrong = [f"/{name}: {made.get(name)!r:.300} is not {one!r:.300}" for name, one in wanted.items() if made.get(name) != one]
            yield f"export, {form}", " ".join(wrong) or None


def main(arguments: list[str]) -> int:
    flags, command = set[str](), list(arguments)
    while command[:1] in (["--only-strings"], ["--export"]):
        flags.add(command.pop(0))
    program = Program(command)
    count, failed = 0, 0
    cases = run(program, "--only-strings" in flags)
    for title, wrong in chain(cases, exports(program) if "--export" in flags else ()):
        count += 1
        if wrong:
            failed += 1
            print(f"{title}\n    {wrong}")
    code = program.end()
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed or code else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
