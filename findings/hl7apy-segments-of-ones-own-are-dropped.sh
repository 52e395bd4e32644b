#!/usr/bin/env bash
# hl7apy 1.3.5 (PyPI), parse_message and to_er7, default settings: messages of HL7 2.5 with a segment that its site has added (Z…), which HL7 allows anywhere.
# Behaviour: a segment that is not in the structure of the message is dropped when it is read, without an error or a warning: a Z segment always, and a note behind the patient of an admission, which many systems send. What is sent on has
# fewer segments than what came. The default looks for groups; with find_groups=False nothing is lost, but then groups (an order with its results) can not be asked for.
# Seen:   MSH EVN PID ZPI PV1: MSH EVN PID PV1 / MSH PID OBR OBX ZNT OBX: MSH PID OBR OBX OBX / find_groups=False: all
# Expected by most: all segments, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check hl7apy==1.3.5
cat > run.py <<'PY'
import importlib.metadata
from hl7apy.parser import parse_message

print('hl7apy', importlib.metadata.version('hl7apy'))
head = 'MSH|^~\\&|A|B|C|D|20260101||{}|1|P|2.5\r'
messages = {
    'admission': head.format('ADT^A01') + 'EVN|A01|20260101\rPID|1||5^^^X^MR||Doe^John\rPV1|1|I',
    'admission, own segment': head.format('ADT^A01') + 'EVN|A01|20260101\rPID|1||5^^^X^MR||Doe^John\rZPI|1|penicillin\rPV1|1|I',
    'admission, note': head.format('ADT^A01') + 'EVN|A01|20260101\rPID|1||5^^^X^MR||Doe^John\rNTE|1||allergic\rPV1|1|I',
    'result, own segment': head.format('ORU^R01') + 'PID|1||5||Doe^John\rOBR|1|||X\rOBX|1|NM|GLU||5.6|mmol/L\rZNT|1|repeat\rOBX|2|NM|K||4.1|mmol/L',
}
for name, text in messages.items():
    for options in ({}, {'find_groups': False}):
        written = parse_message(text, **options).to_er7()
        print(f"{name} {options}: {' '.join(line[:3] for line in text.split(chr(13)))} -> {' '.join(line[:3] for line in written.split(chr(13)))}")
PY
env/bin/python run.py | tee out
diff out - <<'END'
hl7apy 1.3.5
admission {}: MSH EVN PID PV1 -> MSH EVN PID PV1
admission {'find_groups': False}: MSH EVN PID PV1 -> MSH EVN PID PV1
admission, own segment {}: MSH EVN PID ZPI PV1 -> MSH EVN PID PV1
admission, own segment {'find_groups': False}: MSH EVN PID ZPI PV1 -> MSH EVN PID ZPI PV1
admission, note {}: MSH EVN PID NTE PV1 -> MSH EVN PID PV1
admission, note {'find_groups': False}: MSH EVN PID NTE PV1 -> MSH EVN PID NTE PV1
result, own segment {}: MSH PID OBR OBX ZNT OBX -> MSH PID OBR OBX OBX
result, own segment {'find_groups': False}: MSH PID OBR OBX ZNT OBX -> MSH PID OBR OBX ZNT OBX
END
