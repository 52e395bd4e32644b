from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("fastmcp")

from fastmcp import Client, FastMCP

from weir_wasm import Weir
from weir_wasm.adapters.fastmcp import WeirMiddleware


def test_fastmcp_with_a_middleware(weir: Weir, log: str) -> None:
    server = FastMCP("s")

    @server.tool
    def read_log(path: str) -> str:
        """Read a log."""
        if path == "none":
            raise ValueError("no such log")
        return log if path == "big" else path

    @server.tool
    def rows() -> list[dict[str, Any]]:
        """Many rows."""
        return [{"id": n, "state": "done"} for n in range(2000)]

    server.add_middleware(WeirMiddleware(weir, "fm", server="logs"))

    async def go() -> None:
        async with Client(server) as client:
            assert {tool.name for tool in await client.list_tools()} == {"read_log", "rows", "weir_fetch"}
            shown = await client.call_tool("read_log", {"path": "big"})
            id = weir.list_blobs("fm").entries[0].handle.id
            assert id in shown.content[0].text and len(shown.content[0].text) <= 6000
            assert shown.structured_content is None
            table = await client.call_tool("rows", {})
            assert len(str(table.structured_content or "")) + len(table.content[0].text) <= 6100
            read = await client.call_tool("weir_fetch", {"id": id, "mode": "grep", "pattern": "error:"})
            assert "4321: error: disk is full" in read.content[0].text
            small = await client.call_tool("read_log", {"path": "small"})
            assert small.content[0].text == "small" and small.structured_content == {"result": "small"}
            with pytest.raises(Exception, match="no such log"):
                await client.call_tool("read_log", {"path": "none"})

    asyncio.run(go())
