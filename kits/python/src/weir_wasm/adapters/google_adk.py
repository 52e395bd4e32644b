"""Google ADK: `results = WeirResults(weir)`, then `Agent(…, tools=[…, *results.tools], after_tool_callback=results.after_tool)`."""

from __future__ import annotations

from typing import Any

from google.adk.tools.base_tool import BaseTool
from google.genai import types

from .._weir import ModelTool, Weir
from ._results import Results, Session


class WeirResults:
    """A callback after tools, and the tool that reads on.

    `session`: a name, or a function of the tool's context. By default, the id of ADK's session.
    """

    def __init__(self, weir: Weir, session: Session | None = None) -> None:
        self.results = Results(weir, session_of if session is None else session)
        self.tools: list[BaseTool] = [_Reader(self.results, tool) for tool in self.results.tools]

    async def after_tool(self, tool: Any, args: dict[str, Any], tool_context: Any, tool_response: Any) -> Any:
        """What to show in a result's place, or None to leave it."""
        if tool.name in self.results.names:
            return None
        value = tool_response
        if isinstance(value, dict) and set(value) == {"result"}:
            value = value["result"]
        shown = await self.results.value_async(self.results.session(tool_context), tool.name, value, args)
        return None if shown is value else {"result": shown}


class _Reader(BaseTool):  # type: ignore[misc]
    def __init__(self, results: Results, tool: ModelTool) -> None:
        super().__init__(name=tool.name, description=tool.description)
        self._results, self._tool = results, tool

    def _get_declaration(self) -> Any:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._tool.input_schema
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> Any:
        text, is_error = await self._results.read_async(self._results.session(tool_context), self.name, args)
        return {"error" if is_error else "result": text}


def session_of(context: Any) -> str | None:
    """The id of ADK's session."""
    session = getattr(context, "session", None) or getattr(getattr(context, "_invocation_context", None), "session", None)
    return getattr(session, "id", None)
