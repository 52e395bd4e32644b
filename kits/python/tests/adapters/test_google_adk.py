from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("google.adk")

from google.adk.agents import Agent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

from weir_wasm import Weir
from weir_wasm.adapters.google_adk import WeirResults


class Scripted(BaseLlm):
    calls: list[Any]
    seen: list[Any] = []
    tools: list[str] = []

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
        self.tools[:] = [one.name for tool in llm_request.config.tools for one in tool.function_declarations]
        response = llm_request.contents[-1].parts[-1].function_response
        if response is not None:
            self.seen.append(response.response)
        part = types.Part(text="done")
        if self.calls:
            name, args = self.calls.pop(0)
            part = types.Part(function_call=types.FunctionCall(name=name, args=args))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def answers(results: WeirResults, tools: list[Any], *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    model = Scripted(model="stub", calls=list(calls), seen=[], tools=[])
    agent = Agent(name="a", model=model, tools=[*tools, *results.tools], after_tool_callback=results.after_tool)

    async def go() -> None:
        runner = InMemoryRunner(agent=agent, app_name="x")
        session = await runner.session_service.create_session(app_name="x", user_id="u", session_id="adk")
        message = types.Content(role="user", parts=[types.Part(text="go")])
        async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=message):
            pass

    asyncio.run(go())
    assert "weir_fetch" in model.tools
    return model.seen


def test_google_adk_with_a_callback(weir: Weir, log: str) -> None:
    def read_log(path: str) -> str:
        """Read a log."""
        if path == "none":
            raise ValueError("no such log")
        return log if path == "big" else path

    results = WeirResults(weir)
    [shown] = answers(results, [read_log], ("read_log", {"path": "big"}))
    id = weir.list_blobs("adk").entries[0].handle.id
    assert id in shown["result"] and len(shown["result"]) <= 6000
    read, small = answers(
        results, [read_log], ("weir_fetch", {"id": id, "mode": "grep", "pattern": "error:"}), ("read_log", {"path": "small"})
    )
    assert "4321: error: disk is full" in read["result"] and small == {"result": "small"}
    with pytest.raises(ValueError, match="no such log"):
        answers(results, [read_log], ("read_log", {"path": "none"}))
