#!/usr/bin/env bash
# instructor 1.17.0 with openai 3.3.0 (PyPI), a stub of a model on this machine; create and create_partial with one and the same answer.
# Behaviour: create_partial, which streams a model that fills up, refuses what create takes: a Decimal, a date, an enum, a set or a tuple in a pydantic model is never made from
# its JSON form, so the valid answer is "not an instance of Decimal". The call is then repeated three times, the model asked and paid four times for one right answer, and ends in InstructorRetryException.
# Texts and plain numbers are fine.
# Seen:   Decimal 12.75: create 12.75 after 1 request, create_partial InstructorRetryException after 4 / date, enum, set, tuple: the same
# Expected by most: the same value at the end of both.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check instructor==1.17.0 openai==3.3.0
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
import datetime
import decimal
import enum
import logging
import instructor
import openai
import pydantic
from stub import Model

logging.disable()

Colour = enum.Enum('Colour', {'red': 'red'})
for kind, value in [(str, 'a'), (float, 2.5), (decimal.Decimal, 12.75), (datetime.date, '2026-03-04'), (Colour, 'red'), (set[str], ['a']), (tuple[int, int], [1, 2])]:
    Item = pydantic.create_model('Item', value=(kind, ...))
    said = []
    for name in ('create', 'create_partial'):
        model = Model((None, ('Item', {'value': value})))
        client = instructor.from_openai(openai.OpenAI(base_url=model.url, api_key='none'))
        try:
            result = getattr(client.chat.completions, name)(model='m', messages=[{'role': 'user', 'content': 'x'}], response_model=Item)
            result = str((result if name == 'create' else list(result)[-1]).value)
        except Exception as error:
            result = type(error).__name__
        said.append(f'{name} {result} ({len(model.asked)})')
    print(getattr(kind, '__name__', kind) + ':', ' / '.join(said))
PY
echo "instructor $(env/bin/python -c "import importlib.metadata as m; print(m.version('instructor'))")"
echo "openai $(env/bin/python -c "import importlib.metadata as m; print(m.version('openai'))")"
env/bin/python run.py | tee out
diff out - <<'END'
str: create a (1) / create_partial a (1)
float: create 2.5 (1) / create_partial 2.5 (1)
Decimal: create 12.75 (1) / create_partial InstructorRetryException (4)
date: create 2026-03-04 (1) / create_partial InstructorRetryException (4)
Colour: create Colour.red (1) / create_partial InstructorRetryException (4)
set: create {'a'} (1) / create_partial InstructorRetryException (4)
tuple: create (1, 2) (1) / create_partial InstructorRetryException (4)
END
