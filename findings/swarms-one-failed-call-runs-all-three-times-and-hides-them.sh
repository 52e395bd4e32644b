#!/usr/bin/env bash
# PyPI swarms 16.0.3 with litellm 1.76.1, an agent with max_loops=3, before a small stand-in for OpenAI's interface.
# Behaviour: the model makes three calls at once and one of them raises. All three are run three times, those that worked too: three payments for one. Then the model reads
# "(no result recorded for ...)" for each of the three, with no word of the error and none of the two results. With max_loops=1, the default, the error's
# text is the answer of the run. The list of tools is sent twice: as tools, and in Python's notation as words that the assistant said first. The system prompt holds
# "{current_loop}" unfilled. A text "false" for a bool stays a text, which is true for Python.
# Seen:   calls run: pay 3, mail 3, look 3 / pay: "(no result recorded for pay)"
# Expected by most: each call once, two results and one error for the model.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check swarms==16.0.3 litellm==1.76.1
cat > run.py <<'PY'
import json
import os
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

requests, turns, ran = [], [], Counter()
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
address = f'http://127.0.0.1:{model.server_port}/v1'
os.environ.update(OPENAI_API_KEY='none', OPENAI_BASE_URL=address, OPENAI_API_BASE=address, SWARMS_TELEMETRY_ON='false', LITELLM_LOCAL_MODEL_COST_MAP='True', WORKSPACE_DIR='work')
from swarms import Agent  # noqa: E402


def pay(amount: int, dry: bool = False) -> str:
    """Pays an amount."""
    ran['pay'] += 1
    ran[f'dry {dry!r}'] += 1
    return f'paid {amount}'


def mail(to: str) -> str:
    """Sends a mail."""
    ran['mail'] += 1
    raise ValueError('no such address')


def look(path: str) -> str:
    """Looks at a file."""
    ran['look'] += 1
    return f'text of {path}'


def run(name, loops, *script):
    ran.clear()
    requests.clear()
    turns[:] = script
    agent = Agent(agent_name='A', system_prompt='Be good.', tools=[pay, mail, look], model_name='openai/gpt-4o', max_loops=loops, print_on=False, output_type='final')
    answer = agent.run('hello')
    print(f'{name}: calls run: {dict(sorted(ran.items()))}', file=out)
    for message in requests[1]['messages'] if len(requests) > 1 else []:
        if message['role'] == 'tool':
            print('  the model reads:', repr(message['content']), file=out)
    return str(answer)


three = [('pay', {'amount': 40}), ('mail', {'to': 'a@example.com'}), ('look', {'path': 'f1'})]
run('one of three fails', 3, three)
first = requests[0]['messages']
print('  the second message:', first[1]['role'], first[1]['content'][:58], file=out)
print('  {current_loop} in the system prompt:', '{current_loop}' in first[0]['content'], file=out)
run('none fails', 3, [three[0], three[2]])
run('a text for a bool', 3, [('pay', {'amount': 40, 'dry': 'false'})])
answer = run('one of three fails, max_loops=1', 1, three)
print('  the answer of the run:', answer[:118], file=out)
out.close()
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('swarms', 'litellm')))"
env/bin/python -u run.py > log 2>&1 || { tail log; exit 1; }
cat out
diff out - <<'END'
one of three fails: calls run: {'dry False': 3, 'look': 3, 'mail': 3, 'pay': 3}
  the model reads: '(no result recorded for pay)'
  the model reads: '(no result recorded for mail)'
  the model reads: '(no result recorded for look)'
  the second message: assistant [{'type': 'function', 'function': {'name': 'pay', 'descrip
  {current_loop} in the system prompt: True
none fails: calls run: {'dry False': 1, 'look': 1, 'pay': 1}
  the model reads: "Function 'pay' result:\npaid 40"
  the model reads: "Function 'look' result:\ntext of f1"
a text for a bool: calls run: {"dry 'false'": 1, 'pay': 1}
  the model reads: "Function 'pay' result:\npaid 40"
one of three fails, max_loops=1: calls run: {'dry False': 3, 'look': 3, 'mail': 3, 'pay': 3}
  the answer of the run: Tool execution failed after 3 attempts: Agent 'A' failed to execute tools in loop 1 after 3 attempt(s): Failed to exec
END
