#!/usr/bin/env bash
# deepagents 0.7.32 with langchain 1.5.2 and langgraph 1.2.24 (PyPI): create_deep_agent as it is, with a pretend model and a tool whose result is JSON in one line, as most APIs and MCP servers send it.
# Behaviour: a large result is moved into the agent's file system, and the model is told to read parts of it by lines. Of a file with one line, read_file gives the first 79,597 characters,
# and an error for any other offset. Its advice is to call execute(command='jq ...'), a tool that this agent does not have. A grep for a word near the end reports line 1 and
# prints its first 80,000 characters, without the word. So more than half of this result (183,780 characters) is out of reach, and each attempt costs 80,000 characters.
# The same rows in 6,000 lines can be read and searched to the end.
# Seen:   read_file: 79597 of 183780 chars / next line: error / grep "n5000": 80,000 characters, n5000 is not among them / tools: no execute
# Expected by most: a way to read on within a line, or the part around the word that was found.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check deepagents==0.7.32 langchain==1.5.2 langgraph==1.2.24 langchain-core==1.8.3
cat > run.py <<'PY'
import json
import re

from deepagents import create_deep_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool


class Pretend(GenericFakeChatModel):
    def bind_tools(self, tools, **more):
        Pretend.tools = [each.name for each in tools]
        return self


@tool
def report(lines: bool) -> str:
    """Gives 6,000 rows."""
    rows = [json.dumps({'id': number, 'name': f'n{number}'}) for number in range(6000)]
    return '\n'.join(rows) if lines else '[' + ', '.join(rows) + ']'


def run(lines):
    path = '/large_tool_results/c0'
    calls = [('report', {'lines': lines}), ('read_file', {'file_path': path}), ('read_file', {'file_path': path, 'offset': 1, 'limit': 2}), ('read_file', {'file_path': path, 'offset': 5000, 'limit': 1}),
             ('grep', {'pattern': '"n5000"', 'output_mode': 'content'})]
    steps = [AIMessage('', tool_calls=[{'name': name, 'args': given, 'id': f'c{number}'}]) for number, (name, given) in enumerate(calls)]
    answer = create_deep_agent(model=Pretend(messages=iter(steps + [AIMessage('done')])), tools=[report]).invoke({'messages': [('user', 'go')]})
    for (name, given), message in zip(calls, [each for each in answer['messages'] if isinstance(each, ToolMessage)]):
        text = message.content
        header = re.search('@@ .* @@|Error: .*', text)
        given = {key: value for key, value in given.items() if key != 'file_path'}
        print(' ', name, given, '->', len(text), 'characters, n5000 is', ('there' if '"n5000"' in text else 'not there') + (f' ({header[0]})' if header else ''))
    return text


print('in one line')
run(False)
print('in lines')
run(True)
print('has the tool execute:', 'execute' in Pretend.tools)
PY
env/bin/python -c "import importlib.metadata as m; print('deepagents', m.version('deepagents'))"
env/bin/python run.py | tee out
diff out - <<'END'
in one line
  report {'lines': False} -> 1580 characters, n5000 is not there
  read_file {} -> 79999 characters, n5000 is not there (@@ lines 1-1 of 1 | truncated mid-line | 79597 of 183780 chars @@)
  read_file {'offset': 1, 'limit': 2} -> 50 characters, n5000 is not there (Error: Line offset 1 exceeds file length (1 lines))
  read_file {'offset': 5000, 'limit': 1} -> 53 characters, n5000 is not there (Error: Line offset 5000 exceeds file length (1 lines))
  grep {'pattern': '"n5000"', 'output_mode': 'content'} -> 80000 characters, n5000 is not there
in lines
  report {'lines': True} -> 941 characters, n5000 is not there
  read_file {} -> 2623 characters, n5000 is not there (@@ lines 1-100 of 6000 | next offset 100 @@)
  read_file {'offset': 1, 'limit': 2} -> 87 characters, n5000 is not there (@@ lines 2-3 of 6000 | next offset 3 @@)
  read_file {'offset': 5000, 'limit': 1} -> 78 characters, n5000 is there (@@ lines 5001-5001 of 6000 | next offset 5001 @@)
  grep {'pattern': '"n5000"', 'output_mode': 'content'} -> 61 characters, n5000 is there
has the tool execute: False
END
