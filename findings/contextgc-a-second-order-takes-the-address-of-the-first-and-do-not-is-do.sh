#!/usr/bin/env bash
# contextgc 0.4.6 (PyPI), "compiles a transcript down to what is currently true": compile_messages with its schema logistics.
# Behaviour: there is one address for the whole talk, without regard to the order it belongs to or what is said about it. The address of a second order replaces that of the first, and the message that ordered the first is deleted.
# "Do not deliver to X" makes X the address, and so does the question what it would cost to send something to X. The true address is then nowhere in the messages that go to the model.
# Seen:   ORD-1 and ORD-2: only the address of ORD-2 / "Do not deliver to 900 Pine Avenue": delivery_address 900 Pine Avenue / a question: delivery_address 1 Elm Street
# Expected by most: two addresses; the one that was ordered stays.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check contextgc==0.4.6
cat > run.py <<'PY'
from contextgc import compile_messages, load_schema

first = 'Deliver order ORD-1 to 402 Oak Street, Apt 5, Springfield, IL 62704.'
for name, second in [
    ('a correction', 'Actually reroute to 900 Pine Avenue, Suite 12, Chicago, IL 60601.'),
    ('a second order', 'Deliver order ORD-2 to 900 Pine Avenue, Suite 12, Chicago, IL 60601.'),
    ('a refusal', 'Do not deliver to 900 Pine Avenue, Suite 12, Chicago, IL 60601, they are away.'),
    ('a question', 'What would it cost to send a gift to 1 Elm Street, Dallas, TX 75201?'),
]:
    talk = [first, 'Noted.', second, 'All right.', 'Where does ORD-1 go?']
    messages = [{'role': 'assistant' if place % 2 else 'user', 'content': text} for place, text in enumerate(talk)]
    compiled, telemetry = compile_messages(messages, schema=load_schema('logistics'))
    whole = ' '.join(message['content'] for message in compiled)
    print(f"{name}: {telemetry['active_state_slots']}, turns taken out {telemetry['retired_turn_indices']}, Oak Street left: {'Oak Street' in whole}")
PY
echo "contextgc $(env/bin/python -c "import importlib.metadata as m; print(m.version('contextgc'))")"
env/bin/python run.py | tee out
diff out - <<'END'
a correction: {'delivery_address': '900 Pine Avenue, Suite 12, Chicago, IL 60601'}, turns taken out [0], Oak Street left: False
a second order: {'delivery_address': '900 Pine Avenue, Suite 12, Chicago, IL 60601'}, turns taken out [0], Oak Street left: False
a refusal: {'delivery_address': '900 Pine Avenue, Suite 12, Chicago, IL 60601'}, turns taken out [0], Oak Street left: False
a question: {'delivery_address': '1 Elm Street, Dallas, TX 75201'}, turns taken out [0], Oak Street left: False
END
