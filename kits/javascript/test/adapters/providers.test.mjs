// What is exported, against the types of the providers' own packages: TypeScript refuses keys that it does not know.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Weir } from '../../src/index.js';
import { optional } from './common.mjs';

const TYPES = {
  anthropic: ['@anthropic-ai/sdk/resources/messages', 'ToolUnion'],
  'anthropic-bm25': ['@anthropic-ai/sdk/resources/messages', 'ToolUnion'],
  'anthropic-regex': ['@anthropic-ai/sdk/resources/messages', 'ToolUnion'],
  gemini: ['@google/genai', 'Tool'],
  openai: ['openai/resources/responses/responses', 'Tool'],
  'openai-chat': ['openai/resources/chat/completions', 'ChatCompletionTool'],
  'openai-search': ['openai/resources/responses/responses', 'Tool'],
};
const there = await optional('typescript') && await optional('@anthropic-ai/sdk') && await optional('openai') && await optional('@google/genai');

test('the types of the providers take what is exported', { skip: !there && 'the packages are not installed' }, () => {
  const require = createRequire(import.meta.url);
  const installed = path.dirname(path.dirname(require.resolve('typescript/package.json')));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'weir-types-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  fs.symlinkSync(installed, path.join(folder, 'node_modules'));
  const tool = { description: 'Reads.', inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } };
  const files = [{ name: 'read_file', ...tool }, { name: 'list.files', ...tool }, { name: 'pinned', ...tool, pinned: true }];
  const catalog = Weir.open(null).catalog({ files, mail: [{ name: 'send', ...tool }] });
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--types', ''];
  const compiled = (change) => {
    const names = Object.entries(TYPES).map(([form, [module, type]], n) => {
      const tools = change(catalog.export(form).tools);
      const name = path.join(folder, `form${n}.mts`);
      fs.writeFileSync(name, `import type { ${type} } from '${module}';\nexport const tools: ${type}[] = ${JSON.stringify(tools)};\n`);
      return name;
    });
    const done = spawnSync(path.join(installed, '.bin', 'tsc'), [...options, ...names], { cwd: folder, encoding: 'utf8' });
    return done.stdout + done.stderr;
  };
  assert.equal(compiled((tools) => tools), '');
  const wrong = compiled(([first, ...others]) => [{ ...first, deferLoading: true }, ...others]);
  for (const n of Object.keys(TYPES).keys()) assert.match(wrong, new RegExp(`form${n}\\.mts`));
});
