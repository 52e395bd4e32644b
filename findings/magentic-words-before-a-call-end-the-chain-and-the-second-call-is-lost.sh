#!/usr/bin/env bash
# magentic 0.41.1 (PyPI), @prompt_chain with one function, a stub of a model on this machine.
# Behaviour: when the model writes a sentence before its call ("Let me look."), as most do, prompt_chain takes the sentence for the answer: the function is never called, and the sentence is returned
# as the result. When the model makes two calls at once, only the first is carried out, and the history that goes back to the model has that one alone, as if the other had not been made.
# Seen:   "Let me look." and a call: returned "Let me look.", 0 calls / two calls: pen is priced, cup is not and is not in the history
# Expected by most: the calls are carried out, all of them, and the model's last text is the result.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check magentic==0.41.1
cat > stub.py <<'PY'
import http.server
import json
import threading


def Model(*answers):
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.answers, server.asked, server.url = answers, [], f'http://127.0.0.1:{server.server_address[1]}/v1'
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *parts):
        pass

    def do_POST(self):
        asked, answers = self.server.asked, self.server.answers
        asked.append(json.loads(self.rfile.read(int(self.headers['content-length']))))
        stream = asked[-1].get('stream') or False
        text, *calls = answers[min(len(asked), len(answers)) - 1]
        calls = [{'index': i, 'id': f'call_{len(asked)}_{i}', 'type': 'function', 'function': {'name': name, 'arguments': json.dumps(arguments)}}
                 for i, (name, arguments) in enumerate(calls)]
        message = {'role': 'assistant', 'content': text, **({'tool_calls': calls} if calls else {})}
        choice = {'index': 0, 'finish_reason': 'tool_calls' if calls else 'stop', 'delta' if stream else 'message': message}
        answer = json.dumps({'id': 'c', 'created': 1, 'model': 'm', 'object': 'chat.completion' + '.chunk' * stream, 'choices': [choice]})
        self.send_response(200)
        self.send_header('content-type', 'text/event-stream' if stream else 'application/json')
        self.end_headers()
        self.wfile.write((f'data: {answer}\n\ndata: [DONE]\n\n' if stream else answer).encode())
PY
cat > run.py <<'PY'
import json
from magentic import OpenaiChatModel, prompt_chain
from stub import Model

called = []


def price(item: str) -> float:
    """The price of an item."""
    called.append(item)
    return 2.5


def ask(name, *answers):
    model = Model(*answers)

    @prompt_chain('What do a pen and a cup cost?', functions=[price], model=OpenaiChatModel('m', base_url=model.url, api_key='none'))
    def costs() -> str: ...

    called.clear()
    print(f'{name}: returned {costs()!r}, called {called}, requests {len(model.asked)}')
    for message in model.asked[-1]['messages'][1:]:
        print('  told the model:', json.dumps([call['function']['arguments'] for call in message.get('tool_calls', [])] or message['content']))


ask('one call', (None, ('price', {'item': 'pen'})), ('It is 2.5.',))
ask('words and a call', ('Let me look.', ('price', {'item': 'pen'})), ('It is 2.5.',))
ask('two calls', (None, ('price', {'item': 'pen'}), ('price', {'item': 'cup'})), ('Both are 2.5.',))
PY
echo "magentic $(env/bin/python -c "import importlib.metadata as m; print(m.version('magentic'))")"
env/bin/python run.py | tee out
diff out - <<'END'
one call: returned 'It is 2.5.', called ['pen'], requests 2
  told the model: ["{\"item\":\"pen\"}"]
  told the model: "{\"value\":2.5}"
words and a call: returned 'Let me look.', called [], requests 1
two calls: returned 'Both are 2.5.', called ['pen'], requests 2
  told the model: ["{\"item\":\"pen\"}"]
  told the model: "{\"value\":2.5}"
END
