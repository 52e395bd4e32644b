#!/usr/bin/env bash
# @dwmkerr/mock-llm 0.1.29 (npm), a mock of the chat completions API for tests of agents; each rule is asked once as it is and once with stream true.
# Behaviour: a stream is made of the text alone. Tool calls of the rule are not in it, an answer that ended with "tool_calls" or "length" ends with "stop",
# and of two choices one is left; the plain answer has all of them. So an agent that streams seems to get a finished, empty answer. The README names tool
# calls and streams and no such limit. The echo of the README puts the text into JSON as it is: a path with backslashes gets a line break and a tab.
# Seen:   call: plain get_weather, tool_calls / streamed: no tool, stop - cut: plain length / streamed stop - echo of C:\new\tools: "C:", line break, "ew", tab
# Expected by most: the same answer in pieces, and the same path.
set -euo pipefail
dir=$(mktemp -d); cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts @dwmkerr/mock-llm@0.1.29 2> /dev/null
cat > mock-llm.yaml <<'YAML'
rules:
  - path: "/v1/chat/completions"
    match: "@"
    response:
      status: 200
      content: |
        {"choices": [{"index": 0, "message": {"role": "assistant", "content": "{{jmes request body.messages[-1].content}}"}, "finish_reason": "stop"}]}
  - path: "/v1/chat/completions"
    match: "body.messages[-1].content == 'call'"
    response:
      status: 200
      content: |
        {"choices": [{"index": 0, "message": {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "type": "function", "function":
        {"name": "get_weather", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}]}
  - path: "/v1/chat/completions"
    match: "body.messages[-1].content == 'cut'"
    response:
      status: 200
      content: '{"choices": [{"index": 0, "message": {"role": "assistant", "content": "Once upon"}, "finish_reason": "length"}]}'
  - path: "/v1/chat/completions"
    match: "body.messages[-1].content == 'two'"
    response:
      status: 200
      content: '{"choices": [{"index": 0, "message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"},
        {"index": 1, "message": {"role": "assistant", "content": "B"}, "finish_reason": "stop"}]}'
YAML
cat > ask.mjs <<'JS'
const sleep = (time) => new Promise((done) => setTimeout(done, time));
const address = `http://127.0.0.1:${process.env.PORT}`;
for (let n = 0; n < 100; n += 1) { try { await fetch(`${address}/health`); break; } catch { await sleep(200); } }
for (const content of ['call', 'cut', 'two', 'C:\\new\\tools']) {
  for (const stream of [false, true]) {
    const body = JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content }] });
    const answer = await fetch(`${address}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const text = await answer.text();
    const parts = stream ? text.split('\n\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6))) : [JSON.parse(text)];
    const choices = parts.flatMap((part) => part.choices).map((one) => [one.index, one.message ?? one.delta, one.finish_reason]);
    const said = choices.map(([index, message, reason]) =>
      `${index} ${JSON.stringify(message.content)} tools [${(message.tool_calls ?? []).map((call) => call.function.name)}] ${reason}`);
    console.log(`${content}, ${stream ? 'streamed' : 'plain'}: ${said.join(' / ')}`);
  }
}
JS
export PORT=$((20000 + RANDOM % 20000))
node node_modules/@dwmkerr/mock-llm/dist/main.js > log 2>&1 & server=$!
trap 'kill $server; rm -rf "$dir"' EXIT
echo "@dwmkerr/mock-llm $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@dwmkerr/mock-llm/package.json')).version")"
node ask.mjs | tee out
diff out - <<'END'
call, plain: 0 "" tools [get_weather] tool_calls
call, streamed: 0 "" tools [] stop
cut, plain: 0 "Once upon" tools [] length
cut, streamed: 0 "Once upon" tools [] stop
two, plain: 0 "A" tools [] stop / 1 "B" tools [] stop
two, streamed: 0 "A" tools [] stop
C:\new\tools, plain: 0 "C:\new\tools" tools [] stop
C:\new\tools, streamed: 0 "C:\new\tools" tools [] stop
END
