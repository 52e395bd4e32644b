#!/usr/bin/env bash
# valibot 1.5.0 with @valibot/to-json-schema 1.8.0, held against ajv 8 with ajv-formats (npm): times.
# Behaviour: isoDateTime() is listed as format "date-time" and isoTime() as "time", and in both cases no value at all is right on both sides:
# valibot wants 2024-01-02T03:04 (no seconds, no zone) and refuses 2024-01-02T03:04:05Z, and the format wants just that. So a tool whose schema
# says date-time refuses each date-time, and what it takes is refused by every client that checks. Only isoTimestamp() and isoDate() fit;
# isoDate() takes the 31st of February.
# Seen:   isoDateTime 2024-01-02T03:04: valibot true, ajv false / ...T03:04:05Z: false, true / isoTime 03:04: true, false / 03:04:05Z: false, true
# Expected by most: what the schema says is what is taken, or the conversion throws, as it does for much else.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund valibot@1.5.0 @valibot/to-json-schema@1.8.0 ajv@8.20.0 ajv-formats@3.0.1
cat > run.mjs <<'JS'
import * as v from 'valibot';
import { toJsonSchema } from '@valibot/to-json-schema';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
const days = ['2024-01-02T03:04', '2024-01-02 03:04', '2024-01-02T03:04:05',
  '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.123Z', '2024-01-02T03:04:05+02:00'];
const tried = {
  isoDateTime: days, isoTimestamp: ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05+02:00'], 
  isoTime: ['03:04', '03:04:05', '03:04:05Z'], isoDate: ['2024-02-29', '2024-02-31'],
};
for (const [name, values] of Object.entries(tried)) {
  const schema = v.pipe(v.string(), v[name]());
  const json = toJsonSchema(schema);
  const check = formats.default(new Ajv()).compile({ type: json.type, format: json.format });
  for (const value of values) console.log(`${name} (${json.format}) ${value}: valibot ${v.is(schema, value)} ajv ${check(value)}`);
}
JS
for name in valibot @valibot/to-json-schema ajv ajv-formats; do
  echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"
done
node run.mjs | tee out
diff out - <<'END'
isoDateTime (date-time) 2024-01-02T03:04: valibot true ajv false
isoDateTime (date-time) 2024-01-02 03:04: valibot true ajv false
isoDateTime (date-time) 2024-01-02T03:04:05: valibot false ajv false
isoDateTime (date-time) 2024-01-02T03:04:05Z: valibot false ajv true
isoDateTime (date-time) 2024-01-02T03:04:05.123Z: valibot false ajv true
isoDateTime (date-time) 2024-01-02T03:04:05+02:00: valibot false ajv true
isoTimestamp (date-time) 2024-01-02T03:04:05Z: valibot true ajv true
isoTimestamp (date-time) 2024-01-02T03:04:05+02:00: valibot true ajv true
isoTime (time) 03:04: valibot true ajv false
isoTime (time) 03:04:05: valibot false ajv false
isoTime (time) 03:04:05Z: valibot false ajv true
isoDate (date) 2024-02-29: valibot true ajv true
isoDate (date) 2024-02-31: valibot true ajv false
END
