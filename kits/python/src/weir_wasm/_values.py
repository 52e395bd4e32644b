"""Values of the contract to Python's and back.

wasmtime-py gives a record as an object with attributes in kebab case, and leaves a variant's tag out
where the payloads' Python types tell the cases apart. All that is known of it here is in this file.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from functools import partial
from typing import Any, Callable, Mapping, Sequence, Union

from wasmtime.component import Record, Variant

from .errors import Refused
from .types import BinaryPart, LinkPart, Part, Tombstone

Arguments = Union[str, Mapping[str, Any], None]
Lift = Callable[[Any], Any]
_PLANS: dict[type, list[tuple[str, str, Lift | None]]] = {}


def record(**fields: Any) -> Record:
    """A record of the contract; names in snake case."""
    made = Record()
    for name, value in fields.items():
        setattr(made, name.replace("_", "-"), value)
    return made


def text(value: str) -> str:
    """A text as Unicode: lone surrogates, which a tool's output may hold, become U+FFFD."""
    if not isinstance(value, str):
        raise TypeError(f"a str is needed here, not {type(value).__name__}")
    if value.isascii():
        return value
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def word(name: str, value: str, words: Any) -> str:
    """One of the words of an enum of the contract."""
    known = typing.get_args(words)
    if value not in known:
        raise ValueError(f"{name} is one of {', '.join(known)}, not {value!r}")
    return value


def count(name: str, value: int | None, bits: int = 32, least: int = 0) -> int | None:
    """A number of the contract, or none. One that does not fit would wrap without a word."""
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise TypeError(f"{name} is an int, not {type(value).__name__}")
    most = 2 ** (bits if least >= 0 else bits - 1) - 1
    if value is not None and not least <= value <= most:
        raise ValueError(f"{name} is {f'at least {least}' if value < least else f'at most {most}'}, not {value}")
    return value


def json_text(value: Any) -> str:
    """A value as JSON; a text is JSON already."""
    return text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))


def answer(given: str) -> dict[str, Any]:
    """What a function of the string interface answers; a refusal is raised."""
    read: dict[str, Any] = json.loads(given)
    if "error" in read:
        raise refused_json(read["error"])
    return read


def size(of: str) -> int:
    """The most bytes that a text may have."""
    return len(of) if of.isascii() else 4 * len(of)


def part_size(part: Part) -> int:
    """The most bytes that a part may have."""
    return size(part) if isinstance(part, str) else len(getattr(part, "data", ""))


def parts(content: str | Sequence[Part]) -> Sequence[Part]:
    """What a result consists of, in order."""
    if isinstance(content, str):
        return [content]
    if isinstance(content, (list, tuple)):
        return content
    hint = "; bytes are taken by transform_chunks" if isinstance(content, (bytes, bytearray, memoryview)) else ""
    raise TypeError(f"a result is a str or a list of parts, not {type(content).__name__}{hint}")


def lower_part(part: Part) -> Variant:
    """A part of a result."""
    if isinstance(part, str):
        return Variant("text", text(part))
    if isinstance(part, BinaryPart):
        return Variant("binary", record(media_type=text(part.media_type), data=text(part.data)))
    if isinstance(part, LinkPart):
        media_type = None if part.media_type is None else text(part.media_type)
        return Variant("pointer", record(uri=text(part.uri), name=text(part.name), media_type=media_type))
    raise TypeError(f"a part is a str, a BinaryPart or a LinkPart, not {type(part).__name__}")


def _lift_part(part: Any) -> Part:
    if part.tag == "text":
        return str(part.payload)
    lifted = lift(BinaryPart if part.tag == "binary" else LinkPart, part.payload)
    assert isinstance(lifted, (BinaryPart, LinkPart))
    return lifted


def lift(cls: type, value: Any) -> Any:
    """A record as the dataclass `cls`."""
    made: dict[str, Any] = {}
    for name, kebab, convert in _plan(cls):
        field = getattr(value, kebab)
        made[name] = field if convert is None else convert(field)
    return cls(**made)


def result(cls: type | None, value: Any) -> Any:
    """The ok side of a `result<_, failure>` as `cls`; the error side is raised."""
    if isinstance(value, Variant):
        if value.tag == "err":
            raise failure(value.payload)
        value = value.payload
    elif isinstance(value, Record) and hasattr(value, "code") and hasattr(value, "message"):
        raise failure(value)
    return value if cls is None or value is None else lift(cls, value)


def failure(value: Any) -> Refused:
    """The contract's record of a refusal as an exception."""
    gone = None if value.gone is None else lift(Tombstone, value.gone)
    return Refused(
        value.code, value.message, argument=value.argument, names=list(value.names), total=value.total, gone=gone
    )


def from_json(cls: type, value: dict[str, Any]) -> Any:
    """An object of the string interface (camel case, unset fields left out) as the dataclass `cls`."""
    hints = typing.get_type_hints(cls)
    made: dict[str, Any] = {}
    for field in dataclasses.fields(cls):
        name = camel(field.name)
        if name not in value:
            continue
        made[field.name] = _from_json(hints[field.name], value[name])
    return cls(**made)


def _from_json(hint: Any, value: Any) -> Any:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return from_json(hint, value)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is list and isinstance(value, list):
        return [_from_json(arguments[0], item) for item in value]
    if origin in (typing.Union, types.UnionType) and value is not None:
        inner = [argument for argument in arguments if argument is not type(None)]
        return _from_json(inner[0], value) if len(inner) == 1 else value
    return value


def refused_json(error: dict[str, Any]) -> Refused:
    """A refusal of the string interface as an exception."""
    gone = error.get("gone")
    return Refused(
        error.get("code", "error"),
        error.get("message", ""),
        argument=error.get("argument"),
        names=error.get("names"),
        total=error.get("total"),
        gone=None if gone is None else from_json(Tombstone, gone),
    )


def camel(name: str) -> str:
    """A name in camel case."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _plan(cls: type) -> list[tuple[str, str, Lift | None]]:
    plan = _PLANS.get(cls)
    if plan is None:
        hints = typing.get_type_hints(cls)
        plan = [(f.name, f.name.replace("_", "-"), _lifter(hints[f.name])) for f in dataclasses.fields(cls)]
        _PLANS[cls] = plan
    return plan


def _lifter(hint: Any) -> Lift | None:
    if hint == Part:
        return _lift_part
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return lambda value: lift(hint, value)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        item = _lifter(arguments[0])
        return None if item is None else partial(_lift_list, item)
    if origin in (typing.Union, types.UnionType):
        inner = _lifter(next(argument for argument in arguments if argument is not type(None)))
        return None if inner is None else partial(_lift_option, inner)
    return None


def _lift_list(item: Lift, values: Any) -> Any:
    return [item(value) for value in values]


def _lift_option(inner: Lift, value: Any) -> Any:
    return None if value is None else inner(value)
