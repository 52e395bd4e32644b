#!/usr/bin/env bash
# cel-python 0.5.0 (module celpy) and common-expression-language 0.10.0 (module cel, in Rust), both PyPI: one rule of Google's Common Expression Language in two libraries.
# Behaviour: neither is wholly the language, and where they differ from it they give an answer all the same. In cel-python a whole number divided by 2.0 is cut to a whole
# number (CEL has no such division and says so), while 2 * 1.5 is an error and 1.5 * 2 is 3.0; string(true) is "True"; a list has a last item at -1; fractions of seconds
# vanish in string(). In the other, size() of a text counts bytes (CEL counts characters), and the hour of a moment is that of its own offset (CEL says UTC), so that a rule
# about office hours has another answer for the same moment in another notation.
# Seen:   7 / 2.0: 3 / string(ok): "True" / size('Zoé'): 4 / getHours() of 23:30+02:00: 21 and 23
# Expected by most: an error or 3.5; "true"; 3; 21.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check cel-python==0.5.0 common-expression-language==0.10.0
cat > run.py <<'PY'
import importlib.metadata
import cel
import celpy

print(*(name + ' ' + importlib.metadata.version(name) for name in ('cel-python', 'common-expression-language')))
data = {'total': 7, 'ok': True, 'steps': [1, 2, 3], 'at': '2026-01-31T23:30:00+02:00', 'utc': '2026-01-31T21:30:00Z', 'exact': '2026-01-31T21:30:00.5Z'}


def first(rule):
    environment = celpy.Environment()
    return environment.program(environment.compile(rule)).evaluate(celpy.json_to_cel(data))


def text(call, *given):
    try:
        answer = call(*given)
    except Exception:
        return 'raises'
    return repr(str(answer)) if isinstance(answer, str) else str(answer)


for rule in ('total / 2.0', 'double(total) / 2.0', '2 * 1.5', '1.5 * 2', 'string(ok)', 'steps[-1]', "size('Zoé')", 'timestamp(at) == timestamp(utc)', 'timestamp(at).getHours()',
             'timestamp(utc).getHours()', 'timestamp(at).getHours() < 22', 'string(timestamp(exact))'):
    print(rule, '|', text(first, rule), '|', text(cel.evaluate, rule, data))
PY
env/bin/python run.py | tee out
sed -i 1d out
diff out - <<'END'
total / 2.0 | 3 | raises
double(total) / 2.0 | 3.5 | 3.5
2 * 1.5 | raises | raises
1.5 * 2 | 3.0 | raises
string(ok) | 'True' | raises
steps[-1] | 3 | raises
size('Zoé') | 3 | 4
timestamp(at) == timestamp(utc) | True | True
timestamp(at).getHours() | 21 | 23
timestamp(utc).getHours() | 21 | 21
timestamp(at).getHours() < 22 | True | False
string(timestamp(exact)) | '2026-01-31T21:30:00Z' | '2026-01-31T21:30:00.500+00:00'
END
