#!/usr/bin/env bash
# pomera-ai-commander 1.5.1 (PyPI), an MCP server of text tools, its pomera_smart_diff (three-way merge of JSON), with mcp 1.30.0 and deepdiff 8.6.2 (PyPI), over stdio.
# Behaviour: the merge knows neither deletions nor lists. A key that one side deleted is there again, even if both deleted it. An item that one side added to a list is gone, a removed one is back. A changed item stays as it was and its new value
# gets a key of its own at the top ("l[1]"). A key set to null keeps its old value. What one side deleted and the other changed is no conflict. Each time "conflict_count" is 0.
# The comparison of two documents (compare_2way, strict too) says "No differences found." when items were added to a list or taken away.
# Seen:   base {x, y}, both sides without y: {x, y}; yours adds c to [a, b]: [a, b]; b becomes x: {"l": ["a", "b"], "l[1]": "x"}
# Expected by most: {x}; [a, b, c]; [a, x]; or conflicts.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pomera-ai-commander==1.5.1 mcp==1.30.0 deepdiff==8.6.2
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

print('pomera-ai-commander', importlib.metadata.version('pomera-ai-commander'))
server = Server(os.path.abspath('env/bin/pomera-mcp'))


def merge(what, base, yours, theirs):
    texts = {name: json.dumps(value) for name, value in (('base', base), ('yours', yours), ('theirs', theirs))}
    answer = json.loads(server.call('pomera_smart_diff', action='compare_3way', format='json', **texts))
    print(f'{what}: {texts["base"]} with {texts["yours"]} and {texts["theirs"]}')
    print('  gives', json.dumps(json.loads(answer['merged'])), '- conflicts', answer['conflict_count'])


merge('one side changes a value', {'x': 1, 'y': 1}, {'x': 2, 'y': 1}, {'x': 1, 'y': 1})
merge('yours deletes y', {'x': 1, 'y': 1}, {'x': 1}, {'x': 1, 'y': 1})
merge('both delete y', {'x': 1, 'y': 1}, {'x': 1}, {'x': 1})
merge('yours deletes what theirs changes', {'x': 1, 'y': 1}, {'x': 1}, {'x': 1, 'y': 7})
merge('yours sets y to null', {'y': 1}, {'y': None}, {'y': 1})
merge('yours adds an item', {'l': ['a', 'b']}, {'l': ['a', 'b', 'c']}, {'l': ['a', 'b']})
merge('yours removes an item', {'l': ['a', 'b']}, {'l': ['a']}, {'l': ['a', 'b']})
merge('yours changes an item', {'l': ['a', 'b']}, {'l': ['a', 'x']}, {'l': ['a', 'b']})
merge('yours changes a record, theirs adds one', {'u': [{'q': 1}]}, {'u': [{'q': 2}]}, {'u': [{'q': 1}, {'q': 5}]})
for before, after in (({'l': ['a', 'b']}, {'l': ['a', 'b', 'c']}), ({'l': ['a', 'b']}, {'l': ['a']}), ({'l': ['a', 'b']}, {'l': ['a', 'x']})):
    answer = json.loads(server.call('pomera_smart_diff', action='compare_2way', format='json', mode='strict', before=json.dumps(before), after=json.dumps(after)))
    print('compare', before, 'with', after, '(strict):', answer['summary'], answer['text_output'] if not answer['changes'] else '')
server.close()
PY
env/bin/python run.py | tee out
diff out - <<'END'
pomera-ai-commander 1.5.1
one side changes a value: {"x": 1, "y": 1} with {"x": 2, "y": 1} and {"x": 1, "y": 1}
  gives {"x": 2, "y": 1} - conflicts 0
yours deletes y: {"x": 1, "y": 1} with {"x": 1} and {"x": 1, "y": 1}
  gives {"x": 1, "y": 1} - conflicts 0
both delete y: {"x": 1, "y": 1} with {"x": 1} and {"x": 1}
  gives {"x": 1, "y": 1} - conflicts 0
yours deletes what theirs changes: {"x": 1, "y": 1} with {"x": 1} and {"x": 1, "y": 7}
  gives {"x": 1, "y": 7} - conflicts 0
yours sets y to null: {"y": 1} with {"y": null} and {"y": 1}
  gives {"y": 1} - conflicts 0
yours adds an item: {"l": ["a", "b"]} with {"l": ["a", "b", "c"]} and {"l": ["a", "b"]}
  gives {"l": ["a", "b"]} - conflicts 0
yours removes an item: {"l": ["a", "b"]} with {"l": ["a"]} and {"l": ["a", "b"]}
  gives {"l": ["a", "b"]} - conflicts 0
yours changes an item: {"l": ["a", "b"]} with {"l": ["a", "x"]} and {"l": ["a", "b"]}
  gives {"l": ["a", "b"], "l[1]": "x"} - conflicts 0
yours changes a record, theirs adds one: {"u": [{"q": 1}]} with {"u": [{"q": 2}]} and {"u": [{"q": 1}, {"q": 5}]}
  gives {"u": [{"q": 1}], "u[0]q": 2} - conflicts 0
compare {'l': ['a', 'b']} with {'l': ['a', 'b', 'c']} (strict): {'modified': 0, 'added': 0, 'removed': 0} No differences found.
compare {'l': ['a', 'b']} with {'l': ['a']} (strict): {'modified': 0, 'added': 0, 'removed': 0} No differences found.
compare {'l': ['a', 'b']} with {'l': ['a', 'x']} (strict): {'modified': 1, 'added': 0, 'removed': 0} 
END
