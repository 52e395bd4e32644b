#!/usr/bin/env bash
# fastmcp 4.2.3 (PyPI, with mcp 2.3.0): FastMCP.from_openapi, and FastMCP's own client, on an operation whose document says that it answers text/plain
# with a schema of type string, and an API that does just that.
# Behaviour: the tool gets an outputSchema for that text. The answer itself is read as JSON if it can be: `5` and `true` become a number and a boolean,
# against the schema, and `ok`, which is no JSON, becomes a result without structuredContent, against the protocol. So the client loses each of them
# with an error; a text in quotes is the only one that comes through, without its quotes. Without a schema in the document all goes well.
# Seen:   ok: RuntimeError, did not return structured content / 5: RuntimeError, not of type string / "q": q / ok, no schema: ok
# Expected by most: the text, as it stands in the document and in the answer.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fastmcp==4.2.3 mcp==2.3.0
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import fastmcp
import httpx2

print(*(name + ' ' + importlib.metadata.version(name) for name in ('fastmcp', 'mcp')))


def operation(name, content):
    return {'get': {'operationId': name, 'responses': {'200': {'description': 'a text', 'content': content}}}}


document = {
    'openapi': '3.1.0',
    'info': {'title': 'texts', 'version': '1'},
    'paths': {
        '/described': operation('described', {'text/plain': {'schema': {'type': 'string'}}}),
        '/bare': operation('bare', {'text/plain': {}}),
    },
}


async def called(tool, text):
    def answer(request):
        return httpx2.Response(200, text=text, headers={'content-type': 'text/plain'})

    web = httpx2.AsyncClient(transport=httpx2.MockTransport(answer), base_url='http://x.example')
    async with fastmcp.Client(fastmcp.FastMCP.from_openapi(document, client=web)) as client:
        try:
            result = await client.call_tool(tool, {})
            return f'{[block.text for block in result.content]} {result.structured_content}'
        except Exception as error:
            reasons = ('did not return structured content', "is not of type 'string'")
            return type(error).__name__ + ''.join(', ' + reason for reason in reasons if reason in str(error))


for tool, text in (('described', 'ok'), ('described', '5'), ('described', 'true'), ('described', '"q"'), ('bare', 'ok')):
    print(f'{tool} {text}: {asyncio.run(called(tool, text))}')
PY
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
tail -n +2 out | diff - <(cat <<'END'
described ok: RuntimeError, did not return structured content
described 5: RuntimeError, is not of type 'string'
described true: RuntimeError, is not of type 'string'
described "q": ['{"result":"q"}'] {'result': 'q'}
bare ok: ['ok'] None
END
)
