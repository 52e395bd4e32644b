#!/usr/bin/env bash
# @redoxengine/redox-hl7-v2 1.0.1 (npm): Parser makes JSON of HL7 v2 messages, Generator makes messages of the JSON.
# Behaviour: the value of a result (OBX-5) is one text for each kind of result. A code with its name (CWE: 260385009^Negative^SCT) or a number with its sign (SN: >^5.0) is
# written back with \S\ for each ^: the next system reads one text with ^ in it instead of a code, a name and a system. \.br\ becomes \E\.br\E\.
# Segments of one's own (Z...) are gone without a word. The schema of the README has no place for this.
# Seen:   260385009^Negative^SCT -> 260385009\S\Negative\S\SCT / >^5.0 -> >\S\5.0 / ZPD|1|own is not written
# Expected by most: OBX-5 and own segments as they came.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @redoxengine/redox-hl7-v2@1.0.1
cat > run.cjs <<'JS'
const { Parser, Generator } = require('@redoxengine/redox-hl7-v2');
const lines = ['MSH|^~\\&|A|B|C|D|20260131120000||ORU^R01|1|P|2.5', 'PID|1||007^^^H||DOE^JOHN^Q~ROE^JIM', 'OBR|1|||5^GLU^L', 'OBX|1|NM|5^GLU^L||5.10|mmol/L', 'OBX|2|CWE|6^SWAB^L||260385009^Negative^SCT',
  'OBX|3|SN|7^TITRE^L||>^5.0', 'OBX|4|TX|8^NOTE^L||one \\T\\ two\\.br\\three', 'ZPD|1|own^field'];
const json = new Parser().parse(lines.join('\r'));
const written = new Generator().write(json).split('\r').filter(Boolean).map((line) => line.replace(/\|+$/, ''));
console.log(`segments: ${lines.length} read, ${written.length} written`);
lines.forEach((line, i) => { if (written[i] !== line) console.log(`was ${line}\nis  ${written[i]}`); });
const again = new Parser().parse(written.join('\r'));
const results = (tree) => tree.PATIENT_RESULT[0].ORDER_OBSERVATION[0].OBSERVATION.map(({ OBX }) => OBX['5'].join(' & '));
console.log('values:', JSON.stringify(results(json)));
console.log('read by the same package again:', JSON.stringify(results(again)));
JS
echo "redox-hl7-v2 $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@redoxengine/redox-hl7-v2/package.json')).version")" >&2
node run.cjs | tee out
diff out - <<'END'
segments: 8 read, 7 written
was OBX|2|CWE|6^SWAB^L||260385009^Negative^SCT
is  OBX|2|CWE|6^SWAB^L||260385009\S\Negative\S\SCT
was OBX|3|SN|7^TITRE^L||>^5.0
is  OBX|3|SN|7^TITRE^L||>\S\5.0
was OBX|4|TX|8^NOTE^L||one \T\ two\.br\three
is  OBX|4|TX|8^NOTE^L||one \T\ two\E\.br\E\three
was ZPD|1|own^field
is  undefined
values: ["5.10","260385009^Negative^SCT",">^5.0","one & two\\.br\\three"]
read by the same package again: ["5.10","260385009^Negative^SCT",">^5.0","one & two\\.br\\three"]
END
