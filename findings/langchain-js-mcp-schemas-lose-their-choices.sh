#!/usr/bin/env bash
# npm @langchain/mcp-adapters 1.1.4 with @langchain/core 1.4.0, before a small MCP server over stdio.
# Behaviour: the adapter rewrites each tool's inputSchema for the model. Where anyOf or oneOf holds scalars or null, nothing is left of them: every optional
# parameter of a server in Python (string or null) has no type and no enum any more. Of two kinds of object that a member tells apart, one object is made, in
# which the last const alone is allowed, and the tool then refuses the other kind. What "then" requires is required always, although "if" does not hold.
# Seen:   string or null: {"default":null} / k "x" or "y": {"const":"y"}, a call with "x" is refused / if a then b: "required":["b"]
# Expected by most: the schema of the server, as in the adapter for Python, or a looser one.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0
cat > server.mjs <<'JS'
import { createInterface } from 'node:readline';
const maybe = (schema) => ({ anyOf: [schema, { type: 'null' }], default: null });
const kind = (value, more) => ({ type: 'object', properties: { k: { const: value }, ...more }, required: ['k', ...Object.keys(more)] });
const schemas = {
  optional: { type: 'object', properties: { name: maybe({ type: 'string' }), sort: maybe({ type: 'string', enum: ['asc', 'desc'] }), tags: maybe({ type: 'array', items: { type: 'string' } }) } },
  kinds: { type: 'object', oneOf: [kind('x', { path: { type: 'string' } }), kind('y', {})] },
  condition: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, if: { required: ['a'] }, then: { required: ['b'] } },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools: Object.entries(schemas).map(([name, inputSchema]) => ({ name, inputSchema })) } : { content: [{ type: 'text', text: 'done' }] };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
JS
cat > run.mjs <<'JS'
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
const client = new MultiServerMCPClient({ mcpServers: { s: { command: 'node', args: ['server.mjs'] } } });
const tools = Object.fromEntries((await client.getTools()).map((tool) => [tool.name, tool]));
for (const [name, tool] of Object.entries(tools)) console.log(name + ': ' + JSON.stringify(tool.schema));
for (const [name, args] of [['kinds', { k: 'x', path: 'a' }], ['kinds', { k: 'y' }], ['condition', {}]])
  console.log(`${name} ${JSON.stringify(args)}: ` + await tools[name].invoke(args).then((text) => text, (error) => error.constructor.name));
await client.close();
JS
for name in @langchain/mcp-adapters @langchain/core; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
optional: {"type":"object","properties":{"name":{"default":null},"sort":{"default":null},"tags":{"default":null}}}
kinds: {"type":"object","properties":{"k":{"const":"y"},"path":{"type":"string"}},"required":["k"]}
condition: {"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b"]}
kinds {"k":"x","path":"a"}: ToolInputParsingException
kinds {"k":"y"}: done
condition {}: ToolInputParsingException
END
