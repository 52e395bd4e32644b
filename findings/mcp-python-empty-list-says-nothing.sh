#!/usr/bin/env bash
# mcp 2.3.0 (MCPServer) and fastmcp 4.2.3 (FastMCP), both PyPI: what a tool's Python value is for a host that reads the text.
# Behaviour: a tool `-> list[str]` that finds nothing answers with content [] : not "[]", not an empty text, no block at all; most hosts then show
# the model nothing. Its value is in structuredContent alone. In MCPServer a list of two is two blocks (one block in FastMCP), a date and a Decimal are
# texts with quotes around them and have no structuredContent at all, while FastMCP gives both without quotes and with it.
# Seen:   nothing: 0 blocks in both / two: 2 and 1 / date: "2026-01-02" in quotes, None / 2026-01-02, {'result': ...}
# Expected by most: one block with [] in it, and a date as str() has it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp==2.3.0 fastmcp==4.2.3
cat > run.py <<'PY'
import asyncio
import datetime
import decimal
import importlib.metadata
import fastmcp
import mcp
from mcp.server import MCPServer

print(*(name + ' ' + importlib.metadata.version(name) for name in ('mcp', 'fastmcp')))


def with_tools(server):
    @server.tool()
    def nothing() -> list[str]:
        return []

    @server.tool()
    def two() -> list[str]:
        return ['a', 'b']

    @server.tool()
    def date() -> datetime.date:
        return datetime.date(2026, 1, 2)

    @server.tool()
    def price() -> decimal.Decimal:
        return decimal.Decimal('1.10')

    return server


async def main():
    for name, client in (('mcp', mcp.Client(with_tools(MCPServer('a')))), ('fastmcp', fastmcp.Client(with_tools(fastmcp.FastMCP('b'))))):
        async with client:
            for tool in ('nothing', 'two', 'date', 'price'):
                result = await client.call_tool(tool, {})
                print(f'{name} {tool}: {[block.text for block in result.content]} {result.structured_content}')


asyncio.run(main())
PY
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
tail -n +2 out | diff - <(cat <<'END'
mcp nothing: [] {'result': []}
mcp two: ['a', 'b'] {'result': ['a', 'b']}
mcp date: ['"2026-01-02"'] None
mcp price: ['"1.10"'] None
fastmcp nothing: [] {'result': []}
fastmcp two: ['["a","b"]'] {'result': ['a', 'b']}
fastmcp date: ['2026-01-02'] {'result': '2026-01-02'}
fastmcp price: ['1.10'] {'result': '1.10'}
END
)
