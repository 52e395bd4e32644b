#!/usr/bin/env bash
# fastmcp 4.2.3 with mcp 2.3.0 (PyPI): create_proxy as it is, over stdio, before a server made with mcp 1.30.0 (PyPI), and asked by the newest clients as they are.
# Behaviour: towards the server the proxy takes the revision that its own client has, and does not ask whether the server knows it. A client of today speaks 2026-07-28, a
# server of SDK 1.x does not, so each request of the proxy fails, and this is said in the proxy's log alone: the client is opened, tools/list is an EMPTY list and
# no error, and a call of the tool is "Unknown tool". The same client finds the tool without the proxy, and through the proxy if it is set to the older
# revisions. With mode='legacy' given to create_proxy all is well.
# Seen:   direct: ['hello'] / proxy: [], Unknown tool: 'hello' / mcp's own client by way of the proxy: [] / client or proxy with mode legacy: ['hello']
# Expected by most: a proxy speaks to each side what this side knows, as a client without a proxy does, or the list is an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fastmcp==4.2.3 mcp==2.3.0
python3 -m venv old; old/bin/pip install --quiet --disable-pip-version-check mcp==1.30.0
cat > server.py <<'PY'
from mcp.server.fastmcp import FastMCP

server = FastMCP('old')


@server.tool()
def hello(name: str) -> str:
    """Greets."""
    return 'hello ' + name


server.run()
PY
cat > proxy.py <<'PY'
import sys
from fastmcp.client.transports import StdioTransport
from fastmcp.server import create_proxy

create_proxy(StdioTransport('old/bin/python', ['server.py']), **({'mode': sys.argv[1]} if len(sys.argv) > 1 else {})).run(show_banner=False)
PY
cat > run.py <<'PY'
import asyncio
import sys
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp import StdioServerParameters
from mcp.client import Client as SdkClient
from mcp.client.stdio import stdio_client


async def tried(name, command, *arguments, **settings):
    async with Client(StdioTransport(command, list(arguments)), **settings) as client:
        listed = [tool.name for tool in await client.list_tools()]
        result = await client.call_tool('hello', {'name': 'x'}, raise_on_error=False)
        print(f'{name}: {listed}, {result.content[0].text}')


async def main():
    await tried('direct', 'old/bin/python', 'server.py')
    await tried('proxy', sys.executable, 'proxy.py')
    await tried('proxy, older client', sys.executable, 'proxy.py', mode='legacy')
    await tried('proxy with mode legacy', sys.executable, 'proxy.py', 'legacy')
    async with SdkClient(stdio_client(StdioServerParameters(command=sys.executable, args=['proxy.py']))) as client:
        print("proxy, mcp's client:", [tool.name for tool in (await client.list_tools()).tools])


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('fastmcp', 'mcp')))"; old/bin/python -c "import importlib.metadata as m; print('server: mcp', m.version('mcp'))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
direct: ['hello'], hello x
proxy: [], Unknown tool: 'hello'
proxy, older client: ['hello'], hello x
proxy with mode legacy: ['hello'], hello x
proxy, mcp's client: []
END
