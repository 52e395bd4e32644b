"""What is exported, against the types of the providers' own packages, in which nothing unknown is let through."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
genai = pytest.importorskip("google.genai.types")
mcp = pytest.importorskip("mcp.types")
extensions = pytest.importorskip("typing_extensions")
jsonschema = pytest.importorskip("jsonschema")
pydantic = pytest.importorskip("pydantic")

from anthropic.types import ToolResultBlockParam, ToolUnionParam
from openai.types.chat import ChatCompletionToolParam
from openai.types.responses import ToolParam
from openai.types.responses.response_tool_search_output_item_param_param import ResponseToolSearchOutputItemParamParam

from weir_wasm import Weir
from weir_wasm._export import GEMINI

SERVERS = json.loads((Path(__file__).resolve().parents[3] / "conformance" / "export.json").read_text(encoding="utf-8"))["servers"]


def strict(hint: Any) -> Any:
    """A validator of a TypedDict or a union of them that refuses keys it does not know, at every level."""
    todo, seen = [hint], set()
    while todo:
        one = todo.pop()
        if extensions.is_typeddict(one) and one not in seen:
            seen.add(one)
            if not hasattr(one, "__pydantic_config__"):
                one.__pydantic_config__ = pydantic.ConfigDict(extra="forbid")
            todo += extensions.get_type_hints(one, vars(sys.modules[one.__module__])).values()
        todo += extensions.get_args(one)
    return pydantic.TypeAdapter(hint)


def consumed(value: Any) -> Any:
    """Iterables are validated as they are read."""
    if isinstance(value, dict):
        return {key: consumed(one) for key, one in value.items()}
    return [consumed(one) for one in value] if hasattr(value, "__iter__") and not isinstance(value, str) else value


def checked(adapter: Any, tools: list[dict[str, Any]]) -> None:
    for tool in tools:
        assert consumed(adapter.validate_python(tool)) == tool
        schema = tool.get("input_schema") or tool.get("parameters") or tool.get("function", {}).get("parameters")
        for inner in [schema] if schema else [inner["parameters"] for inner in tool.get("tools", [])]:
            jsonschema.Draft202012Validator.check_schema(inner)
            assert inner["type"] == "object" and not {"allOf", "anyOf", "enum", "not", "oneOf", "$ref"} & set(inner)


@pytest.fixture(params=["as it is", "all tools"])
def settings(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"mode": "off"} if request.param == "all tools" else {}


def test_anthropic_takes_what_is_exported(weir: Weir, settings: dict[str, Any]) -> None:
    adapter = strict(ToolUnionParam)
    for form in ("anthropic", "anthropic-bm25", "anthropic-regex"):
        tools = weir.catalog(SERVERS).export(form, **settings).tools  # type: ignore[arg-type]
        checked(adapter, tools)
        assert not all(tool.get("defer_loading") for tool in tools)
    with pytest.raises(pydantic.ValidationError):
        adapter.validate_python({"name": "a", "input_schema": {"type": "object"}, "deferLoading": True})


def test_providers_take_what_our_search_found(weir: Weir) -> None:
    reference = {"type": "tool_reference", "tool_name": "list_files_all"}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [reference]}
    assert consumed(strict(ToolResultBlockParam).validate_python(result)) == result
    shown = {tool["name"]: tool for tool in weir.catalog(SERVERS).export("openai").tools}["tool_search"]
    search = {"type": "tool_search", "execution": "client", "description": "d", "parameters": shown["parameters"]}
    assert strict(ToolParam).validate_python(search) == search
    functions = [tool for space in weir.catalog(SERVERS).export("openai-search").tools for tool in space.get("tools", [])]
    output = {"type": "tool_search_output", "call_id": "c", "execution": "client", "tools": functions[:2]}
    assert consumed(strict(ResponseToolSearchOutputItemParamParam).validate_python(output)) == output


def test_openai_takes_what_is_exported(weir: Weir, settings: dict[str, Any]) -> None:
    responses = strict(ToolParam)
    for form in ("openai", "openai-search"):
        checked(responses, weir.catalog(SERVERS).export(form, **settings).tools)  # type: ignore[arg-type]
    checked(strict(ChatCompletionToolParam), weir.catalog(SERVERS).export("openai-chat", **settings).tools)
    unknown = {"type": "function", "name": "a", "parameters": {}, "strict": False, "defer": True}
    for wrong in (unknown, {"type": "namespace", "name": "n", "description": "d", "tools": [unknown]}):
        with pytest.raises(pydantic.ValidationError):
            consumed(responses.validate_python(wrong))


def test_gemini_takes_what_is_exported(weir: Weir, settings: dict[str, Any]) -> None:
    [tool] = weir.catalog(SERVERS).export("gemini", **settings).tools
    parsed = genai.Tool.model_validate(tool)
    assert parsed.model_dump(by_alias=True, exclude_none=True) == tool
    for declaration in tool["functionDeclarations"]:
        todo = [declaration["parametersJsonSchema"]]
        jsonschema.Draft202012Validator.check_schema(todo[0])
        while todo:
            schema = todo.pop()
            if isinstance(schema, bool):
                continue
            assert set(schema) <= GEMINI
            for key in ("properties", "$defs"):
                todo += schema.get(key, {}).values()
            todo += schema.get("anyOf", []) + ([schema["items"]] if "items" in schema else [])
    with pytest.raises(pydantic.ValidationError):
        genai.Tool.model_validate({"functionDeclarations": [{"name": "a", "inputSchema": {}}]})


def test_mcp_takes_what_is_exported(weir: Weir) -> None:
    for tool in weir.catalog(SERVERS).export("mcp").tools:
        assert mcp.Tool.model_validate(tool).name == tool["name"]
