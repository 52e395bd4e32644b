#!/usr/bin/env bash
# ollama 0.6.3 (PyPI), the official Python client: a function given in tools=[...] is turned into a tool by its signature and its docstring.
# Behaviour: each parameter with a default value that is not None is listed as required. Choices (Literal, Enum) and the types of a list's members are left out; a parameter that is a
# pydantic model or an IntEnum is listed as a string. Of two types one word is made: "integer, string" is no type of JSON Schema. A description ends at the first line that has a colon, so
# that the list of what is allowed is cut off; the docstring of another style (:param x:, numpy) stays whole in the tool's description, and the parameters have none.
# Seen:   limit: int = 10: required / sort: Literal['asc', 'desc']: {"type": "string"} / str | int: "integer, string" / where: Filter: {"type": "string"} / tags: "Tags, one of"
# Most would guess: what pydantic says of the signature, for it is pydantic that reads it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check ollama==0.6.3
cat > run.py <<'PY'
import enum
import json
from typing import Literal
import httpx
import ollama
from pydantic import BaseModel


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Filter(BaseModel):
    tenant: str
    least: int = 0


def search(query: str, where: Filter, level: Level, limit: int = 10, sort: Literal['asc', 'desc'] = 'asc', ref: str | int = 'x', tags: list[str] | None = None):
    """Searches the orders.

    Args:
        query: What to find.
        limit: How many.
        tags: Tags, one of
            red: has a fault
            green: has none
        sort: The order.
    """


def delete(number: int, force: bool = False):
    """Deletes an order.

    :param number: Which order.
    :param force: Also if it is paid.
    """


def answer(request):
    for tool in json.loads(request.content)['tools']:
        function = tool['function']
        print(function['name'] + ':', json.dumps(function['description']), 'required:', function['parameters']['required'])
        for name, schema in function['parameters']['properties'].items():
            print('   ', name + ':', json.dumps(schema))
    return httpx.Response(200, json={'message': {'role': 'assistant', 'content': 'ok'}})


client = ollama.Client(transport=httpx.MockTransport(answer))
client.chat('m', messages=[{'role': 'user', 'content': 'hello'}], tools=[search, delete])
PY
env/bin/python -c "import importlib.metadata as m; print('ollama', m.version('ollama'))"
env/bin/python run.py | tee out
diff out - <<'END'
search: "Searches the orders." required: ['query', 'where', 'level', 'limit', 'sort', 'ref']
    query: {"type": "string", "description": "What to find."}
    where: {"type": "string", "description": ""}
    level: {"type": "string", "description": ""}
    limit: {"type": "integer", "description": "How many."}
    sort: {"type": "string", "description": "The order."}
    ref: {"type": "integer, string", "description": ""}
    tags: {"type": "array", "description": "Tags, one of"}
delete: "Deletes an order.\n\n:param number: Which order.\n:param force: Also if it is paid." required: ['number', 'force']
    number: {"type": "integer", "description": ""}
    force: {"type": "boolean", "description": ""}
END
