#!/usr/bin/env bash
# @voltagent/core 2.10.0 with ai 6.0.326 and zod 4.6.7 (npm), an agent with one tool and a model that is played here (the mock of ai).
# Behaviour: when a tool throws an error, what the model gets is an ordinary result (type json, not error-json or error-text) with the name, the message and the whole stack of the error, with
# full paths of files on the machine. A message of four letters becomes more than 400, at each failure, and they stay in the conversation. A wrong argument, in contrast,
# is an error-text. A try within the tool keeps the stack away.
# Seen:   throw new Error('boom'): type json, members error, name, message, stack, toolCallId, toolName, more than 400 letters / a wrong argument: type error-text
# Expected by most: the message, marked as an error, as in ai itself.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @voltagent/core@2.10.0 ai@6.0.326 zod@4.6.7
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Agent, createTool } from '@voltagent/core';
import { generateText, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';
const lines = [];
for (const name of ['@voltagent/core', 'ai', 'zod']) lines.push(`${name} ${JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version}`);
const parameters = z.object({ a: z.number() });
const play = (input, seen) => {
  let count = 0;
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      seen.push(...prompt.filter((message) => message.role === 'tool').flatMap((message) => message.content.map((part) => part.output)));
      count += 1;
      if (count > 1) return { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] };
      const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'count', input: JSON.stringify(input) };
      return { content: [call], finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [] };
    },
  });
};
const fail = () => { throw new Error('boom'); };
const show = (name, [{ type, value }]) => {
  const members = typeof value === 'object' ? `, members ${Object.keys(value).join(' ')}` : '';
  const length = JSON.stringify(value).length;
  const paths = JSON.stringify(value).split('node_modules').length - 1;
  lines.push(`${name}: type ${type}${members}, ${length > 400 ? 'more than 400 letters' : `${length} letters`}, ${paths > 1 ? 'several paths of node_modules' : 'no path'}`);
};
const ask = async (name, input, execute) => {
  const seen = [];
  await new Agent({ name: 'a', instructions: 'i', model: play(input, seen), tools: [createTool({ name: 'count', description: 'd', parameters, execute })] }).generateText('hi');
  show(name, seen);
};
await ask('voltagent, the tool throws', { a: 1 }, fail);
await ask('voltagent, wrong argument for a tool that answers', { a: true }, () => 'ok');
const seen = [];
await generateText({ model: play({ a: 1 }, seen), prompt: 'hi', tools: { count: tool({ description: 'd', inputSchema: parameters, execute: fail }) }, stopWhen: stepCountIs(3) });
show('ai alone, the tool throws', seen);
(await import('node:fs')).writeFileSync('lines', `${lines.join('\n')}\n`);
process.exit(0);
JS
node run.mjs > log 2>&1
cat lines | tee out
diff out - <<'END'
@voltagent/core 2.10.0
ai 6.0.326
zod 4.6.7
voltagent, the tool throws: type json, members error name message stack toolCallId toolName, more than 400 letters, several paths of node_modules
voltagent, wrong argument for a tool that answers: type error-text, 280 letters, no path
ai alone, the tool throws: type error-text, 6 letters, no path
END
