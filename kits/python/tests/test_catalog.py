from __future__ import annotations

from typing import Any

import pytest

from weir_wasm import Conversation, Limits, Refused, Trapped, Weir

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def tools() -> list[dict[str, Any]]:
    many = [{"name": f"tool_{n}", "description": f"Does {n}.", "inputSchema": SCHEMA} for n in range(99)]
    return [*many, {"name": "read_file", "description": "Reads a file from disk.", "inputSchema": SCHEMA}]


def test_a_catalog_is_searched_described_and_called(weir: Weir) -> None:
    catalog = weir.catalog({"files": tools()})
    assembly = catalog.assemble(mode="on")
    assert assembly.active and [tool["name"] for tool in assembly.tools] == ["tool_search", "tool_describe", "tool_call"]
    conversation = Conversation()
    found = catalog.search("read a file", conversation)
    assert found.text is not None and "read_file" in found.text and conversation.state["searches"]
    described = catalog.invoke("tool_describe", {"names": ["read_file"]}, conversation)
    assert described.text is not None and "path" in described.text
    call = {"calls": [{"name": "read_file", "arguments": {"path": "/a"}}]}
    [resolved] = catalog.invoke("tool_call", call, conversation).calls
    assert (resolved.server, resolved.name, resolved.arguments) == ("files", "read_file", {"path": "/a"})
    refused = catalog.invoke("tool_call", {"calls": [{"name": "read_fil", "arguments": {}}]}, conversation)
    assert refused.is_error and refused.text is not None and "read_file" in refused.text
    conversation.compacted()
    assert "shown" not in conversation.state


def test_a_catalog_has_other_names_and_refuses_settings_that_it_does_not_know(weir: Weir) -> None:
    catalog = weir.catalog([{"name": "files", "tools": tools()}], names={"search": "find", "describe": "show", "call": "run"})
    assert [tool["name"] for tool in catalog.assemble(mode="on").tools] == ["find", "show", "run"]
    with pytest.raises(Refused) as refusal:
        catalog.assemble(required=["none"])
    assert refusal.value.code == "missing-tools" and refusal.value.names == ["none"]
    with pytest.raises(Refused, match="did you mean `threshold_tokens`") as refusal:
        catalog.assemble(treshold_tokens=1)
    assert (refusal.value.code, refusal.value.argument) == ("invalid", "settings")


def test_a_snapshot_is_taken_in_each_of_its_shapes(weir: Weir) -> None:
    one = [{"name": "read_file", "inputSchema": SCHEMA}]
    listed = [{"name": "files", "tools": one}]
    shapes: list[Any] = [{"files": one}, listed, {"servers": listed}, {"servers": listed, "knownPhrases": False}]
    for given in shapes:
        [tool] = weir.catalog(given).assemble(mode="off").visible
        assert (tool.server, tool.name) == ("files", "read_file")
    for bare in (one, {"tools": one}):
        [tool] = weir.catalog(bare).assemble(mode="off").visible
        assert tool.name == "read_file"


def test_after_a_trap_a_catalog_is_opened_again(weir: Weir) -> None:
    catalog = weir.catalog({"files": tools()})
    limits = weir._limits_of
    weir._limits_of = lambda kind, size: Limits(1000, 10, 512 << 20)
    with pytest.raises(Trapped):
        catalog.search("file")
    weir._limits_of = limits
    assert "read_file" in (catalog.search("read a file").text or "")


def test_tools_alone_need_no_directory(weir: Weir, cache: Any) -> None:
    alone = Weir(None, cache=cache)
    assert alone.catalog(tools()).assemble(mode="off").tools[-1]["name"] == "read_file"
    with pytest.raises(Refused) as refusal:
        alone.status()
    assert refusal.value.code == "storage"
