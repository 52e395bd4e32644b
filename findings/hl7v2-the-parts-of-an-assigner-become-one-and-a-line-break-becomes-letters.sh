#!/usr/bin/env bash
# hl7v2 1.8.0 with hl7v2-dictionary 1.8.0 (npm): parse and toHL7String of HL7 v2 messages. (hl7v2 1.9.0 asks for a dictionary 1.9.0, which npm has not; put together by force, it keeps the & and does the rest.)
# Behaviour: \.br\ is the line break of texts in HL7. It is read as letters and written as \E\.br\E\, so the next reader shows "\.br\" instead of a new line; \H\ and \N\ (bold) become the letters H and N.
# The parts of an assigner, H&1.2.3&ISO in PID-3, are written with \T\ for each &: the number of the patient then comes from another place.
# An object for a name, as the README of 1.9.0 shows it, is written as [object Object]; getValue gives the family name only.
# Seen:   Take one.\.br\Then two. -> Take one.\E\.br\E\Then two. / ^^^H&1.2.3&ISO -> ^^^H\T\1.2.3\T\ISO / { familyName: 'SMITH', ... } -> [object Object]
# Expected by most: the message as it came; SMITH^JANE.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund hl7v2@1.8.0 hl7v2-dictionary@1.8.0
cat > run.mjs <<'JS'
import { HL7Message } from 'hl7v2';
const lines = ['MSH|^~\\&|A|B|C|D|20260131120000+0100||ORU^R01|1|P|2.5', 'PID|1||007^^^H&1.2.3&ISO^MR||DOE^JOHN^^^^^L||19800131|M',
  'OBR|1|||5^GLU^L|||202601311200', 'OBX|1|NM|5^GLU^L||5.10|mmol/L|3.90-5.60|N|||F', 'OBX|2|TX|6^NOTE^L||Take one.\\.br\\Then two.||||||F',
  'OBX|3|TX|6^NOTE^L||a \\T\\ b \\H\\bold\\N\\ c \\X0D\\ d||||||F'];
const message = HL7Message.parse(lines.join('\r'));
const written = message.toHL7String().trim().split('\r');
console.log(`lines: ${lines.length} read, ${written.length} written`);
lines.forEach((line, i) => { if (written[i] !== line) console.log(`was ${line}\nis  ${written[i]}`); });
console.log('as a value:', JSON.stringify(message.getSegment('OBX', 1).field(5).getValue()));
console.log('the name:', JSON.stringify(message.getSegment('PID').field(5).getValue()));
const made = new HL7Message('2.5');
made.addSegment('PID').field(5).setValue({ familyName: 'SMITH', givenName: 'JANE' });
console.log('made:', made.toHL7String().trim().split('\r')[1]);
const other = new HL7Message('2.5');
const pid = other.addSegment('PID');
pid.field(5).setValue('SMITH', 1);
pid.field(5).setValue('JANE', 2);
console.log('by components:', other.toHL7String().trim().split('\r')[1]);
JS
echo "hl7v2 $(node -p "JSON.parse(require('fs').readFileSync('node_modules/hl7v2/package.json')).version")" >&2
node run.mjs | tee out
diff out - <<'END'
lines: 6 read, 6 written
was PID|1||007^^^H&1.2.3&ISO^MR||DOE^JOHN^^^^^L||19800131|M
is  PID|1||007^^^H\T\1.2.3\T\ISO^MR||DOE^JOHN^^^^^L||19800131|M
was OBX|2|TX|6^NOTE^L||Take one.\.br\Then two.||||||F
is  OBX|2|TX|6^NOTE^L||Take one.\E\.br\E\Then two.||||||F
was OBX|3|TX|6^NOTE^L||a \T\ b \H\bold\N\ c \X0D\ d||||||F
is  OBX|3|TX|6^NOTE^L||a \T\ b HboldN c \X0D\ d||||||F
as a value: "Take one.\\.br\\Then two."
the name: "DOE"
made: PID|||||[object Object]
by components: PID|||||SMITH^JANE
END
