"""Pydantic AI: `Agent(model, capabilities=[WeirCapability(weir, "alice")])`.

For versions without capabilities: `Agent(model, toolsets=[WeirToolset(toolset, weir), reader(weir)])`.
"""

from __future__ import annotations

from typing import Any

from pydantic_ai import Tool
from pydantic_ai.toolsets import FunctionToolset, WrapperToolset

from .._weir import Weir
from ._results import Results, Session

try:
    from pydantic_ai.capabilities import AbstractCapability
except ImportError:  # before 2
    AbstractCapability = object  # type: ignore[assignment,misc]


class WeirCapability(AbstractCapability):  # type: ignore[misc,type-arg]
    """Replaces large results, and gives the agent the tool that reads on. `session`: a name, or a function of the run's context."""

    def __init__(self, weir: Weir, session: Session = "default") -> None:
        self.results = Results(weir, session)

    def get_toolset(self) -> Any:
        """The tool that reads on."""
        return _reader(self.results)

    async def after_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any, result: Any) -> Any:
        """Shows what a tool gave."""
        return await self.results.value_async(self.results.session(ctx), call.tool_name, result, args)


class WeirToolset(WrapperToolset):  # type: ignore[misc,type-arg]
    """A toolset whose large results are replaced."""

    def __init__(self, wrapped: Any, weir: Weir, session: Session = "default") -> None:
        super().__init__(wrapped)
        self.results = Results(weir, session)

    async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: Any, tool: Any) -> Any:
        """Runs the tool, and shows what it gave."""
        result = await super().call_tool(name, tool_args, ctx, tool)
        return await self.results.value_async(self.results.session(ctx), name, result, tool_args)


def reader(weir: Weir, session: Session = "default") -> Any:
    """A toolset with the tool that reads on."""
    return _reader(Results(weir, session))


def _reader(results: Results) -> Any:
    def made(name: str) -> Any:
        async def read(ctx: Any, **arguments: Any) -> str:
            return (await results.read_async(results.session(ctx), name, arguments))[0]

        return read

    return FunctionToolset(
        [
            Tool.from_schema(
                made(tool.name), name=tool.name, description=tool.description, json_schema=tool.input_schema,
                takes_ctx=True,
            )
            for tool in results.tools
        ]
    )
