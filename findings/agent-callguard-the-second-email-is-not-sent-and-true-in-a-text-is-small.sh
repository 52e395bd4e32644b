#!/usr/bin/env bash
# agent-callguard 0.1.0 (PyPI), guards around the calls of an agent's tools: Guard with a cache, as in its README's quickstart, and repair_json.
# Behaviour: the cache of a Guard is for all of its tools, also for those that do something: the second send_email with equal arguments within two minutes is not carried out, and the answer is "sent". Nothing tells the model, and no tool can be marked. The README calls it
# "skip dup idempotent reads" and shows it around send_email. repair_json writes True, False and None small inside texts too, even in valid JSON, and takes a comma before a bracket out of them, so that what is mended says something else.
# Seen:   send_email twice: sent, sent; 1 mail / "it's True" -> "it's true", "None of it is False" -> "none of it is false"
# Expected by most: two mails; texts stay as they are.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check agent-callguard==0.1.0
cat > run.py <<'PY'
import callguard

guard = callguard.Guard(cache=callguard.Cache(ttl=120))
mails = []


@guard.tool(schema={'type': 'object', 'properties': {'to': {'type': 'string'}, 'subject': {'type': 'string'}}, 'required': ['to', 'subject']})
def send_email(to, subject):
    mails.append(to)
    return f'sent: number {len(mails)} to {to}'


for to in ('a@example.org', 'a@example.org', 'b@example.org', 'a@example.org'):
    print(guard.call('send_email', {'to': to, 'subject': 'reminder'}))
print('mails:', mails)
for text in ("{'say': \"it's True\"}", "{'say': 'None of it is False',}", "{'code': 'f(a, [b,])'}", '{"say": "True", }', '{"say": "True"}'):
    print(text, '->', callguard.repair_json(text))
PY
echo "agent-callguard $(env/bin/python -c "import importlib.metadata as m; print(m.version('agent-callguard'))")"
env/bin/python run.py | tee out
diff out - <<'END'
sent: number 1 to a@example.org
sent: number 1 to a@example.org
sent: number 2 to b@example.org
sent: number 1 to a@example.org
mails: ['a@example.org', 'b@example.org']
{'say': "it's True"} -> {"say": "it's true"}
{'say': 'None of it is False',} -> {"say": "none of it is false"}
{'code': 'f(a, [b,])'} -> {"code": "f(a, [b])"}
{"say": "True", } -> {"say": "true" }
{"say": "True"} -> {"say": "true"}
END
