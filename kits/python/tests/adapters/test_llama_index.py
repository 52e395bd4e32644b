from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection

from weir_wasm import Weir
from weir_wasm.adapters.llama_index import WeirTools


class Scripted(FunctionCallingLLM):
    calls: list[Any] = []
    seen: list[Any] = []
    names: list[str] = []

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_function_calling_model=True)

    def _prepare_chat_with_tools(self, tools: Any, chat_history: Any = None, **_: Any) -> Any:
        self.names[:] = [tool.metadata.name for tool in tools]
        for tool in tools:
            tool.metadata.to_openai_tool()
        return {"messages": chat_history or []}

    async def astream_chat(self, messages: Any, **_: Any) -> Any:
        raise NotImplementedError

    async def achat(self, messages: Any, **_: Any) -> Any:
        return self._answer(messages)

    async def achat_with_tools(self, tools: Any, user_msg: Any = None, chat_history: Any = None, **_: Any) -> Any:
        self._prepare_chat_with_tools(tools)
        return self._answer(chat_history)

    async def astream_chat_with_tools(self, tools: Any, user_msg: Any = None, chat_history: Any = None, **_: Any) -> Any:
        self._prepare_chat_with_tools(tools)
        response = self._answer(chat_history)

        async def stream() -> Any:
            yield response

        return stream()

    def _answer(self, messages: Any) -> ChatResponse:
        if messages[-1].role.value == "tool":
            self.seen.append(messages[-1].content)
        call = [self.calls.pop(0)] if self.calls else []
        return ChatResponse(message=ChatMessage(role="assistant", content="done"), raw={"call": call})

    def get_tool_calls_from_response(self, response: Any, error_on_no_tool_call: bool = True, **_: Any) -> Any:
        return [ToolSelection(tool_id="1", tool_name=name, tool_kwargs=kwargs) for name, kwargs in response.raw["call"]]

    def chat(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    complete = stream_chat = stream_complete = chat
    acomplete = astream_complete = achat


def answers(tools: list[Any], *calls: tuple[str, dict[str, Any]]) -> list[str]:
    model = Scripted(calls=list(calls), seen=[], names=[])

    async def go() -> None:
        await FunctionAgent(tools=tools, llm=model, streaming=False).run("go")

    asyncio.run(go())
    assert "weir_fetch" in model.names
    return model.seen


def test_llama_index_with_wrapped_tools(weir: Weir, log: str) -> None:
    def read_log(path: str) -> str:
        """Read a log."""
        if path == "none":
            raise ValueError("no such log")
        return log if path == "big" else path

    tools = WeirTools(weir, "li").wrap([read_log])
    [shown] = answers(tools, ("read_log", {"path": "big"}))
    id = weir.list_blobs("li").entries[0].handle.id
    assert id in shown and len(shown) <= 6000
    read, small, failed = answers(
        tools, ("weir_fetch", {"id": id, "mode": "grep", "pattern": "error:"}), ("read_log", {"path": "small"}),
        ("read_log", {"path": "none"}),
    )
    assert "4321: error: disk is full" in read and small == "small" and "no such log" in failed
