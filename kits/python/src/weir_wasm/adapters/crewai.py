"""CrewAI: `with WeirHook(weir, "alice") as results: Agent(…, tools=[…, *results.tools])`.

CrewAI's hooks are of the whole process: the hook is there until `remove`.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from crewai.hooks import register_after_tool_call_hook, unregister_after_tool_call_hook
from crewai.tools import BaseTool
from pydantic import BaseModel, ConfigDict

from .._weir import ModelTool, Weir
from ._results import Results, Session


class WeirHook:
    """A hook after tools, and the tool that reads on.

    `session`: a name, or a function of the hook's context; of the reading tool's calls there is none.
    """

    def __init__(self, weir: Weir, session: Session = "default") -> None:
        self.results = Results(weir, session)
        self.tools: list[BaseTool] = [_reader(self.results, tool) for tool in self.results.tools]

    def after_tool(self, context: Any) -> str | None:
        """What to show in a result's place, or None to leave it."""
        whole = context.tool_result
        if not isinstance(whole, str) or context.tool_name in self.results.names:
            return None
        session = self.results.session(context)
        shown = self.results.text(session, context.tool_name, whole, context.tool_input)
        return None if shown is whole else shown

    def add(self) -> "WeirHook":
        """Starts to replace results."""
        register_after_tool_call_hook(self.after_tool)
        return self

    def remove(self) -> None:
        """Ends it."""
        unregister_after_tool_call_hook(self.after_tool)

    def __enter__(self) -> "WeirHook":
        return self.add()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.remove()


def _reader(results: Results, tool: ModelTool) -> BaseTool:
    schema = tool.input_schema

    class Arguments(BaseModel):
        model_config = ConfigDict(extra="allow", title=tool.name)

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            return schema

    class Reader(BaseTool):  # type: ignore[misc]
        name: str = tool.name
        description: str = tool.description
        args_schema: type[BaseModel] = Arguments

        def _run(self, **arguments: Any) -> str:
            return results.read(results.session(None), tool.name, arguments)[0]

    return Reader()
