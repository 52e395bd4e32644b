#!/usr/bin/env bash
# @continuedev/openai-adapters 1.37.0 (npm), chatCompletionNonStream() for Anthropic and Gemini with fetch or a stub server in place of the two APIs; the same
# answers are also read with chatCompletionStream() for Gemini.
# Behaviour: the plain answer has no tool calls and always ends with "stop", also where the model called a tool or was cut at its limit; the streamed answer
# has the call. Of Anthropic's blocks only the first is read: behind a thought the answer has no text. To Gemini, a tool with a choice of types (anyOf, or a
# type and null) is not sent, a second system message and "required" are dropped, texts of a result are glued and a PNG is called a JPEG.
# Seen:   Anthropic, tool_use: content "I look", no tool_calls, stop / thought first: content absent / Gemini, MAX_TOKENS: stop; tools absent, "r2r2b"
# Expected by most: tool_calls with tool_calls as the reason, "length" for a cut answer, and the tools as they are.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @continuedev/openai-adapters@1.37.0 2> /dev/null
cat > run.mjs <<'JS'
import http from 'node:http';
let answer, sent;
globalThis.fetch = async (address, options) => {
  sent = JSON.parse(options.body);
  return new Response(`data: ${JSON.stringify(answer)}\n\n`, { status: 200, headers: { 'content-type': 'text/event-stream' } });
};
const stub = http.createServer(async (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
await new Promise((done) => { stub.listen(0, '127.0.0.1', done); });
const { constructLlmApi } = await import('@continuedev/openai-adapters');
const anthropic = constructLlmApi({ provider: 'anthropic', apiKey: 'key', apiBase: `http://127.0.0.1:${stub.address().port}/v1/` });
const gemini = constructLlmApi({ provider: 'gemini', apiKey: 'key' });
const signal = new AbortController().signal;
const tool = (name, properties) => ({ type: 'function', function: { name, description: name, parameters: { type: 'object', properties } } });
const called = (id) => ({ id, type: 'function', function: { name: 'plain', arguments: '{}' } });
const body = {
  model: 'm', max_tokens: 50, tool_choice: 'required',
  tools: [tool('plain', { city: { type: 'string' } }), tool('choice', { city: { anyOf: [{ type: 'string' }, { type: 'null' }] } }), tool('empty', { city: { type: ['string', 'null'] } })],
  messages: [{ role: 'system', content: 'Be short' }, { role: 'user', content: 'Go' }, { role: 'assistant', content: null, tool_calls: [called('a')] },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'r2' }, { type: 'text', text: 'r2b' }] }, { role: 'system', content: 'Answer in French' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } }] }],
};
const show = (name, { message, finish_reason: reason }) => console.log(`${name}: ${JSON.stringify(message)} ${reason}`);
const usage = { input_tokens: 1, output_tokens: 1 };
const use = { type: 'tool_use', id: 'b', name: 'plain', input: {} };
for (const [name, reason, content] of [['tool', 'tool_use', [{ type: 'text', text: 'I look' }, use]], ['cut', 'max_tokens', [{ type: 'text', text: 'Once' }]],
  ['thought', 'end_turn', [{ type: 'thinking', thinking: 'Hm', signature: 's' }, { type: 'text', text: 'Yes' }]]]) {
  answer = { id: '1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: reason, usage };
  show(`anthropic ${name}`, (await anthropic.chatCompletionNonStream({ ...body, stream: false }, signal)).choices[0]);
}
answer = { candidates: [{ content: { role: 'model', parts: [{ text: 'I look' }, { functionCall: { name: 'plain', args: {} } }] }, finishReason: 'MAX_TOKENS' }] };
const error = console.error; console.warn = () => {}; console.error = () => {};
show('gemini plain', (await gemini.chatCompletionNonStream({ ...body, stream: false }, signal)).choices[0]);
for await (const part of gemini.chatCompletionStream({ ...body, stream: true }, signal)) console.log('gemini streamed:', JSON.stringify(part.choices[0]?.delta));
console.log('sent to gemini:', JSON.stringify([sent.systemInstruction, sent.tools, sent.toolConfig ?? 'no toolConfig', sent.contents.slice(2)]));
process.exit();
JS
echo "@continuedev/openai-adapters $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@continuedev/openai-adapters/package.json')).version")"
node run.mjs | sed -E 's/"id":"[0-9a-z_-]{10,}",?//g' | tee out
diff out - <<'END'
anthropic tool: {"role":"assistant","content":"I look","refusal":null} stop
anthropic cut: {"role":"assistant","content":"Once","refusal":null} stop
anthropic thought: {"role":"assistant","refusal":null} stop
gemini plain: {"role":"assistant","content":"I look","refusal":null} stop
gemini streamed: {"content":"I look","role":"assistant"}
gemini streamed: {"tool_calls":[{"index":0,"type":"function","function":{"name":"plain","arguments":"{}"}}]}
sent to gemini: [{"parts":[{"text":"Be short"}]},[{"functionDeclarations":[{"description":"plain","name":"plain","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING"}}}}]}],"no toolConfig",[{"parts":[{"functionResponse":{"id":"a","name":"plain","response":{"content":"r2r2b"}}}],"role":"user"},{"parts":[{"inlineData":{"data":"aGVsbG8=","mimeType":"image/jpeg"}}],"role":"user"}]]
END
