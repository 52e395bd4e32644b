from __future__ import annotations

import asyncio
import json
import os
import re
import time
from pathlib import Path
from typing import Any, get_args

import pytest

from weir_wasm import Conversation, Refused, Weir
from weir_wasm._catalog import Catalog
from weir_wasm._export import MOST, Form

GOLDEN = Path(__file__).resolve().parents[2] / "conformance" / "export.json"
FORMS = get_args(Form)


@pytest.fixture
def catalog(weir: Weir) -> Catalog:
    return weir.catalog(json.loads(GOLDEN.read_text(encoding="utf-8"))["servers"])


def functions(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a model can call, wherever it stands."""
    inner = [tool.get("tools") or tool.get("functionDeclarations") or [tool.get("function", tool)] for tool in tools]
    return [tool for some in inner for tool in some if not tool.get("type", "").startswith("tool_search")]


def test_each_form_is_as_in_the_file_that_all_kits_share(catalog: Catalog) -> None:
    made = {}
    for form in FORMS:
        exported = catalog.export(form)
        made[form] = {"tools": exported.tools, "names": exported.names, "arguments": exported.arguments}
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    if os.environ.get("UPDATE_EXPORT"):
        lines = [f"  {json.dumps(form)}: {json.dumps(one, ensure_ascii=False)}" for form, one in made.items()]
        servers = ",\n".join(f"  {json.dumps(server, ensure_ascii=False)}" for server in golden["servers"])
        text = '{"servers": [\n' + servers + '\n], "exports": {\n' + ",\n".join(lines) + "\n}}\n"
        GOLDEN.write_text(text, encoding="utf-8")
    assert json.loads(GOLDEN.read_text(encoding="utf-8"))["exports"] == made


@pytest.mark.parametrize("form", FORMS)
def test_names_fit_differ_and_lead_back(catalog: Catalog, form: Form) -> None:
    exported = catalog.export(form)
    shown = [tool["name"] for tool in functions(exported.tools)]
    assert sorted(shown) == sorted(exported.names) and len(set(exported.names.values())) == len(shown)
    if form != "mcp":
        assert all(re.fullmatch("[A-Za-z_][A-Za-z0-9_-]{0,63}", name) for name in shown)
    if form.endswith(("-bm25", "-regex", "-search")):
        everything = [tool.id for tool in catalog.assemble(mode="off").visible]
        assert sorted(exported.names.values()) == sorted(everything)
        loaded = [tool["name"] for tool in functions(exported.tools) if "defer_loading" not in tool]
        assert loaded == ["delete_file", "send", "keywords"]
    assert catalog.export(form).names == exported.names


def test_a_call_to_an_exported_tool_is_checked_and_resolved(catalog: Catalog) -> None:
    exported = catalog.export("anthropic-bm25")
    [name] = [name for name, id in exported.names.items() if id == "list.files/all"]
    changed = {old: new for new, old in exported.arguments[name].items()}
    assert sorted(changed) == ["$filter", "año"]
    given = {changed["$filter"]: "a", changed["año"]: "2026", "none": 1}
    for arguments in (given, json.dumps(given)):
        [call] = catalog.invoke(*exported.call(name, arguments), Conversation()).calls
        assert (call.server, call.name, call.arguments) == ("files", "list.files/all", {"$filter": "a", "año": 2026, "none": 1})
    # What the schema of the request allows and the tool's own does not.
    refused = catalog.invoke(*exported.call("send", {"to": "a", "other": 1}), Conversation())
    assert refused.is_error and not refused.calls
    for arguments in ("no JSON", {}, None):
        assert catalog.invoke(*exported.call(name, arguments), Conversation()).is_error
    assert exported.call("nowhere", "{}") == ("nowhere", "{}")
    answer = catalog.invoke(*catalog.export("openai").call("tool_search", '{"queries": ["send a mail"]}'), Conversation())
    assert answer.text is not None and "send" in answer.text


def test_our_search_can_load_tools_of_a_provider(catalog: Catalog) -> None:
    exported = catalog.export("anthropic-bm25")
    seen = {id: name for name, id in exported.names.items()}
    deferred = {tool["name"] for tool in exported.tools[1:] if tool.get("defer_loading")}
    answer = catalog.invoke("tool_search", {"queries": ["list the files", "delete a file"]}, Conversation())
    hits = [hit["name"] for result in json.loads(answer.text or "")["results"] for hit in result.get("matches", [])]
    found = [seen[hit] for hit in hits if seen[hit] in deferred]
    assert found[:2] == ["list_files_all_bac13a14", "list_files_all"] and "delete_file" not in found and "delete_file" in hits


def test_a_part_that_a_schema_names_in_many_ways_is_read_once(weir: Weir) -> None:
    parts = [{"$ref": f"#{n}/$defs/part"} for n in range(2000)]
    schema = {"anyOf": parts, "$defs": {"part": {"properties": {f"p{n}": {"type": "string"} for n in range(2000)}}}}
    catalog = weir.catalog([{"name": "one", "pinned": True, "inputSchema": schema}])
    started = time.monotonic()
    [tool] = catalog.export("openai", mode="off").tools
    assert len(tool["parameters"]["properties"]) == 2000 and time.monotonic() - started < 10


def test_settings_count_and_what_cannot_be_exported_is_said(weir: Weir, catalog: Catalog) -> None:
    tool = {"name": "one", "inputSchema": {"type": "object"}}
    alone = weir.catalog([tool | {"pinned": True}]).export("anthropic-bm25")
    assert [one["name"] for one in alone.tools] == ["one"]
    assert [one["name"] for one in weir.catalog([tool]).export("openai-search").tools[:1]] == ["tools"]
    assert "tool_1" in catalog.export("gemini", placement="block").block
    assert len(functions(catalog.export("openai", mode="off").tools)) == len(catalog.assemble(mode="off").tools)
    with pytest.raises(Refused, match="there is no form 'bedrock': export one of anthropic, anthropic-bm25,") as refusal:
        catalog.export("bedrock")  # type: ignore[arg-type]
    assert (refusal.value.code, refusal.value.argument, refusal.value.names) == ("invalid", "form", list(FORMS))
    with pytest.raises(Refused, match="did you mean `pin`"):
        catalog.export("openai", pinn=["one"])
    many = [tool | {"name": f"tool_{n}"} for n in range(MOST["gemini"] + 1)]
    with pytest.raises(Refused, match="gemini takes 512 tools and these are 513") as refusal:
        weir.catalog(many).export("gemini", mode="off")
    assert (refusal.value.code, refusal.value.total) == ("too-many-tools", 513)


def test_the_async_catalog_exports_the_same(weir: Weir, catalog: Catalog) -> None:
    async def exported() -> Any:
        other = await weir.aio.catalog(json.loads(GOLDEN.read_text(encoding="utf-8"))["servers"])
        return await other.export("openai-search", pin=["old"])

    made = asyncio.run(exported())
    assert made == catalog.export("openai-search", pin=["old"]) and made.tools[2]["name"] == "old"
