#!/usr/bin/env bash
# a2a-mermaid-tracer 0.2.0 (PyPI), sequence diagrams for Mermaid from traces of the A2A protocol.
# Behaviour: a name loses its signs to become an identifier, and two names that differ only by signs become one participant. "Pay Agent" and "Pay-Agent" are one life line with one of the two labels, though the tool counts them as two agents.
# A line break within the first words of a text stays a line break, so that its second half is a line of its own, which Mermaid takes for a statement. An agent that answers with a message instead of a task,
# as A2A allows, is shown as "Response" without its words, and the reason of a failed task is left out.
# Seen:   participant Pay_Agent twice / Bank's "direct answer": Response / "no money": failed (Task: t1)
# Expected by most: two participants; the words of the answer.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check a2a-mermaid-tracer==0.2.0
cat > make.py <<'PY'
import json


def ask(number, sender, text):
    message = {'role': 'user', 'messageId': f'm{number}', 'parts': [{'kind': 'text', 'text': text}]}
    return {'sender': sender, 'receiver': 'Bank', 'message': {'jsonrpc': '2.0', 'id': number, 'method': 'message/send', 'params': {'message': message}}}


def answer(number, receiver, result):
    return {'sender': 'Bank', 'receiver': receiver, 'message': {'jsonrpc': '2.0', 'id': number, 'result': result}}


words = lambda text: [{'kind': 'text', 'text': text}]
trace = [
    ask(1, 'Pay Agent', 'Pay 5 to Ann\nend'),
    answer(1, 'Pay Agent', {'kind': 'task', 'id': 't0', 'status': {'state': 'completed'}, 'artifacts': [{'artifactId': 'a', 'parts': words('paid')}]}),
    ask(2, 'Pay-Agent', 'Pay 9 to Bob'),
    answer(2, 'Pay-Agent', {'kind': 'message', 'messageId': 'm3', 'role': 'agent', 'parts': words('direct answer')}),
    answer(2, 'Pay-Agent', {'kind': 'task', 'id': 't1', 'status': {'state': 'failed', 'message': {'role': 'agent', 'messageId': 'm4', 'parts': words('no money')}}}),
]
json.dump(trace, open('trace.json', 'w'))
PY
python3 make.py
echo "a2a-mermaid-tracer $(env/bin/python -c "import importlib.metadata as m; print(m.version('a2a-mermaid-tracer'))")"
env/bin/a2a-mermaid-tracer --input trace.json --output diagram.mmd > told.txt 2>&1
{ cat diagram.mmd; grep -o 'Parsed.*' told.txt; } | tee out
diff out - <<'END'
sequenceDiagram
    participant Pay_Agent as Pay Agent
    participant Bank as Bank
    participant Pay_Agent as Pay-Agent

    Pay_Agent ->> Bank: "Pay 5 to Ann
end"
    Bank -->> Pay_Agent: "paid"
    Pay_Agent ->> Bank: "Pay 9 to Bob"
    Bank -->> Pay_Agent: Response
    Bank -->> Pay_Agent: failed (Task: t1)
Parsed 5 interactions between 3 agents.
END
