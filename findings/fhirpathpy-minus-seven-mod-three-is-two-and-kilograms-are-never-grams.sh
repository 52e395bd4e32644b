#!/usr/bin/env bash
# fhirpathpy 2.2.4 (PyPI) and fhirpath 5.2.2 (npm, HL7's own), both FHIRPath with the model R4, on one patient.
# Behaviour: the same rule gives other answers in Python. The rest of a negative number follows Python's sign (2), not FHIRPath's (-1). Equal amounts in other units of UCUM are not equal, so a check for 4000 g fails on 4 kg, and a
# sum of them is an error. Halves are rounded to the even number, round() without an argument is an error, a root by power() is empty, and 1.0.toString() loses its zero. No message where the answer is another.
# Seen:   -7 mod 3: js -1, py 2 / 4 'kg' = 4000 'g': js true, py false / 10.5.round(0): js 11, py 10 / 2.power(0.5): js 1.414…, py nothing
# Expected by most: one answer, as both are FHIRPath.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fhirpathpy==2.2.4
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts fhirpath@5.2.2
cat > rules.json <<'JSON'
["7 div 2", "-7 mod 3", "1.10 = 1.1", "4 'kg' = 4000 'g'", "4 'kg' > 3000 'g'", "10.5.round(0)", "2.5.round()", "2.power(0.5)", "1.0.toString()", "@2026-01-31 + 1 month",
 "@2026-01 = @2026-01-15", "Patient.name.where(use = 'official').family", "Patient.multipleBirthInteger mod 3"]
JSON
echo '{"resourceType": "Patient", "name": [{"use": "official", "family": "Doe"}], "multipleBirthInteger": -7}' > patient.json
cat > run.cjs <<'JS'
const { readFileSync } = require('fs');
const fhirpath = require('fhirpath');
const model = require('fhirpath/fhir-context/r4');
const patient = JSON.parse(readFileSync('patient.json'));
console.log(JSON.stringify(JSON.parse(readFileSync('rules.json')).map((rule) => fhirpath.evaluate(patient, rule, {}, model))));
JS
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
from fhirpathpy import evaluate
from fhirpathpy.models import models

print('fhirpathpy', importlib.metadata.version('fhirpathpy'), 'fhirpath', json.load(open('node_modules/fhirpath/package.json'))['version'])
patient = json.load(open('patient.json'))
for rule, js in zip(json.load(open('rules.json')), json.load(sys.stdin)):
    try:
        answer = json.dumps([float(value) if hasattr(value, 'is_finite') else str(value) if hasattr(value, 'asStr') else value for value in evaluate(patient, rule, [], models['r4'])], default=str)
    except Exception as error:
        answer = f'error: {error}'
    print(f'{rule}: js {json.dumps(js)}, py {answer}')
PY
node run.cjs | env/bin/python run.py | tee out
diff out - <<'END'
fhirpathpy 2.2.4 fhirpath 5.2.2
7 div 2: js [3], py [3]
-7 mod 3: js [-1], py [2]
1.10 = 1.1: js [true], py [true]
4 'kg' = 4000 'g': js [true], py [false]
4 'kg' > 3000 'g': js [true], py error: FP_Type.compare() takes 1 positional argument but 2 were given
10.5.round(0): js [11], py [10.0]
2.5.round(): js [3], py error: round wrong arity: got 0
2.power(0.5): js [1.4142135623730951], py []
1.0.toString(): js ["1.0"], py ["1"]
@2026-01-31 + 1 month: js ["2026-02-28"], py ["2026-02-28"]
@2026-01 = @2026-01-15: js [], py []
Patient.name.where(use = 'official').family: js ["Doe"], py ["Doe"]
Patient.multipleBirthInteger mod 3: js [-1], py [2]
END
