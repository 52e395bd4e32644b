#!/usr/bin/env bash
# langchain-core 1.8.3 against openai-agents 0.24.0 and autogen-core 0.7.5 (PyPI): a plain Python function as a tool, and the text of its result that
# the model reads.
# Behaviour: langchain writes a dictionary as JSON as long as all in it is JSON. One date, decimal number, set or object of pydantic in it, at any
# depth, makes the whole of it Python's notation, with True and None and single quotes, without a warning, so the form of a tool's results changes
# with the data. openai-agents and autogen write Python's notation always, except that a dictionary with type and text is taken for a block of text by
# openai-agents, and only that text is sent; autogen fails for an object of pydantic with a date.
# Seen:   {'ok': True, 'at': None}: {"ok": true, "at": null} / with a date: {'ok': True, 'at': datetime.date(2026, 1, 2)}
# Expected by most: JSON, with dates as texts, in all of them.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check langchain-core==1.8.3 openai-agents==0.24.0 autogen-core==0.7.5
cat > run.py <<'PY'
import asyncio
import datetime
import decimal
import importlib.metadata
import sys
from typing import Any
from agents import ItemHelpers
from autogen_core import CancellationToken
from autogen_core.tools import FunctionTool
from langchain_core.tools import StructuredTool
from openai.types.responses import ResponseFunctionToolCall
from pydantic import BaseModel

print(*(name + ' ' + importlib.metadata.version(name) for name in ('langchain-core', 'openai-agents', 'autogen-core')), file=sys.stderr)


class Row(BaseModel):
    at: datetime.date


def by_langchain(value):
    return StructuredTool.from_function(lambda: value, name='f', description='f').invoke({'type': 'tool_call', 'id': '1', 'name': 'f', 'args': {}}).content


def by_openai_agents(value):
    return ItemHelpers.tool_call_output_item(ResponseFunctionToolCall(type='function_call', name='f', call_id='1', arguments='{}'), value)['output']


def by_autogen(value):
    def f() -> Any:
        return value

    tool = FunctionTool(f, description='f')
    return tool.return_value_as_string(asyncio.run(tool.run_json({}, CancellationToken())))


day = datetime.date(2026, 1, 2)
for value in [{'ok': True, 'at': None}, {'ok': True, 'at': day}, [{'price': decimal.Decimal('1.10')}], {'rows': [Row(at=day)]}, Row(at=day), None, {'type': 'text', 'text': 'hi', 'id': 7}]:
    print(repr(value))
    for make in (by_langchain, by_openai_agents, by_autogen):
        try:
            print(f'    {make.__name__}: {make(value)}')
        except Exception as error:
            print(f'    {make.__name__}: {type(error).__name__} {error}')
PY
env/bin/python run.py | tee out
diff out - <<'END'
{'ok': True, 'at': None}
    by_langchain: {"ok": true, "at": null}
    by_openai_agents: {'ok': True, 'at': None}
    by_autogen: {'ok': True, 'at': None}
{'ok': True, 'at': datetime.date(2026, 1, 2)}
    by_langchain: {'ok': True, 'at': datetime.date(2026, 1, 2)}
    by_openai_agents: {'ok': True, 'at': datetime.date(2026, 1, 2)}
    by_autogen: {'ok': True, 'at': datetime.date(2026, 1, 2)}
[{'price': Decimal('1.10')}]
    by_langchain: [{'price': Decimal('1.10')}]
    by_openai_agents: [{'price': Decimal('1.10')}]
    by_autogen: [{'price': Decimal('1.10')}]
{'rows': [Row(at=datetime.date(2026, 1, 2))]}
    by_langchain: {'rows': [Row(at=datetime.date(2026, 1, 2))]}
    by_openai_agents: {'rows': [Row(at=datetime.date(2026, 1, 2))]}
    by_autogen: {'rows': [Row(at=datetime.date(2026, 1, 2))]}
Row(at=datetime.date(2026, 1, 2))
    by_langchain: at=datetime.date(2026, 1, 2)
    by_openai_agents: at=datetime.date(2026, 1, 2)
    by_autogen: TypeError Object of type date is not JSON serializable
None
    by_langchain: null
    by_openai_agents: None
    by_autogen: None
{'type': 'text', 'text': 'hi', 'id': 7}
    by_langchain: {"type": "text", "text": "hi", "id": 7}
    by_openai_agents: [{'type': 'input_text', 'text': 'hi'}]
    by_autogen: {'type': 'text', 'text': 'hi', 'id': 7}
END
