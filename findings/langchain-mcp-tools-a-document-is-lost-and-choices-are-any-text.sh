#!/usr/bin/env bash
# langchain-mcp-tools 0.3.5 (PyPI), with mcp 1.30.0: tools of an MCP server made into tools of LangChain; a small server of this script over stdio.
# Behaviour: of a result only the blocks of type text are kept: the text of an embedded document, a link and a picture are gone without a word beside a text, and alone they are "No text content
# available in response". A call that fails is a result like any other, with the blocks in Python notation. The schema that the model is shown loses the choices of an enum, the minimum of a number and
# the kind of values of a map; and it allows null for each parameter that may be left out, which the server's schema does not.
# Seen:   text + document: 'Here is the report.' / isError: "Tool execution failed: [TextContent(type='text', ...)]" / enum open, closed: string or null
# Expected by most: the document's text; an exception or the words of the error; the choices.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check langchain-mcp-tools==0.3.5 mcp==1.30.0
cat > server.py <<'PY'
import json, sys

text = {'type': 'text', 'text': 'Here is the report.'}
document = {'type': 'resource', 'resource': {'uri': 'file:///r.txt', 'mimeType': 'text/plain', 'text': 'Sales fell by 4 per cent.'}}
results = {
    'document': {'content': [text, document]},
    'document_alone': {'content': [document]},
    'link': {'content': [text, {'type': 'resource_link', 'uri': 'file:///r.txt', 'name': 'r'}]},
    'failed': {'content': [{'type': 'text', 'text': 'The disk is full.'}], 'isError': True},
}
parameters = {
    'state': {'type': 'string', 'enum': ['open', 'closed'], 'default': 'open'},
    'limit': {'type': 'integer', 'minimum': 1},
    'prices': {'type': 'object', 'additionalProperties': {'type': 'number'}},
}
tools = [{'name': name, 'description': name, 'inputSchema': {'type': 'object', 'properties': parameters}} for name in results]
for line in sys.stdin:
    asked = json.loads(line)
    if 'id' not in asked:
        continue
    answers = {'initialize': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 's', 'version': '1'}}, 'tools/list': {'tools': tools}}
    result = answers.get(asked['method']) or results[asked['params']['name']]
    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': result}), flush=True)
PY
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import json
import logging
import sys
from langchain_mcp_tools import convert_mcp_to_langchain_tools

logging.disable(logging.CRITICAL)


async def main():
    tools, cleanup = await convert_mcp_to_langchain_tools({'s': {'command': sys.executable, 'args': ['server.py']}})
    for tool in tools:
        print(f'{tool.name}: {await tool.ainvoke({})!r}')
    for name, part in tools[0].args_schema.model_json_schema()['properties'].items():
        print(f'{name}: {json.dumps(part)}')
    await cleanup()


print('langchain-mcp-tools', importlib.metadata.version('langchain-mcp-tools'))
asyncio.run(main())
PY
env/bin/python run.py | tee out
diff out - <<'END'
langchain-mcp-tools 0.3.5
document: 'Here is the report.'
document_alone: 'No text content available in response'
link: 'Here is the report.'
failed: "Tool execution failed: [TextContent(type='text', text='The disk is full.', annotations=None, meta=None)]"
state: {"anyOf": [{"type": "string"}, {"type": "null"}], "default": "open", "title": "State"}
limit: {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null, "title": "Limit"}
prices: {"anyOf": [{"additionalProperties": true, "type": "object"}, {"type": "null"}], "default": null, "title": "Prices"}
END
