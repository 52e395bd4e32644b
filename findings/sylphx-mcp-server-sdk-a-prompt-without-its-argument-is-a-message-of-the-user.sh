#!/usr/bin/env bash
# npm @sylphx/mcp-server-sdk 2.1.1, an MCP server library, with @sylphx/vex 0.1.11 for its schemas, asked over stdio.
# Behaviour: a prompt that is asked for without a required argument gives no error. It gives a message in the user's name, "Validation error: code: Expected string", which a host puts before its model as a request of the user.
# A parameter with a default is listed as required, and without any type: numbers, booleans and choices are {}. Calls without it work. So a client that follows the list has to ask for it and does not know what it is.
# Seen:   prompts/get without code: role user, "Validation error: code: Expected string" / n, ok, kind: {} and required; the call without them: 5, true, "u"
# Expected by most: an error; optional parameters with their types and defaults.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @sylphx/mcp-server-sdk@2.1.1 @sylphx/vex@0.1.11 2> /dev/null
cat > server.mjs <<'JS'
import { createServer, tool, text, prompt, messages, user, stdio } from '@sylphx/mcp-server-sdk';
import { object, str, num, bool, enum_, optional, withDefault } from '@sylphx/vex';

const input = object({ name: str(), n: withDefault(num(), 5), ok: withDefault(bool(), true), kind: withDefault(enum_(['u', 'v']), 'u'), note: optional(str()) });
await createServer({
  name: 's',
  version: '1',
  tools: { make: tool().description('makes').input(input).handler(({ input }) => text(JSON.stringify(input))) },
  prompts: { review: prompt().args(object({ code: str(), language: optional(str()) })).handler(({ args }) => messages(user('Review ' + args.code))) },
  transport: stdio(),
}).start();
JS
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const server = spawn('node', ['server.mjs'], { stdio: ['pipe', 'pipe', 'ignore'] });
const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const ask = async (method, params = {}) => {
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) + '\n');
  const answer = JSON.parse((await answers.next()).value);
  return JSON.stringify(answer.result ?? answer.error);
};
await ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
console.log('listed:', JSON.stringify(JSON.parse(await ask('tools/list')).tools[0].inputSchema));
console.log('called with a name alone:', await ask('tools/call', { name: 'make', arguments: { name: 'x' } }));
console.log('prompt with code:', await ask('prompts/get', { name: 'review', arguments: { code: 'x = 1' } }));
console.log('prompt without code:', await ask('prompts/get', { name: 'review', arguments: {} }));
console.log('no such prompt:', await ask('prompts/get', { name: 'nope', arguments: {} }));
server.kill();
JS
for name in @sylphx/mcp-server-sdk @sylphx/vex; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
listed: {"type":"object","properties":{"name":{"type":"string"},"n":{},"ok":{},"kind":{},"note":{"type":"string"}},"required":["name","n","ok","kind"]}
called with a name alone: {"content":[{"type":"text","text":"{\"name\":\"x\",\"n\":5,\"ok\":true,\"kind\":\"u\"}"}]}
prompt with code: {"messages":[{"role":"user","content":{"type":"text","text":"Review x = 1"}}]}
prompt without code: {"messages":[{"role":"user","content":{"type":"text","text":"Validation error: code: Expected string"}}]}
no such prompt: {"code":-32603,"message":"Unknown prompt: nope"}
END
