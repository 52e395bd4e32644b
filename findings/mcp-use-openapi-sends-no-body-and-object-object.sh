#!/usr/bin/env bash
# mcp-use 2.5.2 (npm), MCPServer.fromOpenAPI, which makes tools of an OpenAPI document, before a small HTTP service on loopback.
# Behaviour: a query parameter that is an object (deepObject, or JSON as content) is sent as the text [object Object], and the call succeeds. A required body is a
# parameter only where its media type is application/json or has +json in it. For a form, a text, and even "application/json; charset=utf-8" the tool has no
# parameter for it, refuses one, and sends the request without a body. And each tool carries the schemas of all components, those that it does not use too.
# Seen:   filter {"status":"open"}: filter=[object Object] / form, text, json with charset: no parameter, body "" / 40 unused schemas: each tool holds 40
# Expected by most: filter[status]=open, the body as a parameter, or an error when the tools are made; and the schemas a tool uses.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts mcp-use@2.5.2 2> /dev/null
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { MCPServer } from 'mcp-use';
const service = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  response.end(`${decodeURIComponent(request.url).replaceAll('+', ' ')} body ${JSON.stringify(body)}`);
}).listen(0, '127.0.0.1', async () => {
  const person = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const responses = { 200: { description: 'ok' } };
  const post = (operationId, type, schema) => ({ post: { operationId, requestBody: { required: true, content: { [type]: { schema } } }, responses } });
  const filter = { type: 'object', properties: { status: { type: 'string' } } };
  const spec = {
    openapi: '3.0.3', info: { title: 't', version: '1' }, servers: [{ url: `http://127.0.0.1:${service.address().port}` }],
    paths: {
      '/find': { get: { operationId: 'find', responses, parameters: [
        { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: filter }, { name: 'where', in: 'query', content: { 'application/json': { schema: filter } } }] } },
      '/json': post('json', 'application/json', person),
      '/charset': post('charset', 'application/json; charset=utf-8', person),
      '/form': post('form', 'application/x-www-form-urlencoded', person),
      '/text': post('text', 'text/plain', { type: 'string' }),
    },
    components: { schemas: Object.fromEntries(Array.from({ length: 40 }, (_, i) => ['Unused' + i, person])) },
  };
  const server = MCPServer.fromOpenAPI({ spec });
  const ask = async (method, params) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    const answer = await server.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) }));
    return JSON.parse((await answer.text()).match(/^data: (.*)$/m)[1]).result;
  };
  const print = async (name, given) => console.log(`${name}: ${(await ask('tools/call', { name, arguments: given })).content[0].text}`);
  for (const tool of (await ask('tools/list', {})).tools)
    console.log(`${tool.name} (${Object.keys(tool.inputSchema.properties)}), ${Object.keys(tool.inputSchema.$defs).length} schemas beside`);
  await print('find', { filter: { status: 'open' } });
  await print('find', { where: { status: 'open' } });
  await print('json', { body: { name: 'x' } });
  for (const name of ['charset', 'form', 'text']) await print(name, {});
  await print('form', { body: { name: 'x' } });
  process.exit(0);
});
JS
echo "mcp-use $(node -p "JSON.parse(require('fs').readFileSync('node_modules/mcp-use/package.json')).version")"
node run.mjs 2> log | grep -v '^tools/' | tee out || { cat log; exit 1; }
diff out - <<'END'
find (filter,where), 40 schemas beside
json (body), 40 schemas beside
charset (), 40 schemas beside
form (), 40 schemas beside
text (), 40 schemas beside
find: /find?filter=[object Object] body ""
find: /find?where=[object Object] body ""
json: /json body "{\"name\":\"x\"}"
charset: /charset body ""
form: /form body ""
text: /text body ""
form: Input validation error: Invalid arguments for tool form: data must NOT have additional properties
END
