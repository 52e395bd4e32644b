#!/usr/bin/env bash
# mcp-adr 0.1.0 (PyPI), an MCP server for records of decisions, with mcp 1.30.0 and fastmcp 3.4.11 (PyPI), over stdio.
# Behaviour: adr_update writes a record as it is given. The next adr_link, adr_supersede or adr_update_status reads it and writes it anew from what it understood: the alternatives are gone when their heads are not its own,
# and so are sentences and numbered items under Positive, Negative and Risks; items below an item become items. The answer says only that the link was made. Created context ends at its first line with "## ".
# A superseded record that is set to Accepted still says that it is superseded.
# Seen:   after adr_link seven lines of the record are gone, besides the one that changed
# Expected by most: one line is other: Related.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-adr==0.1.0 mcp==1.30.0 fastmcp==3.4.11
cat > run.py <<'PY'
import importlib.metadata
import json
import os
import subprocess

print('mcp-adr', importlib.metadata.version('mcp-adr'))
os.makedirs('work')
pipe = subprocess.PIPE
server = subprocess.Popen([os.path.abspath('env/bin/mcp-adr')], cwd='work', stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)


def send(**message):
    print(json.dumps({'jsonrpc': '2.0', **message}), file=server.stdin, flush=True)
    if 'id' in message:
        return next(answer for answer in map(json.loads, server.stdout) if answer.get('id') == message['id'])['result']


def call(tool, **arguments):
    arguments['project_path'] = os.path.abspath('work')
    return json.loads(send(id=2, method='tools/call', params={'name': tool, 'arguments': arguments})['content'][0]['text'])


send(id=1, method='initialize', params={'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
send(method='notifications/initialized')
call('adr_create', title='Use Redis')
call('adr_create', title='Use disk', context='It is slow.\n\n## Measured\n\nForty calls a second.')
path = 'work/docs/adr/0001-use-redis.md'
record = open(path).read()
record = record.replace('## Alternatives Considered\n', '## Alternatives Considered\n\n### Memcached\n\nIt has no lists.\n\n- pro: small\n')
record = record.replace('### Positive\n', '### Positive\n\nIt is fast.\n\n- cheap\n  - one node\n\n1. The team knows it.\n')
record = record.replace('### Risks\n', '### Risks\n\nData may be lost when the machine fails.\n')
call('adr_update', number=1, content=record)
print('written as given:', open(path).read() == record)
print(call('adr_link', from_number=1, to_number=2)['message'])
after = open(path).read().splitlines()
print('lines that are gone:', *[repr(line) for line in record.splitlines() if line and line not in after], sep='\n  ')
print('context of the second:', repr(call('adr_read', query='2')['context']))
call('adr_supersede', old_number=1, new_number=2)
call('adr_update_status', number=1, status='Accepted')
print(*[line for line in open(path).read().splitlines() if line.startswith(('**Status', '**Superseded'))], sep='\n')
PY
env/bin/python run.py | tee out
diff out - <<'END'
mcp-adr 0.1.0
written as given: True
ADR-0001 linked to ADR-0002
lines that are gone:
  '**Related:** —'
  '### Memcached'
  'It has no lists.'
  '- pro: small'
  'It is fast.'
  '  - one node'
  '1. The team knows it.'
  'Data may be lost when the machine fails.'
context of the second: 'It is slow.'
**Status:** Accepted
**Superseded by:** ADR-0002
END
