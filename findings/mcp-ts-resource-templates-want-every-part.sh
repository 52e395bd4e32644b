#!/usr/bin/env bash
# npm @modelcontextprotocol/server 2.4.0 and @modelcontextprotocol/sdk 1.32.2 against mcp 2.3.0 (PyPI): servers with the same resource templates.
# Behaviour: in TypeScript a template with {?limit} matches only addresses that have ?limit=..., and one with {?a,b} only those that have both, in this
# order. Everything else is "not found", although what stands behind ? is optional in a URI template; in Python all of these are found. A value arrives as it stands in
# the address, so an id with a space is a%20b for the function (Python: "a b") and a letter ü is %C3%BC. A value with a comma is not found in either.
# {x:3}, the first three letters of a value, becomes a variable of the name "x:3".
# Seen:   rows without ?limit: not found, Python found / ?b=2&a=1: not found, found / note://a%20b: "a%20b", "a b" / pre://abc: {"x:3":"abc"}
# Expected by most: one template means the same in both SDKs, and optional parts may be left out.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp==2.3.0
cat > run.mjs <<'JS'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as OldTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as OldServer, ResourceTemplate as OldTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
const generations = { 'sdk 1': [OldServer, OldClient, OldTransport, OldTemplate], 'server 2': [McpServer, Client, InMemoryTransport, ResourceTemplate] };
for (const [name, [Server, Party, Transport, Template]] of Object.entries(generations)) {
  const server = new Server({ name: 'a', version: '1' });
  for (const template of ['db://{table}/rows{?limit}', 'q://x{?a,b}', 'note://{id}', 'pre://{x:3}']) {
    server.registerResource(template, new Template(template, { list: undefined }), {}, async (uri, values) => ({ contents: [{ uri: uri.href, text: JSON.stringify(values) }] }));
  }
  const client = new Party({ name: 'c', version: '1' });
  const [one, other] = Transport.createLinkedPair();
  await server.connect(one);
  await client.connect(other);
  for (const uri of [...process.argv.slice(2), 'pre://abc']) {
    console.log(`${name} ${uri}: ${await client.readResource({ uri }).then((result) => result.contents[0].text, (error) => 'error ' + error.code)}`);
  }
  await client.close();
}
JS
cat > run.py <<'PY'
import asyncio
import json
import logging
import sys
from mcp import Client, MCPError
from mcp.server.mcpserver import MCPServer

logging.disable(logging.CRITICAL)
server = MCPServer('a')


def told(values):
    return json.dumps({name: value for name, value in values.items() if value is not None}, ensure_ascii=False, separators=(',', ':'))


@server.resource('db://{table}/rows{?limit}')
def rows(table: str, limit: str | None = None) -> str:
    return told({'table': table, 'limit': limit})


@server.resource('q://x{?a,b}')
def pair(a: str | None = None, b: str | None = None) -> str:
    return told({'a': a, 'b': b})


@server.resource('note://{id}')
def note(id: str) -> str:
    return told({'id': id})


async def main():
    async with Client(server) as client:
        for uri in sys.argv[1:]:
            try:
                print(f'python {uri}: {(await client.read_resource(uri)).contents[0].text}')
            except MCPError as error:
                print(f'python {uri}: error {error.error.code}')


asyncio.run(main())
PY
for name in server sdk; do echo "@modelcontextprotocol/$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@modelcontextprotocol/$name/package.json')).version")"; done
env/bin/python -c "import importlib.metadata as m; print('mcp', m.version('mcp'))"
tried='db://users/rows db://users/rows?limit=5 q://x?a=1&b=2 q://x?b=2&a=1 q://x?a=1 note://a%20b note://%C3%BC note://a,b'
{ node run.mjs $tried; env/bin/python run.py $tried 2> log; } | tee out
diff out - <<'END'
sdk 1 db://users/rows: error -32602
sdk 1 db://users/rows?limit=5: {"table":"users","limit":"5"}
sdk 1 q://x?a=1&b=2: {"a":"1","b":"2"}
sdk 1 q://x?b=2&a=1: error -32602
sdk 1 q://x?a=1: error -32602
sdk 1 note://a%20b: {"id":"a%20b"}
sdk 1 note://%C3%BC: {"id":"%C3%BC"}
sdk 1 note://a,b: error -32602
sdk 1 pre://abc: {"x:3":"abc"}
server 2 db://users/rows: error -32602
server 2 db://users/rows?limit=5: {"table":"users","limit":"5"}
server 2 q://x?a=1&b=2: {"a":"1","b":"2"}
server 2 q://x?b=2&a=1: error -32602
server 2 q://x?a=1: error -32602
server 2 note://a%20b: {"id":"a%20b"}
server 2 note://%C3%BC: {"id":"%C3%BC"}
server 2 note://a,b: error -32602
server 2 pre://abc: {"x:3":"abc"}
python db://users/rows: {"table":"users"}
python db://users/rows?limit=5: {"table":"users","limit":"5"}
python q://x?a=1&b=2: {"a":"1","b":"2"}
python q://x?b=2&a=1: {"a":"1","b":"2"}
python q://x?a=1: {"a":"1"}
python note://a%20b: {"id":"a b"}
python note://%C3%BC: {"id":"ü"}
python note://a,b: error -32602
END
