#!/usr/bin/env bash
# smolagents 1.26.0 (mcpadapt 0.1.19), autogen-ext 0.7.5, semantic-kernel 1.45.0, mcp-use 1.7.1, praisonaiagents 1.7.17, toolregistry 0.19.0 and langchain-mcp-adapters 0.3.2, all with mcp 1.30.0
# (PyPI), before one small MCP server over stdio whose tools/list has two pages of two tools each.
# Behaviour: of these seven one alone follows nextCursor: langchain-mcp-adapters. The other six ask once, take the first page for the list, and say nothing of it. What stands on the second page does not
# exist for their agents, though the server runs and each call would be answered. It is so for whatever the size of a page.
# Seen:   langchain 4 tools, asked twice / smolagents, autogen, semantic-kernel, mcp-use, praisonaiagents, toolregistry: 2 tools, asked once
# Most would guess: all tools, for pages are in the protocol since its first revision, and the SDK below them hands out the cursor.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check 'mcp[ws]==1.30.0' smolagents==1.26.0 mcpadapt==0.1.19 autogen-ext==0.7.5 autogen-core==0.7.5 semantic-kernel==1.45.0 mcp-use==1.7.1 \
  praisonaiagents==1.7.17 toolregistry==0.19.0 langchain-mcp-adapters==0.3.2
cat > server.py <<'PY'
import json
import sys

pages = {None: ['one', 'two'], 'second': ['three', 'four']}
for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request or 'method' not in request:
        continue
    result = {}
    if request['method'] == 'initialize':
        result = {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}
    elif request['method'] == 'tools/list':
        cursor = (request.get('params') or {}).get('cursor')
        with open(sys.argv[1], 'a') as log:
            log.write('a page\n')
        result = {'tools': [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': {}}} for name in pages[cursor]]}
        if cursor is None:
            result['nextCursor'] = 'second'
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import os
import sys

library, log = sys.argv[1:]
command, arguments = sys.executable, ['server.py', log]


def smolagents():
    from mcp import StdioServerParameters
    from smolagents import MCPClient
    with MCPClient(StdioServerParameters(command=command, args=arguments), structured_output=True) as tools:
        return [tool.name for tool in tools]


async def autogen():
    from autogen_ext.tools.mcp import StdioServerParams, mcp_server_tools
    return [tool.name for tool in await mcp_server_tools(StdioServerParams(command=command, args=arguments))]


async def semantic_kernel():
    from semantic_kernel import Kernel
    from semantic_kernel.connectors.mcp import MCPStdioPlugin
    async with MCPStdioPlugin(name='s', command=command, args=arguments) as plugin:
        return list(Kernel().add_plugin(plugin).functions)


async def mcp_use():
    from mcp_use import MCPClient
    from mcp_use.agents.adapters import LangChainAdapter
    client = MCPClient.from_dict({'mcpServers': {'s': {'command': command, 'args': arguments}}})
    tools = [tool.name for tool in await LangChainAdapter().create_tools(client)]
    await client.close_all_sessions()
    return tools


def praisonaiagents():
    from praisonaiagents import MCP
    return [tool.__name__ for tool in MCP(command=command, args=arguments)]


def toolregistry():
    from toolregistry import ToolRegistry
    registry = ToolRegistry()
    registry.register_from_mcp({'command': command, 'args': arguments})
    return [tool['function']['name'] for tool in registry.get_schemas()]


async def langchain():
    from langchain_mcp_adapters.client import MultiServerMCPClient
    return [tool.name for tool in await MultiServerMCPClient({'s': {'transport': 'stdio', 'command': command, 'args': arguments}}).get_tools()]


answer = globals()[library]()
names = asyncio.run(answer) if asyncio.iscoroutine(answer) else answer
with open(log) as file:
    print(library + ':', names, 'pages asked for:', len(file.readlines()), flush=True)
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('mcp', 'smolagents', 'mcpadapt', 'autogen-ext', 'semantic-kernel', 'mcp-use', 'praisonaiagents', 'toolregistry', 'langchain-mcp-adapters')))"
for library in smolagents autogen semantic_kernel mcp_use praisonaiagents toolregistry langchain; do
  HOME=$dir MCP_USE_ANONYMIZED_TELEMETRY=false env/bin/python run.py "$library" "$dir/$library.log" 2> errors | grep "^$library: " || { cat errors; exit 1; }
done | tee out
diff out - <<'END'
smolagents: ['one', 'two'] pages asked for: 2
autogen: ['one', 'two'] pages asked for: 1
semantic_kernel: ['one', 'two'] pages asked for: 1
mcp_use: ['one', 'two'] pages asked for: 2
praisonaiagents: ['one', 'two'] pages asked for: 1
toolregistry: ['one', 'two'] pages asked for: 1
langchain: ['one', 'two', 'three', 'four'] pages asked for: 2
END
