#!/usr/bin/env bash
# mcp-hl7-master 0.1.0 (PyPI), an MCP server that makes and reads HL7 v2 messages, over stdio; hl7 0.4.5 (PyPI), which it brings along, counts the segments.
# Behaviour: parse_hl7_message keeps one segment of each kind, the last one, and says success. Of three results of a laboratory two are gone, of two allergies the first.
# extract_hl7_details gives for a name not "Doe^Jane" as its README shows, but "[<Field PID_5 (PATIENT_NAME) of type XPN>]", without a letter of the name, and "[]" in a message of results.
# generate_hl7_message has the same segments for any type: a message of results without a result, and its MSH-9 is empty, so that it is of no type.
# Seen:   OBX: only Potassium, 5.9 / AL1: only the second / patient_name: "[<Field PID_5 (PATIENT_NAME) of type XPN>]" and "[]" / ORU: MSH and PID, type ''
# Expected by most: three results, two allergies, Doe^Jane^Q, ORU^R01.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mcp-hl7-master==0.1.0 mcp==1.30.0 hl7==0.4.5
cat > ask.py <<'PY'
import json
import os
import subprocess


def start(*command, **settings):
    """Starts an MCP server over stdio and gives a function that calls its tools."""
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, 'HOME': os.getcwd(), **settings})

    def send(**message):
        server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')
        server.stdin.flush()

    def request(method, **params):
        send(id=1, method=method, params=params)
        for line in server.stdout:
            answer = json.loads(line) if line.startswith('{') else {}
            if answer.get('id') == 1:
                return answer.get('result') or answer['error']

    request('initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 'c', 'version': '1'})
    send(method='notifications/initialized')
    return lambda tool, /, **arguments: '\n'.join(part['text'] for part in request('tools/call', name=tool, arguments=arguments)['content'])
PY
cat > run.py <<'PY'
import json
import hl7
from ask import start

message = '\r'.join([
    r'MSH|^~\&|LAB|HOSPITAL|EHR|HOSPITAL|20261103101500||ORU^R01|1|P|2.5', 'PID|1||123^^^H||Doe^Jane^Q||19800101|F',
    'AL1|1|DA|PEN^Penicillin', 'AL1|2|DA|ASA^Aspirin', 'OBR|1|||BMP^Panel',
    'OBX|1|NM|GLU^Glucose||98|mg/dL', 'OBX|2|NM|NA^Sodium||140|mmol/L', 'OBX|3|NM|K^Potassium||5.9|mmol/L', ''])
call = start('env/bin/hl7-master')
answer = json.loads(call('parse_hl7_message', raw_message=message))
read = hl7.parse(message)
print('status:', answer['status'])
for kind in ['AL1', 'OBX']:
    print(f"{kind}: {len(read.segments(kind))} in the message, in the answer {answer['data'][kind]}")
for kind in ['ADT^A01', 'ORU^R01']:
    print(kind, json.loads(call('extract_hl7_details', raw_message=message.replace('ORU^R01', kind), fields=['patient_name', 'hl7_version'])))
made = hl7.parse(call('generate_hl7_message', message_type='ORU', trigger_event='R01').replace('\n', '\r'))
print('made as ORU^R01:', [str(segment[0]) for segment in made], 'type', repr(str(made.segment('MSH')[9])))
PY
echo "mcp-hl7-master $(env/bin/python -c "import importlib.metadata as m; print(m.version('mcp-hl7-master'))")"
env/bin/python run.py | tee out
diff out - <<'END'
status: success
AL1: 2 in the message, in the answer ['AL1', '2', 'DA', 'ASA^Aspirin']
OBX: 3 in the message, in the answer ['OBX', '3', 'NM', 'K^Potassium', '', '5.9', 'mmol/L']
ADT^A01 {'patient_name': '[<Field PID_5 (PATIENT_NAME) of type XPN>]', 'hl7_version': '[<Field MSH_12 (VERSION_ID) of type VID>]'}
ORU^R01 {'patient_name': '[]', 'hl7_version': '[<Field MSH_12 (VERSION_ID) of type VID>]'}
made as ORU^R01: ['MSH', 'PID'] type ''
END
