// Driven by the real AI SDK with a model that follows a script. Skipped by name where the SDK is not installed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { log, optional, store } from './common.mjs';

const ai = await optional('ai');
const mock = await optional('ai/test');

test('Vercel AI SDK', { skip: !(ai && mock) && 'the package ai is not installed' }, async () => {
  const { weirTools } = await import('../../src/adapters/ai-sdk.js');
  const weir = store();
  const Model = mock.MockLanguageModelV4 ?? mock.MockLanguageModelV3 ?? mock.MockLanguageModelV2;
  const execute = async ({ path }) => {
    if (path === 'none') throw new Error('no such log');
    if (path === 'rows') return Array.from({ length: 2000 }, (_, id) => ({ id, state: 'done' }));
    return path === 'big' ? log : path;
  };
  const inputSchema = ai.jsonSchema({ type: 'object', properties: { path: { type: 'string' } } });
  const readLog = { description: 'Read a log.', inputSchema, execute };
  const modelled = { ...readLog, toModelOutput: (given) => ({ type: 'text', value: given.output ?? given }) };
  const tools = await weirTools(weir, { readLog, modelled }, { session: 'ai' });
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 }, totalTokens: 2 };

  /** What the model is shown of each of these calls. */
  async function answers(...calls) {
    const seen = [];
    const waiting = [...calls];
    const model = new Model({
      doGenerate: async ({ prompt, tools: shown }) => {
        assert.ok(shown.some((tool) => tool.name === 'weir_fetch' && tool.inputSchema.type === 'object'));
        const last = prompt.at(-1);
        if (last.role === 'tool') seen.push(last.content[0].output);
        const next = waiting.shift();
        const content = next
          ? [{ type: 'tool-call', toolCallId: `c${waiting.length}`, toolName: next[0], input: JSON.stringify(next[1]) }]
          : [{ type: 'text', text: 'done' }];
        const finish = next ? 'tool-calls' : 'stop';
        return { content, finishReason: { unified: finish, raw: finish }, usage, warnings: [] };
      },
    });
    await ai.generateText({ model, tools, prompt: 'go', stopWhen: ai.isStepCount?.(9) ?? ai.stepCountIs(9) });
    return seen;
  }

  const [big, rows, shown] = await answers(['readLog', { path: 'big' }], ['readLog', { path: 'rows' }], ['modelled', { path: 'big' }]);
  const ids = weir.listBlobs('ai').entries.map((entry) => entry.handle.id);
  assert.ok(ids.some((id) => big.value.includes(id)) && big.value.length <= 6000, JSON.stringify(big).slice(0, 200));
  assert.ok(ids.some((id) => JSON.stringify(rows.value).includes(id)));
  assert.ok(shown.value.length <= 6000);
  const id = ids.find((one) => big.value.includes(one));
  const [read, small, failed] = await answers(
    ['weir_fetch', { id, mode: 'grep', pattern: 'error:' }], ['readLog', { path: 'small' }], ['readLog', { path: 'none' }],
  );
  assert.match(JSON.stringify(read.value), /4321: error: disk is full/);
  assert.equal(small.value, 'small');
  assert.match(JSON.stringify(failed), /no such log/);
});
