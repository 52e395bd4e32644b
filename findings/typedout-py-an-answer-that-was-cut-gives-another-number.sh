#!/usr/bin/env bash
# typedout-py 0.1.3 (PyPI) with pydantic 2.13.5, extract with its mock provider, which gives answers as a model would.
# Behaviour: an answer that the token limit cut is closed and then judged as a whole one. Cut inside a number, the number is another one (36 000 becomes 36), the schema is met, and there is no retry and no mark.
# A cut word is a name, and a cut true is the text tru. Of an answer that shows an example before the result, the example is taken: all tries fail, and all are paid.
# Of a schema given as a dict, uniqueItems, not, format, minProperties and if/then are passed over without a word; 5.0 is refused where an integer is asked for.
# Seen:   {"name":"Ada","salary":36 -> salary=36, one request / 'For example {"name": "..."}. Result: {...}' -> ExtractionError / [1, 1] with uniqueItems: taken
# Expected by most: a retry for what was cut; the object that fits the schema; an error for rules that are not known.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check typedout-py==0.1.3 pydantic==2.13.5
cat > run.py <<'PY'
import importlib.metadata
from pydantic import BaseModel
from typedout import ExtractionError, MockProvider, TypedOut, loads_repaired

print(*(f'{name} {importlib.metadata.version(name)}' for name in ('typedout-py', 'pydantic')))


class Person(BaseModel):
    name: str
    salary: int


def show(schema, *answers):
    client = TypedOut(MockProvider(responses=list(answers)))
    try:
        print(answers[0], '->', repr(client.extract(schema, 'Who is it?')), '| requests', client.last_usage.requests)
    except ExtractionError as error:
        print(answers[0], '->', str(error).splitlines()[0])


whole = '{"name":"Ada","salary":36000}'
show(Person, '{"name":"Ada","salary":36', whole)
show(Person, '{"salary":36000,"name":"Ada Love', whole)
show(Person, *['For example {"name": "..."}. Result: ' + whole] * 3)
print('{"paid": tru ->', loads_repaired('{"paid": tru'))
for rule, answer in (({'uniqueItems': True}, '[1, 1]'), ({'not': {'type': 'string'}}, '"x"'), ({'type': 'string', 'format': 'date'}, '"soon"'), ({'type': 'integer'}, '5.0')):
    show({'type': 'object', 'properties': {'a': rule}}, *[f'{{"a": {answer}}}'] * 3)
PY
env/bin/python run.py | tee out
diff out - <<'END'
typedout-py 0.1.3 pydantic 2.13.5
{"name":"Ada","salary":36 -> Person(name='Ada', salary=36) | requests 1
{"salary":36000,"name":"Ada Love -> Person(name='Ada Love', salary=36000) | requests 1
For example {"name": "..."}. Result: {"name":"Ada","salary":36000} -> failed to extract Person after 3 attempt(s)
{"paid": tru -> {'paid': 'tru'}
{"a": [1, 1]} -> {'a': [1, 1]} | requests 1
{"a": "x"} -> {'a': 'x'} | requests 1
{"a": "soon"} -> {'a': 'soon'} | requests 1
{"a": 5.0} -> failed to extract Object after 3 attempt(s)
END
