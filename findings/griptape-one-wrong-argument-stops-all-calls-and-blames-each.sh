#!/usr/bin/env bash
# PyPI griptape 1.13.0, an agent with one tool, before a small stand-in for OpenAI's interface.
# Behaviour: the model makes three calls at once and the third has a text where a number belongs. None of the three is run, and the model reads the third's error as the result of
# each. It can not tell which was wrong. A call of a tool that does not exist is not told to the model: the run ends, the error is its answer, and from then on
# it stands in the conversation as what the assistant said. In the next run the calls and results of the one before are gone. A dictionary is shown in Python's
# notation. What a tool raises is shown bare, with no word that it is an error.
# Seen:   read a, read b, read c with n "x": nothing run, three times "Key 'n' error: 'x' should be instance of 'int'"
# Expected by most: two results and one error; an error that the model can act on.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check griptape==1.13.0
cat > run.py <<'PY'
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from griptape.drivers.prompt.openai import OpenAiChatPromptDriver
from griptape.structures import Agent
from griptape.tokenizers import SimpleTokenizer
from griptape.tools import BaseTool
from griptape.utils.decorators import activity
from schema import Optional, Schema

requests, turns, ran = [], [], []


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


class Files(BaseTool):
    @activity(config={'description': 'Reads a file.', 'schema': Schema({'path': str, Optional('n'): int})})
    def read(self, params: dict):
        ran.append(params['values']['path'])
        if ran[-1] == 'none':
            raise ValueError('no such file')
        return {'text': f'text of {ran[-1]}', 'last': None}


model = ThreadingHTTPServer(('127.0.0.1', 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
tokens = SimpleTokenizer(characters_per_token=4, max_input_tokens=8000, max_output_tokens=1000)
driver = OpenAiChatPromptDriver(model='gpt-4o', base_url=f'http://127.0.0.1:{model.server_port}/v1', api_key='none', stream=False, tokenizer=tokens)


def run(name, *script):
    turns[:] = script
    ran.clear()
    requests.clear()
    agent = Agent(prompt_driver=driver, tools=[Files()])
    agent.run('hello')
    print(f'shown: {name}: run: {ran}, answer: {agent.output.value!r}')
    for message in requests[-1]['messages']:
        if message['role'] == 'tool':
            print('shown:   the model reads:', repr(message['content']))
    agent.run('go on')
    print('shown:   in the next run it has:', [(message['role'], message['content']) for message in requests[-1]['messages'][1:]])


read = 'Files_read'
run('all well', [(read, {'path': 'a'}), (read, {'path': 'none'})])
run('one wrong argument', [(read, {'path': 'a'}), (read, {'path': 'b'}), (read, {'path': 'c', 'n': 'x'})])
run('one misspelt name', [(read, {'path': 'a'}), ('Files_raed', {'path': 'b'})])
sys.stdout.flush()
os._exit(0)
PY
env/bin/python -c "import importlib.metadata as m; print('griptape', m.version('griptape'))"
env/bin/python -u run.py > log 2>&1 || { tail log; exit 1; }
sed -n 's/^shown: //p' log | tee out
diff out - <<'END'
all well: run: ['a', 'none'], answer: 'done'
  the model reads: "{'text': 'text of a', 'last': None}"
  the model reads: 'no such file'
  in the next run it has: [('user', 'hello'), ('assistant', 'done'), ('user', 'go on')]
one wrong argument: run: [], answer: 'done'
  the model reads: "Activity input JSON validation error: Key 'n' error:\n'x' should be instance of 'int'"
  the model reads: "Activity input JSON validation error: Key 'n' error:\n'x' should be instance of 'int'"
  the model reads: "Activity input JSON validation error: Key 'n' error:\n'x' should be instance of 'int'"
  in the next run it has: [('user', 'hello'), ('assistant', 'done'), ('user', 'go on')]
one misspelt name: run: [], answer: "ToolAction input parsing error: 'Files' object has no attribute 'raed'"
  in the next run it has: [('user', 'hello'), ('assistant', "ToolAction input parsing error: 'Files' object has no attribute 'raed'"), ('user', 'go on')]
END
