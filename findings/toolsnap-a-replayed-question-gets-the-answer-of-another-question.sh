#!/usr/bin/env bash
# toolsnap 0.1.4 (PyPI), snap and replay as decorators, with their defaults.
# Behaviour: replay does not look at the arguments. The first call gets the first record, whatever is asked: an agent that asks for another town, or for the same two in turn,
# gets the answers crosswise, and the test passes. The file holds the arguments. Only a call too many is an error (UnexpectedToolCall).
# Tuples come back as lists and numbers as keys of a mapping as texts, as JSON has it; a set makes one text of the whole result, with a warning when it is recorded.
# Seen:   recorded Oslo 4 and Rome 21; replayed Rome: 4 degrees in Oslo / Lima, never recorded: 21 degrees in Rome / ('a', 1) -> ['a', 1] / {2026: (1, 2)} -> {'2026': [1, 2]}
# Expected by most: an answer for the question that was recorded, and an error for one that never was.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check toolsnap==0.1.4
cat > record.py <<'PY'
from toolsnap import snap


@snap('weather.jsonl')
def weather(city):
    return {'Oslo': '4 degrees in Oslo', 'Rome': '21 degrees in Rome'}[city]


@snap('pair.jsonl')
def pair():
    return ('a', 1)


@snap('years.jsonl')
def years():
    return {2026: (1, 2)}


print('recorded:', weather('Oslo'), '|', weather('Rome'), '|', pair(), '|', years())
PY
cat > replay.py <<'PY'
import importlib.metadata
from toolsnap import UnexpectedToolCall, replay


@replay('weather.jsonl')
def weather(city): ...


@replay('pair.jsonl')
def pair(): ...


@replay('years.jsonl')
def years(): ...


print('toolsnap', importlib.metadata.version('toolsnap'))
print('Rome:', weather('Rome'), '| Lima:', weather('Lima'))
try:
    print('Oslo:', weather('Oslo'))
except UnexpectedToolCall as error:
    print('Oslo:', error)
print(repr(pair()), repr(years()))
PY
{ env/bin/python -W ignore record.py; env/bin/python replay.py; } | tee out
diff out - <<'END'
recorded: 4 degrees in Oslo | 21 degrees in Rome | ('a', 1) | {2026: (1, 2)}
toolsnap 0.1.4
Rome: 4 degrees in Oslo | Lima: 21 degrees in Rome
Oslo: weather called 3 times but fixture only has 2 record(s)
['a', 1] {'2026': [1, 2]}
END
