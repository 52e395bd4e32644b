#!/usr/bin/env bash
# opentelemetry-instrumentation-openai 0.62.4 with openai 3.57.0 (PyPI), default settings: the client asks a stub of a model on this machine, the spans are kept in memory.
# Behaviour: as soon as one message of a request has a picture as data (a data: address in base64), the span has no gen_ai.input.messages at all: not the picture alone is left out, but every turn of the
# conversation, the system prompt and the results of tools too, in each later request that still holds the picture. The span is OK. A picture by https, a file and a sound as data are traced whole.
# Seen:   4 messages, the second with a data: picture: no gen_ai.input.messages / with an https picture: all 4 / with a file as base64: all, with its data
# Expected by most: all messages, the picture left out or shortened.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check opentelemetry-instrumentation-openai==0.62.4 openai==3.57.0 opentelemetry-sdk==1.45.2
cat > run.py <<'PY'
import http.server
import importlib.metadata
import json
import threading
import openai
from opentelemetry.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


class Stub(http.server.BaseHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers['content-length']))
        message = {'role': 'assistant', 'content': 'Fine.'}
        answer = {'id': 'x', 'object': 'chat.completion', 'created': 1, 'model': 'm', 'choices': [{'index': 0, 'message': message, 'finish_reason': 'stop'}]}
        self.send_response(200)
        self.send_header('content-type', 'application/json')
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Stub)
threading.Thread(target=server.serve_forever, daemon=True).start()
spans = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))
OpenAIInstrumentor().instrument(tracer_provider=provider)
client = openai.OpenAI(api_key='none', base_url=f'http://127.0.0.1:{server.server_port}/v1')
print('opentelemetry-instrumentation-openai', importlib.metadata.version('opentelemetry-instrumentation-openai'))
parts = {
    'no picture': {'type': 'text', 'text': 'second part'},
    'https picture': {'type': 'image_url', 'image_url': {'url': 'https://example.org/i.png'}},
    'picture as data': {'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,AAAA'}},
    'file as data': {'type': 'file', 'file': {'filename': 'a.pdf', 'file_data': 'data:application/pdf;base64,AAAA'}},
    'sound as data': {'type': 'input_audio', 'input_audio': {'data': 'AAAA', 'format': 'wav'}},
}
for name, part in parts.items():
    spans.clear()
    messages = [{'role': 'system', 'content': 'Be brief.'}, {'role': 'user', 'content': [{'type': 'text', 'text': 'What is this?'}, part]}, {'role': 'assistant', 'content': 'A cup.'}, {'role': 'user', 'content': 'Sure?'}]
    client.chat.completions.create(model='m', messages=messages)
    span, = spans.get_finished_spans()
    traced = span.attributes.get('gen_ai.input.messages')
    print(f'{name}: {len(json.loads(traced)) if traced else "no"} of 4 messages; answer traced: {"gen_ai.output.messages" in span.attributes}; error: {span.status.status_code.name == "ERROR"}')
server.shutdown()
PY
env/bin/python run.py | tee out
diff out - <<'END'
opentelemetry-instrumentation-openai 0.62.4
no picture: 4 of 4 messages; answer traced: True; error: False
https picture: 4 of 4 messages; answer traced: True; error: False
picture as data: no of 4 messages; answer traced: True; error: False
file as data: 4 of 4 messages; answer traced: True; error: False
sound as data: 4 of 4 messages; answer traced: True; error: False
END
