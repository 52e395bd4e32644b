#!/usr/bin/env bash
# npm @modelcontextprotocol/sdk 1.32.2 beside @modelcontextprotocol/server 2.4.0 (with client 2.4.0), both with zod 4.6.7, in memory.
# Behaviour: in 1.32.2 an inputSchema that is no plain z.object is taken without a word and checked at each call, but listed as an object without any parameter:
# unions, also those that a member tells apart, an object with a transform, with preprocess, z.lazy, z.intersection. A model is told that the tool takes
# nothing. An object with an id, z.object({...}).meta({ id: 'Search' }), is worse: the list of ALL tools is an error for the client. An outputSchema
# that is a union makes each call an error of JavaScript. Version 2.4.0 lists and calls all of them.
# Seen:   1: union, transform, ...: no parameters, call refused without arguments / id: list is an error / output: reading '_zod'. 2: all listed
# Expected by most: the schema that the call is held against, or an error when the tool is registered.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7
cat > run.mjs <<'JS'
import { z } from 'zod';
import * as server2 from '@modelcontextprotocol/server';
import * as client2 from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
const a = z.object({ kind: z.literal('a') });
const b = z.object({ kind: z.literal('b'), size: z.number() });
const inputs = {
  refine: b.refine((given) => given.size > 0),
  union: z.discriminatedUnion('kind', [a, b]),
  transform: b.transform((given) => given),
  preprocess: z.preprocess((given) => given, b),
  lazy: z.lazy(() => b),
  intersection: b.and(z.object({ more: z.string() })),
};
for (const [version, Server, Asker, Transport] of [['1', McpServer, Client, InMemoryTransport], ['2', server2.McpServer, client2.Client, client2.InMemoryTransport]]) {
  const connect = async (register) => {
    const server = new Server({ name: 's', version: '1' });
    register(server);
    const client = new Asker({ name: 'c', version: '1' });
    const [here, there] = Transport.createLinkedPair();
    await Promise.all([server.connect(there), client.connect(here)]);
    return client;
  };
  const call = (client, name) => client.callTool({ name, arguments: {} }).then((result) => (result.isError ? 'refused' : 'ok'), () => 'refused');
  const client = await connect((server) => {
    for (const [name, inputSchema] of Object.entries(inputs)) server.registerTool(name, { inputSchema }, async () => ({ content: [] }));
  });
  for (const { name, inputSchema } of (await client.listTools()).tools) {
    console.log(`${version} ${name}: listed ${JSON.stringify(inputSchema).includes('size') ? 'with' : 'without'} its parameters, without arguments ${await call(client, name)}`);
  }
  const named = await connect((server) => {
    server.registerTool('plain', { inputSchema: b }, async () => ({ content: [] }));
    server.registerTool('search', { inputSchema: b.meta({ id: 'Search' + version }) }, async () => ({ content: [] }));
  });
  console.log(`${version} id: ${await named.listTools().then(({ tools }) => tools.length + ' tools', () => 'the list is an error')}`);
  const output = await connect((server) =>
    server.registerTool('out', { inputSchema: z.object({}), outputSchema: inputs.union }, async () => ({ content: [], structuredContent: { kind: 'a' } })));
  const { content, structuredContent } = await output.callTool({ name: 'out', arguments: {} });
  console.log(`${version} output: ${structuredContent ? JSON.stringify(structuredContent) : content[0].text}`);
}
process.exit(0);
JS
for name in sdk server; do echo "@modelcontextprotocol/$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@modelcontextprotocol/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
1 refine: listed with its parameters, without arguments refused
1 union: listed without its parameters, without arguments refused
1 transform: listed without its parameters, without arguments refused
1 preprocess: listed without its parameters, without arguments refused
1 lazy: listed without its parameters, without arguments refused
1 intersection: listed without its parameters, without arguments refused
1 id: the list is an error
1 output: Cannot read properties of undefined (reading '_zod')
2 refine: listed with its parameters, without arguments refused
2 union: listed with its parameters, without arguments refused
2 transform: listed with its parameters, without arguments refused
2 preprocess: listed with its parameters, without arguments refused
2 lazy: listed with its parameters, without arguments refused
2 intersection: listed with its parameters, without arguments refused
2 id: 2 tools
2 output: {"kind":"a"}
END
