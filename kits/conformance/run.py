"""Runs the conformance file through the kit for Python: `python run.py [STORE_FOLDER]`.

A host in another language does the same: README.md says how. `matches` is the part to copy.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterator

FILE = Path(__file__).with_name("conformance.json")


def texts(described: dict[str, Any]) -> dict[str, str]:
    """The large texts, which the file describes line by line."""
    made = {}
    for name, one in described.items():
        lines = []
        for n in range(one["first"], one["last"] + 1):
            line = one.get("evenLine", one["line"]) if n % 2 == 0 else one["line"]
            lines.append(one.get("but", {}).get(str(n), line.replace("{n}", str(n))))
        between = one.get("between")
        body = between.join(lines) if between else "".join(line + "\n" for line in lines)
        made[name] = one.get("before", "") + body + one.get("after", "")
    return made


class Known:
    """Texts of the file, and what earlier answers of a scenario gave."""

    def __init__(self, named: dict[str, str]) -> None:
        self.texts, self.kept = named, dict[str, Any]()

    def fill(self, value: Any) -> Any:
        """A value of the file with its texts and kept values in place."""
        if isinstance(value, list):
            return [self.fill(one) for one in value]
        if not isinstance(value, dict):
            return value
        if "$text" in value:
            return self.texts[value["$text"]]
        if "$json" in value:
            return json.loads(self.texts[value["$json"]])
        if "$keep" in value:
            return self.kept[value["$keep"]]
        return {name: self.fill(one) for name, one in value.items()}

    def matches(self, wanted: Any, got: Any, where: str = "") -> str | None:
        """What is wrong with an answer; None when nothing is."""
        if isinstance(wanted, dict):
            [key] = [key for key in wanted if key.startswith("$")] or [""]
            if key:
                return None if self._rule(key, wanted[key], got) else f"{where or '/'}: {got!r:.300} is not {wanted}"
            if not isinstance(got, dict):
                return f"{where or '/'}: {got!r:.300} is not an object"
            for name, one in wanted.items():
                absent = isinstance(one, dict) and "$absent" in one
                if absent != (name not in got):
                    return f"{where}/{name}: is {'there' if absent else 'missing'} in {got!r:.300}"
                if not absent and (wrong := self.matches(one, got[name], f"{where}/{name}")):
                    return wrong
            return None
        if isinstance(wanted, list):
            if not isinstance(got, list) or len(got) != len(wanted):
                return f"{where or '/'}: {got!r:.300} is not a list of {len(wanted)}"
            found = (self.matches(one, got[at], f"{where}/{at}") for at, one in enumerate(wanted))
            return next((wrong for wrong in found if wrong), None)
        return None if wanted == got and isinstance(wanted, bool) == isinstance(got, bool) else (
            f"{where or '/'}: {got!r:.300} is not {wanted!r}")

    def _rule(self, rule: str, wanted: Any, got: Any) -> bool:
        kinds = {"string": str, "number": (int, float), "boolean": bool, "array": list, "object": dict}
        if rule == "$is":
            return isinstance(got, kinds[wanted]) and (wanted == "boolean" or not isinstance(got, bool))
        if rule == "$contains":
            return isinstance(got, str) and all(one in got for one in wanted)
        if rule == "$under":
            return (len(got) if isinstance(got, str) else got) < wanted
        if rule == "$above":
            return bool(got > wanted)
        if rule == "$length-of":
            return got in (len(self.texts[wanted]), len(self.texts[wanted].encode()))
        if rule == "$some":
            return isinstance(got, list) and any(self.matches(wanted, one) is None for one in got)
        if rule == "$value":
            return bool(got == wanted)
        return bool(got == self.fill({rule: wanted}))


def at(answer: Any, pointer: str) -> Any:
    """What a JSON pointer names."""
    for step in pointer.split("/")[1:]:
        answer = answer[int(step)] if isinstance(answer, list) else answer[step]
    return answer


def camel(value: Any) -> Any:
    """An answer of the kit as JSON has it: names in camel case, without what is unset."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return {camel_name(name): camel(one) for name, one in fields.items() if one is not None}
    return [camel(one) for one in value] if isinstance(value, list) else value


def camel_name(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def typed(weir: Any, function: str, given: dict[str, Any]) -> Any:
    """A typed call, through the kit's own methods."""
    from weir_wasm import BinaryPart, LinkPart, Refused

    name = {"info.describe-component": "info", "settings.parse": "parse_settings"}
    method = getattr(weir, name.get(function, function.split(".")[1].replace("-", "_")))
    arguments = {"".join("_" + c.lower() if c.isupper() else c for c in key): one for key, one in given.items()}
    if isinstance(arguments.get("content"), list):
        arguments["content"] = [
            one if isinstance(one, str) else LinkPart(**one) if "uri" in one
            else BinaryPart(media_type=one["mediaType"], data=one["data"])
            for one in arguments["content"]
        ]
    try:
        return camel(method(**arguments))
    except Refused as refused:
        facts = {"code": refused.code, "message": refused.message, "argument": refused.argument,
                 "names": refused.names, "total": refused.total, "gone": refused.gone}
        return {"error": {key: camel(one) for key, one in facts.items() if one is not None}}


def run(open_weir: Callable[[str], Any], folder: str | None = None) -> Iterator[tuple[str, str | None]]:
    """Each call's name, and what was wrong with its answer."""
    file = json.loads(FILE.read_text(encoding="utf-8"))
    named = texts(file["texts"])
    for scenario in file["scenarios"]:
        with tempfile.TemporaryDirectory(dir=folder) as store:
            weir, known = open_weir(store), Known(named)
            strings = weir.strings()
            for number, call in enumerate(scenario["calls"], 1):
                title = f"{scenario['name']}, call {number} ({call.get('call') or call['typed']})"
                if call.get("fresh"):
                    strings = weir.strings()
                given = known.fill(call["with"])
                if "call" in call:
                    plain = [one if isinstance(one, (str, int)) else json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in given]
                    answer = json.loads(strings.call(call["call"], *plain))
                else:
                    answer = typed(weir, call["typed"], given)
                yield title, known.matches(call["answer"], answer) if "answer" in call else None
                for name, pointer in call.get("keep", {}).items():
                    known.kept[name] = at(answer, pointer)


def main() -> int:
    from weir_wasm import Weir

    count, failed = 0, 0
    for title, wrong in run(Weir, sys.argv[1] if len(sys.argv) > 1 else None):
        count += 1
        if wrong:
            failed += 1
            print(f"{title}\n    {wrong}")
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
