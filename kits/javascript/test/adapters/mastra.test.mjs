// Driven by a real Mastra agent with a model that follows a script.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { log, optional, store } from './common.mjs';

const core = await optional('@mastra/core/agent');
const toolkit = await optional('@mastra/core/tools');
const zod = await optional('zod');

test('Mastra', { skip: !(core && toolkit && zod) && 'the package @mastra/core is not installed' }, async () => {
  const { weirTools } = await import('../../src/adapters/mastra.js');
  const { z } = zod;
  const weir = store();
  const readLog = toolkit.createTool({
    id: 'readLog',
    description: 'Read a log.',
    inputSchema: z.object({ path: z.string() }),
    outputSchema: z.object({ text: z.string() }),
    execute: async (given) => {
      const { path } = given.context ?? given; // the first before version 1
      if (path === 'none') throw new Error('no such log');
      return { text: path === 'big' ? log : path };
    },
  });
  const tools = await weirTools(weir, { readLog }, { session: 'ma' });
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

  async function answers(...calls) {
    const seen = [];
    const waiting = [...calls];
    const stream = ({ prompt, tools: shown }) => {
      const fetch = shown.find((tool) => tool.name === 'weir_fetch');
      assert.ok(fetch?.inputSchema.properties.pattern, JSON.stringify(fetch));
      const last = prompt.at(-1);
      if (last.role === 'tool') seen.push(last.content.at(-1).output);
      const next = waiting.shift();
      const parts = [{ type: 'stream-start', warnings: [] }];
      if (next) parts.push({ type: 'tool-call', toolCallId: `c${waiting.length}`, toolName: next[0], input: JSON.stringify(next[1]) });
      else parts.push({ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'done' }, { type: 'text-end', id: 't' });
      parts.push({ type: 'finish', finishReason: next ? 'tool-calls' : 'stop', usage });
      return { stream: ReadableStream.from(parts) };
    };
    const model = {
      specificationVersion: 'v2', provider: 'stub', modelId: 'stub', supportedUrls: {},
      doStream: async (options) => stream(options),
      doGenerate: async () => { throw new Error('streams only'); },
    };
    const agent = new core.Agent({ id: 'a', name: 'a', instructions: 'go', model, tools });
    const output = await agent.stream('go', { maxSteps: 9 });
    await output.consumeStream();
    return seen;
  }

  const [shown] = await answers(['readLog', { path: 'big' }]);
  const { id } = weir.listBlobs('ma').entries[0].handle;
  assert.ok(JSON.stringify(shown).includes(id) && JSON.stringify(shown).length <= 7000, JSON.stringify(shown).slice(0, 300));
  const [read, small, failed] = await answers(
    ['weir_fetch', { id, mode: 'grep', pattern: 'error:' }], ['readLog', { path: 'small' }], ['readLog', { path: 'none' }],
  );
  assert.match(JSON.stringify(read), /4321: error: disk is full/);
  assert.deepEqual(small.value, { text: 'small' });
  assert.match(JSON.stringify(failed), /no such log/);
});
