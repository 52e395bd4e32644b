#!/usr/bin/env bash
# npm @modelcontextprotocol/sdk 1.32.2 and @modelcontextprotocol/client 2.4.0 (TypeScript clients), in memory, before a server of 2025-06-18.
# Behaviour: the annotation lastModified, which the protocol calls a text in ISO 8601, is held against one pattern: with seconds and with Z or an offset with a colon.
# A day, or a time without a zone as Python's isoformat() writes it of a plain datetime, is not dropped: the whole result is an error, text and all. One resource
# of a list with such a time is the loss of the list of all resources; of templates and prompts the same. It is a hint that no model sees.
# Seen:   2026-01-12T03:04:05Z: 2 blocks, 2 resources / 2026-01-12, 2026-01-12T03:04:05, 20260112T030405Z: call, lists and prompt are errors; both clients
# Expected by most: any text is taken, or the annotation is dropped, or at most the one resource.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
cat > run.mjs <<'JS'
import * as one from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import * as two from '@modelcontextprotocol/client';
const times = ['2026-01-12T03:04:05Z', '2026-01-12T03:04:05.123456+00:00', '2026-01-12', '2026-01-12T03:04:05', '2026-01-12T03:04Z', '2026-01-12T03:04:05+0000', '20260112T030405Z'];
for (const [version, Client, Transport] of [['1', one.Client, InMemoryTransport], ['2', two.Client, two.InMemoryTransport]]) for (const lastModified of times) {
  const annotations = { lastModified };
  const answers = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {}, resources: {}, prompts: {} }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'the answer' }, { type: 'resource_link', name: 'a', uri: 'file:///a', annotations }] },
    'resources/list': { resources: [{ name: 'a', uri: 'file:///a' }, { name: 'b', uri: 'file:///b', annotations }] },
    'resources/templates/list': { resourceTemplates: [{ name: 'a', uriTemplate: 'file:///{a}' }, { name: 'b', uriTemplate: 'file:///b/{a}', annotations }] },
    'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'x', annotations } }] },
  };
  const [here, there] = Transport.createLinkedPair();
  there.onmessage = ({ id, method }) => id === undefined || there.send({ jsonrpc: '2.0', id, ...(answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'none' } }) });
  await there.start();
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(here);
  const count = async (promise, list) => promise.then((result) => result[list].length, () => 'error');
  console.log([version, lastModified, 'call', await count(client.callTool({ name: 't', arguments: {} }), 'content'), 'resources', await count(client.listResources(), 'resources'),
    'templates', await count(client.listResourceTemplates(), 'resourceTemplates'), 'prompt', await count(client.getPrompt({ name: 'p' }), 'messages')].join(' '));
}
process.exit(0);
JS
for name in sdk client; do echo "@modelcontextprotocol/$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@modelcontextprotocol/$name/package.json')).version")"; done
node run.mjs | tee out
for version in 1 2; do
  for time in 2026-01-12T03:04:05Z 2026-01-12T03:04:05.123456+00:00; do echo "$version $time call 2 resources 2 templates 2 prompt 1"; done
  for time in 2026-01-12 2026-01-12T03:04:05 2026-01-12T03:04Z 2026-01-12T03:04:05+0000 20260112T030405Z; do
    echo "$version $time call error resources error templates error prompt error"
  done
done | diff out -
