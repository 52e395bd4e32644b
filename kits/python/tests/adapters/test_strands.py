from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("strands")

from strands import Agent, tool
from strands.models.model import Model

from weir_wasm import Weir
from weir_wasm.adapters.strands import WeirHooks


class Scripted(Model):
    def __init__(self, calls: list[tuple[str, dict[str, Any]]]) -> None:
        self.calls, self.seen, self.tools = calls, [], []  # type: ignore[var-annotated]

    def update_config(self, **_: Any) -> None:
        pass

    def get_config(self) -> Any:
        return {}

    async def structured_output(self, *_: Any, **__: Any) -> Any:
        yield {}

    async def stream(self, messages: Any, tool_specs: Any = None, system_prompt: Any = None, **_: Any) -> Any:
        self.tools = [spec["name"] for spec in tool_specs or []]
        for block in messages[-1]["content"]:
            if "toolResult" in block:
                self.seen.append(block["toolResult"])
        yield {"messageStart": {"role": "assistant"}}
        if self.calls:
            name, arguments = self.calls.pop(0)
            yield {"contentBlockStart": {"start": {"toolUse": {"name": name, "toolUseId": f"c{len(self.calls)}"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(arguments)}}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "tool_use"}}
        else:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "done"}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn"}}


def answers(results: WeirHooks, tools: list[Any], *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    model = Scripted(list(calls))
    Agent(model=model, tools=[*tools, *results.tools], hooks=[results], callback_handler=None)("go")
    assert "weir_fetch" in model.tools
    return model.seen


def test_strands_with_hooks(weir: Weir, log: str) -> None:
    @tool
    def read_log(path: str) -> str:
        """Read a log."""
        if path == "none":
            raise ValueError("no such log")
        return log if path == "big" else path

    results = WeirHooks(weir, "st")
    [shown] = answers(results, [read_log], ("read_log", {"path": "big"}))
    id = weir.list_blobs("st").entries[0].handle.id
    assert id in shown["content"][0]["text"] and len(shown["content"][0]["text"]) <= 6000
    read, small, failed = answers(
        results, [read_log], ("weir_fetch", {"id": id, "mode": "grep", "pattern": "error:"}),
        ("read_log", {"path": "small"}), ("read_log", {"path": "none"}),
    )
    assert "4321: error: disk is full" in read["content"][0]["text"]
    assert small["content"] == [{"text": "small"}] and failed["status"] == "error"
