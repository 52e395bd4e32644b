#!/usr/bin/env bash
# musicxml-abc-mcp 0.2.2 (PyPI), an MCP server that turns ABC into MusicXML and back, with mcp 2.3.0 and music21 10.5.1 (PyPI), over stdio.
# Behaviour: a tune that goes to MusicXML and back is another tune, without a warning. E dorian (two sharps) comes back as E (four sharps) with the same letters, so G and D are sharp. In F a B natural is written as B, which is B flat there.
# A chord name over a bar becomes a short chord that is played and lengthens the bar. Repeats, endings, ties, lyrics, a change of key or meter are gone; a grace note is a note; 100 dotted quarters a minute are 100 quarters. The title is a number.
# Seen:   K:Edor E2 F2 G2 A2 comes back as K:E E2 ^F2 G2 A2; "D"d2f as [D,^F,A,]1 d2 ^f; Q:3/8=100 as Q:1/4=100
# Expected by most: the same notes, lengths and tempo.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check musicxml-abc-mcp==0.2.2 mcp==2.3.0 music21==10.5.1
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

print('musicxml-abc-mcp', importlib.metadata.version('musicxml-abc-mcp'))
server = Server(os.path.abspath('env/bin/musicxml-abc-mcp'))


def back(head, body):
    made = json.loads(server.call('abc_to_musicxml', abc=f'X:1\nT:Tune\n{head}\n{body}\n'))
    abc = json.loads(server.call('musicxml_to_abc', musicxml=made['musicxml']))['abc']
    print(head.replace('\n', ' '), '/', body.replace('\n', ' '), '/ warnings', made['warnings'])
    print('  ', *[line for line in abc.splitlines() if line and line[:2] not in ('X:', 'T:', 'L:')], sep=' ')


back('M:4/4\nL:1/8\nK:Edor', 'E2 F2 G2 A2 | ^c4 d4 |]')
back('M:4/4\nL:1/4\nK:F', 'A B =B c |]')
back('M:6/8\nL:1/8\nQ:3/8=100\nK:D', '|: "D"d2f "G"gfe | A3- A3 :|')
back('M:4/4\nL:1/4\nK:C', 'C D E F | [K:G] F4 | [M:3/4] G3 |]')
back('M:3/4\nL:1/4\nK:C', '{g}A B c |1 d3 :|2 e3 |]\nw: la la la')
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
musicxml-abc-mcp 0.2.2
M:4/4 L:1/8 K:Edor / E2 F2 G2 A2 | ^c4 d4 |] / warnings []
   M:4/4 Q:1/4=120 K:E E2 ^F2 G2 A2 | ^c4 d4 |]
M:4/4 L:1/4 K:F / A B =B c |] / warnings []
   M:4/4 Q:1/4=120 K:F A2 _B2 B2 c2 |]
M:6/8 L:1/8 Q:3/8=100 K:D / |: "D"d2f "G"gfe | A3- A3 :| / warnings []
   M:6/8 Q:1/4=100 K:D [D,^F,A,]1 d2 ^f [G,B,D]1 g ^f e | A3 A3 |]
M:4/4 L:1/4 K:C / C D E F | [K:G] F4 | [M:3/4] G3 |] / warnings []
   M:4/4 Q:1/4=120 K:C C2 D2 E2 F2 | F8 | G6 z2 |]
M:3/4 L:1/4 K:C / {g}A B c |1 d3 :|2 e3 |] w: la la la / warnings []
   M:3/4 Q:1/4=120 K:C g1 A2 B2 c2 | d6 | e6 |]
END
