"""Strands Agents: `results = WeirHooks(weir, "alice")`, then `Agent(…, tools=[…, *results.tools], hooks=[results])`."""

from __future__ import annotations

import json
from typing import Any

from strands.hooks import AfterToolCallEvent, HookProvider, HookRegistry
from strands.tools.tools import PythonAgentTool

from .._weir import ModelTool, Weir
from ._results import Results, Session


class WeirHooks(HookProvider):  # type: ignore[misc]
    """A hook after tools, and the tool that reads on. `session`: a name, or a function of the hook's event
    (for the reading tool, of the call)."""

    def __init__(self, weir: Weir, session: Session = "default") -> None:
        self.results = Results(weir, session)
        self.tools: list[Any] = [self._reader(tool) for tool in self.results.tools]

    def register_hooks(self, registry: HookRegistry, **_: Any) -> None:
        """Called by the agent."""
        registry.add_callback(AfterToolCallEvent, self.after_tool)

    def after_tool(self, event: Any) -> None:
        """Replaces what is large in a tool's result."""
        call, result = event.tool_use, event.result
        if call["name"] in self.results.names or not isinstance(result, dict):
            return
        session, is_error = self.results.session(event), result.get("status") == "error"

        def shown(block: Any) -> Any:
            for kind in ("text", "json"):
                if kind in block:
                    value = block[kind]
                    new = self.results.value(session, call["name"], value, call.get("input"), is_error=is_error)
                    return block if new is value else {"text": new}
            return block

        content = [shown(block) for block in result.get("content", [])]
        if content != result.get("content"):
            event.result = {**result, "content": content}

    def _reader(self, tool: ModelTool) -> Any:
        def read(tool_use: Any, **_: Any) -> Any:
            text, is_error = self.results.read(self.results.session(tool_use), tool.name, json.dumps(tool_use["input"]))
            return {
                "toolUseId": tool_use["toolUseId"],
                "status": "error" if is_error else "success",
                "content": [{"text": text}],
            }

        spec = {"name": tool.name, "description": tool.description, "inputSchema": {"json": tool.input_schema}}
        return PythonAgentTool(tool.name, spec, read)
