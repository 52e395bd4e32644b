#!/usr/bin/env bash
# agent-airlock 0.10.26 (PyPI), the decorator with nothing set, as in its quick start.
# Behaviour: arguments are judged as values of Python and not as JSON. A date, Decimal, Enum, tuple, set or a mapping with numbers as keys can come only as text, number or list from a model,
# and each is blocked; such a tool can never be called. A nested model is taken from a mapping, but a date in it is not.
# The README says that all but validation is off by default. Results are masked all the same: a version of four parts is stars, a part number like 123-45-6789 is [REDACTED], eleven digits lose five.
# An error of the tool itself is told as "validation_error", without its words, with the hint to try again.
# Seen:   day="2026-01-02" -> blocked / "10.2.3.4" -> "********" / KeyError in the tool -> validation_error, An internal error occurred. Please try again.
# Expected by most: what JSON can hold for these types is taken, as pydantic's strict mode for JSON does; results untouched; the error's words.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agent-airlock==0.10.26
cat > run.py <<'PY'
import importlib.metadata
from datetime import date
from decimal import Decimal
from enum import Enum
from agent_airlock import Airlock, AirlockConfig
from pydantic import BaseModel, TypeAdapter

print('agent-airlock', importlib.metadata.version('agent-airlock'))


class Color(Enum):
    RED = 'red'


class Trip(BaseModel):
    days: int
    start: date


for kind, text, value in (
    (date, '"2026-01-02"', '2026-01-02'), (Decimal, '"1.10"', '1.10'), (Color, '"red"', 'red'),
    (tuple[int, int], '[1, 2]', [1, 2]),
    (set[str], '["a"]', ['a']), (Trip, '{"days": 2, "start": "2026-01-02"}', {'days': 2, 'start': '2026-01-02'}), (float, '5', 5),
):
    def tool(x):
        return 'called'
    tool.__annotations__ = {'x': kind, 'return': str}
    answer = Airlock()(tool)(x=value)
    strict = TypeAdapter(kind).validate_json(text, strict=True)
    print(getattr(kind, '__name__', kind), value, '->', answer if isinstance(answer, str) else answer['status'], '| strict JSON:', 'taken' if strict else '')

def report() -> dict:
    return {'version': '10.2.3.4', 'part': '123-45-6789', 'count': '12345678901', 'serial': '4111111111111111', 'mail': 'team@example.com'}

def broken() -> str:
    raise KeyError('no order 17')


print(Airlock()(report)())
print('sanitize_output=False:', Airlock(config=AirlockConfig(sanitize_output=False))(report)() == report())
answer = Airlock()(broken)()
print(answer['block_reason'], '|', answer['error'], '|', *answer['fix_hints'])
PY
env/bin/python run.py 2> log | grep -v '^[a-z_]* *function=\|^Traceback\|^  \|^KeyError\|^[0-9-]* [0-9:]* ' | tee out
diff out - <<'END'
agent-airlock 0.10.26
date 2026-01-02 -> blocked | strict JSON: taken
Decimal 1.10 -> blocked | strict JSON: taken
Color red -> blocked | strict JSON: taken
tuple [1, 2] -> blocked | strict JSON: taken
set ['a'] -> blocked | strict JSON: taken
Trip {'days': 2, 'start': '2026-01-02'} -> blocked | strict JSON: taken
float 5 -> called | strict JSON: taken
{'version': '********', 'part': '[REDACTED]', 'count': '123***901', 'serial': '**** **** **** 1111', 'mail': 't***@example.com'}
sanitize_output=False: True
validation_error | AIRLOCK_BLOCK: Unexpected error in 'broken' | An internal error occurred. Please try again.
END
