from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pydantic_ai")

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from weir_wasm import Weir
from weir_wasm.adapters.pydantic_ai import WeirCapability, WeirToolset, reader


def answers(make: Any, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    seen: list[Any] = []
    waiting = list(calls)

    def model(messages: Any, info: Any) -> ModelResponse:
        if len(messages) > 1:
            seen.append(messages[-1].parts[-1].content)
        return ModelResponse(parts=[ToolCallPart(*waiting.pop(0)) if waiting else TextPart("done")])

    make(FunctionModel(model)).run_sync("go")
    return seen


def toolset(log: str) -> Any:
    tools = FunctionToolset()

    @tools.tool_plain
    def read_log(path: str) -> Any:
        if path == "rows":
            return [{"id": n, "state": "done"} for n in range(2000)]
        return log if path == "big" else path

    @tools.tool_plain
    def fail() -> str:
        raise ValueError("it failed")

    return tools


def check(make: Any, weir: Weir) -> None:
    shown, rows = answers(make, ("read_log", {"path": "big"}), ("read_log", {"path": "rows"}))
    rows_id, id = (entry.handle.id for entry in weir.list_blobs("pa").entries)
    assert id in shown and len(shown) <= 6000 and rows_id in rows
    read, small = answers(
        make, ("weir_fetch", {"id": id, "mode": "grep", "pattern": "error:"}), ("read_log", {"path": "small"})
    )
    assert "4321: error: disk is full" in read and small == "small"
    with pytest.raises(ValueError, match="it failed"):
        answers(make, ("fail", {}))


def test_pydantic_ai_with_a_capability(weir: Weir, log: str) -> None:
    pytest.importorskip("pydantic_ai.capabilities")
    check(lambda model: Agent(model, toolsets=[toolset(log)], capabilities=[WeirCapability(weir, "pa")]), weir)


def test_pydantic_ai_with_a_toolset(weir: Weir, log: str) -> None:
    check(lambda model: Agent(model, toolsets=[WeirToolset(toolset(log), weir, "pa"), reader(weir, "pa")]), weir)
