from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("agents.tool")

from agents import Agent, ModelResponse, RunConfig, Runner, Usage, function_tool
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from weir_wasm import Weir
from weir_wasm.adapters.openai_agents import WeirTools


class Scripted(Model):
    def __init__(self, calls: list[tuple[str, dict[str, Any]]]) -> None:
        self.calls, self.seen, self.tools = calls, [], []  # type: ignore[var-annotated]

    async def get_response(self, system_instructions: Any, input: Any, model_settings: Any, tools: Any, *_: Any, **__: Any) -> Any:
        self.tools = [tool.name for tool in tools]
        if isinstance(input, list) and input[-1].get("type") == "function_call_output":
            self.seen.append(input[-1]["output"])
        if self.calls:
            name, arguments = self.calls.pop(0)
            output: Any = ResponseFunctionToolCall(
                name=name, arguments=json.dumps(arguments), call_id=f"c{len(self.calls)}", type="function_call"
            )
        else:
            text = ResponseOutputText(text="done", type="output_text", annotations=[])
            output = ResponseOutputMessage(id="m", role="assistant", status="completed", type="message", content=[text])
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def answers(tools: list[Any], *calls: tuple[str, dict[str, Any]]) -> list[str]:
    model = Scripted(list(calls))
    agent = Agent(name="a", model=model, tools=tools)
    asyncio.run(Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True)))
    assert "weir_fetch" in model.tools
    return model.seen


def test_openai_agents_with_wrapped_tools(weir: Weir, log: str) -> None:
    @function_tool
    def read_log(path: str) -> str:
        """Read a log."""
        if path == "none":
            raise ValueError("no such log")
        return log if path == "big" else path

    tools = WeirTools(weir, "oa").wrap([read_log])
    [shown] = answers(tools, ("read_log", {"path": "big"}))
    id = weir.list_blobs("oa").entries[0].handle.id
    assert id in shown and len(shown) <= 6000
    read, small, failed = answers(
        tools, ("weir_fetch", {"id": id, "mode": "grep", "pattern": "error:"}), ("read_log", {"path": "small"}),
        ("read_log", {"path": "none"}),
    )
    assert "4321: error: disk is full" in read and small == "small" and "error occurred" in failed
