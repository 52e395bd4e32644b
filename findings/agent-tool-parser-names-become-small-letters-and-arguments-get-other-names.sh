#!/usr/bin/env bash
# agent-tool-parser 0.1.3 (PyPI), parse_tool_calls with its defaults: no list of tools, no aliases.
# Behaviour: the name of each tool is put in small letters, so getWeather and Bash are tools that nobody has. Some arguments get other names though no schema or alias is given: query is pattern, cmd and input are command,
# fileName, filename and file are path. Where two of them are given, one value is lost. An object that is no call, such as a person with a name, is a call as well.
# The list of two calls that Llama models write is one call named "[search", and the name of the second is an argument.
# Seen:   getWeather: getweather / {"query": "x"}: {"pattern": "x"} / file and filename: one path / [search(q="a"), open(path="b")]: one call
# Expected by most: names as the model wrote them; two calls.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agent-tool-parser==0.1.3
cat > run.py <<'PY'
import json
from agent_tool_parser import parse_tool_calls

for text in [
    '<tool_call>{"name": "getWeather", "arguments": {"city": "Bonn"}}</tool_call>',
    '<invoke name="Bash"><parameter name="timeout">5</parameter></invoke>',
    '{"name": "search", "arguments": {"query": "x", "text": "y"}}',
    '{"name": "run", "arguments": {"cmd": "ls", "input": "data"}}',
    '{"name": "copy", "arguments": {"file": "a.txt", "filename": "b.txt"}}',
    'I found {"name": "Ann", "age": 5}.',
    '{"name": "f", "arguments": {"a": 1}} {"name": "g", "arguments": {"a": 2}}',
    '[search(q="a"), open(path="b")]',
]:
    print(text, '->', *(f'{call.name} {json.dumps(dict(sorted(call.args.items())))}' for call in parse_tool_calls(text)))
PY
echo "agent-tool-parser $(env/bin/python -c "import importlib.metadata as m; print(m.version('agent-tool-parser'))")"
env/bin/python run.py | tee out
diff out - <<'END'
<tool_call>{"name": "getWeather", "arguments": {"city": "Bonn"}}</tool_call> -> getweather {"city": "Bonn"}
<invoke name="Bash"><parameter name="timeout">5</parameter></invoke> -> bash {"timeout": 5}
{"name": "search", "arguments": {"query": "x", "text": "y"}} -> search {"pattern": "x", "text": "y"}
{"name": "run", "arguments": {"cmd": "ls", "input": "data"}} -> run {"command": "ls"}
{"name": "copy", "arguments": {"file": "a.txt", "filename": "b.txt"}} -> copy {"path": "b.txt"}
I found {"name": "Ann", "age": 5}. -> ann {"age": 5}
{"name": "f", "arguments": {"a": 1}} {"name": "g", "arguments": {"a": 2}} -> f {"a": 1} g {"a": 2}
[search(q="a"), open(path="b")] -> [search {"open(path": "b", "q": "\"a\")"}
END
