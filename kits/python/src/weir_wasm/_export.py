"""A catalog in the form that a model API takes: for the provider's own tool search, or as bridge tools.

This stands in each kit, over what `assemble` answers. The component ranks, bounds and stores; what a provider's request
looks like is none of these, and changes when the provider says. `kits/conformance/export.json` keeps the kits equal.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from .errors import Refused

Form = Literal["anthropic", "anthropic-bm25", "anthropic-regex", "gemini", "mcp", "openai", "openai-chat", "openai-search"]
"""`-bm25`, `-regex` and `-search`: the provider searches. The others: the bridge tools."""

SEARCHES = {"anthropic-bm25": "tool_search_tool_bm25", "anthropic-regex": "tool_search_tool_regex", "openai-search": ""}
"""The forms in which the provider searches, and the name that its search tool has there."""
MOST = {"anthropic-bm25": 10_000, "anthropic-regex": 10_000, "gemini": 512}
"""Tools that an API takes, where it says how many."""
GROUP = 9
"""Tools in a namespace: OpenAI advises fewer than ten."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}\Z")
"""Names of tools that each of these APIs takes."""
KEYS = {"anthropic": re.compile(r"[A-Za-z0-9_.-]{1,64}\Z"), "gemini": re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")}
"""Names of parameters that an API takes, where it looks at them."""

# JSON Schema of 2020-12: what stands under a keyword. Values of another kind are left out.
SCHEMA = {"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"}
SCHEMAS = {"allOf", "anyOf", "oneOf", "prefixItems"}
NAMED = {"$defs", "dependentSchemas", "patternProperties", "properties"}
TEXTS = {"$anchor", "$id", "$ref", "description", "format", "pattern", "title"}
NUMBERS = {"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"}
COUNTS = {"maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties"}
TYPES = {"array", "boolean", "integer", "null", "number", "object", "string"}
GEMINI = {
    "$anchor", "$defs", "$id", "$ref", "additionalProperties", "anyOf", "description", "enum", "format", "items", "maxItems",
    "maximum", "minItems", "minimum", "oneOf", "prefixItems", "properties", "propertyOrdering", "required", "title", "type",
}
"""The keywords that Gemini knows."""
NOT_AT_THE_ROOT = {"const", "else", "enum", "if", "not", "then", "type"}
DEEPEST = 40
"""Levels of a schema, each of two levels of JSON: some libraries write and read no more than 100. What lies deeper may be anything."""


@dataclass(slots=True, kw_only=True)
class Export:
    """The tools of a request to a model API, and the way back from the model's call."""

    tools: list[dict[str, Any]]
    """The request's `tools`."""
    block: str = ""
    """The listing, when it stands in a text of its own (`placement="block"`)."""
    names: dict[str, str] = field(default_factory=dict)
    """What the catalog calls each tool, by the name that the model sees."""
    arguments: dict[str, dict[str, str]] = field(default_factory=dict)
    """What a tool calls its arguments, by the names that the model sees, where these differ."""

    def call(self, name: str, arguments: Any) -> tuple[str, Any]:
        """A model's call as the catalog knows it: `catalog.invoke(*exported.call(name, arguments), conversation)`.

        `arguments`: an object or JSON text. Whatever was not exported stays as it is: `invoke` answers it.
        """
        changed = self.arguments.get(name)
        if changed and isinstance(arguments, str):
            try:
                arguments = json.loads(arguments)
            except ValueError:
                pass
        if changed and isinstance(arguments, dict):
            arguments = {changed.get(key, key): value for key, value in arguments.items()}
        return self.names.get(name, name), arguments


def known(form: str) -> Form:
    """The form. Raises `Refused` with `invalid` for one that is not there."""
    forms: tuple[Form, ...] = get_args(Form)
    for one in forms:
        if one == form:
            return one
    message = f"there is no form '{form}': export one of {', '.join(forms)}"
    raise Refused("invalid", message, argument="form", names=list(forms))


def export(form: Form, tools: list[dict[str, Any]], deferred: dict[str, str], block: str = "") -> Export:
    """Tools in MCP's shape, as a form has them. `deferred`: those that the provider searches, with their servers."""
    most = MOST.get(form, len(tools))
    if len(tools) > most:
        message = f"{form} takes {most:,} tools and these are {len(tools):,}: export another form, or a smaller catalog"
        raise Refused("too-many-tools", message, total=len(tools))
    if form == "mcp":
        return Export(tools=tools, block=block, names={tool["name"]: tool["name"] for tool in tools})
    api = form.partition("-")[0]
    used = set(SEARCHES.values())
    ids = [tool["name"] for tool in tools]
    names = {id: fitting(id, NAME, used) for id in sorted(ids, key=lambda id: not NAME.match(id))}
    made = Export(tools=[], block=block, names={name: id for id, name in names.items()})
    groups: dict[str, list[dict[str, Any]]] = {}
    for tool in tools:
        name, server = names[tool["name"]], deferred.get(tool["name"])
        schema, changed = parameters(tool["inputSchema"], api)
        if changed:
            made.arguments[name] = changed
        shown = shaped(form, name, tool["description"], schema)
        if server is not None:
            shown["defer_loading"] = True
        place = made.tools if server is None or api != "openai" else groups.setdefault(server or "tools", [])
        place.append(shown)
    if form == "gemini":
        made.tools = [{"functionDeclarations": made.tools}]
    elif deferred and api == "openai":
        made.tools += [*namespaces(groups), {"type": "tool_search"}]
    elif deferred:
        made.tools.insert(0, {"type": f"{SEARCHES[form]}_20251119", "name": SEARCHES[form]})
    return made


def shaped(form: Form, name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    """One tool, as an API has it."""
    tool: dict[str, Any] = {"name": name} | ({"description": description} if description else {})
    if form == "gemini":
        return tool | {"parametersJsonSchema": schema}
    if form.startswith("anthropic"):
        return tool | {"input_schema": schema}
    tool |= {"parameters": schema, "strict": False}
    return {"type": "function", "function": tool} if form == "openai-chat" else {"type": "function"} | tool


def namespaces(groups: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The tools of each server in namespaces of OpenAI, which a model knows by the names of what is in them."""
    made, used = [], set[str]()
    for server, tools in groups.items():
        for at in range(0, len(tools), GROUP):
            some = tools[at : at + GROUP]
            name = fitting(f"{server}_{at // GROUP + 1}" if at else server, NAME, used)
            description = "Tools: " + ", ".join(tool["name"] for tool in some)
            made.append({"type": "namespace", "name": name, "description": description, "tools": some})
    return made


def fitting(text: str, pattern: re.Pattern[str], used: set[str]) -> str:
    """The text, where the pattern takes it and nothing has it. Otherwise a text like it with eight digits of its own,
    which are the same in whatever catalog."""
    stem = re.sub("[^A-Za-z0-9_]", "_", text)[:54]
    name, marked = text, text
    while not pattern.match(name) or name in used:
        digest = 0x811C9DC5  # FNV-1a, of 32 bits
        for byte in marked.encode():
            digest = (digest ^ byte) * 0x01000193 & 0xFFFFFFFF
        name = f"{stem if stem[:1].isalpha() else '_' + stem}_{digest:08x}"
        marked += "#"
    used.add(name)
    return name


def parameters(schema: Any, api: str) -> tuple[dict[str, Any], dict[str, str]]:
    """A schema that an API takes, and what the tool calls the parameters that have another name in it. It may allow
    more than the tool's own: the catalog checks each call by that one."""
    made: dict[str, Any] = tidy(lifted(schema), GEMINI if api == "gemini" else None, 0)
    if api not in KEYS:
        return made, {}
    used: set[str] = set()
    keys = list(made["properties"])
    names = {key: fitting(key, KEYS[api], used) for key in sorted(keys, key=lambda key: not KEYS[api].match(key))}
    made["properties"] = {names[key]: value for key, value in made["properties"].items()}
    if "required" in made:
        made["required"] = [names[key] for key in made["required"]]
    return made, {name: key for key, name in names.items() if name != key}


def lifted(schema: Any) -> dict[str, Any]:
    """The schema as a plain object: no API takes a choice or a reference at the root. What may be a parameter in any
    part is one of the root, and is required where a part that always holds requires it."""
    made: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    choices: dict[str, dict[str, Any]] = {}
    parts, seen = [(schema, True)], set[tuple[int, bool]]()
    for part, holds in parts:
        if (id(part), holds) in seen:
            continue
        seen.add((id(part), holds))
        for key, value in part.items() if isinstance(part, dict) else ():
            if key == "properties":
                for name, one in value.items() if isinstance(value, dict) else ():
                    choices.setdefault(name, {})[json.dumps(one)] = one
            elif key == "required":
                made["required"] += [name for name in value if isinstance(name, str)] if holds and isinstance(value, list) else []
            elif key == "$ref":
                parts += [(pointed(schema, value), holds)] if isinstance(value, str) else []
            elif key in ("allOf", "anyOf", "oneOf"):
                parts += [(one, holds and key == "allOf") for one in value] if isinstance(value, list) else []
            elif part is schema and key not in NOT_AT_THE_ROOT:
                made[key] = value
    for name, several in choices.items():
        ones = list(several.values())
        made["properties"][name] = ones[0] if len(ones) == 1 else {"anyOf": ones}
    for name in made["required"]:
        made["properties"].setdefault(name, {})
    return made


def pointed(schema: Any, reference: str) -> Any:
    """What a reference within the schema means."""
    at = schema if reference.startswith("#") else None
    for step in reference.split("/")[1:]:
        at = at.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(at, dict) else None
    return at


def tidy(schema: Any, only: set[str] | None, depth: int) -> Any:
    """The schema as 2020-12 has it: APIs refuse a whole request for one keyword of another draft. `only`: the keywords
    that an API knows."""
    if isinstance(schema, bool):
        return schema
    made: dict[str, Any] = {}
    for key, value in schema.items() if isinstance(schema, dict) and depth <= DEEPEST else ():
        if key == "definitions":
            key = "$defs"
        if key == "const" and only and isinstance(value, (str, int, float)):
            key, value = "enum", [value]
        if key == "$schema" or only and key not in only:
            continue
        if key in SCHEMA:
            made[key] = tidy(value, only, depth + 1)
        elif key in SCHEMAS:
            if isinstance(value, list) and value:
                made[key] = [tidy(one, only, depth + 1) for one in value]
        elif key in NAMED:
            if isinstance(value, dict):
                made[key] = made.get(key, {}) | {name: tidy(one, only, depth + 1) for name, one in value.items()}
        elif key == "$ref" and isinstance(value, str):
            made[key] = re.sub("^#/definitions/", "#/$defs/", value)
        elif is_valid(key, value):
            made[key] = value
    if "required" in made:
        made["required"] = [name for name in dict.fromkeys(made["required"]) if name in made.get("properties", {name: {}})]
        if not made["required"]:
            del made["required"]
    return made


def is_valid(key: str, value: Any) -> bool:
    """Whether a keyword may have a value. Keywords that are not known may have any."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if key == "type":
        kinds = value if isinstance(value, list) else [value]
        return 0 < len(kinds) == len(set(map(str, kinds))) and all(isinstance(kind, str) and kind in TYPES for kind in kinds)
    if key == "required":
        return isinstance(value, list) and all(isinstance(name, str) for name in value)
    if key == "enum":
        return isinstance(value, list)
    if key in TEXTS:
        return isinstance(value, str)
    if key in COUNTS:
        return is_number and value >= 0 and value == value // 1
    return key not in NUMBERS or is_number
