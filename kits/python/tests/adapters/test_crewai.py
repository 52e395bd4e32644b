from __future__ import annotations

import json
import os
from typing import Any

import pytest

os.environ.setdefault("CREWAI_DISABLE_TELEMETRY", "true")
os.environ.setdefault("OTEL_SDK_DISABLED", "true")
pytest.importorskip("crewai")

from crewai import Agent, BaseLLM, Crew, Task
from crewai.tools import tool

from weir_wasm import Weir
from weir_wasm.adapters.crewai import WeirHook


class Scripted(BaseLLM):
    """Speaks the text form of CrewAI's loop, which every model has."""

    calls: list[Any] = []
    seen: list[str] = []

    def supports_function_calling(self) -> bool:
        return False

    def call(self, messages: Any, *_: Any, **__: Any) -> str:
        told = [str(one["content"]) for one in messages if one["role"] == "assistant"]
        self.seen[:] = [text.rsplit("Observation:", 1)[1] for text in told if "Observation:" in text]
        if self.calls:
            name, arguments = self.calls.pop(0)
            return f"Thought: go on\nAction: {name}\nAction Input: {json.dumps(arguments)}\n"
        return "Thought: I now know the final answer\nFinal Answer: done"


def answers(results: WeirHook, tools: list[Any], *calls: tuple[str, dict[str, Any]]) -> list[str]:
    model = Scripted(model="stub", calls=list(calls), seen=[])
    agent = Agent(role="r", goal="g", backstory="b", tools=[*tools, *results.tools], llm=model, max_iter=6)
    Crew(agents=[agent], tasks=[Task(description="go", expected_output="x", agent=agent)], tracing=False).kickoff()
    return model.seen


def test_crewai_with_a_hook(weir: Weir, log: str) -> None:
    @tool("read_log")
    def read_log(path: str) -> str:
        """Read a log."""
        if path == "none":
            raise ValueError("no such log")
        return log if path == "big" else path

    with WeirHook(weir, "cr") as results:
        [shown, *_] = answers(results, [read_log], ("read_log", {"path": "big"}))
        id = weir.list_blobs("cr").entries[0].handle.id
        assert id in shown and len(shown) <= 7000
        read, small, *_ = answers(
            results, [read_log], ("weir_fetch", {"id": id, "mode": "grep", "pattern": "error:"}), ("read_log", {"path": "small"})
        )
        assert "4321: error: disk is full" in read and "small" in small
        assert any("no such log" in one for one in answers(results, [read_log], ("read_log", {"path": "none"})))
