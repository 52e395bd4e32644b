#!/usr/bin/env bash
# PyPI praisonaiagents 1.7.17, an agent with two tools, before a small stand-in for OpenAI's interface.
# Behaviour: the system prompt begins with "use edit_file to modify existing files", in an agent that has no such tool. A model that does so gets an error. A tool that raises,
# or a call without a needed parameter, ends the run with an exception; a misspelt name and broken JSON go back to the model as errors. A text is shown as JSON:
# in quotes, with \n in letters for each line break. The next message of the same agent holds the words of the turn before, and none of its calls and results.
# From the fifth call of a turn on a sentence is added to the results. "5" for an Optional[int] stays a text; for an int it becomes a number.
# Seen:   "use edit_file", tools: read count / raised: ToolExecutionError, 1 request / second turn: user, assistant, user
# Expected by most: no word of tools that are not there; the error as a result for the model; the text; the calls of the turn before.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check praisonaiagents==1.7.17
cat > run.py <<'PY'
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Optional

requests, turns = [], []
out = open('out', 'w')


class Model(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        requests.append(json.loads(self.rfile.read(int(self.headers['Content-Length']))))
        calls = turns.pop(0) if turns else None
        message = {'role': 'assistant', 'content': None if calls else 'done'}
        if calls:
            message['tool_calls'] = [{'id': f'c{n}', 'type': 'function', 'function': {'name': name, 'arguments': json.dumps(values)}} for n, (name, values) in enumerate(calls)]
        choice = {'index': 0, 'message': message, 'finish_reason': 'tool_calls' if calls else 'stop'}
        usage = {'prompt_tokens': 1, 'completion_tokens': 1, 'total_tokens': 2}
        data = json.dumps({'id': 'r', 'object': 'chat.completion', 'created': 1, 'model': 'm', 'choices': [choice], 'usage': usage}).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)


model = ThreadingHTTPServer(('127.0.0.1', 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
os.environ.update(OPENAI_API_KEY='none', OPENAI_BASE_URL=f'http://127.0.0.1:{model.server_port}/v1', PRAISONAI_TELEMETRY_DISABLED='true', HOME=os.getcwd())
from praisonaiagents import Agent  # noqa: E402


def read(path: str) -> str:
    """Reads a file."""
    if path == 'none':
        raise ValueError('no such file')
    return f'text of {path}\nline 2'


def count(lines: int, most: Optional[int] = None) -> str:
    """Counts."""
    return f'{lines!r} {most!r}'


def run(name, *script, again=False):
    turns[:] = script
    requests.clear()
    agent = Agent(name='A', instructions='Be good.', tools=[read, count], llm='gpt-4o')
    print(name, file=out)
    try:
        print('  answer:', agent.chat('hello'), file=out)
    except Exception as error:
        print(f'  ended by {type(error).__name__}:', str(error).split(' (agent')[0][:60], file=out)
    for message in requests[-1]['messages']:
        if message['role'] == 'tool':
            print('  the model reads:', message['content'], file=out)
    print('  requests:', len(requests), file=out)
    if again:
        agent.chat('go on')
        print('  in the next turn it has:', *(message['role'] for message in requests[-1]['messages']), file=out)


run('all well', [('read', {'path': 'a'}), ('count', {'lines': '5', 'most': '5'}), ('raed', {'path': 'a'})], again=True)
print('  system prompt:', requests[0]['messages'][0]['content'].split('\n')[0], '| tools:', *(tool['function']['name'] for tool in requests[0]['tools']), file=out)
run('one raises', [('read', {'path': 'a'}), ('read', {'path': 'none'})])
run('a parameter is missing', [('read', {})])
run('six calls', [('read', {'path': f'f{n}'}) for n in range(6)])
out.close()
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print('praisonaiagents', m.version('praisonaiagents'))"
env/bin/python -u run.py > log 2>&1 || { tail log; exit 1; }
cat out
diff out - <<'END'
all well
  answer: done
  the model reads: "text of a\nline 2"
  the model reads: "5 '5'"
  the model reads: {"error": "Tool 'raed' not found. Did you mean 'read'? Available tools: ['count', 'read']", "available_tools": ["count", "read"]}
  requests: 2
  in the next turn it has: system user assistant user
  system prompt: When editing files, prefer targeted string-replacement edits: use edit_file to modify existing files precisely. | tools: count read
one raises
  ended by ToolExecutionError: [unknown] no such file
  requests: 1
a parameter is missing
  ended by ToolExecutionError: [unknown] read() missing 1 required positional argument: 'pa
  requests: 1
six calls
  answer: done
  the model reads: "text of f0\nline 2"
  the model reads: "text of f1\nline 2"
  the model reads: "text of f2\nline 2"
  the model reads: "text of f3\nline 2"
  the model reads: "text of f4\nline 2\n\n[loop-guard] Tool 'read' called 5 times this turn. Consider if repeated calls are needed."
  the model reads: "text of f5\nline 2\n\n[loop-guard] Tool 'read' called 6 times this turn. Consider if repeated calls are needed."
  requests: 2
END
