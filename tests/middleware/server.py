"""A small MCP server in Python, made a component by componentize-py: what tests/middleware.sh also composes."""

import json

from componentize_py_types import Err, Ok
from wit_world import exports
from wit_world.imports import mcp


def lines(count):
    return "".join(f"{n}: {'error: disk is full' if n == 4321 else 'all is well'}\n" for n in range(1, count + 1))


class ServerHandler(exports.ServerHandler):
    def handle(self, ctx, message):
        if not isinstance(message, mcp.ClientMessage_Request):
            return None
        request = message.value[1]
        if isinstance(request, mcp.ClientRequest_ToolsList):
            schema = {"type": "object", "properties": {"lines": {"type": "integer"}}}
            tools = [mcp.Tool("log", json.dumps(schema), None)]
            return Ok(mcp.ServerResult_ToolsList(mcp.ListToolsResult(None, None, tools)))
        if isinstance(request, mcp.ClientRequest_ToolsCall):
            count = json.loads(request.value.arguments or "{}").get("lines", 3)
            text = mcp.TextContent(mcp.TextData_Text(lines(count)), None)
            result = mcp.CallToolResult(None, [mcp.ContentBlock_Text(text)], None, None)
            return Ok(mcp.ServerResult_ToolsCall(result))
        return Err(mcp.ErrorCode_MethodNotFound(mcp.Error(-32601, "no such method", None)))
