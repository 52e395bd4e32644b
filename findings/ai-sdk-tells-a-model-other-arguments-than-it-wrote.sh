#!/usr/bin/env bash
# ai 6.0.326 with @ai-sdk/openai-compatible 2.0.92 and zod 4.6.7 (npm): generateText with a tool whose zod schema transforms what comes in; a stub of a model on this machine.
# Behaviour: in the next request the model's own call is not as the model wrote it: it has the arguments after the schema's transforms, defaults, trims and catches. A price of 2.5 that
# is kept in cents is told back as 250, against the schema that the same request shows; a text becomes a list, a Map becomes {}, what a catch swallowed is as if the model had written it. So the
# model sees wrong calls by itself, and learns from them.
# Seen:   model {"price":2.5}: told back {"price":250} / {"n":"12 kg"} with catch(0): {"n":0} / a Map: {"m":{}} / indent trimmed
# Expected by most: the arguments as they were written; the transformed ones for execute alone.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund ai@6.0.326 @ai-sdk/openai-compatible@2.0.92 zod@4.6.7
cat > run.mjs <<'JS'
import http from 'node:http';
import { generateText, stepCountIs, tool } from 'ai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { z } from 'zod';
const asked = [];
let call;
const server = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  asked.push(JSON.parse(body));
  const made = { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'save', arguments: JSON.stringify(call) } }] };
  const first = asked.length % 2 === 1;
  const message = { role: 'assistant', content: first ? null : 'done', ...(first && made) };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: first ? 'tool_calls' : 'stop' }] }));
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const model = createOpenAICompatible({ name: 'stub', baseURL: `http://127.0.0.1:${server.address().port}/v1` }).chatModel('m');
const tried = [
  ['cents', z.object({ price: z.number().transform((euros) => Math.round(euros * 100)) }), { price: 2.5 }],
  ['list', z.object({ tags: z.string().transform((text) => text.split(',')) }), { tags: 'red,blue' }],
  ['map', z.object({ m: z.record(z.string(), z.number()).transform((object) => new Map(Object.entries(object))) }), { m: { a: 1 } }],
  ['catch', z.object({ n: z.number().catch(0) }), { n: '12 kg' }],
  ['trim', z.object({ code: z.string().trim() }), { code: '    return 1' }],
  ['default', z.object({ item: z.string(), limit: z.number().default(10) }), { item: 'pen', limti: 3 }],
];
for (const [name, inputSchema, written] of tried) {
  call = written;
  asked.length = 0;
  await generateText({ model, prompt: 'x', stopWhen: stepCountIs(2), tools: { save: tool({ inputSchema, execute: async () => 'saved' }) } });
  const told = asked[1].messages.find((message) => message.role === 'assistant').tool_calls[0].function.arguments;
  console.log(`${name}: written ${JSON.stringify(written)}, told back ${told}`);
}
server.close();
JS
echo "ai $(node -p "JSON.parse(require('fs').readFileSync('node_modules/ai/package.json')).version")"
echo "@ai-sdk/openai-compatible $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@ai-sdk/openai-compatible/package.json')).version")"
echo "zod $(node -p "JSON.parse(require('fs').readFileSync('node_modules/zod/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
cents: written {"price":2.5}, told back {"price":250}
list: written {"tags":"red,blue"}, told back {"tags":["red","blue"]}
map: written {"m":{"a":1}}, told back {"m":{}}
catch: written {"n":"12 kg"}, told back {"n":0}
trim: written {"code":"    return 1"}, told back {"code":"return 1"}
default: written {"item":"pen","limti":3}, told back {"item":"pen","limit":10}
END
