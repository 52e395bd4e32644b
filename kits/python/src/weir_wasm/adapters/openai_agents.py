"""OpenAI Agents SDK: `Agent(name="…", tools=WeirTools(weir, "alice").wrap([read_log]))`.

No hook of this SDK can replace a result, so the tools themselves are wrapped.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Iterable

from agents import FunctionTool

from .._weir import ModelTool, Weir
from ._results import Results, Session


class WeirTools:
    """Wraps function tools. `session`: a name, or a function of the tool's context."""

    def __init__(self, weir: Weir, session: Session = "default") -> None:
        self.results = Results(weir, session)

    def wrap(self, tools: Iterable[Any]) -> list[Any]:
        """The tools with large results replaced, and the tool that reads on. Others than function tools stay."""
        wrapped = [self.tool(tool) if isinstance(tool, FunctionTool) else tool for tool in tools]
        return [*wrapped, *(self._reader(tool) for tool in self.results.tools)]

    def tool(self, tool: FunctionTool) -> FunctionTool:
        """One tool with large results replaced."""
        invoke = tool.on_invoke_tool

        async def shown(context: Any, arguments: str) -> Any:
            result = await invoke(context, arguments)
            return await self.results.value_async(self.results.session(context), tool.name, result, arguments)

        return dataclasses.replace(tool, on_invoke_tool=shown)

    def _reader(self, tool: ModelTool) -> FunctionTool:
        async def read(context: Any, arguments: str) -> str:
            return (await self.results.read_async(self.results.session(context), tool.name, arguments))[0]

        return FunctionTool(
            name=tool.name, description=tool.description, params_json_schema=tool.input_schema,
            on_invoke_tool=read, strict_json_schema=False,
        )
