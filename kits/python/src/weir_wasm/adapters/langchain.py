"""LangChain and deepagents: `create_agent(model, tools, middleware=[WeirMiddleware(weir, "alice")])`."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool

from .._weir import ModelTool, Weir
from ._results import Results, Session


class WeirMiddleware(AgentMiddleware):  # type: ignore[misc,type-arg]
    """Replaces large tool messages, and gives the agent the tool that reads on.

    `session`: a name, or a function of the tool call's request. By default, the thread's id.
    """

    def __init__(self, weir: Weir, session: Session | None = None) -> None:
        super().__init__()
        self.results = Results(weir, thread_of if session is None else session)
        self.tools = [self._reader(tool) for tool in self.results.tools]

    def _reader(self, tool: ModelTool) -> StructuredTool:
        # What it answers is made in `wrap_tool_call`, which knows the session.
        def read(**arguments: Any) -> str:
            return self.results.read(self.results.session(None), tool.name, arguments)[0]

        return StructuredTool.from_function(
            read, name=tool.name, description=tool.description, args_schema=tool.input_schema
        )

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        """Runs the call, and shows what it gave."""
        if request.tool_call["name"] in self.results.names:
            return self._read(request)
        return self._shown(request, handler(request))

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        """The same beside the event loop."""
        if request.tool_call["name"] in self.results.names:
            return await asyncio.to_thread(self._read, request)
        return await asyncio.to_thread(self._shown, request, await handler(request))

    def _read(self, request: Any) -> ToolMessage:
        call = request.tool_call
        text, is_error = self.results.read(self.results.session(request), call["name"], call["args"])
        status = "error" if is_error else "success"
        return ToolMessage(text, tool_call_id=call["id"], name=call["name"], status=status)

    def _shown(self, request: Any, message: Any) -> Any:
        if not isinstance(message, ToolMessage):
            return message
        call, session = request.tool_call, self.results.session(request)

        def shown(text: str) -> str:
            return self.results.text(session, call["name"], text, call["args"], is_error=message.status == "error")

        content: Any = message.content
        if isinstance(content, str):
            content = shown(content)
        else:
            content = [
                shown(block) if isinstance(block, str)
                else {**block, "text": shown(block["text"])} if isinstance(block.get("text"), str) else block
                for block in content
            ]
        return message if content == message.content else message.model_copy(update={"content": content})


def thread_of(request: Any) -> str | None:
    """The id of the thread that a request is of, when there is one."""
    config = getattr(getattr(request, "runtime", None), "config", None) or {}
    thread = config.get("configurable", {}).get("thread_id")
    return None if thread is None else str(thread)
