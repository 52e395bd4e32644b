#!/usr/bin/env bash
# contextlens-mcp 0.1.0 (PyPI), token budgets for MCP servers and agents, its own MCP server, raw over stdio and with the client of mcp 1.30.0 (PyPI).
# Behaviour: context_budget sums the words of messages and nothing else. A message whose words are empty and whose tool_calls hold 4,000 letters counts 4 tokens, "overflow": false; the same letters as words count 1,004. Nothing says that fields were left out.
# (A content of null, as the API gives it beside calls, and a list of parts are refused.) Each result is a block of type "json" with "data", which the protocol does not have: the official client refuses every answer of the server.
# Seen:   tool_calls of 4000 letters: total 4, remaining 46; as content: total 1004; official client: ValidationError
# Expected by most: about 1,000 tokens for the call too; a text block.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check contextlens-mcp==0.1.0 mcp==1.30.0
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
import asyncio
import importlib.metadata
import os
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from client import Server

print('contextlens-mcp', importlib.metadata.version('contextlens-mcp'))
python = os.path.abspath('env/bin/python')
server = Server(python, '-m', 'contextlens.mcp')
letters = 'x' * 4000
call = {'id': '1', 'type': 'function', 'function': {'name': 'write', 'arguments': letters}}
for label, message in [
    ('4000 letters as words', {'role': 'assistant', 'content': letters}),
    ('4000 letters in a call', {'role': 'assistant', 'content': '', 'tool_calls': [call]}),
]:
    block = server.request('tools/call', name='context_budget', arguments={'messages': [message], 'limit': 50})['content'][0]
    data = block['data']
    print(label + ':', 'block', block['type'], 'total', data['total_tokens'], 'remaining', data['remaining'], 'overflow', data['overflow'])
server.close()


async def official():
    async with stdio_client(StdioServerParameters(command=python, args=['-m', 'contextlens.mcp'])) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        try:
            await session.call_tool('estimate_tokens', {'text': 'hello'})
        except Exception as error:
            return type(error).__name__
        return 'an answer'


print('official client:', asyncio.run(official()))
PY
env/bin/python run.py 2>/dev/null | tee out
diff out - <<'END'
contextlens-mcp 0.1.0
4000 letters as words: block json total 1004 remaining 0 overflow True
4000 letters in a call: block json total 4 remaining 46 overflow False
official client: ValidationError
END
