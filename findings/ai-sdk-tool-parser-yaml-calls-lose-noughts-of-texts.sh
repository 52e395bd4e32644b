#!/usr/bin/env bash
# npm @ai-sdk-tool/parser 4.1.26 with ai 6.0.326 and zod 4.6.7 (npm): yamlXmlToolMiddleware, one of its three middlewares, with a tool whose parameters are all texts. The model is the mock of the AI SDK.
# Behaviour: the body is read as YAML before the schema is looked at. What looks like a number becomes one, and is then written as text again to suit the schema. An id 007 comes to the tool as "7", a version 1.10 as "1.1",
# a commit 1e3 as "1000", 0x10 as "16". Nothing tells that the values were changed. The XML and JSON middlewares of the same package keep them.
# Seen:   yaml: id "7", version "1.1", commit "1000" / xml and hermes: "007", "1.10", "1e3"
# Expected by most: the words that the model wrote, since the schema says that they are texts.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @ai-sdk-tool/parser@4.1.26 ai@6.0.326 zod@4.6.7 2> /dev/null
cat > run.mjs <<'JS'
import * as parser from '@ai-sdk-tool/parser';
import { generateText, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';

const inputSchema = z.object({ id: z.string(), version: z.string(), commit: z.string(), codes: z.array(z.string()) });
const bodies = {
  yamlXmlToolMiddleware: '<look>\nid: 007\nversion: 1.10\ncommit: 1e3\ncodes:\n  - 010\n  - 0x10\n  - no\n</look>',
  morphXmlToolMiddleware: '<look><id>007</id><version>1.10</version><commit>1e3</commit><codes>010</codes><codes>0x10</codes><codes>no</codes></look>',
  hermesToolMiddleware: '<tool_call>{"name": "look", "arguments": {"id": "007", "version": "1.10", "commit": "1e3", "codes": ["010", "0x10", "no"]}}</tool_call>',
};
for (const [name, text] of Object.entries(bodies)) {
  const mock = new MockLanguageModelV3({
    doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' }, usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }, warnings: [] }),
  });
  const model = wrapLanguageModel({ model: mock, middleware: parser[name] });
  const { toolCalls } = await generateText({ model, prompt: 'look', tools: { look: tool({ description: 'looks', inputSchema }) } });
  const { id, version, commit, codes } = toolCalls[0].input;
  console.log(`${name}:`, JSON.stringify({ id, version, commit, codes }), toolCalls[0].invalid ? 'refused' : 'taken');
}
JS
for name in @ai-sdk-tool/parser ai zod; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs 2> /dev/null | tee out
diff out - <<'END'
yamlXmlToolMiddleware: {"id":"7","version":"1.1","commit":"1000","codes":["10","16","no"]} taken
morphXmlToolMiddleware: {"id":"007","version":"1.10","commit":"1e3","codes":["010","0x10","no"]} taken
hermesToolMiddleware: {"id":"007","version":"1.10","commit":"1e3","codes":["010","0x10","no"]} taken
END
