"""FastMCP: `server.add_middleware(WeirMiddleware(weir))`. The reading tool is listed and answered by it."""

from __future__ import annotations

import asyncio
from typing import Any

from fastmcp.server.middleware import Middleware
from fastmcp.tools.base import Tool, ToolResult

from .._weir import Weir
from ..errors import WeirError
from ._results import Results, Session, log

try:
    from mcp.types import TextContent
except ImportError:  # mcp 2 keeps its types in a package of their own
    from mcp_types import TextContent


class WeirMiddleware(Middleware):  # type: ignore[misc]
    """Replaces large results of a server's tools. `session`: a name, or a function of the middleware's context.
    By default, the id of the client's session."""

    def __init__(self, weir: Weir, session: Session | None = None, *, server: str | None = None) -> None:
        self.results = Results(weir, session_of if session is None else session)
        self.server = server
        self._tools = [
            Tool(name=tool.name, description=tool.description, parameters=tool.input_schema) for tool in self.results.tools
        ]

    async def on_list_tools(self, context: Any, call_next: Any) -> Any:
        """The server's tools, and the reading tool. Output schemas are left out: clients would demand structured
        content, which is what a large result has too much of."""
        tools = await call_next(context)
        plain = [tool.model_copy(update={"output_schema": None}) if tool.output_schema else tool for tool in tools]
        return [*plain, *self._tools]

    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        """Runs the tool, and shows what it gave."""
        name, arguments = context.message.name, context.message.arguments or {}
        session = self.results.session(context)
        if name in self.results.names:
            text, is_error = await self.results.read_async(session, name, arguments)
            return ToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)
        result = await call_next(context)
        return await asyncio.to_thread(self._shown, session, name, arguments, result)

    def _shown(self, session: str, name: str, arguments: Any, result: Any) -> Any:
        content = [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content]
        whole: dict[str, Any] = {"content": content, "isError": bool(getattr(result, "is_error", False))}
        if result.structured_content is not None:
            whole["structuredContent"] = result.structured_content
        try:
            shown = self.results.weir.transform_mcp(session, name, whole, server=self.server, arguments=arguments)
        except WeirError as error:
            log.warning("a result of %s is shown as it came: %s", name, error)
            return result
        if not shown.replaced:
            return result
        originals = {id(block): block for block in result.content}
        blocks: list[Any] = []
        for block in shown.result["content"]:
            same = next((one for one, raw in zip(originals.values(), content) if raw == block), None)
            blocks.append(same or TextContent(type="text", text=block.get("text", "")))
        return ToolResult(content=blocks, meta=result.meta, is_error=whole["isError"])


def session_of(context: Any) -> str | None:
    """The id of the client's session, when there is one."""
    try:
        return getattr(context.fastmcp_context, "session_id", None)
    except Exception:  # Outside of a request it raises.
        return None
