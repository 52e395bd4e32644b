#!/usr/bin/env bash
# fastmcp 4.2.3 with mcp 2.3.0 (PyPI): ResponseLimitingMiddleware, which a server puts in to keep large results from the model, here with max_size 10,000.
# Behaviour: what is measured is the result as a whole, the text and the structured data that FastMCP makes of the same value, so the limit is about half of what it
# says. A text between half and all of it is sent in full, to its last letter, with the note that it was cut. The structured data are gone then, and the
# client's result.data is None where the tool returned a list. A picture is dropped, and the note stands behind its caption. As long as the middleware is there, no tool
# that it covers lists an output schema, however small its results are.
# Seen:   300 records, 9,081 characters: all of them and "[Response truncated due to size limit]", data None / caption and picture: caption and note / outputSchema: none
# Expected by most: up to 10,000 bytes a text comes as it is, and the note means that something is missing from the text.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fastmcp==4.2.3 mcp==2.3.0
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import json
from fastmcp import Client, FastMCP
from fastmcp.server.middleware.response_limiting import ResponseLimitingMiddleware
from fastmcp.utilities.types import Image


def server(limit):
    made = FastMCP('s')

    @made.tool
    def rows(n: int) -> list[dict]:
        return [{'id': i, 'name': f'record {i}'} for i in range(n)]

    @made.tool
    def picture(n: int):
        return ['caption', Image(data=b'x' * n, format='png')]

    if limit:
        made.add_middleware(ResponseLimitingMiddleware(max_size=limit))
    return made


async def main():
    for limit in (None, 10_000):
        async with Client(server(limit)) as client:
            print('limit', limit, 'output schemas:', [tool.name for tool in await client.list_tools() if tool.output_schema])
            for name, n in (('rows', 3), ('rows', 300), ('picture', 9_000)):
                result = await client.call_tool(name, {'n': n})
                note = '[Response truncated due to size limit]'
                text = result.content[0].text
                whole = name != 'rows' or json.loads(text.replace('\n\n' + note, '')) == [{'id': i, 'name': f'record {i}'} for i in range(n)]
                print(f'limit {limit}, {name} {n}:', [block.type for block in result.content], len(text), 'characters, whole:', whole, 'note:', note in text,
                      'structured:', result.structured_content is not None, 'data:', type(result.data).__name__)


print(*(name + ' ' + importlib.metadata.version(name) for name in ('fastmcp', 'mcp')))
asyncio.run(main())
PY
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
tail -n +2 out | diff - <(cat <<'END'
limit None output schemas: ['rows']
limit None, rows 3: ['text'] 82 characters, whole: True note: False structured: True data: list
limit None, rows 300: ['text'] 9081 characters, whole: True note: False structured: True data: list
limit None, picture 9000: ['text', 'image'] 7 characters, whole: True note: False structured: False data: NoneType
limit 10000 output schemas: []
limit 10000, rows 3: ['text'] 82 characters, whole: True note: False structured: True data: list
limit 10000, rows 300: ['text'] 9121 characters, whole: True note: True structured: False data: NoneType
limit 10000, picture 9000: ['text'] 47 characters, whole: True note: True structured: False data: NoneType
END
)
