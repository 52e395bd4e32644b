#!/usr/bin/env bash
# @musistudio/llms 1.0.53 (npm), the translating server below claude-code-router: one request in Anthropic's format is sent through it to a stub of Gemini
# and to a stub of a chat completions server, which print what reaches them.
# Behaviour: for Gemini the system prompt becomes the first message of the user, and temperature, max_tokens and "a tool must be called" are gone. Both ways
# drop stop_sequences, top_p and is_error, so a failed tool has not failed, and a result of two texts or a picture becomes one text of JSON. tool_choice any
# becomes "any", which is no value of chat completions ("required" is). A refusal (content_filter) comes back as stop_sequence without any text.
# Seen:   gemini: systemInstruction absent, first user text "Answer in French", generationConfig {} / openai: no stop, "any", result [{"type":"text",...
# Expected by most: systemInstruction, generationConfig with both figures, "required", an error that can be seen, and stop_reason refusal.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @musistudio/llms@1.0.53 2> /dev/null
cat > run.cjs <<'JS'
const http = require('node:http');
const { default: Server } = require('@musistudio/llms');
const port = 20000 + Math.floor(Math.random() * 20000);
const show = (name, value) => console.log(`${name}: ${JSON.stringify(value) ?? 'absent'}`);
let got;
const refusal = { id: '1', object: 'chat.completion', created: 1, model: 'm', usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 },
  choices: [{ index: 0, message: { role: 'assistant', content: null, refusal: 'I can not help with that.' }, finish_reason: 'content_filter' }] };
const stub = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  got = JSON.parse(body);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
});
const source = { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' };
const question = {
  system: 'Answer in French', max_tokens: 100, temperature: 0, top_p: 0.5, stop_sequences: ['END'], tool_choice: { type: 'any' },
  tools: [{ name: 'order', description: 'Finds an order', input_schema: { type: 'object', properties: {} } }],
  messages: [
    { role: 'user', content: 'Where is my order?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'order', input: {} }, { type: 'tool_use', id: 'b', name: 'order', input: {} }] },
    { role: 'user', content: [
      { type: 'tool_result', tool_use_id: 'a', is_error: true, content: [{ type: 'text', text: 'order' }, { type: 'text', text: '1001' }] },
      { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'image', source }] }] },
  ],
};
stub.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${stub.address().port}`;
  const providers = [{ name: 'openai', api_base_url: `${base}/v1/chat/completions`, api_key: 'key', models: ['m'] },
    { name: 'gemini', api_base_url: `${base}/v1beta/models/`, api_key: 'key', models: ['m'], transformer: { use: ['gemini'] } }];
  await new Server({ logger: false, initialConfig: { HOST: '127.0.0.1', PORT: port, providers } }).start();
  const ask = async (provider) => (await fetch(`http://127.0.0.1:${port}/v1/messages`, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: `${provider},m`, ...question }) })).json().catch(() => null);
  await ask('gemini');
  show('gemini system', got.systemInstruction ?? got.system_instruction);
  show('gemini first', got.contents[0]);
  show('gemini config', [got.generationConfig, got.toolConfig]);
  const answer = await ask('openai');
  show('openai config', [got.max_tokens, got.temperature, got.top_p ?? 'no top_p', got.stop ?? 'no stop', got.tool_choice]);
  for (const one of got.messages.filter((message) => message.role === 'tool')) show('openai result', one);
  show('answer', [answer.content, answer.stop_reason]);
  process.exit();
});
JS
echo "@musistudio/llms $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@musistudio/llms/package.json')).version")"
node run.cjs | tee out
diff out - <<'END'
gemini system: absent
gemini first: {"role":"user","parts":[{"text":"Answer in French"}]}
gemini config: [{},{"functionCallingConfig":{}}]
openai config: [100,0,"no top_p","no stop","any"]
openai result: {"role":"tool","content":"[{\"type\":\"text\",\"text\":\"order\"},{\"type\":\"text\",\"text\":\"1001\"}]","tool_call_id":"a"}
openai result: {"role":"tool","content":"[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"aGVsbG8=\"}}]","tool_call_id":"b"}
answer: [[],"stop_sequence"]
END
