#!/usr/bin/env bash
# PyPI dsa-tracker-mcp 1.0.1 with mcp 1.30.0, an MCP server for practising problems, asked over stdio, with its own list of 150 problems.
# Behaviour: a name that is not there letter by letter goes to the likest name, without a question. The number behind a name weighs nothing: "Two Sum II" is logged for Two Sum,
# "Combination Sum 2" for Combination Sum, "House Robber 2" for House Robber; the second ones are in the list under longer or Roman names. "Reverse list" becomes Reverse Bits, not Reverse Linked List.
# The attempt counts there: Two Sum is solved and gets a day of review, the other is new for ever. The answer names the problem that was taken, in the same words as always.
# Seen:   log "Two Sum II" -> Logged: Two Sum; search: Two Sum solved, Two Sum II Input Array Is Sorted not_started
# Expected by most: the problem whose name begins with these words, or a question when two are alike.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check dsa-tracker-mcp==1.0.1 mcp==1.30.0
cat > run.py <<'PY'
import importlib.metadata
import json
import os
import subprocess

print(*(f'{name} {importlib.metadata.version(name)}' for name in ('dsa-tracker-mcp', 'mcp')))
server = subprocess.Popen(['env/bin/dsa-tracker-mcp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, 'DSA_TRACKER_DB': 'progress.db'})
number = 0


def ask(method, params):
    global number
    number += 1
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\n')
    server.stdin.flush()
    return json.loads(server.stdout.readline())['result']


def call(tool, **values):
    return ask('tools/call', {'name': tool, 'arguments': {'params': values}})['content'][0]['text']


ask('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'c', 'version': '1'}})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
for name in ('Two Sum II', 'Combination Sum 2', 'House Robber 2', 'reverse list', 'Combination Sum II'):
    print(name, '->', call('log_attempt', problem_name=name, status='solved', confidence=5).splitlines()[0])
for words in ('two sum', 'combination sum', 'house robber', 'reverse'):
    print('\n'.join(call('search_problems', query=words).splitlines()[1:]))
server.kill()
PY
env/bin/python run.py | tee out
diff out - <<'END'
dsa-tracker-mcp 1.0.1 mcp 1.30.0
Two Sum II -> Logged: Two Sum (Arrays & Hashing, Easy) — solved
Combination Sum 2 -> Logged: Combination Sum (Backtracking, Medium) — solved
House Robber 2 -> Logged: House Robber (1-D DP, Medium) — solved
reverse list -> Logged: Reverse Bits (Bit Manipulation, Easy) — solved
Combination Sum II -> Logged: Combination Sum II (Backtracking, Medium) — solved
- Two Sum [Arrays & Hashing, Easy] — solved
- Two Sum II Input Array Is Sorted [Two Pointers, Medium] — not_started
- Combination Sum [Backtracking, Medium] — solved
- Combination Sum II [Backtracking, Medium] — solved
- House Robber [1-D DP, Medium] — solved
- House Robber II [1-D DP, Medium] — not_started
- Evaluate Reverse Polish Notation [Stack, Medium] — not_started
- Reverse Linked List [Linked List, Easy] — not_started
- Reverse Nodes in K Group [Linked List, Hard] — not_started
- Reverse Bits [Bit Manipulation, Easy] — solved
- Reverse Integer [Bit Manipulation, Medium] — not_started
END
