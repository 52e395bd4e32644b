#!/usr/bin/env bash
# poml 0.0.8 (PyPI, Microsoft's markup for prompts), poml.poml(markup, context, chat=False) with default settings.
# Behaviour: what is put into the markup is not what the model reads. The usual references &lt; and &amp; are dropped without an error, so that "a < b" is "a b"; only its own notation #lt; is a sign.
# A value that is true or false prints nothing. A value of several lines becomes one line, as does code written in <code>. In a table of a CSV file each column whose
# values can be numbers is one of numbers: 007 is 7, the id 1e3 is 1000, a price 19.90 is 19.9, an id above 2^53 is another one. The same file as a <document> is untouched.
# Seen:   if a &lt; b &amp; c: "if a b c" / flag {{flag}} set: "flag set" / def f():, return 1: one line / 007: 7, 1e3: 1000, 9007199254740993: 9007199254740992
# Most would guess: the references are signs as in XML, a flag prints true, code keeps its lines, and a table prints what the file holds.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check poml==0.0.8
cat > table.csv <<'END'
id,price,code
9007199254740993,19.90,007
2,5.00,1e3
3,1.10,42
END
cp table.csv table.txt
cat > run.py <<'PY'
import json
import os

import poml

context = {'flag': True, 'off': False, 'text': 'line 1\n\n    line 2', 'small': 'a < b & c', 'id': 9007199254740993}
table = os.path.abspath('table.csv')
for markup in [
    '<p>if a &lt; b &amp; c</p>', '<p>a&lt;b</p>', '<p>if a #lt; b #amp; c</p>', '<p>{{small}}</p>', '<p>flag {{flag}} set, {{off}} off</p>', '<p>{{text}}</p>', '<p>id {{id}} end</p>',
    '<code inline="false">def f():\n    return 1</code>', f'<table src="{table}" syntax="csv" />', f'<table src="{table}" />', f'<document src="{table[:-3]}txt" />',
]:
    print(markup.replace('\n', '\\n').replace(table[:-3], 'table.') + ': ' + json.dumps(poml.poml(f'<poml>{markup}</poml>', context=context, chat=False)))
PY
env/bin/python -c "import importlib.metadata as m; print('poml', m.version('poml'))"
env/bin/python run.py | tee out
diff out - <<'END'
<p>if a &lt; b &amp; c</p>: "if a b c"
<p>a&lt;b</p>: "ab"
<p>if a #lt; b #amp; c</p>: "if a < b & c"
<p>{{small}}</p>: "a < b & c"
<p>flag {{flag}} set, {{off}} off</p>: "flag set, off"
<p>{{text}}</p>: "line 1 line 2"
<p>id {{id}} end</p>: "id 9007199254740992 end"
<code inline="false">def f():\n    return 1</code>: "```\ndef f(): return 1\n```"
<table src="table.csv" syntax="csv" />: "id,price,code\n9007199254740992,19.9,7\n2,5,1000\n3,1.1,42"
<table src="table.csv" />: "| id               | price | code |\n| ---------------- | ----- | ---- |\n| 9007199254740992 | 19.9  | 7    |\n| 2                | 5     | 1000 |\n| 3                | 1.1   | 42   |"
<document src="table.txt" />: "id,price,code\n9007199254740993,19.90,007\n2,5.00,1e3\n3,1.10,42\n"
END
