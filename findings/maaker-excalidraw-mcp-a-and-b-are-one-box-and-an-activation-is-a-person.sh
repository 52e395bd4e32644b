#!/usr/bin/env bash
# maaker-excalidraw-mcp 0.5.3 (PyPI), an MCP server that draws Excalidraw diagrams, its import_mermaid, with mcp 1.30.0 (PyPI), over stdio.
# Behaviour: of Mermaid's plain notation a part is drawn as something else or not at all, and the answer is "imported". "A & B --> C" is one box "A & B". A text that a node gets after its first mention is lost, a node without an arrow too; of a group its id
# is shown. In a sequence "->>+B" and "-->>-A" make two further people, "+B" and "-A"; a message that fails ("-x"), alt, else, loop and notes are gone, so that both branches look like one run.
# Seen:   boxes A & B, C; "Group One" is "one"; A[Later] is A; people Ann, +B, B, -A; messages pay 5, done (no: "no", "ok", "bad", "remember")
# Expected by most: two arrows to C, the texts, two people, or a word on what was left out.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check maaker-excalidraw-mcp==0.5.3 mcp==1.30.0
cat > client.py <<'PY'
import json
import os
import subprocess


class Server:
    def __init__(self, *command):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, HOME=os.getcwd()))
        self.number = 0
        self.request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'finding', 'version': '1'})
        self.write({'jsonrpc': '2.0', 'method': 'notifications/initialized'})

    def write(self, message):
        self.process.stdin.write(json.dumps(message) + '\n')
        self.process.stdin.flush()

    def request(self, method, **params):
        self.number += 1
        self.write({'jsonrpc': '2.0', 'id': self.number, 'method': method, 'params': params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get('id') == self.number:
                return message['result']

    def call(self, tool, /, **arguments):
        return '\n'.join(block.get('text', '') for block in self.request('tools/call', name=tool, arguments=arguments)['content'])

    def close(self):
        self.process.stdin.close()
        self.process.wait()
PY
cat > run.py <<'PY'
import importlib.metadata
import json
import os
from client import Server

print('maaker-excalidraw-mcp', importlib.metadata.version('maaker-excalidraw-mcp'))
server = Server(os.path.abspath('env/bin/excalidraw-mcp'))
path = os.path.abspath('drawing.excalidraw')


def draw(what, mermaid):
    answer = server.call('import_mermaid', mermaid=mermaid, output_path=path)
    with open(path) as file:
        elements = json.load(file)['elements']
    os.remove(path)
    texts = [element['text'] for element in elements if element['type'] == 'text']
    words = {element['containerId']: element['text'] for element in elements if element['type'] == 'text' and element.get('containerId')}
    arrows = [(words.get(element['startBinding']['elementId']), words.get(element['endBinding']['elementId'])) for element in elements if element['type'] == 'arrow' and element.get('startBinding') and element.get('endBinding')]
    print(what + ':', answer.split(' to:')[0], '/ texts', texts, '/ arrows', arrows)


draw('one to two', 'flowchart TD\nA[Ann] --> B[Bob] --> C[Cy]\nA --> C')
draw('two to one', 'flowchart TD\nA[Ann]\nB[Bob]\nA & B --> C[Cy]')
draw('texts and a lone node', 'flowchart TD\nA --> B\nA[Later]\nB(Round)\nD[Alone]')
draw('a group', 'flowchart TD\nsubgraph one [Group One]\nA --> B\nend\nA --- B')
draw('a sequence', 'sequenceDiagram\nparticipant A as Ann\nA->>B: pay 5\nB-->>A: done')
draw('with activation', 'sequenceDiagram\nparticipant A as Ann\nA->>+B: pay 5\nB-->>-A: done')
draw('with branches', 'sequenceDiagram\nparticipant A as Ann\nA->>B: pay 5\nalt ok\nB-->>A: done\nelse bad\nB-xA: no\nend\nNote over A,B: remember')
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
maaker-excalidraw-mcp 0.5.3
one to two: Mermaid flowchart imported / texts ['Ann', 'Bob', 'Cy'] / arrows [('Ann', 'Bob'), ('Bob', 'Cy'), ('Ann', 'Cy')]
two to one: Mermaid flowchart imported / texts ['A & B', 'Cy'] / arrows [('A & B', 'Cy')]
texts and a lone node: Mermaid flowchart imported / texts ['A', 'B'] / arrows [('A', 'B')]
a group: Mermaid flowchart imported / texts ['one', 'A', 'B'] / arrows [('A', 'B')]
a sequence: Mermaid sequence diagram imported / texts ['Ann', 'B', 'pay 5', 'done'] / arrows []
with activation: Mermaid sequence diagram imported / texts ['Ann', '+B', 'B', '-A', 'pay 5', 'done'] / arrows []
with branches: Mermaid sequence diagram imported / texts ['Ann', 'B', 'pay 5', 'done'] / arrows []
END
