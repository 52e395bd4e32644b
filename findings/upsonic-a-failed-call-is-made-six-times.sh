#!/usr/bin/env bash
# PyPI upsonic 0.77.3, an agent with two tools, before a small stand-in for OpenAI's interface.
# Behaviour: a tool that raises is called again by itself, five times, after 1, 2, 4, 8 and 16 seconds. What it did before it raised is done six times: a payment that was
# made and whose receipt failed is made six times. The model made one call and reads the bare text of the error once, without a word that it is an error or
# of the six. Each result is wrapped: {"func": ...}. A call without a needed parameter reads that its answer was cut off and max_tokens is too low, which is not so.
# Arguments are not checked: the text "false" for a bool arrives as a text, which is true for Python.
# Seen:   pay called once by the model: made 6 times / "Missing required argument(s) for 'read': path. This usually means the model's response was truncated"
# Expected by most: one call and one error; the result; a check of types.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check upsonic==0.77.3
cat > run.py <<'PY'
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

requests, paid = [], []
turns = [[('pay', {'amount': 40, 'dry': 'false'}), ('read', {'path': 'a'}), ('read', {})]]
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
os.environ.update(OPENAI_API_KEY='none', OPENAI_BASE_URL=f'http://127.0.0.1:{model.server_port}/v1', UPSONIC_TELEMETRY='False')
from upsonic import Agent, Task  # noqa: E402
from upsonic.tools import tool  # noqa: E402


@tool
def pay(amount: int, dry: bool = False) -> str:
    """Pays an amount."""
    paid.append(f'{amount!r}, dry {dry!r}')
    raise RuntimeError('no receipt')


@tool
def read(path: str) -> str:
    """Reads a file."""
    return f'text of {path}\nline 2'


Agent(model='openai/gpt-4o', name='A', system_prompt='Be good.').do(Task('hello', tools=[pay, read]))
print('calls of pay by the model: 1, made:', len(paid), 'with', *set(paid), file=out)
for message in requests[-1]['messages']:
    if message['role'] == 'tool':
        print('the model reads:', message['content'][:120], file=out)
print('requests:', len(requests), file=out)
out.close()
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print('upsonic', m.version('upsonic'))"
env/bin/python -u run.py > log 2>&1 || { tail log; exit 1; }
cat out
diff out - <<'END'
calls of pay by the model: 1, made: 6 with 40, dry 'false'
the model reads: no receipt
the model reads: {"func":"text of a\nline 2"}
the model reads: Missing required argument(s) for 'read': path. This usually means the model's response was truncated (max_tokens too low
requests: 2
END
