"""LlamaIndex: `FunctionAgent(tools=WeirTools(weir, "alice").wrap([read_log]), llm=llm)`."""

from __future__ import annotations

import asyncio
from typing import Any, Iterable

from llama_index.core.tools import AsyncBaseTool, FunctionTool, ToolMetadata, ToolOutput
from llama_index.core.tools.types import adapt_to_async_tool
from pydantic import BaseModel, ConfigDict

from .._weir import ModelTool, Weir
from ._results import Results, Session


class WeirTools:
    """Wraps tools. `session`: a name, or a function of the tool's output (for the reading tool, of None)."""

    def __init__(self, weir: Weir, session: Session = "default") -> None:
        self.results = Results(weir, session)

    def wrap(self, tools: Iterable[Any]) -> list[AsyncBaseTool]:
        """The tools (or functions) with large results replaced, and the tool that reads on."""
        made = [tool if hasattr(tool, "metadata") else FunctionTool.from_defaults(tool) for tool in tools]
        return [*(_Wrapped(self.results, tool) for tool in made), *(_Reader(self.results, tool) for tool in self.results.tools)]


class _Wrapped(AsyncBaseTool):  # type: ignore[misc]
    def __init__(self, results: Results, tool: Any) -> None:
        self._results, self._tool = results, adapt_to_async_tool(tool)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tool, name)

    @property
    def metadata(self) -> ToolMetadata:
        return self._tool.metadata

    def call(self, *arguments: Any, **named: Any) -> ToolOutput:
        return self._shown(self._tool.call(*arguments, **named))

    async def acall(self, *arguments: Any, **named: Any) -> ToolOutput:
        return await asyncio.to_thread(self._shown, await self._tool.acall(*arguments, **named))

    def _shown(self, output: ToolOutput) -> ToolOutput:
        session, tool = self._results.session(output), output.tool_name
        text = output.content
        shown = self._results.text(session, tool, text, output.raw_input, is_error=output.is_error)
        if shown is text:
            return output
        others = [block for block in output.blocks if getattr(block, "block_type", "text") != "text"]
        made = ToolOutput(
            tool_name=tool, content=shown, raw_input=output.raw_input, raw_output=shown, is_error=output.is_error
        )
        made.blocks = [*made.blocks, *others]
        return made


class _Reader(AsyncBaseTool):  # type: ignore[misc]
    def __init__(self, results: Results, tool: ModelTool) -> None:
        schema = tool.input_schema

        class Arguments(BaseModel):
            model_config = ConfigDict(extra="allow")

            @classmethod
            def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
                return dict(schema)

        self._results = results
        self._metadata = ToolMetadata(description=tool.description, name=tool.name, fn_schema=Arguments)

    @property
    def metadata(self) -> ToolMetadata:
        return self._metadata

    def call(self, *_: Any, **arguments: Any) -> ToolOutput:
        name = str(self._metadata.name)
        text, is_error = self._results.read(self._results.session(None), name, arguments)
        return ToolOutput(tool_name=name, content=text, raw_input=arguments, raw_output=text, is_error=is_error)

    async def acall(self, *positional: Any, **arguments: Any) -> ToolOutput:
        return await asyncio.to_thread(self.call, *positional, **arguments)
