#!/usr/bin/env bash
# @unified-llm/core 0.6.9 (npm), chat() with a tool and a history in which the tool was called and has answered; fetch is replaced by a stub of each model
# server, which first calls the tool once and then answers in two texts, cut at the limit.
# Behaviour: with Anthropic, a tool call of the history is carried out again when the history is sent; its block is replaced by the new result, said by the
# assistant. With OpenAI and DeepSeek the tool is described twice in each request. The usage is that of the last request alone, and of an answer of two texts
# the second is not in response.text.
# Seen:   anthropic: history "paid 3", asked for 5, paid 3 and 5 / openai: paid 5, tools pay and pay / input tokens 20 of 10 and 20
# Expected by most: only 5 is paid, one description, 30 tokens, and both texts.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @unified-llm/core@0.6.9 2> /dev/null
cat > run.mjs <<'JS'
const sent = [];
globalThis.fetch = async (address, options) => {
  sent.push(JSON.parse(options.body));
  const first = sent.length === 1;
  const json = String(address.url ?? address).includes('anthropic') ? {
    id: '1', type: 'message', role: 'assistant', model: 'm', stop_reason: first ? 'tool_use' : 'end_turn', usage: { input_tokens: 10 * sent.length, output_tokens: 5 },
    content: first ? [{ type: 'tool_use', id: 'call_2', name: 'pay', input: { amount: 5 } }] : [{ type: 'text', text: 'It is ' }, { type: 'text', text: 'paid.' }],
  } : {
    id: '1', object: 'chat.completion', model: 'm', usage: { prompt_tokens: 10 * sent.length, completion_tokens: 5, total_tokens: 15 },
    choices: [first ? { index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null,
      tool_calls: [{ id: 'call_2', type: 'function', function: { name: 'pay', arguments: '{"amount":5}' } }] } }
      : { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'It is paid.' } }],
  };
  return new Response(JSON.stringify(json), { status: 200, headers: { 'content-type': 'application/json' } });
};
const { LLMClient } = await import('@unified-llm/core');
const { defineTool } = await import('@unified-llm/core/tools');
const paid = [];
const parameters = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };
const handler = async ({ amount }) => { paid.push(amount); return `paid ${amount}`; };
const tools = [defineTool({ type: 'function', function: { name: 'pay', description: 'Pays', parameters }, handler })];
const messages = [
  { role: 'user', content: 'Pay 3' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'pay', input: { amount: 3 } }] },
  { role: 'tool', content: [{ type: 'tool_result', toolUseId: 'call_1', content: [{ type: 'text', text: 'paid 3' }] }] },
  { role: 'user', content: 'Now pay 5' },
];
for (const provider of ['anthropic', 'openai', 'deepseek']) {
  paid.length = 0;
  sent.length = 0;
  const answer = await new LLMClient({ provider, model: 'm', apiKey: 'key', tools }).chat({ messages: structuredClone(messages) });
  const names = sent[0].tools.map((one) => one.name ?? one.function.name);
  console.log(`${provider}: paid ${paid}; tools ${names}; input tokens ${answer.usage.inputTokens}; text ${JSON.stringify(answer.text)}`);
  for (const one of sent[0].messages.slice(1, 3)) console.log(`    ${JSON.stringify(one)}`);
}
JS
echo "@unified-llm/core $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@unified-llm/core/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
anthropic: paid 3,5; tools pay; input tokens 20; text "It is "
    {"role":"assistant","content":[{"type":"tool_result","tool_use_id":"call_1","is_error":false,"content":[{"type":"text","text":"paid 3"}]}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"paid 3"}]}]}
openai: paid 5; tools pay,pay; input tokens 20; text "It is paid."
    {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"pay","arguments":"{\"amount\":3}"}}]}
    {"role":"tool","content":"paid 3","tool_call_id":"call_1"}
deepseek: paid 5; tools pay,pay; input tokens 20; text "It is paid."
    {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"pay","arguments":"{\"amount\":3}"}}]}
    {"role":"tool","content":"paid 3","tool_call_id":"call_1"}
END
