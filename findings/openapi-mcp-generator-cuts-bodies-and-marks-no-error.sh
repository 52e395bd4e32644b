#!/usr/bin/env bash
# openapi-mcp-generator 4.0.1 (npm): the MCP server that it writes, with the libraries that this asks for (json-schema-to-zod 2.8.1, zod 3.25.76,
# axios, MCP SDK), before a small HTTP service on loopback.
# Behaviour: arguments go through a schema of zod that is made of the tool's schema at each call, and what comes out is sent. Members that the document does not
# name are gone from the body, though it allows them; of an anyOf the first kind that fits is taken, and the members that only the second has are
# not sent. One oneOf anywhere in a tool switches all checks of that tool off, since json-schema-to-zod writes TypeScript for it, which is run as JavaScript: a required
# number may be a text then. No failure is marked: wrong arguments, an unknown tool and a 404 are results; of the text of a failure 200 characters are left.
# Seen:   {"name":"x","vat":"7","note":"n"}: body {"name":"x"} / oneOf: "many" sent for an integer / 404: isError undefined, end of the text lost
# Expected by most: the body as the model wrote it, or an error; checks of what oneOf does not concern; isError.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-mcp-generator@4.0.1 json-schema-to-zod@2.8.1 zod@3.25.76 axios@1.21.1 dotenv@16.6.1 @modelcontextprotocol/sdk@1.32.2 \
  typescript@5.9.3 2> /dev/null
cat > run.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import ts from 'typescript';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const service = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const missing = request.url.startsWith('/missing');
  response.writeHead(missing ? 404 : 200, { 'content-type': 'text/plain' });
  response.end(missing ? 'no such order: ' + 'it was moved. '.repeat(20) + 'ask for 77' : `${decodeURIComponent(request.url).replaceAll('+', ' ')} ${body}`);
}).listen(0, '127.0.0.1', async () => {
  const text = { type: 'string' };
  const person = { type: 'object', properties: { name: text }, required: ['name'] };
  const company = { type: 'object', properties: { name: text, vat: text }, required: ['name', 'vat'] };
  const json = (schema) => ({ required: true, content: { 'application/json': { schema } } });
  const responses = { 200: { description: 'ok' } };
  const count = { name: 'count', in: 'query', required: true, schema: { type: 'integer' } };
  const filter = { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { status: text } } };
  const spec = {
    openapi: '3.0.3', info: { title: 't', version: '1' }, servers: [{ url: `http://127.0.0.1:${service.address().port}` }],
    paths: {
      '/plain': { post: { operationId: 'plain', requestBody: json(person), responses } },
      '/any': { post: { operationId: 'any', requestBody: json({ anyOf: [person, company] }), responses } },
      '/one': { post: { operationId: 'one', parameters: [count], requestBody: json({ oneOf: [person, { type: 'object', properties: { id: text }, required: ['id'] }] }), responses } },
      '/find': { get: { operationId: 'find', parameters: [count, filter], responses } },
      '/missing': { get: { operationId: 'missing', responses } },
    },
  };
  writeFileSync('api.json', JSON.stringify(spec));
  execFileSync('node', ['node_modules/openapi-mcp-generator/bin/openapi-mcp-generator.js', '-i', 'api.json', '-o', 'made', '--force'], { stdio: 'ignore' });
  writeFileSync('made.mjs', ts.transpileModule(readFileSync('made/src/index.ts', 'utf8'), { compilerOptions: { module: 'esnext', target: 'es2022' } }).outputText);
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(new StdioClientTransport({ command: 'node', args: ['made.mjs'], stderr: 'ignore' }));
  const print = async (name, given) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const words = content[0].text.split('\n').at(-1).trim().replaceAll('it was moved. ', '');
    console.log(`${name} ${JSON.stringify(given)}: isError ${isError}, ${words}`);
  };
  const company7 = { name: 'x', vat: '7', note: 'n' };
  await print('plain', { requestBody: company7 });
  await print('any', { requestBody: company7 });
  await print('find', { count: 3, filter: { status: 'open' } });
  await print('find', { count: 'many' });
  await print('one', { count: 'many', requestBody: { neither: 1 } });
  await print('missing', {});
  await print('unheard', {});
  process.exit(0);
});
JS
for name in openapi-mcp-generator json-schema-to-zod; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
plain {"requestBody":{"name":"x","vat":"7","note":"n"}}: isError undefined, /plain {"name":"x"}
any {"requestBody":{"name":"x","vat":"7","note":"n"}}: isError undefined, /any {"name":"x"}
find {"count":3,"filter":{"status":"open"}}: isError undefined, /find?count=3&filter=[object Object]
find {"count":"many"}: isError undefined, Invalid arguments for tool 'find': count (invalid_type): Expected number, received string
one {"count":"many","requestBody":{"neither":1}}: isError undefined, /one?count=many {"neither":1}
missing {}: isError undefined, API Error: Status 404 (Not Found). Response: no such order: it ...
unheard {}: isError undefined, Error: Unknown tool requested: unheard
END
