from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from weir_wasm import Weir
from weir_wasm.adapters import hermes


def test_a_large_output_is_replaced_and_its_exit_code_stays(weir: Weir, log: str) -> None:
    plugin = hermes.WeirPlugin(weir)
    result = json.dumps({"output": log, "exit_code": 3, "error": None})
    shown = plugin.transform_tool_result(tool_name="terminal", result=result, session_id="s1", args={"command": "cat"})
    assert shown is not None
    read = json.loads(shown)
    id = weir.list_blobs("s1").entries[0].handle.id
    assert read["exit_code"] == 3 and id in read["output"] and len(shown) < 8000
    assert plugin.transform_tool_result(tool_name="terminal", result='{"output": "small"}', session_id="s1") is None
    assert plugin.transform_tool_result(tool_name="weir_fetch", result=result, session_id="s1") is None
    many = json.dumps({"results": [{"url": "u", "content": log} for _ in range(2)]})
    shown = plugin.transform_tool_result(tool_name="web_extract", result=many, session_id="s1")
    assert shown is not None and len(shown) <= 6000


def test_a_stored_result_is_handed_on_by_its_name(weir: Weir, log: str) -> None:
    plugin = hermes.WeirPlugin(weir)
    handle = weir.transform("s1", "t", log).handles[0]
    filled = plugin.tool_request(tool_name="write_file", args={"path": "a", "content": handle.uri}, session_id="s1")
    assert filled == {"args": {"path": "a", "content": log}, "source": "weir"}
    assert plugin.tool_request(tool_name="write_file", args={"content": handle.uri}, session_id="other") is None
    assert plugin.tool_request(tool_name="write_file", args={"content": f"see {handle.uri}"}, session_id="s1") is None
    assert "1 stored results" in plugin.status() and str(weir.directory) in plugin.status()


def test_hermes_itself_runs_the_plugin(tmp_path: Path, cache: Path, log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("hermes_cli.plugins")
    pytest.importorskip("model_tools")
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    monkeypatch.setattr(hermes, "_home", lambda: str(tmp_path))
    monkeypatch.setattr(hermes, "_settings", lambda: {"transform": {"threshold_chars": 5000}})
    import model_tools
    from hermes_cli import plugins
    from tools.registry import registry

    manager = plugins.get_plugin_manager()
    manifest = plugins.PluginManifest(name="weir")
    hermes.register(plugins.PluginContext(manifest, manager))

    def big(args: Any, **_: Any) -> str:
        return json.dumps({"output": log if args.get("n") else "small", "exit_code": 0})

    schema = {"name": "big", "description": "Big.", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    registry.register(name="big", toolset="test", schema=schema, handler=big)
    shown = json.loads(model_tools.handle_function_call("big", {"n": 1}, session_id="s9"))
    weir = Weir(tmp_path / "weir", cache=cache)
    id = weir.list_blobs("s9").entries[0].handle.id
    assert id in shown["output"] and shown["exit_code"] == 0
    arguments = {"id": id, "mode": "grep", "pattern": "error:"}
    read = model_tools.handle_function_call("weir_fetch", arguments, session_id="s9")
    assert "4321: error: disk is full" in json.loads(read)["result"]
    assert json.loads(model_tools.handle_function_call("big", {}, session_id="s9"))["output"] == "small"
