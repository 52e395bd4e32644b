// Driven by the MCP SDK's own client and server, those of one package and those of one package each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { log, optional, store } from './common.mjs';

const zod = await optional('zod');
const one = await optional('@modelcontextprotocol/sdk/server/mcp.js');
const two = await optional('@modelcontextprotocol/server');
const client = await optional('@modelcontextprotocol/client');
const GENERATIONS = [
  ['sdk', one && zod && {
    ...one, ...(await optional('@modelcontextprotocol/sdk/client/index.js')),
    ...(await optional('@modelcontextprotocol/sdk/inMemory.js')), shape: (members) => members,
  }],
  ['server', two && client && zod && {
    McpServer: two.McpServer, Client: client.Client, InMemoryTransport: client.InMemoryTransport, shape: (members) => zod.z.object(members),
  }],
];

for (const [name, sdk] of GENERATIONS) for (const when of ['before', 'after']) {
  test(`@modelcontextprotocol/${name}, wrapped ${when} tools are registered`, { skip: !sdk && 'the package is not installed' }, async () => {
    const { withWeir } = await import('../../src/adapters/mcp.js');
    const { Client, InMemoryTransport, shape } = sdk;
    const { z } = zod;
    const weir = store();
    const server = new sdk.McpServer({ name: 'logs', version: '1.0.0' });
    const wrap = () => withWeir(server, weir, { session: 'mcp', name: 'logs' });
    if (when === 'before') wrap();
    server.registerTool('read_log', { description: 'Read a log.', inputSchema: shape({ path: z.string() }) }, async ({ path }) => {
      if (path === 'none') throw new Error('no such log');
      return { content: [{ type: 'text', text: path === 'big' ? log : path }] };
    });
    const rows = Array.from({ length: 2000 }, (_, id) => ({ id }));
    const outputSchema = shape({ rows: z.array(z.object({ id: z.number() })) });
    server.registerTool('rows', { description: 'Many rows.', outputSchema }, async () => ({
      content: [{ type: 'text', text: JSON.stringify({ rows }) }], structuredContent: { rows },
    }));
    if (when === 'after') wrap();
    const client = new Client({ name: 'c', version: '1.0.0' });
    const [one, two] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(one), client.connect(two)]);
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), ['read_log', 'rows', 'weir_fetch']);

    const call = (name, args) => client.callTool({ name, arguments: args });
    const { content: [shown] } = await call('read_log', { path: 'big' });
    const { id } = weir.listBlobs('mcp').entries[0].handle;
    assert.ok(shown.text.includes(id) && shown.text.length <= 6000);
    const table = await call('rows', {});
    assert.equal(table.structuredContent, undefined);
    assert.ok(table.content[0].text.length <= 6000);
    assert.match((await call('weir_fetch', { id, mode: 'grep', pattern: 'error:' })).content[0].text, /4321: error: disk is full/);
    assert.deepEqual((await call('read_log', { path: 'small' })).content, [{ type: 'text', text: 'small' }]);
    const failed = await call('read_log', { path: 'none' });
    assert.ok(failed.isError && failed.content[0].text.includes('no such log'));
    await client.close();
  });
}
