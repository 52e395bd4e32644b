#!/usr/bin/env bash
# @ai-sdk/mcp 2.0.99 (npm) as the client of a server made with mcp 2.3.0 (PyPI), over standard streams.
# Behaviour: createMCPClient fails before any list. The client first asks `server/discover` of revision 2026-07-28; the server answers that and keeps
# to this revision on the connection; the client then sends `initialize` of 2025-11-25 all the same, which the server refuses with -32022. Each side
# speaks both revisions, and with mcp 1.30.0 as the server the same program works.
# Seen:   mcp 1.30.0: opened, tools: hello / mcp 2.3.0: failed, -32022
# Expected by most: two parties that know both revisions agree on one.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
for version in 1.30.0 2.3.0; do
  python3 -m venv "env-$version"; "env-$version/bin/pip" install --quiet --disable-pip-version-check "mcp==$version"
done
npm install --silent @ai-sdk/mcp@2.0.99
cat > server.py <<'PY'
try:
    from mcp.server import MCPServer as Server
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server
server = Server('greeter')


@server.tool()
def hello() -> str:
    return 'hello'


server.run()
PY
cat > client.mjs <<'JS'
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as Transport } from '@ai-sdk/mcp/mcp-stdio';
const version = process.argv[2];
const opening = createMCPClient({ transport: new Transport({ command: `env-${version}/bin/python`, args: ['server.py'], stderr: 'ignore' }) });
process.on('uncaughtException', () => {});
try {
  const client = await opening;
  console.log(`mcp ${version}: opened, tools: ${Object.keys(await client.tools())}`);
} catch (error) {
  console.log(`mcp ${version}: failed, ${error.code}`);
}
process.exit(0);
JS
echo "@ai-sdk/mcp $(node -p "require('./node_modules/@ai-sdk/mcp/package.json').version")"
seen=$(for version in 1.30.0 2.3.0; do node client.mjs "$version"; done)
printf '%s\n' "$seen"
[ "$seen" = 'mcp 1.30.0: opened, tools: hello
mcp 2.3.0: failed, -32022' ] || { echo 'changed'; exit 1; }
