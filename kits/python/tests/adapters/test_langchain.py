from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("langchain.agents")

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from weir_wasm import Weir
from weir_wasm.adapters.langchain import WeirMiddleware


class Model(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self


def call(name: str, **args: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": "1"}])


def answers(make: Any, middleware: WeirMiddleware, *calls: AIMessage) -> list[str]:
    """The text of each tool message that the model is shown."""
    agent = make(Model(messages=iter([*calls, AIMessage("done")])), middleware)
    messages = agent.invoke({"messages": [("user", "go")]}, {"configurable": {"thread_id": "t1"}})["messages"]
    return [message.content for message in messages if message.type == "tool"]


def check(make: Any, weir: Weir, log: str) -> None:
    middleware = WeirMiddleware(weir)
    [shown] = answers(make, middleware, call("read_log", path="big"))
    id = weir.list_blobs("t1").entries[0].handle.id
    assert id in shown and len(shown) <= 6000
    read, small, failed = answers(
        make, middleware, call("weir_fetch", id=id, mode="grep", pattern="error:"), call("read_log", path="small"),
        call("weir_fetch", id="0" * 12, mode="head"),
    )
    assert "4321: error: disk is full" in read and small == "small" and "0" * 12 in failed


def test_langchain_shows_excerpts_and_reads_on(weir: Weir, log: str) -> None:
    def read_log(path: str) -> str:
        """Read a log."""
        return log if path == "big" else path

    check(lambda model, middleware: create_agent(model, [read_log], middleware=[middleware]), weir, log)


def test_langchain_async_and_errors(weir: Weir, log: str) -> None:
    import asyncio

    def read_log(path: str) -> str:
        """Read a log."""
        raise ValueError("no such log")

    async def go() -> Any:
        model = Model(messages=iter([call("read_log", path="x"), AIMessage("done")]))
        agent = create_agent(model, [read_log], middleware=[WeirMiddleware(weir, "a")])
        return await agent.ainvoke({"messages": [("user", "go")]})

    with pytest.raises(ValueError, match="no such log"):
        asyncio.run(go())


def test_deepagents_shows_excerpts_and_reads_on(weir: Weir, log: str) -> None:
    deepagents = pytest.importorskip("deepagents")

    def read_log(path: str) -> str:
        """Read a log."""
        return log if path == "big" else path

    check(
        lambda model, middleware: deepagents.create_deep_agent(model, [read_log], middleware=[middleware]), weir, log
    )
