#!/usr/bin/env bash
# gradio 6.31.0 with mcp 1.30.0 (PyPI), an app with launch(mcp_server=True), and the client of the same mcp over streamable HTTP.
# Behaviour: an input that is gr.JSON is listed as {"type": {}}, which is no JSON Schema, and each call of that tool is an error before the function runs, whatever the
# arguments. An output that is gr.JSON or a gr.Dataframe arrives as Python's notation ({'id': 1, 'ok': None}), which no reader of JSON takes, and None as the word None. Of a
# generator the last part alone arrives. What an exception says is not shown, and that of gr.Error is.
# Seen:   {"type": {}}: isError / dict: {'id': 9007199254740993, 'ok': None} / table: {'headers': ['id'], 'data': [[1]], 'metadata': None} / no result: 'None' / yield a, b: 'b'
# Most would guess: an object for gr.JSON, and JSON for what is JSON.
set -euo pipefail
dir=$(mktemp -d); cd "$dir"; pid=; trap '[ -z "$pid" ] || kill "$pid"; rm -rf "$dir"' EXIT
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check 'gradio[mcp]==6.31.0' mcp==1.30.0
cat > app.py <<'PY'
import sys
import gradio as gr
import pandas as pd


def order(fields: dict) -> str:
    """Makes an order."""
    return 'made'


def data(key: str) -> dict:
    """JSON."""
    return {'id': 9007199254740993, 'ok': None, 'name': "it's"}


def table(key: str):
    """A table."""
    return pd.DataFrame({'id': [1, 2]})


def steps(key: str):
    """In steps."""
    yield 'part 1'
    yield 'part 2'


def nothing(key: str) -> str:
    """Nothing."""
    return None


def fails(key: str) -> str:
    """Fails."""
    raise ValueError('disk 7 is full')


def stops(key: str) -> str:
    """Stops."""
    raise gr.Error('disk 7 is full')


with gr.Blocks() as demo:
    button, key = gr.Button(), gr.Textbox()
    for function, entry, output in ((order, gr.JSON(), gr.Textbox()), (data, key, gr.JSON()), (table, key, gr.Dataframe()), (steps, key, gr.Textbox()), (nothing, key, gr.Textbox()),
                                    (fails, key, gr.Textbox()), (stops, key, gr.Textbox())):
        button.click(function, [entry], output, api_name=function.__name__)
demo.launch(server_name='127.0.0.1', server_port=int(sys.argv[1]), mcp_server=True, quiet=True)
PY
cat > run.py <<'PY'
import asyncio
import json
import sys
import time
import urllib.request
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

base = 'http://127.0.0.1:' + sys.argv[1]
for attempt in range(400):
    try:
        urllib.request.urlopen(base, timeout=5)
        break
    except OSError:
        time.sleep(0.3)


async def main():
    async with streamable_http_client(base + '/gradio_api/mcp/') as streams, ClientSession(*streams[:2]) as session:
        await session.initialize()
        for tool in (await session.list_tools()).tools:
            if tool.name == 'order':
                print('shown order:', json.dumps(tool.inputSchema))
        for name in ('order', 'data', 'table', 'steps', 'nothing', 'fails', 'stops'):
            result = await session.call_tool(name, {'fields': {'a': 1}} if name == 'order' else {'key': 'x'})
            print(name + ':', result.isError, [block.text.splitlines()[0] for block in result.content], result.structuredContent)


asyncio.run(main())
PY
port=$(python3 -c "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])")
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('gradio', 'mcp')))"
HOME=$dir GRADIO_ANALYTICS_ENABLED=False HF_HUB_OFFLINE=1 env/bin/python app.py "$port" > log 2>&1 & pid=$!
env/bin/python run.py "$port" 2> errors | tee out || { cat log errors; exit 1; }
diff out - <<'END'
shown order: {"type": "object", "properties": {"fields": {"type": {}, "description": ""}}, "required": ["fields"]}
order: True ['{} is not valid under any of the given schemas'] None
data: False ['{\'id\': 9007199254740993, \'ok\': None, \'name\': "it\'s"}'] None
table: False ["{'headers': ['id'], 'data': [[1], [2]], 'metadata': None}"] None
steps: False ['part 2'] None
nothing: False ['None'] None
fails: True ['The upstream Gradio app has raised an exception but has not enabled verbose error reporting. To enable, set show_error=True in launch().'] None
stops: True ['disk 7 is full'] None
END
