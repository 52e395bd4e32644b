#!/usr/bin/env bash
# fastapi-mcp 0.4.0 with mcp 1.30.0 and fastapi 0.120.0 (PyPI): FastApiMCP(app), asked by the client of the same mcp.
# Behaviour: an endpoint whose body is a list is listed as a tool without any parameter, and each call ends with 422, whatever the arguments, for the body that is sent is an object. An
# endpoint whose path and body have a member of one name (PUT /users/{name} with a user that has a name) lists "required": ["name", "name"], which no strict reader takes: the server's own check
# makes each call an error. A parameter that may be None is listed with anyOf and "type": "string" beside it, so that null is refused. Headers are not listed; data is text with an indent of two.
# Seen:   list[int]: {} / [1, 2]: 422 / PUT: required ["name", "name"], error / q: str | None: anyOf string, null and type string / {"q": null}: None is not of type 'string'
# Most would guess: a parameter that holds the list, and two parameters or one that goes to both places.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fastapi-mcp==0.4.0 mcp==1.30.0 fastapi==0.120.0
cat > run.py <<'PY'
import asyncio
import json
from typing import Annotated, Optional
from fastapi import FastAPI, Header
from fastapi_mcp import FastApiMCP
from mcp.shared.memory import create_connected_server_and_client_session
from pydantic import BaseModel

app = FastAPI()


class User(BaseModel):
    name: str
    age: int = 0


@app.post('/sum', operation_id='add')
def add(numbers: list[int]):
    return {'sum': sum(numbers)}


@app.put('/users/{name}', operation_id='rename')
def rename(name: str, user: User):
    return {'old': name, 'new': user.name}


@app.get('/users', operation_id='find')
def find(q: Optional[str] = None, x_tenant: Annotated[Optional[str], Header()] = None):
    return {'q': q, 'tenant': x_tenant}


async def main():
    server = FastApiMCP(app).server
    async with create_connected_server_and_client_session(server) as session:
        for tool in (await session.list_tools()).tools:
            print('shown', tool.name + ':', json.dumps(tool.inputSchema))
        for name, arguments in (('add', {'numbers': [1, 2]}), ('add', {'body': [1, 2]}), ('rename', {'name': 'ann'}), ('find', {}), ('find', {'q': None}), ('find', {'q': 'a', 'x_tenant': 't'})):
            result = await session.call_tool(name, arguments)
            print(name, json.dumps(arguments) + ':', result.isError, json.dumps(result.content[0].text.split('\n\n')[0][:60]))


asyncio.run(main())
PY
env/bin/python -c "import importlib.metadata as m; print(*(n + ' ' + m.version(n) for n in ('fastapi-mcp', 'mcp', 'fastapi')))"
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
diff out - <<'END'
shown add: {"type": "object", "properties": {}, "title": "addArguments"}
shown rename: {"type": "object", "properties": {"name": {"type": "string", "title": "name"}, "age": {"type": "integer", "title": "age", "default": 0}}, "title": "renameArguments", "required": ["name", "name"]}
shown find: {"type": "object", "properties": {"q": {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "q", "type": "string"}}, "title": "findArguments"}
add {"numbers": [1, 2]}: True "Error calling add. Status code: 422. Response: {\"detail\":[{\""
add {"body": [1, 2]}: True "Error calling add. Status code: 422. Response: {\"detail\":[{\""
rename {"name": "ann"}: True "['name', 'name'] has non-unique elements"
find {}: False "{\n  \"q\": null,\n  \"tenant\": null\n}"
find {"q": null}: True "Input validation error: None is not of type 'string'"
find {"q": "a", "x_tenant": "t"}: False "{\n  \"q\": \"a\",\n  \"tenant\": null\n}"
END
