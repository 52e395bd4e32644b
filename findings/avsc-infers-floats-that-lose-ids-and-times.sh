#!/usr/bin/env bash
# avsc 5.7.9 (npm), Avro in JavaScript, with Type.forValue, which infers a schema from a value.
# Behaviour: a number that is no 32-bit integer, and is below 2^53 - 1, is inferred to be a "float", which has 32 bits. So an id of eleven digits, a time in milliseconds or
# an amount of money is written and read back as another number, without an error. A time is off by 43 seconds. Only from 2^53 - 1 on the type is "double". One price with a
# fraction makes the whole numbers of its column floats as well.
# Seen:   12345678901: float, 12345678848 / 1767225600123: float, 1767225556992 / 19.99: float, 19.989999771118164 / 9007199254740991: double
# Most would guess: long for whole numbers and double for the rest, so that the same numbers come back.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund avsc@5.7.9
cat > run.mjs <<'JS'
import avro from 'avsc';
for (const value of [12345, 12345678901, 1767225600123, 123456789.5, 19.99, 9007199254740991, { id: 12345678901, price: 20 },
  [{ price: 16777217 }, { price: 19.99 }]]) {
  const type = avro.Type.forValue(value);
  console.log(JSON.stringify(value), JSON.stringify(type.schema()), JSON.stringify(type.fromBuffer(type.toBuffer(value))));
}
const type = avro.Type.forValue(1767225600123);
console.log('seconds lost:', (1767225600123 - type.fromBuffer(type.toBuffer(1767225600123))) / 1000);
JS
echo "avsc $(node -p "JSON.parse(require('fs').readFileSync('node_modules/avsc/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
12345 "int" 12345
12345678901 "float" 12345678848
1767225600123 "float" 1767225556992
123456789.5 "float" 123456792
19.99 "float" 19.989999771118164
9007199254740991 "double" 9007199254740991
{"id":12345678901,"price":20} {"type":"record","fields":[{"name":"id","type":"float"},{"name":"price","type":"int"}]} {"id":12345678848,"price":20}
[{"price":16777217},{"price":19.99}] {"type":"array","items":{"type":"record","fields":[{"name":"price","type":"float"}]}} [{"price":16777216},{"price":19.989999771118164}]
seconds lost: 43.131
END
